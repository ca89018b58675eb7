//! The SQL of the register: all bills and credit notes.

use sqlx::PgConnection;

use crate::billing::model::{RegisterFilter, RegisterRow};
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;

/// Lists bills and credit notes, the newest first.
pub async fn list_documents(
    connection: &mut PgConnection,
    filter: &RegisterFilter,
    limit: i64,
) -> sqlx::Result<Vec<RegisterRow>> {
    sqlx::query_as!(
        RegisterRow,
        r#"SELECT d.id AS "id!", d.is_credit_note AS "is_credit_note!", d.kind AS "kind!", d.order_id AS "order_id!: OrderId",
                  d.order_code AS "order_code!", d.fiscal_year AS "fiscal_year!", d.outlet AS "outlet!", d.series AS "series!",
                  d.number AS "number!", d.issued_at AS "issued_at!", d.issued_on AS "issued_on!", d.issued_on_bs AS "issued_on_bs!",
                  d.buyer_name AS "buyer_name!", d.buyer_pan AS "buyer_pan!", d.seller_pan AS "seller_pan!", d.reason AS "reason!",
                  d.corrected_year, d.corrected_number,
                  d.exempt AS "exempt!: Paisa", d.taxable AS "taxable!: Paisa", d.tax AS "tax!: Paisa",
                  d.delivery AS "delivery!: Paisa", d.discount AS "discount!: Paisa", d.total AS "total!: Paisa",
                  (SELECT count(*) FROM bill_prints p WHERE p.document_id = d.id) AS "prints!"
           FROM (
               SELECT b.id, false AS is_credit_note, b.kind, b.order_id, b.order_code, b.fiscal_year, b.outlet, b.series, b.number,
                      b.issued_at, b.issued_on, b.issued_on_bs, b.buyer_name, b.buyer_pan, b.seller_pan, '' AS reason,
                      NULL::text AS corrected_year, NULL::integer AS corrected_number,
                      b.exempt_paisa AS exempt, b.taxable_paisa AS taxable, b.tax_paisa AS tax, b.delivery_paisa AS delivery,
                      b.discount_paisa AS discount, b.total_paisa AS total
               FROM bills b
               UNION ALL
               SELECT c.id, true, b.kind, b.order_id, b.order_code, c.fiscal_year, c.outlet, c.series, c.number,
                      c.issued_at, c.issued_on, c.issued_on_bs, b.buyer_name, b.buyer_pan, b.seller_pan, c.reason,
                      b.fiscal_year, b.number,
                      c.exempt_paisa, c.taxable_paisa, c.tax_paisa, c.delivery_paisa, c.discount_paisa, c.total_paisa
               FROM credit_notes c JOIN bills b ON b.id = c.bill_id
           ) d
           WHERE d.issued_on BETWEEN $1 AND $2 AND d.id < $3 AND ($4::integer IS NULL OR d.number = $4)
           ORDER BY d.id DESC LIMIT $5"#,
        filter.from,
        filter.to,
        filter.before,
        filter.number,
        limit,
    )
    .fetch_all(connection)
    .await
}
