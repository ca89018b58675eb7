//! Listens for changes of the catalogue in the database and drops the cached responses of this instance.

use std::time::Duration;

use sqlx::postgres::PgListener;

use super::cache::{CatalogueChange, ResponseCache};
use super::db::Pools;

/// The channel on which the catalogue's triggers send notifications.
const CHANNEL: &str = "catalogue";
const RETRY: Duration = Duration::from_millis(500);

/// Runs until the process ends. While it is disconnected, responses are cached for less than a second
/// (`ResponseCache::set_listening`).
pub async fn listen(db: Pools, cache: ResponseCache) {
    loop {
        if let Err(error) = listen_once(&db, &cache).await {
            tracing::warn!(%error, "not listening to database notifications; responses are cached for less than a second");
        }
        db.outdate_replica(false);
        cache.set_listening(false);
        tokio::time::sleep(RETRY).await;
    }
}

async fn listen_once(db: &Pools, cache: &ResponseCache) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(&db.main).await?;
    listener.listen(CHANNEL).await?;
    // This instance was not notified of changes before this line.
    db.outdate_replica(true);
    cache.invalidate_all(CatalogueChange::Listing);
    cache.set_listening(true);
    loop {
        let notification = listener.try_recv().await?;
        // Before the cache: what it is asked for from then on must have the change.
        db.outdate_replica(true);
        // `None` means that the connection was lost and restored, so notifications may have been missed.
        let detail_only = notification.is_some_and(|notice| notice.payload() == "detail");
        cache.invalidate_all(if detail_only { CatalogueChange::Detail } else { CatalogueChange::Listing });
        metrics::counter!("catalogue_notifications_total").increment(1);
    }
}
