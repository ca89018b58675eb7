//! News of orders as they happen, on whichever copy of the server they happened. Every copy that somebody watches looks
//! at the timelines once a second; PostgreSQL's notifications would be quicker, but transactions that notify commit one
//! after the other, and a sale must not queue there (docs/decisions).

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use chrono::{DateTime, Utc};
use futures_util::StreamExt;
use serde::Serialize;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use super::store;
use crate::platform::api_error::ApiError;
use crate::platform::sessions::{self, Kind, Session};
use crate::platform::state::App;

const EVERY: Duration = Duration::from_secs(1);
/// An event is committed within this time after it got its number, or never.
const SETTLED_AFTER: Duration = Duration::from_secs(20);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// After this the browser comes again and is asked anew who it is.
const LONGEST: Duration = Duration::from_mins(10);
/// A logout, or a seller who is disabled, ends the stream within this time.
const SESSION_CHECK: Duration = Duration::from_secs(20);
/// Open tabs of one browser; each stream holds a connection here and at the proxy.
const STREAMS_PER_SESSION: usize = 5;
/// What a slow reader may be behind.
const BEHIND: usize = 1_024;

#[derive(Debug, Clone)]
pub struct News {
    user: Uuid,
    told: Told,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    #[serde(rename = "_id")]
    id: Uuid,
    order_id: String,
    status: String,
    /// The order is new.
    placed: bool,
}

/// Where this copy's watchers stand together.
#[derive(Clone)]
pub struct Watch {
    news: broadcast::Sender<News>,
    /// Whether somebody looks, and whether what happens from now on will be seen. Held while a looker is started or ends,
    /// so that there is never a second one.
    looking: Arc<watch::Sender<Looking>>,
    streams: Arc<Mutex<HashMap<Uuid, usize>>>,
}

/// One of the streams that a session may have; gives its place back when it ends.
struct Place {
    streams: Arc<Mutex<HashMap<Uuid, usize>>>,
    session: Uuid,
}

impl Drop for Place {
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
enum Looking {
    Not,
    Starting,
    Seeing,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            news: broadcast::Sender::new(BEHIND),
            looking: Arc::new(watch::Sender::new(Looking::Not)),
            streams: Arc::default(),
        }
    }
}

impl Watch {
    fn place(&self, session: Uuid) -> Result<Place, ApiError> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        let open = streams.entry(session).or_default();
        if *open >= STREAMS_PER_SESSION {
            return Err(ApiError::too_many(LONGEST.as_secs()));
        }
        *open += 1;
        Ok(Place { streams: self.streams.clone(), session })
    }

    /// The first watcher starts the looking; it ends when the last has gone.
    fn join(&self, app: &App) -> broadcast::Receiver<News> {
        let receiver = self.news.subscribe();
        let is_first = self.looking.send_if_modified(|looking| {
            let nobody = *looking == Looking::Not;
            if nobody {
                *looking = Looking::Starting;
            }
            nobody
        });
        if is_first {
            let (app, watch) = (app.clone(), self.clone());
            #[expect(clippy::disallowed_methods, reason = "one task for all watchers; it ends with the last of them")]
            tokio::spawn(async move { watch.look(&app).await });
        }
        receiver
    }

    /// True when nobody watches any more: the looker must go.
    fn is_over(&self, app: &App) -> bool {
        self.looking.send_if_modified(|looking| {
            let over = self.news.receiver_count() == 0 || app.is_stopping();
            if over {
                *looking = Looking::Not;
            }
            over
        })
    }

    async fn look(&self, app: &App) {
        let mut told = BTreeSet::new();
        let mut settled = None;
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.is_over(app) {
            every.tick().await;
            let looked = match settled {
                None => self.begin(app, &mut told).await.map(|begun| settled = Some(begun)),
                Some(ref mut settled) => self.catch_up(app, settled, &mut told).await,
            };
            if let Err(error) = looked {
                tracing::warn!(%error, "cannot see what happens to orders");
            }
        }
    }

    /// What has happened so far is no news; from here on nothing is missed.
    async fn begin(&self, app: &App, told: &mut BTreeSet<i64>) -> sqlx::Result<i64> {
        let settled = store::last_settled(&app.db.main, SETTLED_AFTER).await?;
        let mut last = settled;
        loop {
            let known = store::news_since(&app.db.main, last, SETTLED_AFTER).await?;
            let Some(newest) = known.last() else { break };
            last = newest.event;
            told.extend(known.iter().map(|one| one.event));
        }
        self.looking.send_replace(Looking::Seeing);
        Ok(settled)
    }

    async fn catch_up(&self, app: &App, settled: &mut i64, told: &mut BTreeSet<i64>) -> sqlx::Result<()> {
        let mut after = *settled;
        let mut all_before_are_settled = true;
        loop {
            let news = store::news_since(&app.db.main, after, SETTLED_AFTER).await?;
            let Some(newest) = news.last() else { break };
            after = newest.event;
            for one in news {
                all_before_are_settled &= one.is_settled;
                if all_before_are_settled {
                    *settled = one.event;
                }
                if told.insert(one.event) {
                    let told = Told { id: one.order, order_id: one.code, status: one.label, placed: one.is_new };
                    // Nobody listens any more: the loop ends.
                    let _ = self.news.send(News { user: one.user, told });
                }
            }
        }
        *told = told.split_off(settled);
        Ok(())
    }

    /// Waits until nothing that happens is missed.
    async fn is_seeing(&self) {
        let _ = self.looking.subscribe().wait_for(|looking| *looking == Looking::Seeing).await;
    }
}

/// The stream of one watcher: a shopper sees his own orders, the seller all. It begins with `reload`: what happened
/// between the reader's list and this moment nobody has told him.
pub fn stream(
    app: &App,
    watch: &Watch,
    kind: Kind,
    session: &Session,
) -> Result<Sse<impl futures_util::Stream<Item = Result<Event, Infallible>> + use<>>, ApiError> {
    let place = watch.place(session.id)?;
    let watcher = Watcher {
        app: app.clone(),
        news: watch.join(app),
        end: app.clock.now() + LONGEST,
        check: app.clock.now() + SESSION_CHECK,
        only: (kind == Kind::Shopper).then_some(session.person),
        kind,
        session: session.id,
        _place: place,
    };
    let watch = watch.clone();
    let begin = async move {
        let _ = tokio::time::timeout(KEEP_ALIVE, watch.is_seeing()).await;
        Ok(reload())
    };
    let events = futures_util::stream::unfold(watcher, |mut watcher| async move {
        let event = watcher.next().await?;
        Some((Ok(event), watcher))
    });
    Ok(Sse::new(futures_util::stream::once(begin).chain(events)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// Something was missed: the reader asks for everything.
fn reload() -> Event {
    Event::default().event("reload").data("")
}

struct Watcher {
    app: App,
    news: broadcast::Receiver<News>,
    end: DateTime<Utc>,
    /// When the session is looked up again.
    check: DateTime<Utc>,
    only: Option<Uuid>,
    kind: Kind,
    session: Uuid,
    _place: Place,
}

impl Watcher {
    /// `None` ends the stream: its time or its session is over, or the server stops.
    async fn next(&mut self) -> Option<Event> {
        loop {
            let heard = tokio::time::timeout(EVERY, self.news.recv()).await;
            let now = self.app.clock.now();
            if self.app.is_stopping() || now > self.end {
                return None;
            }
            if now >= self.check {
                // When the database is away there is no news either; the stream waits for it.
                if let Ok(false) = sessions::is_alive(&self.app.db.main, self.kind, self.session, now).await {
                    return None;
                }
                self.check = now + SESSION_CHECK;
            }
            match heard {
                Err(_quiet) => {}
                Ok(Ok(news)) if self.only.is_none_or(|user| user == news.user) => {
                    return Event::default().event("order").json_data(&news.told).ok();
                }
                Ok(Ok(_anothers)) => {}
                // Too slow.
                Ok(Err(RecvError::Lagged(_))) => return Some(reload()),
                Ok(Err(RecvError::Closed)) => return None,
            }
        }
    }
}
