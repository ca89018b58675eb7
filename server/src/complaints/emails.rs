//! Emails about complaints, to the shopper and to the shop. A job holds only ids; the recipient and the contents are
//! loaded when the email is sent.

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::store;
use crate::accounts;
use crate::notifications::{self, ComplaintEmailKind, ComplaintSummary, Email, Recipient};
use crate::orders;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::state::App;
use crate::platform::{bikram_sambat, clock};
use crate::shop;

/// What one of the sides gets an email about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComplaintEvent {
    OpenedForShop,
    OpenedForShopper,
    MessageForShop,
    MessageForShopper,
    Decided,
}

impl ComplaintEvent {
    const fn is_for_shop(self) -> bool {
        matches!(self, Self::OpenedForShop | Self::MessageForShop)
    }

    const fn email_kind(self) -> ComplaintEmailKind {
        match self {
            Self::OpenedForShop => ComplaintEmailKind::OpenedForShop,
            Self::OpenedForShopper => ComplaintEmailKind::OpenedForShopper,
            Self::MessageForShop => ComplaintEmailKind::MessageForShop,
            Self::MessageForShopper => ComplaintEmailKind::MessageForShopper,
            Self::Decided => ComplaintEmailKind::Decided,
        }
    }
}

/// Sends the email when the caller's transaction commits.
pub async fn enqueue(
    connection: &mut PgConnection,
    complaint: Uuid,
    message: Option<Uuid>,
    event: ComplaintEvent,
) -> sqlx::Result<()> {
    jobs::enqueue(connection, &SendComplaintEmail { id: Uuid::now_v7(), complaint, message, event }).await
}

#[derive(Serialize, Deserialize)]
pub struct SendComplaintEmail {
    /// Becomes the Message-ID, so that it is the same email however often the job runs.
    id: Uuid,
    complaint: Uuid,
    message: Option<Uuid>,
    event: ComplaintEvent,
}

impl Job for SendComplaintEmail {
    const NAME: &'static str = "complaints.send_email";

    async fn run(self, app: &App) -> Result<(), String> {
        let unreadable = |error: sqlx::Error| error.to_string();
        let shop = shop::load_or_last_known(app).await;
        let mut connection = app.db.main.acquire().await.map_err(unreadable)?;
        let complaint = store::find(&mut connection, self.complaint).await.map_err(unreadable)?;
        let Some(complaint) = complaint else { return Err(jobs::permanent_failure("the complaint does not exist")) };
        let order = orders::find(&mut connection, complaint.order_id).await.map_err(unreadable)?;
        let Some(order) = order else { return Err(jobs::permanent_failure("the order does not exist")) };
        let (to, page) = if self.event.is_for_shop() {
            let email = [&shop.grievance.email, &shop.contact.email].into_iter().find(|email| !email.is_empty());
            // A shop without an email address reads its complaints in the dashboard.
            let Some(email) = email.cloned() else { return Ok(()) };
            (Recipient { email, name: String::new(), language: Language::English }, "seller/complaints")
        } else {
            let person = accounts::find_contact(&mut connection, complaint.user_id).await.map_err(unreadable)?;
            // A shopper who has deleted the account gets no more emails.
            let Some(person) = person else { return Ok(()) };
            let name = if person.email_confirmed { person.name } else { String::new() };
            (Recipient { email: person.email, name, language: Language::from_code(&order.language) }, "complaints")
        };
        let text = match self.message {
            Some(message) => store::find_message(&mut connection, message).await.map_err(unreadable)?,
            None if self.event == ComplaintEvent::Decided => Some(complaint.outcome_text),
            None => Some(complaint.text),
        };
        drop(connection);
        let summary = ComplaintSummary {
            order: order.code,
            text: text.unwrap_or_default(),
            outcome: complaint.state,
            due: bikram_sambat::format_date(to.language, clock::nepal_date(complaint.due_at)),
            link: format!("{}/{page}/{}", app.config.public_url, complaint.id),
        };
        let email = Email::Complaint { kind: self.event.email_kind(), summary: Box::new(summary) };
        notifications::deliver_email(app, self.id, &to, &email).await
    }
}
