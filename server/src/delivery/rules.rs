//! Loading the rules.

use std::sync::Arc;

use super::error::DeliveryError;
use super::model::DeliveryRules;
use super::store;
use crate::platform::cache::CatalogueChange;
use crate::platform::state::App;

/// Loads the current rules, cached until they change. Call it before taking a database connection, because it may need
/// one itself.
pub async fn load_rules(app: &App) -> Result<Arc<DeliveryRules>, DeliveryError> {
    let make = async || {
        let mut connection = app.db.browse.acquire().await?;
        let zones = store::list_zones(&mut connection).await?;
        let closed = store::list_closed_days(&mut connection).await?;
        Ok::<_, DeliveryError>(DeliveryRules { zones, closed })
    };
    app.cache.get_value("delivery", CatalogueChange::Detail, make).await
}
