//! The client for all wallet calls: it limits how long a call may take and how many run at once, and it stops calling a
//! wallet that is down.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedMutexGuard, Semaphore};
use tokio::time::timeout;
use tracing::{Instrument, field};

use super::circuit_breaker::{CircuitBreaker, Failure};
use super::khalti::KhaltiProvider;
use super::provider::{PaymentLookup, PaymentProvider, PaymentRequest, ProviderFuture, StartedPayment, WalletError};
use crate::platform::config::Config;
use crate::platform::ids::PaymentId;
use crate::platform::money::Paisa;
use crate::platform::state::AppComponent;

const MAX_CONCURRENT_CALLS: usize = 16;
/// How long a call waits for one of these permits. A lookup can be repeated, but an order that gets no permit is lost,
/// so the start of a payment waits longer.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(1);
const START_QUEUE_TIMEOUT: Duration = Duration::from_secs(4);
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
/// When there are more locks than this, unused ones are removed.
const MAX_LOOKUP_LOCKS: usize = 1_024;

/// Who waits for the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requester {
    /// A person may be waiting at a page.
    Shopper,
    Worker,
}

pub struct WalletClient {
    provider: Option<Box<dyn PaymentProvider>>,
    probe_interval: Duration,
    breaker: CircuitBreaker,
    permits: Semaphore,
    lookup_locks: Mutex<HashMap<PaymentId, Weak<tokio::sync::Mutex<()>>>>,
}

impl AppComponent for WalletClient {
    fn new(config: &Config) -> Self {
        let probe_interval = config.khalti.as_ref().map(|settings| settings.probe_interval).unwrap_or_default();
        // This fails only if TLS cannot be set up, and cash orders must still work then.
        let provider = config.khalti.clone().and_then(|settings| {
            KhaltiProvider::new(settings).inspect_err(|error| tracing::error!(%error, "online payment is off")).ok()
        });
        Self {
            provider: provider.map(|khalti| -> Box<dyn PaymentProvider> { Box::new(khalti) }),
            probe_interval,
            breaker: CircuitBreaker::default(),
            permits: Semaphore::new(MAX_CONCURRENT_CALLS),
            lookup_locks: Mutex::default(),
        }
    }
}

impl WalletClient {
    /// Returns whether it makes sense to start something that needs the wallet.
    pub fn is_available(&self) -> bool {
        self.provider.is_some() && !self.breaker.is_open()
    }

    fn provider(&self) -> Result<&dyn PaymentProvider, WalletError> {
        self.provider.as_deref().ok_or(WalletError::NotConfigured)
    }

    pub async fn start(self: &Arc<Self>, request: &PaymentRequest) -> Result<StartedPayment, WalletError> {
        self.call_provider("initiate", START_QUEUE_TIMEOUT, Duration::from_secs(8), self.provider()?.start(request))
            .await
    }

    pub async fn lookup(self: &Arc<Self>, pidx: &str, requester: Requester) -> Result<PaymentLookup, WalletError> {
        let limit = match requester {
            Requester::Shopper => Duration::from_secs(6),
            Requester::Worker => Duration::from_secs(10),
        };
        self.call_provider("lookup", QUEUE_TIMEOUT, limit, self.provider()?.lookup(pidx)).await
    }

    pub async fn refund(self: &Arc<Self>, transaction: &str, amount: Option<Paisa>) -> Result<(), WalletError> {
        let call = self.provider()?.refund(transaction, amount);
        self.call_provider("refund", QUEUE_TIMEOUT, Duration::from_secs(10), call).await
    }

    /// Allows one lookup of a payment at a time in this process; a caller that waited for the lock finds the result
    /// stored.
    pub async fn lock_lookup(&self, payment: PaymentId) -> OwnedMutexGuard<()> {
        let lock = {
            let mut lookup_locks = self.lookup_locks.lock().unwrap_or_else(PoisonError::into_inner);
            if lookup_locks.len() > MAX_LOOKUP_LOCKS {
                lookup_locks.retain(|_, lock| lock.strong_count() > 0);
            }
            let known = lookup_locks.get(&payment).and_then(Weak::upgrade);
            let lock = known.unwrap_or_default();
            lookup_locks.insert(payment, Arc::downgrade(&lock));
            lock
        };
        lock.lock_owned().await
    }

    async fn call_provider<T>(
        self: &Arc<Self>,
        op: &'static str,
        queue: Duration,
        limit: Duration,
        call: ProviderFuture<'_, T>,
    ) -> Result<T, WalletError> {
        if self.breaker.is_open() {
            return Err(WalletError::CircuitOpen);
        }
        let permit = timeout(queue, self.permits.acquire()).await;
        let Ok(Ok(_permit)) = permit else { return Err(WalletError::CircuitOpen) };
        let began = Instant::now();
        let span = tracing::info_span!("wallet", op, outcome = field::Empty);
        let done = timeout(limit, call).instrument(span.clone()).await.unwrap_or(Err(WalletError::Timeout));
        metrics::histogram!("khalti_request_duration_seconds", "op" => op).record(began.elapsed().as_secs_f64());
        let outcome = done.as_ref().err().map_or("ok", WalletError::name);
        span.record("outcome", outcome);
        metrics::counter!("khalti_requests_total", "op" => op, "outcome" => outcome).increment(1);
        match &done {
            Err(error) if error.is_outage() => {
                tracing::warn!(op, %error, "a wallet call failed");
                let failure = match error {
                    WalletError::Unauthorized => Failure::Permanent,
                    WalletError::Timeout => Failure::Timeout,
                    _ => Failure::Error,
                };
                if self.breaker.record_failure(Instant::now(), failure) {
                    self.probe_until_recovered();
                }
            }
            Ok(_) | Err(_) => self.breaker.record_success(Instant::now()),
        }
        done
    }

    /// Probes the wallet until it answers again.
    #[expect(clippy::disallowed_methods, reason = "belongs to no request and to no job, and ends by itself")]
    fn probe_until_recovered(self: &Arc<Self>) {
        tracing::error!("wallet circuit breaker opened: online payment is off");
        metrics::gauge!("khalti_breaker_open").set(1.0);
        let (wallet, interval) = (Arc::downgrade(self), self.probe_interval);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(interval).await;
                let Some(wallet) = wallet.upgrade() else { return };
                let Some(provider) = wallet.provider.as_deref() else { return };
                match timeout(PROBE_TIMEOUT, provider.ping()).await {
                    Ok(Ok(())) => {
                        wallet.breaker.close();
                        metrics::gauge!("khalti_breaker_open").set(0.0);
                        tracing::warn!("wallet circuit breaker closed: online payment is on");
                        return;
                    }
                    Ok(Err(error)) => tracing::warn!(%error, "the wallet is still failing"),
                    Err(_) => tracing::warn!("the wallet is still slow"),
                }
            }
        });
    }
}
