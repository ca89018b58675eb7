//! What every handler receives.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use object_store::ObjectStore;

use super::answers::Answers;
use super::config::Config;
use super::db::Pools;
use super::rate_limit::RateLimit;

#[derive(Clone)]
pub struct App(Arc<Shared>);

pub struct Shared {
    pub config: Config,
    pub db: Pools,
    pub answers: Answers,
    pub pictures: Arc<dyn ObjectStore>,
    pub newsletter_limit: RateLimit,
    stopping: AtomicBool,
}

impl App {
    pub fn new(config: Config, db: Pools, pictures: Arc<dyn ObjectStore>) -> Self {
        let newsletter_limit = RateLimit::new(config.rate.newsletter_per_hour, Duration::from_hours(1));
        Self(Arc::new(Shared {
            config,
            db,
            answers: Answers::default(),
            pictures,
            newsletter_limit,
            stopping: AtomicBool::new(false),
        }))
    }

    pub fn say_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
