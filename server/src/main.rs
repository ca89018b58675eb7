//! One binary, several commands.

use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use sqlx::postgres::PgPoolOptions;
use thunse::platform::config::{self, Config};
use thunse::platform::state::App;
use thunse::platform::{changes, db, jobs, serve, telemetry};
use thunse::{app, catalogue, media, seller, worker};
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
    Work {
        /// Only what is due now, then end.
        #[arg(long)]
        once: bool,
    },
    /// Look at the queue of background jobs.
    Jobs {
        #[command(subcommand)]
        what: JobsCommand,
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
        what: SellerCommand,
    },
    /// Print the contract as an `OpenAPI` document.
    Openapi,
    /// Decode one picture from standard input; started by `serve`, for one picture at a time.
    #[command(hide = true)]
    PictureWorker { shape: media::Shape },
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
enum SellerCommand {
    /// Add a seller. Prints a password, unless one is given.
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
    /// Give a seller a new password, and let a disabled one in again. Ends every session.
    ResetPassword {
        #[arg(long)]
        email: String,
        #[arg(long)]
        password_stdin: bool,
    },
    /// Ask this seller for a code from an app as a second step; prints what the app scans. `--off` ends it.
    SecondStep {
        #[arg(long)]
        email: String,
        #[arg(long)]
        off: bool,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    let command = Cli::parse().command;
    if let Command::PictureWorker { shape } = command {
        // Before there are threads: it limits itself, and each of them would count.
        return Ok(media::picture_worker(shape));
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
    telemetry::start_logs();
    match command {
        Command::Serve => serve(build()?).await,
        Command::Work { once: false } => work(build()?).await,
        Command::Work { once: true } => worker::run_due(&build()?).await,
        Command::Jobs { what } => jobs_command(&build()?, what).await,
        Command::Migrate => migrate().await,
        Command::Seed { products } => seed(&build()?, products).await,
        Command::Seller { what } => seller_command(&build()?, what).await,
        Command::Openapi | Command::PictureWorker { .. } => Ok(()),
    }
}

fn build() -> anyhow::Result<App> {
    let config = Config::from_env()?;
    let pools = db::connect(&config.database).context("DATABASE_URL")?;
    let pictures = media::open(&config.pictures.store)?;
    Ok(App::new(config, pools, pictures))
}

async fn serve(shop: App) -> anyhow::Result<()> {
    let metrics = telemetry::start_metrics()?;
    let listener = TcpListener::bind(shop.config.listen).await.context("LISTEN")?;
    let telling = telemetry::serve_metrics(shop.config.metrics_listen, metrics, shop.clone());
    let listening = changes::listen(shop.db.main.clone(), shop.answers.clone());
    tracing::info!(address = %shop.config.listen, "serving");
    tokio::select! {
        () = serve::serve(shop.clone(), listener, app::router(shop.clone()), serve::stop_signal()) => {}
        () = listening => {}
        ended = telling => ended.context("METRICS_LISTEN")?,
    }
    shop.db.close().await;
    tracing::info!("stopped");
    Ok(())
}

async fn work(shop: App) -> anyhow::Result<()> {
    let metrics = telemetry::start_metrics()?;
    let telling = telemetry::serve_metrics(shop.config.metrics_listen, metrics, shop.clone());
    tokio::select! {
        ended = worker::run(shop.clone()) => ended?,
        ended = telling => ended.context("METRICS_LISTEN")?,
    }
    shop.db.close().await;
    Ok(())
}

async fn jobs_command(shop: &App, what: JobsCommand) -> anyhow::Result<()> {
    use std::io::Write;
    let db = &shop.db.main;
    let mut out = std::io::stdout();
    match what {
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
    sqlx::migrate!().run(&pool).await?;
    jobs::migrate(&pool).await?;
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

async fn seller_command(shop: &App, what: SellerCommand) -> anyhow::Result<()> {
    let said = match what {
        SellerCommand::Create { email, name, password_stdin } => {
            let created = seller::create(shop, &email, &name, given_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}"))
        }
        SellerCommand::ResetPassword { email, password_stdin } => {
            let created = seller::reset_password(shop, &email, given_password(password_stdin)?).await?;
            created.password.map(|password| format!("password: {password}"))
        }
        SellerCommand::Disable { email } => {
            seller::disable(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: true } => {
            seller::remove_second_step(shop, &email).await?;
            None
        }
        SellerCommand::SecondStep { email, off: false } => Some(seller::require_second_step(shop, &email).await?),
    };
    if let Some(said) = said {
        use std::io::Write;
        writeln!(std::io::stdout(), "{said}")?;
    }
    Ok(())
}

/// From standard input, so that it stands in no process list and no shell history.
fn given_password(from_stdin: bool) -> anyhow::Result<Option<String>> {
    if !from_stdin {
        return Ok(None);
    }
    let mut password = String::new();
    std::io::Read::read_to_string(&mut std::io::stdin(), &mut password)?;
    Ok(Some(password.trim_end_matches(['\r', '\n']).to_owned()))
}
