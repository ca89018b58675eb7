//! PDF files of bills and credit notes. Each one is counted: the first is the original, the others say that they are
//! copies.

use std::time::Duration;

use sqlx::PgConnection;
use thunse_pdf::Paper;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::document::Printout;
use super::model::{BillingError, PrintedFor};
use super::store;
use crate::platform::config::Config;
use crate::platform::ids::UserId;
use crate::platform::state::{App, AppComponent};

/// As many files are made at a time; the others wait.
const CONCURRENT: usize = 2;
const LONGEST_WAIT: Duration = Duration::from_secs(10);

struct PdfPermits(Semaphore);

impl AppComponent for PdfPermits {
    fn new(_config: &Config) -> Self {
        Self(Semaphore::new(CONCURRENT))
    }
}

pub struct PdfFile {
    /// A file name without special characters.
    pub name: String,
    pub content: Vec<u8>,
}

/// Makes the file of a bill or credit note and counts it. A shopper gets only the own ones.
pub async fn print_document(
    app: &App,
    document: Uuid,
    paper: Paper,
    reader: PrintedFor,
) -> Result<PdfFile, BillingError> {
    // The permit comes before the connection, so that waiting for it holds none.
    let permits = app.component::<PdfPermits>();
    let waiting = tokio::time::timeout(LONGEST_WAIT, permits.0.acquire());
    let _permit = waiting.await.map_err(|_| BillingError::Busy)?.map_err(|_| BillingError::Busy)?;
    let owner = if let PrintedFor::Shopper(user) = reader { Some(user) } else { None };
    let mut connection = app.db.main.acquire().await?;
    let printout = load(&mut connection, document, owner).await?;
    let copies = store::count_prints(&mut connection, &[document]).await?;
    drop(connection);
    let before = copies.first().map_or(0, |(_, count)| *count);
    let expected = i32::try_from(before).unwrap_or(i32::MAX - 1) + 1;
    // No transaction is open while the file is made, and nothing is counted unless it is made.
    let file = make_file(&printout, paper, expected).await?;
    let mut tx = app.db.main.begin().await?;
    let ordinal = store::record_print(&mut tx, document, reader, app.clock.now()).await?;
    tx.commit().await?;
    if ordinal == expected {
        return Ok(file);
    }
    // Another copy was made meanwhile, or the email is sent again.
    make_file(&printout, paper, ordinal).await
}

async fn load(connection: &mut PgConnection, document: Uuid, owner: Option<UserId>) -> Result<Printout, BillingError> {
    let note = store::find_credit_note(connection, document).await?;
    let bill = note.as_ref().map_or(document, |note| note.bill_id);
    let bill = store::find_bill(connection, bill).await?.ok_or(BillingError::NotFound)?;
    if owner.is_some_and(|owner| owner != bill.user_id) {
        return Err(BillingError::NotFound);
    }
    let lines = store::list_lines(connection, bill.id).await?;
    let credit = match note {
        Some(note) => {
            let credited = store::list_lines_of_note(connection, note.id).await?;
            Some((note, credited))
        }
        None => None,
    };
    Ok(Printout { bill, lines, credit })
}

async fn make_file(printout: &Printout, paper: Paper, ordinal: i32) -> Result<PdfFile, BillingError> {
    let document = printout.to_document(ordinal);
    let name = format!("{}.pdf", printout.number().replace('/', "-"));
    let made = tokio::task::spawn_blocking(move || thunse_pdf::write_pdf(&document, paper)).await;
    let content = made.map_err(|error| BillingError::Pdf(error.to_string()))?;
    Ok(PdfFile { name, content: content.map_err(|error| BillingError::Pdf(error.to_string()))? })
}
