//! One binary, several commands.

use anyhow::Context;
use clap::{Parser, Subcommand};
use sqlx::postgres::PgPoolOptions;
use thunse::platform::config::{self, Config};
use thunse::platform::state::App;
use thunse::platform::{changes, db, jobs, serve, telemetry};
use thunse::{app, catalogue, media, worker};
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
    Work,
    /// Bring the database to this version's schema (uses `MIGRATE_DATABASE_URL`).
    Migrate,
    /// Load the demo shop; what is there stays.
    Seed {
        /// Fill up to this many products, for trials of size.
        #[arg(long)]
        products: Option<u64>,
    },
    /// Print the contract as an `OpenAPI` document.
    Openapi,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let command = Cli::parse().command;
    if let Command::Openapi = command {
        use std::io::Write;
        let document = app::openapi().to_pretty_json()?;
        return Ok(writeln!(std::io::stdout(), "{document}")?);
    }
    telemetry::start_logs();
    match command {
        Command::Serve => serve(build()?).await,
        Command::Work => work(build()?).await,
        Command::Migrate => migrate().await,
        Command::Seed { products } => seed(&build()?, products).await,
        Command::Openapi => Ok(()),
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
        () = worker::run(shop.clone()) => {}
        ended = telling => ended.context("METRICS_LISTEN")?,
    }
    shop.db.close().await;
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
