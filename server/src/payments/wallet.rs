//! The way to the wallet: how long a call may take, how many there may be at once, and when it is not worth asking.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedMutexGuard, Semaphore};
use tokio::time::timeout;
use uuid::Uuid;

use super::breaker::{Breaker, Failure};
use super::khalti::Khalti;
use super::provider::{Asked, Bill, Provider, Said, Started, WalletError};
use crate::platform::config::Config;
use crate::platform::state::Part;

const AT_ONCE: usize = 16;
/// For one of those places: a question can be asked again, an order that finds none is lost.
const QUEUE: Duration = Duration::from_secs(1);
const QUEUE_TO_START: Duration = Duration::from_secs(4);
/// While the wallet is not well, one of us asks so often whether it is back; no shopper has to try it out.
const PROBE_EVERY: Duration = Duration::from_secs(5);
/// More turns than this, and those that nobody waits for are forgotten.
const MANY_TURNS: usize = 1_024;

/// Who waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// Somebody looks at a page.
    Shopper,
    Worker,
}

pub struct Wallet {
    provider: Option<Box<dyn Provider>>,
    breaker: Breaker,
    places: Semaphore,
    turns: Mutex<HashMap<Uuid, Weak<tokio::sync::Mutex<()>>>>,
}

impl Part for Wallet {
    fn new(config: &Config) -> Self {
        // The one way this fails is a broken TLS set-up; cash must go on.
        let provider = config.khalti.clone().and_then(|settings| {
            Khalti::new(settings).inspect_err(|error| tracing::error!(%error, "online payment is off")).ok()
        });
        Self {
            provider: provider.map(|khalti| -> Box<dyn Provider> { Box::new(khalti) }),
            breaker: Breaker::default(),
            places: Semaphore::new(AT_ONCE),
            turns: Mutex::default(),
        }
    }
}

impl Wallet {
    /// Whether it makes sense to begin something that needs it.
    pub fn is_well(&self) -> bool {
        self.provider.is_some() && !self.breaker.is_open()
    }

    fn provider(&self) -> Result<&dyn Provider, WalletError> {
        self.provider.as_deref().ok_or(WalletError::None)
    }

    pub async fn start(self: &Arc<Self>, bill: &Bill) -> Result<Started, WalletError> {
        self.ask("initiate", QUEUE_TO_START, Duration::from_secs(8), self.provider()?.start(bill)).await
    }

    pub async fn confirm(self: &Arc<Self>, pidx: &str, asker: Asker) -> Result<Said, WalletError> {
        let limit = match asker {
            Asker::Shopper => Duration::from_secs(6),
            Asker::Worker => Duration::from_secs(10),
        };
        self.ask("lookup", QUEUE, limit, self.provider()?.confirm(pidx)).await
    }

    pub async fn refund(self: &Arc<Self>, transaction: &str) -> Result<(), WalletError> {
        self.ask("refund", QUEUE, Duration::from_secs(10), self.provider()?.refund(transaction)).await
    }

    /// One question about a payment at a time, in this process: whoever waited for his turn finds the answer written down.
    pub async fn turn(&self, payment: Uuid) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            if turns.len() > MANY_TURNS {
                turns.retain(|_, turn| turn.strong_count() > 0);
            }
            let known = turns.get(&payment).and_then(Weak::upgrade);
            let turn = known.unwrap_or_default();
            turns.insert(payment, Arc::downgrade(&turn));
            turn
        };
        turn.lock_owned().await
    }

    async fn ask<T>(
        self: &Arc<Self>,
        op: &'static str,
        queue: Duration,
        limit: Duration,
        call: Asked<'_, T>,
    ) -> Result<T, WalletError> {
        if self.breaker.is_open() {
            return Err(WalletError::Resting);
        }
        let place = timeout(queue, self.places.acquire()).await;
        let Ok(Ok(_place)) = place else { return Err(WalletError::Resting) };
        let began = Instant::now();
        let done = timeout(limit, call).await.unwrap_or(Err(WalletError::Slow));
        metrics::histogram!("khalti_request_seconds", "op" => op).record(began.elapsed().as_secs_f64());
        let outcome = done.as_ref().err().map_or("ok", WalletError::name);
        metrics::counter!("khalti_requests_total", "op" => op, "outcome" => outcome).increment(1);
        match &done {
            Err(error) if error.is_trouble() => {
                tracing::warn!(op, %error, "the wallet is in trouble");
                let failure = match error {
                    WalletError::KeyRefused => Failure::Certain,
                    WalletError::Slow => Failure::Waited,
                    _ => Failure::Quick,
                };
                if self.breaker.failed(Instant::now(), failure) {
                    self.look_after();
                }
            }
            Ok(_) | Err(_) => self.breaker.went_well(Instant::now()),
        }
        done
    }

    /// Asks again and again until the wallet is back.
    #[expect(clippy::disallowed_methods, reason = "belongs to no request and to no job, and ends by itself")]
    fn look_after(self: &Arc<Self>) {
        tracing::error!("the wallet is not asked until it is well again: online payment is off");
        metrics::gauge!("khalti_breaker_open").set(1.0);
        let wallet = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PROBE_EVERY).await;
                let Some(wallet) = wallet.upgrade() else { return };
                let Some(provider) = wallet.provider.as_deref() else { return };
                match timeout(PROBE_EVERY, provider.is_there()).await {
                    Ok(Ok(())) => {
                        wallet.breaker.close();
                        metrics::gauge!("khalti_breaker_open").set(0.0);
                        tracing::warn!("the wallet is well again: online payment is on");
                        return;
                    }
                    Ok(Err(error)) => tracing::warn!(%error, "the wallet is still in trouble"),
                    Err(_) => tracing::warn!("the wallet is still slow"),
                }
            }
        });
    }
}
