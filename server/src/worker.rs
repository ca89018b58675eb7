//! The worker process: runs the jobs of all rooms until it is told to stop.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use graphile_worker::{
    Cron, IntoTaskHandlerResult, LocalQueueConfig, RefetchDelayConfig, TaskHandler, Worker, WorkerContext,
    WorkerOptions,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgPool;
use tokio::sync::watch;
use tracing::Instrument;

use crate::accounts::SendLink;
use crate::catalogue::{ApplyImport, CheckImport};
use crate::notifications::SendEmail;
use crate::orders::{CheckPayment, MaintainPayments, ReconcilePayment, ReconcilePayments, SendOrderEmail, SendRefund};
use crate::platform::fail_point::fail_point;
use crate::platform::invariants::{self, Violation};
use crate::platform::jobs::{self, Job};
use crate::platform::security_log::{SecurityEvents, hash_chain};
use crate::platform::serve::shutdown_signal;
use crate::platform::sessions;
use crate::platform::state::App;
use crate::platform::throttle;
use crate::platform::{db, telemetry};
use crate::{accounts, catalogue, media, orders, seller};

const CONCURRENCY: usize = 4;
/// Questions to the wallet mostly wait; how many there are at once is limited on the way to it.
const PAYMENT_CONCURRENCY: usize = 16;
/// Fetched at once, for each that may run. Without fetching ahead the engine looks for the next job only once a second.
const PREFETCH_FACTOR: usize = 2;
/// After finding nothing. The engine wakes itself up after every look and would look hundreds of times a second; a new
/// job's notification ends the rest at once.
const IDLE_DELAY: Duration = Duration::from_millis(500);
/// The jobs', and those with which an engine listens, plans and says that it lives.
const CONNECTIONS: u32 = 8;
/// A worker that has not been heard of for this long is dead, and its jobs run elsewhere. Above the longest time the database
/// may be away while another copy of it takes over.
const DEAD_AFTER: Duration = Duration::from_mins(2);
const RESTART_AFTER: Duration = Duration::from_secs(2);
/// What a running job may take when the process is asked to stop; whoever stops it waits for 30 seconds.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(25);
const MEASURE_EVERY: Duration = Duration::from_secs(15);

const INVARIANT_CHECK_MINUTES: u32 = 5;
/// Between two checks there is this many times as much quiet as the last one took.
const INVARIANT_CHECK_PAUSE_FACTOR: u32 = 20;
/// At night in Kathmandu, in UTC.
const DELETE_ORPHAN_PICTURES_AT: (u32, u32) = (20, 30);
const DELETE_DEAD_JOBS_AT: (u32, u32) = (21, 0);
const DELETE_EXPIRED_AT: (u32, u32) = (21, 30);
const RECONCILE_AT: (u32, u32) = (19, 30);
/// Longer than any upload takes to become a row.
const ORPHAN_AGE: Duration = Duration::from_hours(24);
const DEAD_JOB_RETENTION: Duration = Duration::from_hours(30 * 24);

#[derive(Clone)]
struct WorkerApp(App);

impl fmt::Debug for WorkerApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerApp")
    }
}

/// A room's job as the engine wants it. The engine keeps the text of every failure and would put the values that do not
/// fit into it, so it is not the one who reads them.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
struct Task<J> {
    payload: Value,
    #[serde(skip)]
    job: PhantomData<fn() -> J>,
}

impl<J: Job> TaskHandler for Task<J> {
    const IDENTIFIER: &'static str = J::NAME;

    async fn run(self, context: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(WorkerApp(app)) = context.extensions().get::<WorkerApp>().cloned() else {
            return Err("the worker was started without its app state".to_owned());
        };
        fail_point!(app, "worker.job_claimed");
        let (id, attempt) = (*context.job().id(), *context.job().attempts());
        let span = tracing::info_span!("job", job = J::NAME, id, attempt);
        // A job by the clock is about nothing, which the engine writes as null.
        let payload = if self.payload.is_null() { Value::Object(Map::new()) } else { self.payload };
        let done = match serde_json::from_value::<J>(payload) {
            Ok(job) => job.run(&app).instrument(span).await,
            // Perhaps a newer version has asked for it, and the next try meets that version's worker.
            Err(_) => Err("this version cannot read the job's payload".to_owned()),
        };
        let outcome = match &done {
            Ok(()) => "done",
            Err(failure) if jobs::is_permanent_failure(failure) => {
                // Should this not succeed, the job is tried again: a waste, not a harm.
                if let Err(error) = jobs::stop_retrying(&app.db.main, id).await {
                    tracing::warn!(%error, "could not mark a job as dead; it will be retried");
                }
                "dead"
            }
            Err(_) if attempt >= *context.job().max_attempts() => "dead",
            Err(_) => "failed",
        };
        metrics::counter!("jobs_run_total", "job" => J::NAME, "outcome" => outcome).increment(1);
        match &done {
            Ok(()) => tracing::debug!(job = J::NAME, id, attempt, "done"),
            Err(failure) if outcome == "dead" => tracing::error!(job = J::NAME, id, attempt, failure, "a job is dead"),
            Err(failure) => tracing::warn!(job = J::NAME, id, attempt, failure, "a job failed and will be retried"),
        }
        fail_point!(app, "worker.before_job_deleted");
        done
    }
}

/// Holds stock, orders and money against what must always be so. A violation is a bug that somebody must see.
#[derive(Deserialize, Serialize)]
struct CheckInvariants {}

impl Job for CheckInvariants {
    // It began as a check of the ledger alone; jobs outlive releases.
    const NAME: &'static str = "maintenance.check_invariants";

    async fn run(self, app: &App) -> Result<(), String> {
        // Millions of orders take a while to read: then the check comes less often, rather than all the time.
        static LAST: Mutex<Option<(Instant, Duration)>> = Mutex::new(None);
        let last = *LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|(ended, took)| ended.elapsed() < took * INVARIANT_CHECK_PAUSE_FACTOR) {
            return Ok(());
        }
        let started = Instant::now();
        let violations = invariants::find_violations(&app.db.main).await.map_err(|error| error.to_string())?;
        let broken = i64::try_from(violations.len()).unwrap_or(i64::MAX);
        metrics::gauge!("invariant_violations").set(telemetry::to_gauge(broken));
        for Violation { invariant, what, detail } in violations {
            tracing::error!(invariant, what, detail, "invariant violated");
        }
        let took = started.elapsed();
        metrics::gauge!("invariant_check_duration_seconds").set(took.as_secs_f64());
        // A check that no longer runs is seen by its age.
        let now = telemetry::to_gauge(app.clock.now().timestamp());
        metrics::gauge!("invariant_checked_timestamp_seconds").set(now);
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), took));
        Ok(())
    }
}

/// Deletes pictures that no row names: replaced ones, and those whose sender never came back.
#[derive(Deserialize, Serialize)]
struct DeleteOrphanPictures {}

impl Job for DeleteOrphanPictures {
    const NAME: &'static str = "media.delete_orphans";

    async fn run(self, app: &App) -> Result<(), String> {
        let in_use = async |keys: Vec<String>| pictures_in_use(&app.db.main, &keys).await;
        let deleted = media::sweep_pictures(&*app.pictures, app.clock.now() - ORPHAN_AGE, in_use)
            .await
            .map_err(|error| error.to_string())?;
        tracing::info!(deleted, "deleted unreferenced pictures");
        Ok(())
    }
}

/// Asks every room that has pictures. A room that is missing here loses its pictures after a day.
async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    let mut used = catalogue::pictures_in_use(db, keys).await?;
    used.extend(accounts::pictures_in_use(db, keys).await?);
    used.extend(orders::pictures_in_use(db, keys).await?);
    Ok(used)
}

/// Forgets jobs that have been dead for a month: they hold names and addresses.
#[derive(Deserialize, Serialize)]
struct DeleteDeadJobs {}

impl Job for DeleteDeadJobs {
    const NAME: &'static str = "jobs.delete_dead";

    async fn run(self, app: &App) -> Result<(), String> {
        let deleted = jobs::delete_dead(&app.db.main, DEAD_JOB_RETENTION).await.map_err(|error| error.to_string())?;
        tracing::info!(deleted, "deleted old dead jobs");
        Ok(())
    }
}

/// Forgets sessions, links, counters and sign-ins whose time is over.
#[derive(Deserialize, Serialize)]
struct DeleteExpired {}

impl Job for DeleteExpired {
    const NAME: &'static str = "maintenance.delete_expired";

    async fn run(self, app: &App) -> Result<(), String> {
        let (db, now) = (&app.db.main, app.clock.now());
        let deleting = async {
            let people = sessions::delete_expired(db, now).await?
                + throttle::delete_expired(db, now).await?
                + accounts::delete_expired(db, now).await?;
            Ok::<_, sqlx::Error>(
                people + orders::delete_expired_keys(db, now).await? + catalogue::delete_old_imports(db, now).await?,
            )
        };
        let deleted = deleting.await.map_err(|error| error.to_string())?;
        tracing::info!(deleted, "deleted expired records");
        Ok(())
    }
}

/// Chains the rows that were added to the security log and to the audit log.
#[derive(Deserialize, Serialize)]
struct SealLogs {}

impl Job for SealLogs {
    const NAME: &'static str = "security_log.seal";

    async fn run(self, app: &App) -> Result<(), String> {
        let db = &app.db.main;
        hash_chain::seal::<SecurityEvents>(db).await.map_err(|error| error.to_string())?;
        hash_chain::seal::<seller::AuditLog>(db).await.map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// Which jobs an engine runs. A wallet that hangs must not keep letters waiting, so the questions to it have their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobGroup {
    General,
    Payments,
}

/// Runs until the process is asked to stop, then lets the running jobs finish. An engine ends when the database is away
/// for long; then it is started again.
pub async fn run(app: App) -> anyhow::Result<()> {
    let pool = db::connect_worker(&app.config.database, CONNECTIONS * 2)?;
    let (stop, stopped) = watch::channel(false);
    let stopping = async {
        shutdown_signal().await;
        tracing::info!("worker stopping: taking no new jobs, finishing running ones");
        let _ = stop.send(true);
        tokio::time::sleep(SHUTDOWN_GRACE + RESTART_AFTER).await;
    };
    let working = async {
        tokio::join!(
            supervise(&app, &pool, JobGroup::General, stopped.clone()),
            supervise(&app, &pool, JobGroup::Payments, stopped.clone())
        )
    };
    tokio::select! {
        ((), ()) = working => {}
        () = stopping => tracing::warn!("the worker did not stop in time; its jobs will run again elsewhere"),
        () = report_backlog(&app) => {}
    }
    pool.close().await;
    Ok(())
}

async fn supervise(app: &App, pool: &PgPool, group: JobGroup, stopped: watch::Receiver<bool>) {
    loop {
        let ended = run_worker(app, pool, group, stopped.clone()).await;
        if *stopped.borrow() {
            return;
        }
        if let Err(error) = ended {
            tracing::error!(%error, "the worker exited; restarting it");
        }
        metrics::counter!("worker_restarts_total").increment(1);
        tokio::time::sleep(RESTART_AFTER).await;
    }
}

async fn run_worker(
    app: &App,
    pool: &PgPool,
    group: JobGroup,
    mut stopped: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let stop = async move {
        let _ = stopped.wait_for(|stopped| *stopped).await;
    };
    let idle = RefetchDelayConfig::builder().duration(IDLE_DELAY).threshold(0).max_abort_threshold(1).build();
    let concurrency = match group {
        JobGroup::General => CONCURRENCY,
        JobGroup::Payments => PAYMENT_CONCURRENCY,
    };
    let mut engine = worker_options(app, pool, &[group])
        .concurrency(concurrency)
        .heartbeat_interval(DEAD_AFTER / 4)
        .sweep_interval(DEAD_AFTER / 2)
        .sweep_threshold(DEAD_AFTER)
        .recovery_delay(Duration::ZERO)
        .local_queue(LocalQueueConfig::builder().size(PREFETCH_FACTOR * concurrency).refetch_delay(idle).build())
        .shutdown_signal(stop)
        .shutdown_grace_period(SHUTDOWN_GRACE);
    engine = match group {
        JobGroup::General => engine
            .with_cron(Cron::every_n_minutes::<Task<CheckInvariants>>(INVARIANT_CHECK_MINUTES)?)
            .with_cron(Cron::daily_at::<Task<DeleteOrphanPictures>>(
                DELETE_ORPHAN_PICTURES_AT.0,
                DELETE_ORPHAN_PICTURES_AT.1,
            )?)
            .with_cron(Cron::daily_at::<Task<DeleteDeadJobs>>(DELETE_DEAD_JOBS_AT.0, DELETE_DEAD_JOBS_AT.1)?)
            .with_cron(Cron::daily_at::<Task<DeleteExpired>>(DELETE_EXPIRED_AT.0, DELETE_EXPIRED_AT.1)?)
            .with_cron(Cron::every_n_minutes::<Task<SealLogs>>(1)?)
            .with_cron(Cron::every_n_minutes::<Task<MaintainPayments>>(1)?)
            .with_cron(Cron::daily_at::<Task<ReconcilePayments>>(RECONCILE_AT.0, RECONCILE_AT.1)?),
        JobGroup::Payments => engine,
    };
    engine.init().await?.run().await?;
    Ok(())
}

/// Runs what is due now and returns.
pub async fn run_due_jobs(app: &App) -> anyhow::Result<()> {
    let engine: Worker = worker_options(app, &app.db.main, &[JobGroup::General, JobGroup::Payments]).init().await?;
    engine.run_once().await?;
    Ok(())
}

fn worker_options(app: &App, pool: &PgPool, groups: &[JobGroup]) -> WorkerOptions {
    let mut options = WorkerOptions::default()
        .schema(jobs::SCHEMA)
        .concurrency(CONCURRENCY)
        .pg_pool(pool.clone())
        .add_extension(WorkerApp(app.clone()))
        .listen_os_shutdown_signals(false);
    if groups.contains(&JobGroup::General) {
        options = options
            .define_job::<Task<CheckInvariants>>()
            .define_job::<Task<DeleteOrphanPictures>>()
            .define_job::<Task<DeleteDeadJobs>>()
            .define_job::<Task<DeleteExpired>>()
            .define_job::<Task<SealLogs>>()
            .define_job::<Task<CheckImport>>()
            .define_job::<Task<ApplyImport>>()
            // Neither asks the wallet itself.
            .define_job::<Task<MaintainPayments>>()
            .define_job::<Task<ReconcilePayments>>();
        // Without a mail server letters wait, instead of being tried in vain until they are dead.
        if app.mailer.is_configured() {
            options = options
                .define_job::<Task<SendEmail>>()
                .define_job::<Task<SendLink>>()
                .define_job::<Task<SendOrderEmail>>();
        }
    }
    if groups.contains(&JobGroup::Payments) {
        options = options
            .define_job::<Task<CheckPayment>>()
            .define_job::<Task<SendRefund>>()
            .define_job::<Task<ReconcilePayment>>();
    }
    options
}

/// Tells how much waits, for the alarms.
async fn report_backlog(app: &App) {
    let mut every = tokio::time::interval(MEASURE_EVERY);
    loop {
        every.tick().await;
        match jobs::backlog(&app.db.main).await {
            Ok(backlog) => {
                metrics::gauge!("jobs_waiting").set(telemetry::to_gauge(backlog.waiting));
                metrics::gauge!("jobs_dead").set(telemetry::to_gauge(backlog.dead));
                metrics::gauge!("jobs_oldest_due_seconds").set(backlog.oldest_due_seconds);
            }
            Err(error) => tracing::warn!(%error, "could not count the jobs"),
        }
    }
}
