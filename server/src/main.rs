//! Parses the command line and runs the chosen command.

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use rustix::process::DumpableBehavior;
use sqlx::postgres::PgPoolOptions;
use thunse::platform::config::{self, Config};
use thunse::platform::ids::UserId;
use thunse::platform::permissions::Role;
use thunse::platform::push::PushKey;
use thunse::platform::security_log::{SecurityEvents, hash_chain};
use thunse::platform::state::App;
use thunse::platform::{cache_invalidation, db, jobs, serve, sessions, telemetry};
use thunse::{accounts, app, demo, doctor, media, permission_table, staff, worker};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(
    name = "thunse",
    version,
    about = "Online grocery shop for Nepal. Configured through environment variables; see .env.example."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the web server.
    Serve,
    /// Run background jobs.
    Worker {
        /// Run the jobs that are due now, then exit.
        #[arg(long)]
        once: bool,
    },
    /// Inspect and manage the background job queue.
    Jobs {
        #[command(subcommand)]
        command: JobsCommand,
    },
    /// Run database migrations (uses `MIGRATE_DATABASE_URL`).
    Migrate,
    /// Load the demo catalogue. Existing data stays.
    Seed {
        /// Generate products up to this total, for load tests.
        #[arg(long)]
        products: Option<u64>,
    },
    /// Manage seller accounts.
    Seller {
        #[command(subcommand)]
        command: SellerCommand,
    },
    /// Manage shopper accounts.
    Accounts {
        #[command(subcommand)]
        command: AccountsCommand,
    },
    /// Manage shopper and seller sessions.
    Sessions {
        #[command(subcommand)]
        command: SessionsCommand,
    },
    /// Check this installation: settings, database, mail, wallet, pictures, disk, domain. Says what to do; exits with 1 if
    /// something has failed.
    Doctor {
        /// Print the findings as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Verify the security log and the audit log.
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Print a new key for web push (`VAPID_PRIVATE_KEY`). Browsers have to subscribe again after it was replaced.
    PushKey,
    /// Print the `OpenAPI` document.
    Openapi,
    /// Print the table of roles, permissions and endpoints (`docs/permissions.md`).
    Permissions,
    /// Decode one picture from standard input. Started by `serve`, one process per picture.
    #[command(hide = true)]
    PictureWorker {
        /// If omitted, report how well the process is sandboxed.
        purpose: Option<media::PicturePurpose>,
    },
}

#[derive(Subcommand)]
enum JobsCommand {
    /// List queued jobs, without their payloads, which may contain personal data.
    List {
        /// List only dead jobs, which have used up their attempts.
        #[arg(long)]
        dead: bool,
    },
    /// Run jobs again now, with their attempts reset.
    #[command(arg_required_else_help = true)]
    Retry {
        ids: Vec<i64>,
        /// Retry all dead jobs.
        #[arg(long, conflicts_with = "ids")]
        dead: bool,
    },
    /// Delete jobs from the queue.
    Drop {
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Verify the hash chains of both logs. Fails at the first row that was changed or removed, and names it.
    Verify {
        /// A head recorded earlier, in hex, from the worker's log or a previous check. It must still be part of its chain.
        #[arg(long)]
        head: Vec<String>,
    },
}

#[derive(Subcommand)]
enum AccountsCommand {
    /// Delete again the accounts that a restored backup has brought back. Reads their ids from standard input, one on each
    /// line; `ops/backup` and `ops/pgbackrest/restore` write this list.
    DeleteAgain,
}

#[derive(Subcommand)]
enum SessionsCommand {
    /// Log people out on every device. Passwords do not change.
    #[command(arg_required_else_help = true)]
    End {
        /// Log out the shopper and the seller with this email address.
        #[arg(long, required_unless_present = "all")]
        email: Option<String>,
        /// Log everyone out.
        #[arg(long, conflicts_with = "email")]
        all: bool,
    },
}

#[derive(Subcommand)]
enum SellerCommand {
    /// Create a seller account. Prints a temporary password unless you provide one. It expires after 24 hours and must be changed at the first login.
    Create {
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        /// owner, manager, packer or rider.
        #[arg(long, default_value = "owner")]
        role: Role,
        /// Read the password from standard input instead of generating one.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Disable a seller account and end its sessions.
    Disable {
        #[arg(long)]
        email: String,
    },
    /// Reset a seller's password and enable the account again. Ends all sessions. A generated password is temporary, as with `create`.
    ResetPassword {
        #[arg(long)]
        email: String,
        #[arg(long)]
        password_stdin: bool,
    },
    /// Re-encrypt all two-step login secrets with the first key in `TOTP_KEYS`.
    RotateKeys,
    /// Unlock a seller whose login was throttled or locked after wrong passwords or codes.
    Unlock {
        #[arg(long)]
        email: String,
    },
    /// Turn on two-step login for a seller. Prints the URI for an authenticator app and ten backup codes. `--off` turns it off.
    SecondStep {
        #[arg(long)]
        email: String,
        #[arg(long)]
        off: bool,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    let command = Cli::parse().command;
    // Another process of the same user cannot read our memory or environment, and no core dump holds our secrets.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    if let Command::PictureWorker { purpose } = command {
        // This comes before the runtime starts threads, because their memory would count towards the limits that the
        // worker sets for itself.
        return Ok(media::run_picture_worker(purpose));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if let Command::Doctor { json } = command {
        let is_healthy = doctor::print(&runtime.block_on(Box::pin(doctor::run())), json)?;
        return Ok(if is_healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    runtime.block_on(run(command)).map(|()| ExitCode::SUCCESS)
}

async fn run(command: Command) -> anyhow::Result<()> {
    if let Command::Openapi = command {
        use std::io::Write;
        let document = app::openapi().to_pretty_json()?;
        return Ok(writeln!(std::io::stdout(), "{document}")?);
    }
    if let Command::Permissions = command {
        use std::io::Write;
        return Ok(write!(std::io::stdout(), "{}", permission_table::render())?);
    }
    if let Command::PushKey = command {
        use std::io::Write;
        let key = PushKey::generate()?;
        return Ok(writeln!(std::io::stdout(), "VAPID_PRIVATE_KEY={key}")?);
    }
    let _telemetry = telemetry::init_logging()?;
    match command {
        Command::Serve => serve(build_app()?).await,
        Command::Worker { once: false } => Box::pin(run_worker(build_app()?)).await,
        Command::Worker { once: true } => worker::run_due_jobs(&build_app()?).await,
        Command::Jobs { command } => run_jobs_command(&build_app()?, command).await,
        Command::Migrate => migrate().await,
        Command::Seed { products } => seed(&build_app()?, products).await,
        Command::Seller { command } => run_seller_command(&build_seller_admin_app()?, command).await,
        Command::Accounts { command: AccountsCommand::DeleteAgain } => delete_accounts_again(&build_app()?).await,
        Command::Sessions { command: SessionsCommand::End { email, .. } } => end_sessions(&build_app()?, email).await,
        Command::Audit { command: AuditCommand::Verify { head } } => verify_audit_logs(&build_app()?, &head).await,
        Command::Openapi
        | Command::Permissions
        | Command::PushKey
        | Command::Doctor { .. }
        | Command::PictureWorker { .. } => Ok(()),
    }
}

fn build_app() -> anyhow::Result<App> {
    let config = Config::from_env()?;
    let pools = db::connect(&config.database).context("DATABASE_URL")?;
    let pictures = media::open_store(&config.pictures.store)?;
    Ok(App::new(config, pools, pictures))
}

/// Connects as the role that may create and change sellers, if `SELLER_ADMIN_DATABASE_URL` is set.
fn build_seller_admin_app() -> anyhow::Result<App> {
    let mut config = Config::from_env()?;
    if let Some(url) = config.seller_admin_url.take() {
        config.database.url = url;
    }
    let pools = db::connect(&config.database).context("SELLER_ADMIN_DATABASE_URL")?;
    let pictures = media::open_store(&config.pictures.store)?;
    Ok(App::new(config, pools, pictures))
}

async fn serve(shop: App) -> anyhow::Result<()> {
    let metrics = telemetry::init_metrics()?;
    let listener = TcpListener::bind(shop.config.listen).await.context("LISTEN")?;
    let metrics_server = telemetry::serve_metrics(shop.config.metrics_listen, metrics, shop.clone());
    let cache_listener = cache_invalidation::listen(shop.db.clone(), shop.cache.clone());
    media::log_sandbox(&shop.config.pictures).await;
    for off in shop.config.disabled_features() {
        tracing::warn!("{off}");
    }
    tracing::info!(address = %shop.config.listen, "serving");
    tokio::select! {
        () = serve::serve(shop.clone(), listener, app::router(shop.clone()), serve::shutdown_signal()) => {}
        () = cache_listener => {}
        () = shop.database.run() => {}
        () = shop.db.follow_replica() => {}
        ended = metrics_server => ended.context("METRICS_LISTEN")?,
    }
    shop.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

async fn run_worker(shop: App) -> anyhow::Result<()> {
    let metrics = telemetry::init_metrics()?;
    let metrics_server = telemetry::serve_metrics(shop.config.metrics_listen, metrics, shop.clone());
    tokio::select! {
        ended = worker::run(shop.clone()) => ended?,
        ended = metrics_server => ended.context("METRICS_LISTEN")?,
    }
    shop.db.close().await;
    Ok(())
}

async fn run_jobs_command(shop: &App, command: JobsCommand) -> anyhow::Result<()> {
    use std::io::Write;
    let db = &shop.db.main;
    let mut out = std::io::stdout();
    // Without a running worker, jobs may still be in the outbox.
    jobs::move_outbox(db).await?;
    match command {
        JobsCommand::List { dead } => {
            for job in jobs::list(db, dead).await? {
                let (at, why) = (job.run_at.format("%Y-%m-%dT%H:%MZ"), job.last_error.unwrap_or_default());
                writeln!(out, "{}\t{}\t{}/{}\t{at}\t{why}", job.id, job.name, job.attempts, job.max_attempts)?;
            }
        }
        JobsCommand::Retry { ids, dead } => {
            let ids = if dead { jobs::list(db, true).await?.iter().map(|job| job.id).collect() } else { ids };
            writeln!(out, "jobs queued again: {}", jobs::retry(db, &ids).await?)?;
        }
        JobsCommand::Drop { ids } => writeln!(out, "jobs deleted: {}", jobs::remove(db, &ids).await?)?,
    }
    Ok(())
}

async fn migrate() -> anyhow::Result<()> {
    let url = config::migrate_database_url()?;
    let pool = PgPoolOptions::new().max_connections(2).connect(url.reveal()).await.context("MIGRATE_DATABASE_URL")?;
    db::migrate(&pool).await?;
    jobs::migrate(&pool).await?;
    db::restrict_updates(&pool).await?;
    tracing::info!("database migrations are up to date");
    Ok(())
}

async fn seed(shop: &App, products: Option<u64>) -> anyhow::Result<()> {
    let added = match products {
        Some(wanted) => demo::load_large_demo(&shop.db.main, &*shop.pictures, wanted).await?,
        None => demo::load_demo(&shop.db.main, &*shop.pictures).await?,
    };
    tracing::info!(added, "demo catalogue loaded");
    Ok(())
}

const TEMPORARY_PASSWORD_NOTICE: &str = "It expires after 24 hours and must be changed at the first login.";

async fn run_seller_command(shop: &App, command: SellerCommand) -> anyhow::Result<()> {
    let output = match command {
        SellerCommand::Create { email, name, role, password_stdin } => {
            let created = staff::create(shop, &email, &name, role, read_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}\n{TEMPORARY_PASSWORD_NOTICE}"))
        }
        SellerCommand::ResetPassword { email, password_stdin } => {
            let created = staff::reset_password(shop, &email, read_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}\n{TEMPORARY_PASSWORD_NOTICE}"))
        }
        SellerCommand::Disable { email } => {
            staff::disable(shop, &email).await?;
            None
        }
        SellerCommand::RotateKeys => Some(format!("secrets re-encrypted: {}", staff::rotate_keys(shop).await?)),
        SellerCommand::Unlock { email } => {
            staff::unlock(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: true } => {
            staff::remove_second_step(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: false } => {
            let made = staff::require_second_step(shop, &email).await?;
            Some(format!("{}\nbackup codes (each works once):\n{}", made.otpauth_url, made.backup_codes.join("\n")))
        }
    };
    if let Some(output) = output {
        use std::io::Write;
        writeln!(std::io::stdout(), "{output}")?;
    }
    Ok(())
}

async fn delete_accounts_again(shop: &App) -> anyhow::Result<()> {
    use std::io::Write;
    let list = std::io::read_to_string(std::io::stdin())?;
    let parse = |line: &str| line.parse().map(UserId).with_context(|| format!("not the id of an account: {line}"));
    let ids = list.split_whitespace().map(parse).collect::<anyhow::Result<Vec<_>>>()?;
    let deleted = accounts::repeat_deletions(shop, &ids, app::PERSONAL_DATA).await?;
    Ok(writeln!(
        std::io::stdout(),
        "accounts deleted again: {deleted}, already deleted or unknown: {}",
        ids.len() - deleted
    )?)
}

/// Ends the sessions of one email address, or all sessions if there is none.
async fn end_sessions(shop: &App, email: Option<String>) -> anyhow::Result<()> {
    use std::io::Write;
    let ended = match email {
        Some(email) => {
            let of_shopper = accounts::end_sessions_by_email(shop, &email).await?;
            let of_seller = staff::end_sessions_by_email(shop, &email).await?;
            if of_shopper.is_none() && of_seller.is_none() {
                anyhow::bail!("no account has this email address");
            }
            of_shopper.unwrap_or(0) + of_seller.unwrap_or(0)
        }
        None => sessions::end_every_session(&shop.db.main).await?,
    };
    Ok(writeln!(std::io::stdout(), "sessions ended: {ended}")?)
}

async fn verify_audit_logs(shop: &App, heads: &[String]) -> anyhow::Result<()> {
    use std::io::Write;
    let db = &shop.db.main;
    let reports = [
        hash_chain::verify::<SecurityEvents>(db, heads).await?,
        hash_chain::verify::<staff::AuditLog>(db, heads).await?,
    ];
    for report in &reports {
        writeln!(std::io::stdout(), "{}\t{} rows\thead {}", report.log, report.sealed, report.head)?;
    }
    for report in &reports {
        if let Some(fault) = &report.fault {
            anyhow::bail!("{}: {fault}", report.log);
        }
    }
    if let Some(lost) = heads.iter().find(|head| !reports.iter().any(|report| report.has(head))) {
        anyhow::bail!("head {lost} is in neither chain: rows were removed from the end of a log");
    }
    Ok(())
}

/// Reads from standard input, so that the password appears in no process list and no shell history.
fn read_password(from_stdin: bool) -> anyhow::Result<Option<String>> {
    if !from_stdin {
        return Ok(None);
    }
    let mut password = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut password)?;
    Ok(Some(password.trim_end_matches(['\r', '\n']).to_owned()))
}
