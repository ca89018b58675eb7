//! The season that the home page shows now.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::model::{Season, next_change, shown_at};
use super::store;
use crate::platform::cache::CatalogueChange;
use crate::platform::clock::nepal_date;
use crate::platform::state::App;

/// The season of this moment, and when another one may follow it.
#[derive(Debug, Default)]
pub struct CurrentSeason {
    pub season: Option<Season>,
    pub valid_until: Option<DateTime<Utc>>,
}

/// Loads the season of this moment. The planned ones are cached until a seller changes them. A home page without its
/// season is better than none, so a problem is only logged.
pub async fn load_current(app: &App) -> CurrentSeason {
    let now = app.clock.now();
    let make = async || {
        let mut connection = app.db.browse.acquire().await.map_err(Arc::new)?;
        let seasons = store::list(&mut connection, nepal_date(now)).await.map_err(Arc::new)?;
        Ok::<_, Arc<sqlx::Error>>(seasons)
    };
    match app.cache.get_value("seasons", CatalogueChange::Detail, make).await {
        Ok(seasons) => {
            CurrentSeason { season: shown_at(&seasons, now).cloned(), valid_until: next_change(&seasons, now) }
        }
        Err(error) => {
            tracing::error!(%error, "could not read the seasons");
            CurrentSeason::default()
        }
    }
}
