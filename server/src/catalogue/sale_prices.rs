//! Sales: planning and ending them, and the job that changes the prices at their start and end (decision 095).

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::error::{CatalogueError, retry_on_contention};
use super::model::{NewSalePrice, Product, SalePrice};
use super::seller::edit;
use super::store;
use crate::platform::ids::ProductId;
use crate::platform::jobs::{self, Job};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

/// A price of long ago says nothing about the present one.
const MAX_DAYS: i64 = 60;
const MAX_DAYS_AHEAD: i64 = 366;
/// The most sales of a product that are listed.
const MAX_LISTED: i64 = 20;
/// The most products whose price one run of the job changes.
const BATCH_SIZE: i64 = 5_000;

/// A sale as the seller enters it.
pub struct SaleInput {
    pub price: Paisa,
    /// Absent or past: now.
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: DateTime<Utc>,
}

pub async fn list_sales(app: &App, slug: &str) -> Result<Vec<SalePrice>, CatalogueError> {
    let product = edit::find_product(&app.db.main, slug).await?;
    Ok(store::list_sales(&mut *app.db.main.acquire().await?, product.id, MAX_LISTED).await?)
}

/// Plans a sale, which begins at once if its time has come, and returns the sales of the product.
pub async fn add_sale(
    app: &App,
    seller: Uuid,
    slug: &str,
    input: &SaleInput,
) -> Result<Vec<SalePrice>, CatalogueError> {
    retry_on_contention(|| try_add(app, seller, slug, input)).await
}

async fn try_add(app: &App, seller: Uuid, slug: &str, input: &SaleInput) -> Result<Vec<SalePrice>, CatalogueError> {
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    let product = edit::lock_product(&mut tx, slug).await?;
    let starts_at = input.starts_at.map_or(now, |starts_at| starts_at.max(now));
    check_input(&product, input, starts_at, now)?;
    if store::has_overlapping_sale(&mut tx, product.id, starts_at, input.ends_at).await? {
        return Err(CatalogueError::SaleOverlaps);
    }
    let new = NewSalePrice {
        id: Uuid::now_v7(),
        product: product.id,
        price: input.price,
        starts_at,
        ends_at: input.ends_at,
        created_by: seller,
        created_at: now,
    };
    store::insert_sale(&mut tx, &new).await?;
    for (moment, at) in [("start", new.starts_at), ("end", new.ends_at)] {
        jobs::enqueue_at(&mut tx, &ApplySalePrices {}, &format!("{}:{moment}", new.id), at).await?;
    }
    let time = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%MZ");
    let audit_entry = NewAuditEntry {
        seller,
        action: "product.sale_add",
        object: &product.id.to_string(),
        about: &product.name,
        before: &format!("price: {}", product.regular_price.unwrap_or(product.price).two_decimals()),
        after: &format!("price: {}, {} – {}", new.price.two_decimals(), time(new.starts_at), time(new.ends_at)),
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    apply_to_product(&mut tx, product.id, now).await?;
    let sales = store::list_sales(&mut tx, product.id, MAX_LISTED).await?;
    tx.commit().await?;
    Ok(sales)
}

fn check_input(
    product: &Product,
    input: &SaleInput,
    starts_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), CatalogueError> {
    let regular = product.regular_price.unwrap_or(product.price);
    if input.price <= Paisa::ZERO || input.price >= regular {
        let message = message!("api.sales.price_invalid", price = regular.two_decimals());
        return Err(CatalogueError::Field("price", message));
    }
    if starts_at > now + TimeDelta::days(MAX_DAYS_AHEAD) {
        return Err(CatalogueError::Field("startsAt", message!("api.sales.start_too_late")));
    }
    if input.ends_at <= starts_at || input.ends_at > starts_at + TimeDelta::days(MAX_DAYS) {
        return Err(CatalogueError::Field("endsAt", message!("api.sales.end_invalid", days = MAX_DAYS)));
    }
    Ok(())
}

/// Ends a running sale, or cancels a planned one, and returns the sales of the product. A sale that has ended already
/// stays as it is.
pub async fn end_sale(app: &App, seller: Uuid, sale: Uuid) -> Result<Vec<SalePrice>, CatalogueError> {
    retry_on_contention(|| try_end(app, seller, sale)).await
}

async fn try_end(app: &App, seller: Uuid, sale: Uuid) -> Result<Vec<SalePrice>, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let (product, name) = store::find_sale_product(&mut tx, sale).await?.ok_or(CatalogueError::SaleNotFound)?;
    store::lock_products(&mut tx, &[product]).await?;
    if let Some(price) = store::end_sale(&mut tx, sale, seller, app.clock.now()).await? {
        store::restore_regular_price(&mut tx, product).await?;
        let audit_entry = NewAuditEntry {
            seller,
            action: "product.sale_end",
            object: &product.to_string(),
            about: &name,
            before: &format!("price: {}", price.two_decimals()),
            after: "",
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let sales = store::list_sales(&mut tx, product, MAX_LISTED).await?;
    tx.commit().await?;
    Ok(sales)
}

/// Gives a locked product the price that it has at this moment. What was done already is not done again.
async fn apply_to_product(connection: &mut PgConnection, product: ProductId, now: DateTime<Utc>) -> sqlx::Result<()> {
    store::end_due_sales(connection, product, now).await?;
    store::restore_regular_price(connection, product).await?;
    store::start_due_sale(connection, product, now).await
}

/// Begins and ends all sales that are due. A sale queues it for its start and its end; the worker's schedule starts it
/// every minute as well, so that a lost job delays a price by a minute only.
#[derive(Serialize, Deserialize)]
pub struct ApplySalePrices {}

impl Job for ApplySalePrices {
    const NAME: &'static str = "catalogue.apply_sale_prices";

    async fn run(self, app: &App) -> Result<(), String> {
        let now = app.clock.now();
        let due = store::find_due_products(&app.db.main, now, BATCH_SIZE).await.map_err(|error| error.to_string())?;
        let mut failure = None;
        for product in due {
            // A product that fails must not block the others.
            if let Err(error) = retry_on_contention(|| apply_alone(app, product, now)).await {
                failure = Some(error.to_string());
            }
        }
        failure.map_or(Ok(()), Err)
    }
}

async fn apply_alone(app: &App, product: ProductId, now: DateTime<Utc>) -> Result<(), CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    store::lock_products(&mut tx, &[product]).await?;
    apply_to_product(&mut tx, product, now).await?;
    tx.commit().await?;
    Ok(())
}
