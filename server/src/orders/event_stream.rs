//! Streams order events to browsers, no matter on which instance they happened. Every instance with subscribers polls
//! the order events once a second. PostgreSQL's notifications would be quicker, but transactions that notify commit one
//! after the other, and a sale must not queue there (docs/decisions).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use super::model::OrderEventRow;
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::ids::UserId;
use crate::platform::sessions;
use crate::platform::state::App;

const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// An event is committed within this time after its id was assigned, or never.
const SETTLED_AFTER: Duration = Duration::from_secs(20);
/// A stream begins after this time even if the poller could not start.
const START_TIMEOUT: Duration = Duration::from_secs(15);
/// After this the stream ends, and the browser reconnects and is authenticated again.
const MAX_STREAM_AGE: Duration = Duration::from_mins(10);
/// A logout, or a seller who is disabled, ends the stream within this time.
const SESSION_CHECK_INTERVAL: Duration = Duration::from_secs(20);
/// A session may have this many open tabs; each stream holds a connection here and at the proxy.
const STREAMS_PER_SESSION: usize = 5;
/// A subscriber that is more events behind than this misses some and is told to reload.
const CHANNEL_CAPACITY: usize = 1_024;

/// What a subscriber is told.
pub enum StreamEvent {
    /// Events may have been missed, so everything must be loaded again.
    Reload,
    Order(OrderEventRow),
}

/// Distributes order events to the subscribers of this instance.
#[derive(Clone)]
pub struct EventHub {
    events: broadcast::Sender<OrderEventRow>,
    /// Whether the poller is stopped, starting, or running and sees every new event. It changes under its lock when a
    /// poller starts or ends, so that there is never a second one.
    poller: Arc<watch::Sender<PollerState>>,
    streams: Arc<Mutex<HashMap<Uuid, usize>>>,
}

/// One of the streams that a session may have; dropping it frees the slot.
struct StreamSlot {
    streams: Arc<Mutex<HashMap<Uuid, usize>>>,
    session: Uuid,
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = streams.get_mut(&self.session) {
            *open -= 1;
            if *open == 0 {
                streams.remove(&self.session);
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PollerState {
    Stopped,
    Starting,
    Running,
}

impl Default for EventHub {
    fn default() -> Self {
        Self {
            events: broadcast::Sender::new(CHANNEL_CAPACITY),
            poller: Arc::new(watch::Sender::new(PollerState::Stopped)),
            streams: Arc::default(),
        }
    }
}

impl EventHub {
    fn acquire_slot(&self, session: Uuid) -> Result<StreamSlot, ApiError> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let open = streams.entry(session).or_default();
        if *open >= STREAMS_PER_SESSION {
            return Err(ApiError::rate_limited(MAX_STREAM_AGE.as_secs()));
        }
        *open += 1;
        Ok(StreamSlot { streams: self.streams.clone(), session })
    }

    /// The first subscriber starts the poller, which ends when the last one has gone.
    fn subscribe(&self, app: &App) -> broadcast::Receiver<OrderEventRow> {
        let receiver = self.events.subscribe();
        let is_first = self.poller.send_if_modified(|state| {
            let nobody = *state == PollerState::Stopped;
            if nobody {
                *state = PollerState::Starting;
            }
            nobody
        });
        if is_first {
            let (app, hub) = (app.clone(), self.clone());
            #[expect(clippy::disallowed_methods, reason = "one task for all watchers; it ends with the last of them")]
            tokio::spawn(async move { hub.poll(&app).await });
        }
        receiver
    }

    /// Returns true when the poller must stop, because no subscriber is left or the server is shutting down.
    fn stop_if_unused(&self, app: &App) -> bool {
        self.poller.send_if_modified(|state| {
            let over = self.events.receiver_count() == 0 || app.is_shutting_down();
            if over {
                *state = PollerState::Stopped;
            }
            over
        })
    }

    async fn poll(&self, app: &App) {
        let mut sent = BTreeSet::new();
        let mut settled = None;
        let mut every = tokio::time::interval(POLL_INTERVAL);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.stop_if_unused(app) {
            every.tick().await;
            let polled = match settled {
                None => self.start_after_latest(app, &mut sent).await.map(|begun| settled = Some(begun)),
                Some(ref mut settled) => self.catch_up(app, settled, &mut sent).await,
            };
            if let Err(error) = polled {
                tracing::warn!(%error, "could not read order events");
            }
        }
    }

    /// Skips the events so far; from here on no event is missed.
    async fn start_after_latest(&self, app: &App, sent: &mut BTreeSet<i64>) -> sqlx::Result<i64> {
        let settled = store::last_settled_event(&app.db.main, SETTLED_AFTER).await?;
        let mut last = settled;
        loop {
            let known = store::list_events_since(&app.db.main, last, SETTLED_AFTER).await?;
            let Some(newest) = known.last() else { break };
            last = newest.event;
            sent.extend(known.iter().map(|one| one.event));
        }
        self.poller.send_replace(PollerState::Running);
        Ok(settled)
    }

    async fn catch_up(&self, app: &App, settled: &mut i64, sent: &mut BTreeSet<i64>) -> sqlx::Result<()> {
        let mut after = *settled;
        let mut all_before_are_settled = true;
        loop {
            let events = store::list_events_since(&app.db.main, after, SETTLED_AFTER).await?;
            let Some(newest) = events.last() else { break };
            after = newest.event;
            for one in events {
                all_before_are_settled &= one.is_settled;
                if all_before_are_settled {
                    *settled = one.event;
                }
                if sent.insert(one.event) {
                    // Sending fails only when no subscriber is left, and then the poller stops before its next round.
                    let _ = self.events.send(one);
                }
            }
        }
        *sent = sent.split_off(settled);
        Ok(())
    }

    /// Waits until the poller sees every new event.
    async fn wait_until_running(&self) {
        let _ = self.poller.subscribe().wait_for(|state| *state == PollerState::Running).await;
    }
}

/// Opens the stream of one session: with the orders of only one shopper, or for the seller with all. It begins with `Reload`,
/// because events between the loading of the list and this moment were not sent.
pub fn open_stream(
    app: &App,
    hub: &EventHub,
    kind: AccountKind,
    session: Uuid,
    only: Option<UserId>,
) -> Result<impl Stream<Item = StreamEvent> + use<>, ApiError> {
    let slot = hub.acquire_slot(session)?;
    let subscriber = Subscriber {
        app: app.clone(),
        events: hub.subscribe(app),
        end: app.clock.now() + MAX_STREAM_AGE,
        check: app.clock.now() + SESSION_CHECK_INTERVAL,
        only,
        kind,
        session,
        _slot: slot,
    };
    let hub = hub.clone();
    let begin = async move {
        let _ = tokio::time::timeout(START_TIMEOUT, hub.wait_until_running()).await;
        StreamEvent::Reload
    };
    let events = futures_util::stream::unfold(subscriber, |mut subscriber| async move {
        let event = subscriber.next().await?;
        Some((event, subscriber))
    });
    Ok(futures_util::stream::once(begin).chain(events))
}

struct Subscriber {
    app: App,
    events: broadcast::Receiver<OrderEventRow>,
    end: DateTime<Utc>,
    /// When the session is checked again.
    check: DateTime<Utc>,
    only: Option<UserId>,
    kind: AccountKind,
    session: Uuid,
    _slot: StreamSlot,
}

impl Subscriber {
    /// Returns the next event; `None` ends the stream, because its time or its session is over or the server is
    /// shutting down.
    async fn next(&mut self) -> Option<StreamEvent> {
        loop {
            let heard = tokio::time::timeout(POLL_INTERVAL, self.events.recv()).await;
            let now = self.app.clock.now();
            if self.app.is_shutting_down() || now > self.end {
                return None;
            }
            if now >= self.check {
                // While the database is unavailable there are no events either, so the stream stays open.
                if let Ok(false) = sessions::is_active(&self.app.db.main, self.kind, self.session, now).await {
                    return None;
                }
                self.check = now + SESSION_CHECK_INTERVAL;
            }
            match heard {
                Err(_quiet) => {}
                Ok(Ok(event)) if self.only.is_none_or(|user| user == event.user) => {
                    return Some(StreamEvent::Order(event));
                }
                Ok(Ok(_anothers)) => {}
                // The subscriber was too slow and has missed events.
                Ok(Err(RecvError::Lagged(_))) => return Some(StreamEvent::Reload),
                Ok(Err(RecvError::Closed)) => return None,
            }
        }
    }
}
