//! Listens for changes of the catalogue in the database and drops the cached responses of this instance.

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;

use super::cache::{CatalogueChange, ResponseCache};

/// The channel on which the catalogue's triggers send notifications.
const CHANNEL: &str = "catalogue";
const RETRY: Duration = Duration::from_millis(500);

/// Runs until the process ends. While it is disconnected, responses are cached for less than a second
/// (`ResponseCache::set_listening`).
pub async fn listen(db: PgPool, cache: ResponseCache) {
    loop {
        if let Err(error) = listen_once(&db, &cache).await {
            tracing::warn!(%error, "not listening to database notifications; responses are cached for less than a second");
        }
        cache.set_listening(false);
        tokio::time::sleep(RETRY).await;
    }
}

async fn listen_once(db: &PgPool, cache: &ResponseCache) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(db).await?;
    listener.listen(CHANNEL).await?;
    // This instance was not notified of changes before this line.
    cache.invalidate_all(CatalogueChange::Listing);
    cache.set_listening(true);
    loop {
        let notification = listener.try_recv().await?;
        // `None` means that the connection was lost and restored, so notifications may have been missed.
        let detail_only = notification.is_some_and(|notice| notice.payload() == "detail");
        cache.invalidate_all(if detail_only { CatalogueChange::Detail } else { CatalogueChange::Listing });
        metrics::counter!("catalogue_notifications_total").increment(1);
    }
}
