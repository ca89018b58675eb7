//! The daily email about products that are low in stock.

use serde::{Deserialize, Serialize};

use crate::alerts::{self, Alert, LowStockLine};
use crate::catalogue;
use crate::platform::clock;
use crate::platform::jobs::Job;
use crate::platform::state::App;

/// The most products that the email names; it says how many more there are.
const MAX_NAMED: i64 = 30;

/// Tells those who buy the goods. The worker's schedule starts it every morning; the alert of a day is sent once, however
/// often it runs.
#[derive(Serialize, Deserialize)]
pub struct SendLowStockEmail {}

impl Job for SendLowStockEmail {
    const NAME: &'static str = "inventory.low_stock_email";

    async fn run(self, app: &App) -> Result<(), String> {
        let failed = |error: sqlx::Error| error.to_string();
        let mut tx = app.db.main.begin().await.map_err(failed)?;
        let (products, total) = catalogue::list_lowest_stock(&mut tx, MAX_NAMED).await.map_err(failed)?;
        if products.is_empty() {
            return Ok(());
        }
        let named = i64::try_from(products.len()).unwrap_or(i64::MAX);
        let lines = products.into_iter().map(|product| LowStockLine {
            name: product.name,
            name_ne: product.name_ne,
            stock: product.stock,
        });
        let alert = Alert::LowStock { lines: lines.collect(), more: total - named };
        let event = format!("low_stock:{}", clock::nepal_date(app.clock.now()));
        alerts::alert_staff(app, &mut tx, &event, &alert).await.map_err(failed)?;
        tx.commit().await.map_err(failed)
    }
}
