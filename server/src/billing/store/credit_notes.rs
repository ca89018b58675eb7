//! The SQL of credit notes. Rows are only added.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::billing::model::{Amounts, CreditLine, CreditNote, DocumentNumber, Series};
use crate::platform::money::Paisa;

struct CreditNoteRow {
    id: Uuid,
    bill_id: Uuid,
    fiscal_year: String,
    outlet: String,
    series: Series,
    number: i32,
    issued_at: DateTime<Utc>,
    issued_on: NaiveDate,
    issued_on_bs: String,
    reason: String,
    issued_by: Option<Uuid>,
    exempt: Paisa,
    taxable: Paisa,
    tax: Paisa,
    delivery: Paisa,
    discount: Paisa,
    total: Paisa,
}

impl From<CreditNoteRow> for CreditNote {
    fn from(row: CreditNoteRow) -> Self {
        Self {
            id: row.id,
            bill_id: row.bill_id,
            number: DocumentNumber {
                fiscal_year: row.fiscal_year,
                outlet: row.outlet,
                series: row.series,
                number: row.number,
            },
            issued_at: row.issued_at,
            issued_on: row.issued_on,
            issued_on_bs: row.issued_on_bs,
            reason: row.reason,
            issued_by: row.issued_by,
            amounts: Amounts {
                exempt: row.exempt,
                taxable: row.taxable,
                tax: row.tax,
                delivery: row.delivery,
                discount: row.discount,
                total: row.total,
            },
        }
    }
}

macro_rules! select_credit_notes {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            CreditNoteRow,
            r#"SELECT c.id, c.bill_id, c.fiscal_year, c.outlet, c.series, c.number, c.issued_at, c.issued_on, c.issued_on_bs,
                      c.reason, c.issued_by, c.exempt_paisa AS "exempt: Paisa", c.taxable_paisa AS "taxable: Paisa",
                      c.tax_paisa AS "tax: Paisa", c.delivery_paisa AS "delivery: Paisa", c.discount_paisa AS "discount: Paisa",
                      c.total_paisa AS "total: Paisa"
               FROM credit_notes c "# + $rest,
            $($argument),+
        )
    };
}

pub async fn find_credit_note(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<CreditNote>> {
    Ok(select_credit_notes!("WHERE c.id = $1", id).fetch_optional(connection).await?.map(CreditNote::from))
}

pub async fn list_credit_notes(connection: &mut PgConnection, bill: Uuid) -> sqlx::Result<Vec<CreditNote>> {
    let rows = select_credit_notes!("WHERE c.bill_id = $1 ORDER BY c.id", bill).fetch_all(connection).await?;
    Ok(rows.into_iter().map(CreditNote::from).collect())
}

/// Lists what all credit notes of a bill take back.
pub async fn list_credit_lines(connection: &mut PgConnection, bill: Uuid) -> sqlx::Result<Vec<CreditLine>> {
    sqlx::query_as!(
        CreditLine,
        r#"SELECT position, quantity, amount_paisa AS "amount: Paisa" FROM credit_note_lines WHERE bill_id = $1
           ORDER BY position"#,
        bill,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_lines_of_note(connection: &mut PgConnection, note: Uuid) -> sqlx::Result<Vec<CreditLine>> {
    sqlx::query_as!(
        CreditLine,
        r#"SELECT position, quantity, amount_paisa AS "amount: Paisa" FROM credit_note_lines WHERE credit_note_id = $1
           ORDER BY position"#,
        note,
    )
    .fetch_all(connection)
    .await
}

pub async fn insert_credit_note(
    connection: &mut PgConnection,
    note: &CreditNote,
    lines: &[CreditLine],
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO credit_notes (id, bill_id, fiscal_year, outlet, series, number, issued_at, issued_on, issued_on_bs,
                                   reason, issued_by, exempt_paisa, taxable_paisa, tax_paisa, delivery_paisa,
                                   discount_paisa, total_paisa)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        note.id,
        note.bill_id,
        note.number.fiscal_year,
        note.number.outlet,
        note.number.series.name(),
        note.number.number,
        note.issued_at,
        note.issued_on,
        note.issued_on_bs,
        note.reason,
        note.issued_by,
        note.amounts.exempt.0,
        note.amounts.taxable.0,
        note.amounts.tax.0,
        note.amounts.delivery.0,
        note.amounts.discount.0,
        note.amounts.total.0,
    )
    .execute(&mut *connection)
    .await?;
    let positions: Vec<i32> = lines.iter().map(|line| line.position).collect();
    let quantities: Vec<i32> = lines.iter().map(|line| line.quantity).collect();
    let amounts: Vec<i64> = lines.iter().map(|line| line.amount.0).collect();
    sqlx::query!(
        "INSERT INTO credit_note_lines (credit_note_id, bill_id, position, quantity, amount_paisa)
         SELECT $1, $2, line.* FROM unnest($3::integer[], $4::integer[], $5::bigint[]) line",
        note.id,
        note.bill_id,
        &positions,
        &quantities,
        &amounts,
    )
    .execute(connection)
    .await?;
    Ok(())
}
