//! The browsers that receive web push.

use std::time::Duration;

use http::HeaderMap;
use uuid::Uuid;

use super::model::{AlertError, Subscription};
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::push::PushTarget;
use crate::platform::sessions;
use crate::platform::state::App;
use crate::platform::throttle;

/// A person has a phone, a computer and the counter's tablet; beyond this the oldest is dropped.
const MAX_SUBSCRIPTIONS: i64 = 10;
const MAX_ENDPOINT_LENGTH: usize = 1_000;
const A_MINUTE: Duration = Duration::from_mins(1);

/// Subscribes a browser for this person; another person's subscription of the same browser ends.
pub async fn subscribe(
    app: &App,
    kind: AccountKind,
    person: Uuid,
    target: &PushTarget,
    headers: &HeaderMap,
) -> Result<(), AlertError> {
    check_target(app, target)?;
    let (limit, now) = (app.config.rate_limits.edits_per_minute, app.clock.now());
    throttle::check_limit(&app.db.main, "edit", &person.to_string(), limit, A_MINUTE, now).await?;
    let device = sessions::describe_device(headers);
    let mut tx = app.db.main.begin().await?;
    store::save_subscription(&mut tx, kind, person, target, &device, now).await?;
    store::delete_oldest_subscriptions(&mut tx, kind, person, MAX_SUBSCRIPTIONS).await?;
    tx.commit().await?;
    Ok(())
}

fn check_target(app: &App, target: &PushTarget) -> Result<(), AlertError> {
    if !app.push.is_configured() {
        return Err(AlertError::PushDisabled);
    }
    if target.endpoint.len() > MAX_ENDPOINT_LENGTH || !app.push.accepts(target) {
        return Err(AlertError::SubscriptionInvalid);
    }
    Ok(())
}

/// Replaces the address and the keys of a browser whose push service has changed them. The former address is a secret
/// between the browser, the push service and the shop, so it proves that the caller is the browser.
pub async fn renew(app: &App, former_endpoint: &str, target: &PushTarget) -> Result<(), AlertError> {
    check_target(app, target)?;
    let mut connection = app.db.main.acquire().await?;
    let renewed = store::renew_subscription(&mut connection, former_endpoint, target).await?;
    if renewed { Ok(()) } else { Err(AlertError::SubscriptionInvalid) }
}

/// Ends the subscriptions of a browser. Its address is a secret, as in `renew`.
pub async fn unsubscribe_device(app: &App, kinds: &[AccountKind], endpoint: &str) -> Result<(), AlertError> {
    Ok(store::delete_subscription_by_endpoint(&app.db.main, kinds, endpoint).await?)
}

pub async fn list(app: &App, kind: AccountKind, person: Uuid) -> Result<Vec<Subscription>, AlertError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(store::list_subscriptions(&mut connection, kind, &[person]).await?)
}
