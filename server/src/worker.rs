//! The worker process: runs the jobs of all modules until it is told to stop.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use graphile_worker::{
    Cron, IntoTaskHandlerResult, JobFail, JobFailContext, JobPermanentlyFail, JobPermanentlyFailContext,
    LocalQueueConfig, RefetchDelayConfig, TaskHandler, Worker, WorkerContext, WorkerOptions,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgPool;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tracing::Instrument;

use crate::accounts::{SendLink, SendPhoneCode};
use crate::alerts::DeliverAlert;
use crate::catalogue::{ApplyImport, ApplySalePrices, CheckImport, ImportJob};
use crate::complaints::SendComplaintEmail;
use crate::inventory::SendLowStockEmail;
use crate::newsletter::{SendBatch, SendConfirmation};
use crate::notifications::SendEmail;
use crate::orders::{AlertShopper, AlertStaff, IssueBill, SendOrderEmail, SendRefund};
use crate::packing::SendPackingMessage;
use crate::platform::fail_point::fail_point;
use crate::platform::invariants::{self, Violation};
use crate::platform::jobs::{self, Job};
use crate::platform::security_log::{SecurityEvents, hash_chain};
use crate::platform::serve::shutdown_signal;
use crate::platform::state::App;
use crate::platform::{db, sessions, telemetry, throttle, traces};
use crate::settlement::{CheckPayment, MaintainPayments, ReconcilePayment, ReconcilePayments};
use crate::staff::SendInvitation;
use crate::wishlist::AnnounceRestock;
use crate::{accounts, alerts, billing, catalogue, complaints, media, newsletter, orders, riders, staff, wishlist};

const CONCURRENCY: usize = 4;
/// Calls to the wallet mostly wait; the wallet client limits how many run at once.
const PAYMENT_CONCURRENCY: usize = 16;
/// Calls to push services and to the SMS gateway mostly wait too.
const ALERT_CONCURRENCY: usize = 8;
/// How many jobs are fetched ahead for each one that may run. Without that the engine looks for the next job only once
/// a second.
const PREFETCH_FACTOR: usize = 2;
/// The pause after no job was found. The engine wakes itself up after every fetch and would fetch hundreds of times a
/// second; the notification of a new job ends the pause at once.
const IDLE_DELAY: Duration = Duration::from_millis(500);
/// Connections of one engine: for its jobs, and for listening, scheduling and heartbeats.
const CONNECTIONS: u32 = 8;
/// A worker without a heartbeat for this long is dead, and its jobs run elsewhere. This is longer than a failover of
/// the database takes.
const DEAD_AFTER: Duration = Duration::from_mins(2);
const RESTART_AFTER: Duration = Duration::from_secs(2);
/// How long a running job may take when the process is asked to stop; the service manager waits for 30 seconds.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(25);
const MEASURE_EVERY: Duration = Duration::from_secs(15);
const MOVE_OUTBOX_EVERY: Duration = Duration::from_millis(500);

const INVARIANT_CHECK_MINUTES: u32 = 5;
/// The pause between two checks is at least this many times as long as the last one took.
const INVARIANT_CHECK_PAUSE_FACTOR: u32 = 20;
/// The times are in UTC; these are at night in Kathmandu.
const DELETE_ORPHAN_PICTURES_AT: (u32, u32) = (20, 30);
const DELETE_DEAD_JOBS_AT: (u32, u32) = (21, 0);
const DELETE_EXPIRED_AT: (u32, u32) = (21, 30);
const RECONCILE_AT: (u32, u32) = (19, 30);
/// Six in the morning in Kathmandu, before the goods of the day are bought.
const LOW_STOCK_EMAIL_AT: (u32, u32) = (0, 15);
/// Longer than it takes from any upload to the commit of its row.
const ORPHAN_AGE: Duration = Duration::from_hours(24);
const DEAD_JOB_RETENTION: Duration = Duration::from_hours(30 * 24);

#[derive(Clone)]
struct WorkerApp(App);

impl fmt::Debug for WorkerApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerApp")
    }
}

/// A module's job in the form that the engine expects. The payload is parsed here and not by the engine, which would
/// put values that do not fit into the error text that it stores.
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
        // A scheduled job has no payload, which the engine passes as null.
        let mut payload = if self.payload.is_null() { Value::Object(Map::new()) } else { self.payload };
        traces::continue_in_job(&span, jobs::take_parent(&mut payload), J::NAME);
        let done = match serde_json::from_value::<J>(payload) {
            Ok(job) => job.run(&app).instrument(span).await,
            // A newer version may have queued it, and the next attempt may reach that version's worker.
            Err(_) => Err("this version cannot read the job's payload".to_owned()),
        };
        let outcome = match &done {
            Ok(()) => "done",
            Err(failure) if jobs::is_permanent_failure(failure) => "dead",
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

/// Checks stock, orders and money against the invariants. A violation is a bug that an operator must see.
#[derive(Deserialize, Serialize)]
struct CheckInvariants {}

impl Job for CheckInvariants {
    const NAME: &'static str = "maintenance.check_invariants";

    async fn run(self, app: &App) -> Result<(), String> {
        // With millions of orders the check takes a while, so it runs less often instead of all the time.
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
        // The age of this timestamp shows when the check no longer runs.
        let now = telemetry::to_gauge(app.clock.now().timestamp());
        metrics::gauge!("invariant_checked_timestamp_seconds").set(now);
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), took));
        Ok(())
    }
}

/// Deletes pictures that no row names: replaced ones, and uploads that were never saved.
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

/// Asks every module that has pictures. The pictures of a module that is missing here are deleted after a day.
async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    let mut used = catalogue::pictures_in_use(db, keys).await?;
    used.extend(accounts::pictures_in_use(db, keys).await?);
    used.extend(orders::pictures_in_use(db, keys).await?);
    used.extend(complaints::pictures_in_use(db, keys).await?);
    used.extend(riders::pictures_in_use(db, keys).await?);
    Ok(used)
}

/// Deletes jobs that have been dead for a month, because they contain names and addresses.
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

/// Deletes expired sessions, links, counters, sign-ins and idempotency keys, old imports, subscriptions that were
/// not confirmed, complaints whose retention is over, and requests for products that did not come back.
#[derive(Deserialize, Serialize)]
struct DeleteExpired {}

impl Job for DeleteExpired {
    const NAME: &'static str = "maintenance.delete_expired";

    async fn run(self, app: &App) -> Result<(), String> {
        let (db, now) = (&app.db.main, app.clock.now());
        let deleting = async {
            let people = sessions::delete_expired(db, now).await?
                + throttle::delete_expired(db, now).await?
                + accounts::delete_expired(db, now).await?
                + staff::delete_expired_invitations(db, now).await?;
            Ok::<_, sqlx::Error>(
                people
                    + orders::delete_expired_keys(db, now).await?
                    + catalogue::delete_old_imports(db, now).await?
                    + alerts::delete_expired(db, now).await?
                    + newsletter::delete_unconfirmed(db, now).await?
                    + complaints::delete_old(db, now).await?
                    + wishlist::delete_expired(db, now).await?
                    + riders::delete_old_photos(db, now).await?,
            )
        };
        let deleted = deleting.await.map_err(|error| error.to_string())?;
        tracing::info!(deleted, "deleted expired records");
        Ok(())
    }
}

/// Seals the rows that were added to the security log and to the audit log.
#[derive(Deserialize, Serialize)]
struct SealLogs {}

impl Job for SealLogs {
    const NAME: &'static str = "security_log.seal";

    async fn run(self, app: &App) -> Result<(), String> {
        let db = &app.db.main;
        hash_chain::seal::<SecurityEvents>(db).await.map_err(|error| error.to_string())?;
        hash_chain::seal::<staff::AuditLog>(db).await.map_err(|error| error.to_string())?;
        Ok(())
    }
}

/// Ends the import of a job that will not run again, because a seller waits for it.
async fn give_up_import<J: ImportJob>(app: App, dead: JobPermanentlyFailContext) {
    if dead.job.task_identifier() != J::NAME {
        return;
    }
    let Ok(job) = serde_json::from_value::<J>(dead.job.payload().clone()) else { return };
    if let Err(error) = job.give_up(&app).await {
        tracing::error!(job = J::NAME, %error, "could not end an import whose job is dead");
    }
}

/// Lists an alert as not delivered after its last attempt.
async fn give_up_alert(app: App, dead: JobPermanentlyFailContext) {
    if dead.job.task_identifier() != DeliverAlert::NAME {
        return;
    }
    let Ok(job) = serde_json::from_value::<DeliverAlert>(dead.job.payload().clone()) else { return };
    if let Err(error) = job.give_up(&app).await {
        tracing::error!(%error, "could not list an alert whose job is dead");
    }
}

/// Makes a permanent failure the last attempt of its job.
async fn stop_retrying(db: PgPool, failed: JobFailContext) {
    if !jobs::is_permanent_failure(&failed.error) {
        return;
    }
    // If this fails, the job is retried, which is wasteful but harmless.
    if let Err(error) = jobs::stop_retrying(&db, *failed.job.id(), *failed.job.attempts()).await {
        tracing::warn!(%error, "could not mark a job as dead; it will be retried");
    }
}

/// The jobs that one engine runs. The wallet and alerts have their own engines, so that they do not delay emails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JobGroup {
    General,
    Payments,
    Alerts,
}

/// Runs until the process is asked to stop, then lets the running jobs finish. An engine that ends because the database
/// was unavailable for long is started again.
pub async fn run(app: App) -> anyhow::Result<()> {
    let pool = db::connect_worker(&app.config.database, CONNECTIONS * 3)?;
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
            supervise(&app, &pool, JobGroup::Payments, stopped.clone()),
            supervise(&app, &pool, JobGroup::Alerts, stopped.clone())
        )
    };
    tokio::select! {
        ((), (), ()) = working => {}
        () = stopping => tracing::warn!("the worker did not stop in time; its jobs will run again elsewhere"),
        () = report_backlog(&app) => {}
        () = app.database.run() => {}
        () = move_outbox(&app) => {}
    }
    pool.close().await;
    Ok(())
}

/// Runs an engine whenever the database is available. Without a database the engine would ask for jobs thousands of
/// times a second and log every failure.
async fn supervise(app: &App, pool: &PgPool, group: JobGroup, mut stopped: watch::Receiver<bool>) {
    let mut available = app.database.subscribe();
    loop {
        tokio::select! {
            Ok(_) = stopped.wait_for(|stopped| *stopped) => return,
            Ok(_) = available.wait_for(|available| *available) => {}
        }
        let ended = run_worker(app, pool, group, stopped.clone(), available.clone()).await;
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
    mut available: watch::Receiver<bool>,
) -> anyhow::Result<()> {
    let (is_stopping, mut available_again) = (stopped.clone(), available.clone());
    let stop = async move {
        tokio::select! {
            Ok(_) = stopped.wait_for(|stopped| *stopped) => {}
            Ok(_) = available.wait_for(|available| !available) => {}
        }
    };
    let idle = RefetchDelayConfig::builder().duration(IDLE_DELAY).threshold(0).max_abort_threshold(1).build();
    let concurrency = match group {
        JobGroup::General => CONCURRENCY,
        JobGroup::Payments => PAYMENT_CONCURRENCY,
        JobGroup::Alerts => ALERT_CONCURRENCY,
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
            .with_cron(Cron::every_n_minutes::<Task<ApplySalePrices>>(1)?)
            .with_cron(Cron::every_n_minutes::<Task<MaintainPayments>>(1)?)
            .with_cron(Cron::daily_at::<Task<ReconcilePayments>>(RECONCILE_AT.0, RECONCILE_AT.1)?)
            .with_cron(Cron::daily_at::<Task<SendLowStockEmail>>(LOW_STOCK_EMAIL_AT.0, LOW_STOCK_EMAIL_AT.1)?),
        JobGroup::Payments | JobGroup::Alerts => engine,
    };
    let engine = engine.init().await?;
    let worker = engine.worker_id().clone();
    let ended = engine.run().await;
    // The jobs that it had fetched are still its own if it could not return them; nobody else would run them for
    // `DEAD_AFTER`.
    if !*is_stopping.borrow() && available_again.wait_for(|available| *available).await.is_ok() {
        jobs::release(pool, &worker).await?;
    }
    Ok(ended?)
}

/// Runs the jobs that are due now and returns.
pub async fn run_due_jobs(app: &App) -> anyhow::Result<()> {
    jobs::move_outbox(&app.db.main).await?;
    let engine: Worker =
        worker_options(app, &app.db.main, &[JobGroup::General, JobGroup::Payments, JobGroup::Alerts]).init().await?;
    engine.run_once().await?;
    Ok(())
}

fn worker_options(app: &App, pool: &PgPool, groups: &[JobGroup]) -> WorkerOptions {
    orders::set_attachment_hook(app, billing::attach_bill);
    let mut options = WorkerOptions::default()
        .schema(jobs::SCHEMA)
        .concurrency(CONCURRENCY)
        .pg_pool(pool.clone())
        .add_extension(WorkerApp(app.clone()))
        .listen_os_shutdown_signals(false)
        .on(JobFail, {
            let db = app.db.main.clone();
            // The engine calls this after it has stored the failure, when the job no longer counts as running.
            move |failed| stop_retrying(db.clone(), failed)
        });
    if groups.contains(&JobGroup::General) {
        options = options
            .define_job::<Task<CheckInvariants>>()
            .define_job::<Task<DeleteOrphanPictures>>()
            .define_job::<Task<DeleteDeadJobs>>()
            .define_job::<Task<DeleteExpired>>()
            .define_job::<Task<SealLogs>>()
            .define_job::<Task<CheckImport>>()
            .define_job::<Task<ApplyImport>>()
            .define_job::<Task<ApplySalePrices>>()
            .on(JobPermanentlyFail, {
                let app = app.clone();
                move |dead| give_up_import::<CheckImport>(app.clone(), dead)
            })
            .on(JobPermanentlyFail, {
                let app = app.clone();
                move |dead| give_up_import::<ApplyImport>(app.clone(), dead)
            })
            // Neither of these calls the wallet itself.
            .define_job::<Task<MaintainPayments>>()
            .define_job::<Task<ReconcilePayments>>()
            .define_job::<Task<SendLowStockEmail>>()
            .define_job::<Task<IssueBill>>()
            .define_job::<Task<AlertStaff>>()
            .define_job::<Task<AlertShopper>>()
            .define_job::<Task<AnnounceRestock>>();
        // Without a mail server, emails wait instead of being retried in vain until they are dead.
        if app.mailer.is_configured() {
            options = options
                .define_job::<Task<SendEmail>>()
                .define_job::<Task<SendLink>>()
                .define_job::<Task<SendInvitation>>()
                .define_job::<Task<SendConfirmation>>()
                .define_job::<Task<SendBatch>>()
                .define_job::<Task<SendComplaintEmail>>()
                .define_job::<Task<SendPackingMessage>>()
                .define_job::<Task<SendOrderEmail>>();
        }
    }
    if groups.contains(&JobGroup::Payments) {
        options = options
            .define_job::<Task<CheckPayment>>()
            .define_job::<Task<SendRefund>>()
            .define_job::<Task<ReconcilePayment>>();
    }
    if groups.contains(&JobGroup::Alerts) {
        options =
            options.define_job::<Task<DeliverAlert>>().define_job::<Task<SendPhoneCode>>().on(JobPermanentlyFail, {
                let app = app.clone();
                move |dead| give_up_alert(app.clone(), dead)
            });
    }
    options
}

/// Gives the engine the jobs of the outbox, which no notification announces.
async fn move_outbox(app: &App) {
    let mut every = tokio::time::interval(MOVE_OUTBOX_EVERY);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        if let Err(error) = jobs::move_outbox(&app.db.main).await {
            tracing::warn!(%error, "could not move the jobs of the outbox; trying again");
        }
    }
}

/// Reports the state of the queue as metrics, for alerts.
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
