//! The worker process: runs the jobs of all rooms until it is told to stop.

use std::fmt;
use std::time::Duration;

use graphile_worker::{Cron, IntoTaskHandlerResult, TaskHandler, WorkerContext, WorkerOptions};
use serde::{Deserialize, Serialize};

use crate::catalogue;
use crate::platform::jobs;
use crate::platform::serve::stop_signal;
use crate::platform::state::App;

/// Above the longest time the database may be away while another copy of it takes over.
const DEAD_AFTER: Duration = Duration::from_mins(2);
const RESTART_AFTER: Duration = Duration::from_secs(2);
const LEDGER_CHECK_MINUTES: u32 = 5;

#[derive(Clone)]
struct Tools(App);

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tools")
    }
}

/// Holds stock against its ledger. A difference is a bug that sold what was not there.
#[derive(Deserialize, Serialize)]
struct CheckLedger {}

impl TaskHandler for CheckLedger {
    const IDENTIFIER: &'static str = "catalogue.check_ledger";

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(Tools(app)) = context.extensions().get::<Tools>().cloned() else {
            return Err("the worker was started without its tools".to_owned());
        };
        let broken = catalogue::broken_ledgers(&app.db.main).await.map_err(|error| error.to_string())?;
        metrics::gauge!("invariant_violations", "inv" => "stock_ledger")
            .set(f64::from(i32::try_from(broken).unwrap_or(i32::MAX)));
        if broken > 0 {
            tracing::error!(products = broken, "stock and ledger disagree");
        }
        Ok(())
    }
}

/// Runs until the process is asked to stop. The engine ends when the database is away for long; then it is
/// started again.
pub async fn run(app: App) {
    let stopped = stop_signal();
    tokio::pin!(stopped);
    loop {
        tokio::select! {
            () = &mut stopped => {
                tracing::info!("the worker stops");
                return;
            }
            ended = run_once(&app) => {
                if let Err(error) = ended {
                    tracing::error!(%error, "the worker ended and is started again");
                }
                metrics::counter!("worker_restarts_total").increment(1);
                tokio::time::sleep(RESTART_AFTER).await;
            }
        }
    }
}

async fn run_once(app: &App) -> anyhow::Result<()> {
    let worker = WorkerOptions::default()
        .schema(jobs::SCHEMA)
        .concurrency(4)
        .pg_pool(app.db.main.clone())
        .add_extension(Tools(app.clone()))
        .sweep_threshold(DEAD_AFTER)
        .listen_os_shutdown_signals(false)
        .define_job::<CheckLedger>()
        .with_cron(Cron::every_n_minutes::<CheckLedger>(LEDGER_CHECK_MINUTES)?)
        .init()
        .await?;
    worker.run().await?;
    Ok(())
}
