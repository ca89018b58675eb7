//! The outbox of jobs, and what the shop expects of the job engine (decision 065).

use serde_json::json;
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use thunse::platform::jobs;

use crate::support::{TestShop, queue};

const ENQUEUE: &str = "SELECT enqueue_job('orders.send_email', '{\"order\": 1}', 7)";

#[sqlx::test]
async fn a_job_in_the_outbox_reaches_the_engine_once(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let mut rolled_back = shop.db.begin().await.unwrap();
    sqlx::query(ENQUEUE).execute(&mut *rolled_back).await.unwrap();
    rolled_back.rollback().await.unwrap();
    let mut committed = shop.db.begin().await.unwrap();
    sqlx::query(ENQUEUE).execute(&mut *committed).await.unwrap();
    assert_eq!(jobs::backlog(&shop.db).await.unwrap().waiting, 0, "nothing before the commit");
    committed.commit().await.unwrap();
    assert_eq!(jobs::backlog(&shop.db).await.unwrap().waiting, 1, "what is in the outbox is waiting");

    let (one, two) = tokio::join!(jobs::move_outbox(&shop.db), jobs::move_outbox(&shop.db));

    assert_eq!(one.unwrap() + two.unwrap(), 1);
    assert_eq!(shop.count("job_outbox").await, 0);
    let queued = jobs::list(&shop.db, false).await.unwrap();
    let queued: Vec<_> = queued.iter().map(|job| (job.name.as_str(), job.attempts, job.max_attempts)).collect();
    assert_eq!(queued, [("orders.send_email", 0, 7)]);
    assert_eq!(queue::payloads(&shop.db, "orders.send_email").await, [json!({"order": 1})]);
}

#[sqlx::test]
async fn a_full_outbox_is_emptied_in_order(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    shop.sql(
        "SELECT enqueue_job('orders.send_email', json_build_object('order', n), 7) FROM generate_series(1, 1200) n",
    )
    .await;

    assert_eq!(jobs::move_outbox(&shop.db).await.unwrap(), 1200);

    let orders: Vec<_> = queue::payloads(&shop.db, "orders.send_email").await;
    assert!(orders.iter().zip(1..).all(|(payload, number)| payload["order"] == number), "{orders:?}");
    assert_eq!(orders.len(), 1200);
}

/// Transactions that notify commit one after the other, and orders must not.
#[sqlx::test]
async fn the_outbox_does_not_notify(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let mut listener = PgListener::connect_with(&shop.db).await.unwrap();
    listener.listen("jobs:insert").await.unwrap();

    shop.sql(ENQUEUE).await;
    shop.sql("NOTIFY \"jobs:insert\", 'after the job'").await;

    assert_eq!(listener.recv().await.unwrap().payload(), "after the job");
}

/// The shop calls these by name or by position, so an update of the engine that changes them must not pass unnoticed.
#[sqlx::test]
async fn the_engine_offers_what_the_shop_calls(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let columns = async |relation: &str| {
        let columns: Vec<String> = sqlx::query_scalar(
            "SELECT format('%s %s', attname, format_type(atttypid, atttypmod)) FROM pg_attribute
             WHERE attrelid = (SELECT oid FROM pg_class WHERE relname = $1
                               AND relnamespace = 'graphile_worker'::regnamespace) AND attnum > 0 AND NOT attisdropped
             ORDER BY attnum",
        )
        .bind(relation)
        .fetch_all(&shop.db)
        .await
        .unwrap();
        columns
    };
    let functions: Vec<String> = sqlx::query_scalar(
        "SELECT format('%s(%s)', proname, pg_get_function_identity_arguments(oid)) FROM pg_proc
         WHERE pronamespace = 'graphile_worker'::regnamespace
           AND proname IN ('add_job', 'add_jobs', 'complete_jobs', 'reschedule_jobs') ORDER BY 1",
    )
    .fetch_all(&shop.db)
    .await
    .unwrap();

    assert_eq!(
        columns("job_spec").await,
        [
            "identifier text",
            "payload json",
            "queue_name text",
            "run_at timestamp with time zone",
            "max_attempts smallint",
            "job_key text",
            "priority smallint",
            "flags text[]",
        ],
    );
    let view = columns("jobs").await;
    for column in [
        "id bigint",
        "task_identifier text",
        "attempts smallint",
        "max_attempts smallint",
        "run_at timestamp with time zone",
        "last_error text",
        "locked_at timestamp with time zone",
        "updated_at timestamp with time zone",
    ] {
        assert!(view.iter().any(|known| known == column), "{column}: {view:?}");
    }
    assert_eq!(
        functions,
        [
            "add_job(identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts integer, \
             job_key text, priority integer, flags text[], job_key_mode text)",
            "add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean)",
            "complete_jobs(job_ids bigint[])",
            "reschedule_jobs(job_ids bigint[], run_at timestamp with time zone, priority integer, attempts integer, \
             max_attempts integer)",
        ],
    );
}
