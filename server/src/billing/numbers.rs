//! Numbers and days of bills and credit notes.

use chrono::NaiveDate;
use sqlx::PgConnection;

use super::model::{BillingError, DocumentNumber, Series};
use super::store;
use crate::orders::LockedOrder;
use crate::platform::{bikram_sambat, clock};

/// The day in Bikram Sambat as the tax office writes it: `2083.08.01`. Empty if the calendar does not contain it.
pub fn format_bikram_sambat(day: NaiveDate) -> String {
    bikram_sambat::to_bikram_sambat(day)
        .map(|(year, month, day)| format!("{year}.{month:02}.{day:02}"))
        .unwrap_or_default()
}

/// Takes the next number of a series. The counter stays locked until the transaction ends.
pub async fn take_number(
    connection: &mut PgConnection,
    locked: &LockedOrder,
    outlet: &str,
    series: Series,
) -> Result<DocumentNumber, BillingError> {
    let day = clock::nepal_date(locked.now);
    let fiscal_year = store::find_fiscal_year(connection, day).await?.ok_or(BillingError::FiscalYearUnknown(day))?;
    let number = store::take_number(connection, &fiscal_year, outlet, series).await?;
    Ok(DocumentNumber { fiscal_year, outlet: outlet.to_owned(), series, number })
}
