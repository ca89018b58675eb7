//! A relay in front of PostgreSQL that loses its connections, or falls silent, when a test says so.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Forward,
    /// Every connection is closed, and a new one as soon as it is opened.
    Refuse,
    /// Connections stay open and nothing is forwarded, as when the machine behind them has lost its power.
    Silent,
}

pub struct Relay {
    address: SocketAddr,
    mode: watch::Sender<Mode>,
    target: Arc<Mutex<String>>,
}

fn address_of(database: &PgPool) -> String {
    let options = database.connect_options();
    format!("{}:{}", options.get_host(), options.get_port())
}

impl Relay {
    pub async fn to(database: &PgPool) -> Self {
        let target = Arc::new(Mutex::new(address_of(database)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (mode, modes) = watch::channel(Mode::Forward);
        let current_target = Arc::clone(&target);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let target = current_target.lock().unwrap().clone();
                tokio::spawn(forward(client, target, modes.clone()));
            }
        });
        Self { address, mode, target }
    }

    /// A pool whose connections go through the relay.
    pub fn pool(&self, database: &PgPool) -> PgPool {
        let options = PgConnectOptions::clone(&database.connect_options());
        let options = options.host(&self.address.ip().to_string()).port(self.address.port());
        PgPoolOptions::new().max_connections(5).connect_lazy_with(options)
    }

    /// Connections that are open stay where they are.
    pub fn lead_new_connections_to(&self, database: &PgPool) {
        *self.target.lock().unwrap() = address_of(database);
    }

    pub fn refuse(&self) {
        self.mode.send(Mode::Refuse).unwrap();
    }

    pub fn fall_silent(&self) {
        self.mode.send(Mode::Silent).unwrap();
    }

    pub fn forward(&self) {
        self.mode.send(Mode::Forward).unwrap();
    }
}

async fn forward(mut client: TcpStream, target: String, mut modes: watch::Receiver<Mode>) {
    let mode = *modes.borrow_and_update();
    if mode == Mode::Forward {
        let Ok(mut server) = TcpStream::connect(target).await else { return };
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut server) => return,
            _ = modes.changed() => {}
        }
    }
    // A connection that has been silent is of no use to anybody afterwards.
    if *modes.borrow() == Mode::Silent {
        let _ = modes.wait_for(|mode| *mode != Mode::Silent).await;
    }
}
