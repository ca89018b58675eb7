//! Listens to the database for 'the catalogue changed' and drops the kept answers of this copy of the server.

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;

use super::answers::{Answers, Change};

/// The channel that the triggers of the catalogue's migration speak on.
const CHANNEL: &str = "catalogue";
const RETRY: Duration = Duration::from_millis(500);

/// Runs until the process ends. While it is deaf, answers are not trusted (`Answers::set_listening`).
pub async fn listen(db: PgPool, answers: Answers) {
    loop {
        if let Err(error) = listen_once(&db, &answers).await {
            tracing::warn!(%error, "cannot hear the database; answers are kept for less than a second");
        }
        answers.set_listening(false);
        tokio::time::sleep(RETRY).await;
    }
}

async fn listen_once(db: &PgPool, answers: &Answers) -> sqlx::Result<()> {
    let mut listener = PgListener::connect_with(db).await?;
    listener.listen(CHANNEL).await?;
    // Whatever changed before this line was told to nobody here.
    answers.drop_all(Change::Range);
    answers.set_listening(true);
    loop {
        let heard = listener.try_recv().await?;
        // `None`: the connection was lost and remade, so anything may have been missed.
        let detail_only = heard.is_some_and(|notice| notice.payload() == "detail");
        answers.drop_all(if detail_only { Change::Detail } else { Change::Range });
        metrics::counter!("catalogue_changes_heard_total").increment(1);
    }
}
