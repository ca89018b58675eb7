//! The SQL of bills and their numbers. Rows are only added.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::billing::model::{Amounts, Bill, BillKind, BillLine, Buyer, DocumentNumber, Seller, Series};
use crate::platform::ids::{OrderId, UserId};
use crate::platform::money::{Paisa, Percent};

/// Finds the fiscal year of a day. The last known year is not longer than 365 days until the next one is known, because
/// a bill must never get a number of the wrong year.
pub async fn find_fiscal_year(connection: &mut PgConnection, day: NaiveDate) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        r#"SELECT y.name AS "name!"
           FROM (SELECT name, starts_on FROM fiscal_years WHERE starts_on <= $1 ORDER BY starts_on DESC LIMIT 1) y
           WHERE $1 - y.starts_on < 365 OR EXISTS (SELECT FROM fiscal_years n WHERE n.starts_on > y.starts_on)"#,
        day,
    )
    .fetch_optional(connection)
    .await
}

/// Takes the next number; the counter stays locked until the transaction ends.
pub async fn take_number(
    connection: &mut PgConnection,
    fiscal_year: &str,
    outlet: &str,
    series: Series,
) -> sqlx::Result<i32> {
    sqlx::query_scalar!(
        "INSERT INTO bill_counters AS counter (fiscal_year, outlet, series, last_number) VALUES ($1, $2, $3, 1)
         ON CONFLICT (fiscal_year, outlet, series) DO UPDATE SET last_number = counter.last_number + 1
         RETURNING last_number",
        fiscal_year,
        outlet,
        series.name(),
    )
    .fetch_one(connection)
    .await
}

struct BillRow {
    id: Uuid,
    order_id: OrderId,
    user_id: UserId,
    issue: i32,
    kind: BillKind,
    fiscal_year: String,
    outlet: String,
    series: Series,
    number: i32,
    issued_at: DateTime<Utc>,
    issued_on: NaiveDate,
    issued_on_bs: String,
    language: String,
    order_code: String,
    payment_method: String,
    seller_name: String,
    seller_name_ne: String,
    seller_address: String,
    seller_address_ne: String,
    seller_phone: String,
    seller_pan: String,
    buyer_name: String,
    buyer_address: String,
    buyer_phone: String,
    buyer_pan: String,
    vat_registered: bool,
    tax_rate_bp: i32,
    prices_include_tax: bool,
    exempt: Paisa,
    taxable: Paisa,
    tax: Paisa,
    delivery: Paisa,
    discount: Paisa,
    total: Paisa,
}

impl From<BillRow> for Bill {
    fn from(row: BillRow) -> Self {
        Self {
            id: row.id,
            order_id: row.order_id,
            user_id: row.user_id,
            issue: row.issue,
            kind: row.kind,
            number: DocumentNumber {
                fiscal_year: row.fiscal_year,
                outlet: row.outlet,
                series: row.series,
                number: row.number,
            },
            issued_at: row.issued_at,
            issued_on: row.issued_on,
            issued_on_bs: row.issued_on_bs,
            language: row.language,
            order_code: row.order_code,
            payment_method: row.payment_method,
            seller: Seller {
                name: row.seller_name,
                name_ne: row.seller_name_ne,
                address: row.seller_address,
                address_ne: row.seller_address_ne,
                phone: row.seller_phone,
                pan: row.seller_pan,
            },
            buyer: Buyer {
                name: row.buyer_name,
                address: row.buyer_address,
                phone: row.buyer_phone,
                pan: row.buyer_pan,
            },
            vat_registered: row.vat_registered,
            tax_rate: Percent(row.tax_rate_bp),
            prices_include_tax: row.prices_include_tax,
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

macro_rules! select_bills {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            BillRow,
            r#"SELECT b.id, b.order_id, b.user_id, b.issue, b.kind, b.fiscal_year, b.outlet, b.series, b.number, b.issued_at, b.issued_on,
                      b.issued_on_bs, b.language, b.order_code, b.payment_method, b.seller_name, b.seller_name_ne,
                      b.seller_address, b.seller_address_ne, b.seller_phone, b.seller_pan, b.buyer_name, b.buyer_address,
                      b.buyer_phone, b.buyer_pan, b.vat_registered, b.tax_rate_bp, b.prices_include_tax,
                      b.exempt_paisa AS "exempt: Paisa", b.taxable_paisa AS "taxable: Paisa", b.tax_paisa AS "tax: Paisa",
                      b.delivery_paisa AS "delivery: Paisa", b.discount_paisa AS "discount: Paisa", b.total_paisa AS "total: Paisa"
               FROM bills b "# + $rest,
            $($argument),+
        )
    };
}

pub async fn find_bill(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Bill>> {
    Ok(select_bills!("WHERE b.id = $1", id).fetch_optional(connection).await?.map(Bill::from))
}

/// Finds the bill of an order that is not wholly credited.
pub async fn find_standing_bill(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<Bill>> {
    let row = select_bills!(
        "WHERE b.order_id = $1 AND (b.total_paisa = 0 OR b.total_paisa > coalesce(
             (SELECT sum(c.total_paisa) FROM credit_notes c WHERE c.bill_id = b.id), 0))
         ORDER BY b.issue DESC LIMIT 1",
        order.0
    );
    Ok(row.fetch_optional(connection).await?.map(Bill::from))
}

pub async fn list_bills_of_order(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<Bill>> {
    let rows = select_bills!("WHERE b.order_id = $1 ORDER BY b.issue", order.0).fetch_all(connection).await?;
    Ok(rows.into_iter().map(Bill::from).collect())
}

/// Lists the newest bills of a shopper.
pub async fn list_bills_of_user(connection: &mut PgConnection, user: UserId, limit: i64) -> sqlx::Result<Vec<Bill>> {
    let rows = select_bills!("WHERE b.user_id = $1 ORDER BY b.id DESC LIMIT $2", user.0, limit);
    Ok(rows.fetch_all(connection).await?.into_iter().map(Bill::from).collect())
}

pub async fn count_bills(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<i32> {
    sqlx::query_scalar!(r#"SELECT count(*)::integer AS "count!" FROM bills WHERE order_id = $1"#, order.0)
        .fetch_one(connection)
        .await
}

pub async fn insert_bill(connection: &mut PgConnection, bill: &Bill, lines: &[BillLine]) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO bills (id, order_id, user_id, issue, kind, fiscal_year, outlet, series, number, issued_at, issued_on,
                            issued_on_bs, language, order_code, payment_method, seller_name, seller_name_ne,
                            seller_address, seller_address_ne, seller_phone, seller_pan, buyer_name, buyer_address,
                            buyer_phone, buyer_pan, vat_registered, tax_rate_bp, prices_include_tax, exempt_paisa,
                            taxable_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
                 $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34)",
        bill.id,
        bill.order_id.0,
        bill.user_id.0,
        bill.issue,
        bill.kind.name(),
        bill.number.fiscal_year,
        bill.number.outlet,
        bill.number.series.name(),
        bill.number.number,
        bill.issued_at,
        bill.issued_on,
        bill.issued_on_bs,
        bill.language,
        bill.order_code,
        bill.payment_method,
        bill.seller.name,
        bill.seller.name_ne,
        bill.seller.address,
        bill.seller.address_ne,
        bill.seller.phone,
        bill.seller.pan,
        bill.buyer.name,
        bill.buyer.address,
        bill.buyer.phone,
        bill.buyer.pan,
        bill.vat_registered,
        bill.tax_rate.0,
        bill.prices_include_tax,
        bill.amounts.exempt.0,
        bill.amounts.taxable.0,
        bill.amounts.tax.0,
        bill.amounts.delivery.0,
        bill.amounts.discount.0,
        bill.amounts.total.0,
    )
    .execute(&mut *connection)
    .await?;
    insert_lines(connection, bill.id, lines).await
}

/// Inserts all lines with one statement.
async fn insert_lines(connection: &mut PgConnection, bill: Uuid, lines: &[BillLine]) -> sqlx::Result<()> {
    let positions: Vec<i32> = lines.iter().map(|line| line.position).collect();
    let products: Vec<Uuid> = lines.iter().map(|line| line.product_id.0).collect();
    let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
    let names_ne: Vec<Option<&str>> = lines.iter().map(|line| line.name_ne.as_deref()).collect();
    let labels: Vec<Option<&str>> = lines.iter().map(|line| line.pack_label.as_deref()).collect();
    let labels_ne: Vec<Option<&str>> = lines.iter().map(|line| line.pack_label_ne.as_deref()).collect();
    let quantities: Vec<i32> = lines.iter().map(|line| line.quantity).collect();
    let prices: Vec<i64> = lines.iter().map(|line| line.price.0).collect();
    let amounts: Vec<i64> = lines.iter().map(|line| line.amount.0).collect();
    let tax_classes: Vec<&str> = lines.iter().map(|line| line.tax_class.name()).collect();
    sqlx::query!(
        "INSERT INTO bill_lines (bill_id, position, product_id, name, name_ne, pack_label, pack_label_ne, quantity,
                                 price_paisa, amount_paisa, tax_class)
         SELECT $1, line.* FROM unnest($2::integer[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                                       $8::integer[], $9::bigint[], $10::bigint[], $11::text[]) line",
        bill,
        &positions,
        &products,
        names as _,
        names_ne as _,
        labels as _,
        labels_ne as _,
        &quantities,
        &prices,
        &amounts,
        tax_classes as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn list_lines(connection: &mut PgConnection, bill: Uuid) -> sqlx::Result<Vec<BillLine>> {
    sqlx::query_as!(
        BillLine,
        r#"SELECT position, product_id, name, name_ne, pack_label, pack_label_ne, quantity, price_paisa AS "price: Paisa",
                  amount_paisa AS "amount: Paisa", tax_class
           FROM bill_lines WHERE bill_id = $1 ORDER BY position"#,
        bill,
    )
    .fetch_all(connection)
    .await
}
