//! One binary, several commands.

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use rustix::process::DumpableBehavior;
use sqlx::postgres::PgPoolOptions;
use thunse::platform::config::{self, Config};
use thunse::platform::security_log::{SecurityEvents, hash_chain};
use thunse::platform::state::App;
use thunse::platform::{cache_invalidation, db, jobs, serve, sessions, telemetry};
use thunse::{accounts, app, catalogue, media, seller, worker};
use tokio::net::TcpListener;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser)]
#[command(
    name = "thunse",
    version,
    about = "An online grocery shop for Nepal. Settings come from the environment; see .env.example."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer shoppers.
    Serve,
    /// Run background jobs.
    Worker {
        /// Only what is due now, then end.
        #[arg(long)]
        once: bool,
    },
    /// Look at the queue of background jobs.
    Jobs {
        #[command(subcommand)]
        command: JobsCommand,
    },
    /// Bring the database to this version's schema (uses `MIGRATE_DATABASE_URL`).
    Migrate,
    /// Load the demo shop; what is there stays.
    Seed {
        /// Fill up to this many products, for trials of size.
        #[arg(long)]
        products: Option<u64>,
    },
    /// People who may run the shop.
    Seller {
        #[command(subcommand)]
        command: SellerCommand,
    },
    /// Who is logged in, shoppers and sellers.
    Sessions {
        #[command(subcommand)]
        command: SessionsCommand,
    },
    /// The security log and the audit log.
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Print the contract as an `OpenAPI` document.
    Openapi,
    /// Decode one picture from standard input; started by `serve`, for one picture at a time.
    #[command(hide = true)]
    PictureWorker {
        /// Without one it says how well it is sandboxed.
        purpose: Option<media::PicturePurpose>,
    },
}

#[derive(Subcommand)]
enum JobsCommand {
    /// Show what waits: never what it is about, which may be personal.
    List {
        /// Only what has been tried as often as it may be.
        #[arg(long)]
        dead: bool,
    },
    /// Let jobs run again at once, with all their tries before them.
    #[command(arg_required_else_help = true)]
    Retry {
        ids: Vec<i64>,
        /// All that are dead.
        #[arg(long, conflicts_with = "ids")]
        dead: bool,
    },
    /// Take jobs out of the queue for good.
    Drop {
        #[arg(required = true)]
        ids: Vec<i64>,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Check the hash chains of both logs; fails and names the first row that was changed or removed.
    Verify {
        /// A head that was noted before (in hex, from the worker's log or an earlier check): it must still be part of its chain.
        #[arg(long)]
        head: Vec<String>,
    },
}

#[derive(Subcommand)]
enum SessionsCommand {
    /// Log people out at once, on every device; their passwords stay.
    #[command(arg_required_else_help = true)]
    End {
        /// The shopper and the seller with this address.
        #[arg(long, required_unless_present = "all")]
        email: Option<String>,
        /// Everybody.
        #[arg(long, conflicts_with = "email")]
        all: bool,
    },
}

#[derive(Subcommand)]
enum SellerCommand {
    /// Add a seller. Prints a password, unless one is given: it is good for 24 hours and has to be changed at the first login.
    Create {
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        /// Read the password from standard input instead of making one up.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Shut a seller out, at once.
    Disable {
        #[arg(long)]
        email: String,
    },
    /// Give a seller a new password, and let a disabled one in again. Ends every session. A password that is made up is temporary.
    ResetPassword {
        #[arg(long)]
        email: String,
        #[arg(long)]
        password_stdin: bool,
    },
    /// Encrypt the seeds of all second steps with the first key of `TOTP_KEYS`.
    RotateKeys,
    /// Let a seller try again whose login was slowed or closed by wrong passwords or codes.
    Unlock {
        #[arg(long)]
        email: String,
    },
    /// Ask this seller for a code from an app as a second step; prints what the app scans, and ten backup codes. `--off` ends it.
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
        // Before there are threads: it limits itself, and each of them would count.
        return Ok(media::run_picture_worker(purpose));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(command)).map(|()| ExitCode::SUCCESS)
}

async fn run(command: Command) -> anyhow::Result<()> {
    if let Command::Openapi = command {
        use std::io::Write;
        let document = app::openapi().to_pretty_json()?;
        return Ok(writeln!(std::io::stdout(), "{document}")?);
    }
    let _telemetry = telemetry::init_logging()?;
    match command {
        Command::Serve => serve(build_app()?).await,
        Command::Worker { once: false } => run_worker(build_app()?).await,
        Command::Worker { once: true } => worker::run_due_jobs(&build_app()?).await,
        Command::Jobs { command } => run_jobs_command(&build_app()?, command).await,
        Command::Migrate => migrate().await,
        Command::Seed { products } => seed(&build_app()?, products).await,
        Command::Seller { command } => run_seller_command(&build_seller_admin_app()?, command).await,
        Command::Sessions { command: SessionsCommand::End { email, .. } } => end_sessions(&build_app()?, email).await,
        Command::Audit { command: AuditCommand::Verify { head } } => verify_audit_logs(&build_app()?, &head).await,
        Command::Openapi | Command::PictureWorker { .. } => Ok(()),
    }
}

fn build_app() -> anyhow::Result<App> {
    let config = Config::from_env()?;
    let pools = db::connect(&config.database).context("DATABASE_URL")?;
    let pictures = media::open_store(&config.pictures.store)?;
    Ok(App::new(config, pools, pictures))
}

/// As the role that may make and change sellers, when it is set.
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
    let cache_listener = cache_invalidation::listen(shop.db.main.clone(), shop.cache.clone());
    media::log_sandbox(shop.config.pictures.worker.as_deref()).await;
    for off in shop.config.disabled_features() {
        tracing::warn!("{off}");
    }
    tracing::info!(address = %shop.config.listen, "serving");
    tokio::select! {
        () = serve::serve(shop.clone(), listener, app::router(shop.clone()), serve::shutdown_signal()) => {}
        () = cache_listener => {}
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
    match command {
        JobsCommand::List { dead } => {
            for job in jobs::list(db, dead).await? {
                let (at, why) = (job.run_at.format("%Y-%m-%dT%H:%MZ"), job.last_error.unwrap_or_default());
                writeln!(out, "{}\t{}\t{}/{}\t{at}\t{why}", job.id, job.name, job.attempts, job.max_attempts)?;
            }
        }
        JobsCommand::Retry { ids, dead } => {
            let ids = if dead { jobs::list(db, true).await?.iter().map(|job| job.id).collect() } else { ids };
            writeln!(out, "{} to run again", jobs::retry(db, &ids).await?)?;
        }
        JobsCommand::Drop { ids } => writeln!(out, "{} dropped", jobs::remove(db, &ids).await?)?,
    }
    Ok(())
}

async fn migrate() -> anyhow::Result<()> {
    let url = config::migrate_database_url()?;
    let pool = PgPoolOptions::new().max_connections(2).connect(url.reveal()).await.context("MIGRATE_DATABASE_URL")?;
    db::migrate(&pool).await?;
    jobs::migrate(&pool).await?;
    db::restrict_updates(&pool).await?;
    tracing::info!("the database is at this version's schema");
    Ok(())
}

async fn seed(shop: &App, products: Option<u64>) -> anyhow::Result<()> {
    let added = match products {
        Some(wanted) => catalogue::load_large_demo(&shop.db.main, &*shop.pictures, wanted).await?,
        None => catalogue::load_demo(&shop.db.main, &*shop.pictures).await?,
    };
    tracing::info!(added, "the demo shop is loaded");
    Ok(())
}

const TEMPORARY_PASSWORD_NOTICE: &str = "It is good for 24 hours and has to be changed at the first login.";

async fn run_seller_command(shop: &App, command: SellerCommand) -> anyhow::Result<()> {
    let output = match command {
        SellerCommand::Create { email, name, password_stdin } => {
            let created = seller::create(shop, &email, &name, read_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}\n{TEMPORARY_PASSWORD_NOTICE}"))
        }
        SellerCommand::ResetPassword { email, password_stdin } => {
            let created = seller::reset_password(shop, &email, read_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}\n{TEMPORARY_PASSWORD_NOTICE}"))
        }
        SellerCommand::Disable { email } => {
            seller::disable(shop, &email).await?;
            None
        }
        SellerCommand::RotateKeys => Some(format!("{} encrypted anew", seller::rotate_keys(shop).await?)),
        SellerCommand::Unlock { email } => {
            seller::unlock(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: true } => {
            seller::remove_second_step(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: false } => {
            let made = seller::require_second_step(shop, &email).await?;
            Some(format!("{}\nbackup codes, each good once:\n{}", made.otpauth_url, made.backup_codes.join("\n")))
        }
    };
    if let Some(output) = output {
        use std::io::Write;
        writeln!(std::io::stdout(), "{output}")?;
    }
    Ok(())
}

/// Of one address, or of everybody.
async fn end_sessions(shop: &App, email: Option<String>) -> anyhow::Result<()> {
    use std::io::Write;
    let ended = match email {
        Some(email) => {
            let of_shopper = accounts::end_sessions_by_email(shop, &email).await?;
            let of_seller = seller::end_sessions_by_email(shop, &email).await?;
            if of_shopper.is_none() && of_seller.is_none() {
                anyhow::bail!("nobody has this address");
            }
            of_shopper.unwrap_or(0) + of_seller.unwrap_or(0)
        }
        None => sessions::end_every_session(&shop.db.main).await?,
    };
    Ok(writeln!(std::io::stdout(), "{ended} ended")?)
}

async fn verify_audit_logs(shop: &App, heads: &[String]) -> anyhow::Result<()> {
    use std::io::Write;
    let db = &shop.db.main;
    let reports = [
        hash_chain::verify::<SecurityEvents>(db, heads).await?,
        hash_chain::verify::<seller::AuditLog>(db, heads).await?,
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
        anyhow::bail!("{lost} is in neither chain: rows were removed from the end of a log");
    }
    Ok(())
}

/// From standard input, so that it stands in no process list and no shell history.
fn read_password(from_stdin: bool) -> anyhow::Result<Option<String>> {
    if !from_stdin {
        return Ok(None);
    }
    let mut password = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut password)?;
    Ok(Some(password.trim_end_matches(['\r', '\n']).to_owned()))
}
