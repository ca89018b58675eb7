//! The endpoints under `/api/alerts/` for shoppers and under `/api/seller/alerts/` for the staff.

use axum::extract::State;
use axum::response::{IntoResponse, Redirect};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{Preference, PreferenceKind};
use super::{preferences, subscriptions, undelivered};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::{HandleCases, UseOwnAccount};
use crate::platform::push::PushTarget;
use crate::platform::sessions::{Shopper, Staff};
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_alerts, update_alerts))
        .routes(routes!(subscribe))
        .routes(routes!(unsubscribe_device))
        .routes(routes!(renew_subscription))
        .routes(routes!(unsubscribe, open_unsubscribe_page))
        .routes(routes!(get_staff_alerts, update_staff_alerts))
        .routes(routes!(subscribe_staff))
        .routes(routes!(get_undelivered))
        .routes(routes!(retry_message))
}

/// What a browser's `PushSubscription` contains.
#[derive(Deserialize, utoipa::ToSchema)]
struct PushSubscription {
    endpoint: String,
    keys: PushSubscriptionKeys,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PushSubscriptionKeys {
    p256dh: String,
    auth: String,
}

impl From<PushSubscription> for PushTarget {
    fn from(subscription: PushSubscription) -> Self {
        let PushSubscription { endpoint, keys } = subscription;
        Self { endpoint, p256dh: keys.p256dh, auth: keys.auth }
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
struct UnsubscribeDeviceRequest {
    endpoint: String,
    /// Whether to end the alerts of the staff or those of the shopper; both if it is missing.
    staff: Option<bool>,
}

/// The former address of a browser, and its new subscription.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RenewSubscriptionRequest {
    former_endpoint: String,
    subscription: PushSubscription,
}

/// The channels of a shopper's messages about orders.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
struct AlertChannels {
    push: bool,
    email: bool,
}

/// The channels of a member of staff's alerts about new orders, and the email about low stock.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
struct StaffAlertChannels {
    push: bool,
    email: bool,
    sms: bool,
    /// The mobile number for text messages; may be empty without them.
    phone: String,
    /// Whether the daily email about low stock is sent, to those who may see costs; unchanged if it is missing.
    #[serde(default, rename = "lowStockEmail")]
    low_stock_email: Option<bool>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AlertDevice {
    id: Uuid,
    /// By which a browser recognises itself.
    endpoint: String,
    /// For example `Chrome on Android`; empty if unknown.
    device: String,
    created_at: DateTime<Utc>,
    /// When a message last reached the push service.
    #[schema(required)]
    last_success_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AlertSettings {
    channels: AlertChannels,
    devices: Vec<AlertDevice>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffAlertSettings {
    channels: StaffAlertChannels,
    devices: Vec<AlertDevice>,
    /// Whether the shop can send text messages.
    sms_available: bool,
}

async fn list_devices(app: &App, kind: AccountKind, person: Uuid) -> Result<Vec<AlertDevice>, ApiError> {
    let devices = subscriptions::list(app, kind, person).await?;
    let devices = devices.into_iter().map(|one| AlertDevice {
        id: one.id,
        endpoint: one.endpoint,
        device: one.device,
        created_at: one.created_at,
        last_success_at: one.last_success_at,
    });
    Ok(devices.collect())
}

async fn load(app: &App, kind: AccountKind, person: Uuid, about: PreferenceKind) -> Result<Preference, ApiError> {
    let failed = |error: sqlx::Error| ApiError::database(&error);
    let mut connection = app.db.main.acquire().await.map_err(failed)?;
    preferences::load_preference(&mut connection, kind, person, about).await.map_err(failed)
}

/// Get the channels of the shopper's messages about orders, and the browsers that receive web push.
#[utoipa::path(
    get, path = "/api/alerts/preferences", tag = "alerts", security(("shopper" = [])),
    responses((status = 200, body = ApiResponse<AlertSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_alerts(
    State(app): State<App>,
    Shopper(session): Shopper,
) -> Result<PrivateResponse<AlertSettings>, ApiError> {
    let person = session.person.0;
    let chosen = load(&app, AccountKind::Shopper, person, PreferenceKind::OrderUpdates).await?;
    let channels = AlertChannels { push: chosen.push, email: chosen.email };
    let devices = list_devices(&app, AccountKind::Shopper, person).await?;
    Ok(PrivateResponse::ok(AlertSettings { channels, devices }))
}

/// Choose the channels of the shopper's messages about orders.
///
/// Emails about a placed or cancelled order and about money are always sent.
#[utoipa::path(
    put, path = "/api/alerts/preferences", tag = "alerts", security(("shopper" = [])), request_body = AlertChannels,
    responses((status = 200, body = ApiResponse<AlertChannels>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_alerts(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<AlertChannels>,
) -> Result<PrivateResponse<AlertChannels>, ApiError> {
    let wanted = Preference { push: body.push, email: body.email, sms: false, phone: String::new() };
    let about = PreferenceKind::OrderUpdates;
    let saved = preferences::save_preference(&app, AccountKind::Shopper, session.person.0, about, wanted).await?;
    let channels = AlertChannels { push: saved.push, email: saved.email };
    Ok(PrivateResponse::with_message(channels, message!("api.alerts.saved")))
}

/// Subscribe the shopper's browser to web push.
#[utoipa::path(
    post, path = "/api/alerts/subscribe", tag = "alerts", security(("shopper" = [])), request_body = PushSubscription,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn subscribe(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(body): Json<PushSubscription>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    subscriptions::subscribe(&app, AccountKind::Shopper, session.person.0, &body.into(), &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.alerts.device_on")))
}

/// Unsubscribe a browser from web push.
///
/// A page calls it also after a logout; the endpoint, which only the browser knows, authorises it.
#[utoipa::path(
    post, path = "/api/alerts/unsubscribe_device", tag = "alerts", request_body = UnsubscribeDeviceRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn unsubscribe_device(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Json(body): Json<UnsubscribeDeviceRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    app.limits.alert_links.check(from)?;
    let kinds: &[AccountKind] = match body.staff {
        Some(true) => &[AccountKind::Seller],
        Some(false) => &[AccountKind::Shopper],
        None => &[AccountKind::Shopper, AccountKind::Seller],
    };
    subscriptions::unsubscribe_device(&app, kinds, &body.endpoint).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.alerts.device_off")))
}

/// Replace the subscription of a browser whose push service has changed it.
///
/// The service worker calls it without a session; the former endpoint, which only the browser knows, authorises it.
#[utoipa::path(
    post, path = "/api/alerts/renew_subscription", tag = "alerts", request_body = RenewSubscriptionRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn renew_subscription(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Json(body): Json<RenewSubscriptionRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    app.limits.alert_links.check(from)?;
    subscriptions::renew(&app, &body.former_endpoint, &body.subscription.into()).await?;
    Ok(PrivateResponse::ok(Empty {}))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct UnsubscribeQuery {
    /// From a link in an email.
    token: String,
}

/// Turn off the kind of emails that a link belongs to.
///
/// Mail programs call it without a session (RFC 8058), and so does the page that the link in an email opens.
#[utoipa::path(
    post, path = "/api/alerts/unsubscribe", tag = "alerts", params(UnsubscribeQuery),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn unsubscribe(
    State(app): State<App>,
    ClientIp(from): ClientIp,
    Query(query): Query<UnsubscribeQuery>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    app.limits.alert_links.check(from)?;
    preferences::unsubscribe(&app, &query.token).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.alerts.unsubscribed")))
}

/// Redirect to the page that turns emails off.
///
/// Some mail programs open the link in a browser. Opening it changes nothing, because programs open links too.
#[utoipa::path(
    get, path = "/api/alerts/unsubscribe", tag = "alerts", params(UnsubscribeQuery),
    responses((status = 303, description = "to `/unsubscribe`"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn open_unsubscribe_page(Query(query): Query<UnsubscribeQuery>) -> Result<impl IntoResponse, ApiError> {
    let token: Uuid = query.token.parse().map_err(|_| super::AlertError::LinkInvalid)?;
    Ok(Redirect::to(&format!("/unsubscribe#token={token}")))
}

/// Get the channels of the seller's alerts about new orders, and the browsers that receive web push.
#[utoipa::path(
    get, path = "/api/seller/alerts/preferences", tag = "alerts", security(("seller" = ["account.own"])),
    responses((status = 200, body = ApiResponse<StaffAlertSettings>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_staff_alerts(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
) -> Result<PrivateResponse<StaffAlertSettings>, ApiError> {
    let chosen = load(&app, AccountKind::Seller, session.person, PreferenceKind::NewOrder).await?;
    let low_stock = load(&app, AccountKind::Seller, session.person, PreferenceKind::LowStock).await?;
    let channels = staff_channels(chosen, low_stock.email);
    let devices = list_devices(&app, AccountKind::Seller, session.person).await?;
    Ok(PrivateResponse::ok(StaffAlertSettings { channels, devices, sms_available: app.sms.is_configured() }))
}

fn staff_channels(chosen: Preference, low_stock_email: bool) -> StaffAlertChannels {
    let Preference { push, email, sms, phone } = chosen;
    StaffAlertChannels { push, email, sms, phone, low_stock_email: Some(low_stock_email) }
}

/// Choose the channels of the seller's alerts about new orders.
#[utoipa::path(
    put, path = "/api/seller/alerts/preferences", tag = "alerts", security(("seller" = ["account.own"])), request_body = StaffAlertChannels,
    responses((status = 200, body = ApiResponse<StaffAlertChannels>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_staff_alerts(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
    Json(body): Json<StaffAlertChannels>,
) -> Result<PrivateResponse<StaffAlertChannels>, ApiError> {
    let wanted = Preference { push: body.push, email: body.email, sms: body.sms, phone: body.phone };
    let about = PreferenceKind::NewOrder;
    let saved = preferences::save_preference(&app, AccountKind::Seller, session.person, about, wanted).await?;
    let about = PreferenceKind::LowStock;
    let mut low_stock = load(&app, AccountKind::Seller, session.person, about).await?;
    if let Some(email) = body.low_stock_email {
        low_stock.email = email;
        low_stock = preferences::save_preference(&app, AccountKind::Seller, session.person, about, low_stock).await?;
    }
    Ok(PrivateResponse::with_message(staff_channels(saved, low_stock.email), message!("api.alerts.saved")))
}

/// Subscribe the seller's browser to web push.
#[utoipa::path(
    post, path = "/api/seller/alerts/subscribe", tag = "alerts", security(("seller" = ["account.own"])), request_body = PushSubscription,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn subscribe_staff(
    State(app): State<App>,
    Staff(session, _): Staff<UseOwnAccount>,
    headers: HeaderMap,
    Json(body): Json<PushSubscription>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    subscriptions::subscribe(&app, AccountKind::Seller, session.person, &body.into(), &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.alerts.device_on")))
}

/// A message that could not be delivered after the last attempt.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct UndeliveredMessage {
    id: String,
    /// `push`, `email` or `sms`.
    channel: &'static str,
    /// What the message is about, such as `new_order`.
    about: String,
    /// The number of the order; empty if the message is not about an order.
    order: String,
    /// The name of the member of staff; empty if the recipient is a customer.
    recipient: String,
    problem: String,
    failed_at: DateTime<Utc>,
}

/// List the messages that could not be delivered, newest first; at most 100 alerts, and all emails.
#[utoipa::path(
    get, path = "/api/seller/alerts/undelivered", tag = "alerts", security(("seller" = ["cases.handle"])),
    responses((status = 200, body = ApiResponse<Vec<UndeliveredMessage>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_undelivered(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
) -> Result<PrivateResponse<Vec<UndeliveredMessage>>, ApiError> {
    let listed = undelivered::list(&app).await?;
    let listed = listed.into_iter().map(|one| UndeliveredMessage {
        id: one.id,
        channel: one.channel,
        about: one.about,
        order: one.order,
        recipient: one.recipient,
        problem: one.problem,
        failed_at: one.failed_at,
    });
    Ok(PrivateResponse::ok(listed.collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct RetryMessageRequest {
    /// The message's `id`.
    id: String,
}

/// Send a message again that could not be delivered.
#[utoipa::path(
    post, path = "/api/seller/alerts/retry", tag = "alerts", security(("seller" = ["cases.handle"])), request_body = RetryMessageRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn retry_message(
    State(app): State<App>,
    Staff(_session, _): Staff<HandleCases>,
    Json(body): Json<RetryMessageRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    undelivered::retry(&app, &body.id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.alerts.retrying")))
}
