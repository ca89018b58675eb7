//! Placing an order: load a snapshot, check the request against it, write. The snapshot takes no locks, so most
//! refusals cost little. The write is one statement that succeeds only if nothing relevant has changed since the
//! snapshot; otherwise everything starts again.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{Connection, PgConnection};
use uuid::{NoContext, Timestamp, Uuid};

use super::change::{self, EventActor};
use super::check_request::{CheckedRequest, check_request, idempotency_key};
use super::emails::SendOrderEmail;
use super::error::OrderError;
use super::model::{
    Delivery, IdempotencyKey, NewItems, NewOrder, NewReceipt, OrderRequest, PlacedOrder, PlacementSnapshot,
    StoredResponse, UnavailableProduct,
};
use super::store;
use super::transition::{Event, FinancialStatus, Method, OrderStatus, State};
use crate::accounts;
use crate::addresses;
use crate::cart::{self, QuoteLine};
use crate::catalogue::{self, Offer};
use crate::coupons::{self, CartValue, Coupon};
use crate::delivery::{self, DeliveryRules, Place};
use crate::payments::schedule;
use crate::platform::config::{CodLimits, OrderLimits, Shop};
use crate::platform::db::RetryBackoff;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::jobs::{self, Job};
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::{db, tokens};
use crate::shop;

/// After this many attempts the shop answers that it is busy.
const MAX_ATTEMPTS: u32 = 5;
/// The length of the order number that people use; the parcel shows the longer tracking number.
const CODE_LENGTH: usize = 10;
const TRACKING_LENGTH: usize = 12;
/// The SQLSTATEs for stock that has changed since the snapshot, for a delivery window that is full since, for a coupon
/// that was changed or used up since, and for an order number that is taken.
const STOCK_CHANGED: &str = "TS001";
const WINDOW_FULL: &str = "TS002";
const COUPON_CHANGED: &str = "TS005";
const UNIQUE_VIOLATION: &str = "23505";

impl From<StoredResponse> for PlacedOrder {
    fn from(stored: StoredResponse) -> Self {
        Self { order: stored.order_id, response: stored.response }
    }
}

/// A requested order that has passed the first checks.
struct Placement<'a> {
    request: &'a OrderRequest,
    key: IdempotencyKey,
    checked: CheckedRequest,
    /// The settings with the fees and limits that apply to the order.
    shop: Arc<Shop>,
    rules: Arc<DeliveryRules>,
}

/// Places an order. A cash order is complete with that; an online order holds its stock until it is paid.
pub async fn place(app: &App, request: &OrderRequest) -> Result<PlacedOrder, OrderError> {
    let shop = shop::load(app).await?;
    let checked = check_request(request, shop.cart_lines)?;
    let key = idempotency_key(request.user, request.key.as_deref(), &request.hash)?;
    let rules = delivery::load_rules(app).await?;
    let placement = Placement { request, key, checked, shop, rules };
    fail_point!(app, "orders.place.checked");
    let mut connection = app.db.main.acquire().await?;
    let mut retries = RetryBackoff::new(MAX_ATTEMPTS);
    for _ in 0..MAX_ATTEMPTS {
        match try_place(app, &mut connection, &placement).await {
            Ok(Some(placed)) => {
                fail_point!(app, "orders.place.placed");
                return Ok(placed);
            }
            // Something changed after the snapshot was loaded, so the placement is tried again.
            Ok(None) => {}
            Err(error) if error.is_contention() && retries.wait().await => {}
            Err(OrderError::Db(error)) => return Err(OrderError::Db(error)),
            // The refusal may only mean that the same order has just been placed, or is being placed right now; then
            // the response of that order is returned.
            Err(refusal) => {
                store::wait_for_concurrent_placement(&mut connection, &placement.key).await?;
                let placed = replay(&mut connection, &placement, app.clock.now()).await?;
                return placed.ok_or_else(|| count_refusal(refusal));
            }
        }
    }
    Err(count_refusal(OrderError::Busy))
}

fn count_refusal(refusal: OrderError) -> OrderError {
    metrics::counter!("orders_refused_total", "reason" => refusal.reason()).increment(1);
    refusal
}

/// Returns the order that was placed under this key, for a client that lost the response. Places nothing.
pub async fn find_placed(app: &App, user: UserId, key: &str) -> Result<Option<PlacedOrder>, OrderError> {
    let key = idempotency_key(user, Some(key), &[])?;
    let mut connection = app.db.main.acquire().await?;
    store::wait_for_concurrent_placement(&mut connection, &key).await?;
    Ok(store::replay(&mut connection, &key, app.clock.now()).await?.map(PlacedOrder::from))
}

async fn replay(
    connection: &mut PgConnection,
    placement: &Placement<'_>,
    now: DateTime<Utc>,
) -> Result<Option<PlacedOrder>, OrderError> {
    match store::replay(connection, &placement.key, now).await? {
        Some(stored) if stored.request_hash == placement.request.hash => Ok(Some(stored.into())),
        Some(_) => Err(OrderError::IdempotencyKeyReused),
        None => Ok(None),
    }
}

/// Loads a snapshot and writes the order once. Returns `None` when something changed in between.
async fn try_place(
    app: &App,
    connection: &mut PgConnection,
    placement: &Placement<'_>,
) -> Result<Option<PlacedOrder>, OrderError> {
    let Placement { request, key, checked, .. } = placement;
    let ids: Vec<ProductId> = checked.lines.iter().map(|(id, _)| *id).collect();
    let now = app.clock.now();
    let snapshot = store::load_snapshot(connection, key, &ids, now).await?;
    if snapshot.has_response {
        return replay(connection, placement, now).await;
    }
    fail_point!(app, "orders.place.snapshot_loaded");
    if snapshot.unpaid_same_products.is_empty() {
        return write_order(app, connection, placement, snapshot, now).await;
    }
    // The same order exists and is unpaid, so it is returned: it already has a payment link or will get one.
    if request.method == Method::Online
        && let Some(same) =
            store::find_same_unpaid(connection, key.user, &request.hash, &snapshot.unpaid_same_products).await?
    {
        store::store_response(connection, key, &same, now).await?;
        fail_point!(app, "orders.place.response_stored");
        return Ok(Some(same.into()));
    }
    // The shopper came back from the wallet without paying and orders again, so the stock that the unpaid order holds
    // is available to the new order.
    let mut tx = connection.begin().await?;
    supersede_unpaid(app, &mut tx, key.user, &snapshot.unpaid_same_products, &ids).await?;
    fail_point!(app, "orders.place.superseded");
    let snapshot = store::load_snapshot(&mut tx, key, &ids, now).await?;
    let placed =
        if snapshot.has_response { Ok(None) } else { write_order(app, &mut tx, placement, snapshot, now).await };
    match placed {
        Ok(Some(placed)) => {
            fail_point!(app, "orders.place.before_commit");
            tx.commit().await?;
            Ok(Some(placed))
        }
        failed => {
            tx.rollback().await?;
            failed
        }
    }
}

/// Cancels unpaid orders whose products the shopper orders again. Locks are taken in the order that all code follows:
/// the buyer, the orders, then the products of the old and the new orders at once.
async fn supersede_unpaid(
    app: &App,
    connection: &mut PgConnection,
    user: UserId,
    unpaid: &[OrderId],
    wanted: &[ProductId],
) -> Result<(), OrderError> {
    store::lock_buyer(connection, user).await?;
    let mut orders = Vec::new();
    let mut products = wanted.to_vec();
    for id in unpaid {
        let Some(order) = change::lock(connection, *id, &app.clock).await? else { continue };
        products.extend(store::find_units(connection, *id).await?.ids);
        orders.push(order);
    }
    catalogue::lock_products(connection, &products).await?;
    for order in orders {
        // The payment may have arrived just before the order was locked.
        if order.state.status == OrderStatus::Placed
            && matches!(order.state.payment, FinancialStatus::Awaiting | FinancialStatus::Failed)
        {
            change::apply_event(app, connection, &order, Event::ShopperCancelled, EventActor::Shopper, None).await?;
        }
    }
    Ok(())
}

async fn write_order(
    app: &App,
    connection: &mut PgConnection,
    placement: &Placement<'_>,
    mut snapshot: PlacementSnapshot,
    now: DateTime<Utc>,
) -> Result<Option<PlacedOrder>, OrderError> {
    let Placement { request, key, checked, shop, rules } = placement;
    let method = request.method;
    let cash = &app.config.rate_limits.cod;
    check_order_rate(&snapshot, &shop.limits)?;
    let chosen = match_offers(&checked.lines, std::mem::take(&mut snapshot.offers))?;
    let listed: Vec<QuoteLine> = chosen
        .iter()
        .map(|(offer, quantity)| QuoteLine { price: offer.price, quantity: *quantity, tax: offer.tax_class })
        .collect();
    let delivery = resolve_delivery(connection, key.user, checked).await?;
    let place = Place::from(&delivery);
    let choice =
        delivery::choose_delivery(connection, rules, shop, &place, request.slot, request.language, now).await?;
    let (fees, delivery_date, slot) = (choice.fees, choice.date, choice.slot);
    let coupon = find_coupon(app, connection, request, &chosen).await?;
    let (lines, quote) = cart::quote_with_coupon(&listed, coupon.as_ref(), &shop.rates, &fees);
    if !quote.minimum_missing.is_zero() {
        return Err(choice.below_minimum(quote.minimum_missing).into());
    }
    if quote.total > checked.displayed_total {
        return Err(OrderError::PriceChanged(quote));
    }
    check_order_value(&snapshot, quote.total, checked, method, shop, cash)?;
    // Unproven accounts share limits by phone number and IP address, because it is too easy to create another account.
    let may_be_unproven = method == Method::Cod && !snapshot.history.is_proven(cash);
    let phone_is_verified = may_be_unproven && accounts::has_verified_phone(connection, key.user).await?;
    let unproven = method == Method::Cod && !snapshot.history.is_exempt(cash, phone_is_verified);
    let counted_from = request.from.filter(|_| unproven);
    if unproven {
        let others = store::count_open_cash_by_phone(connection, key.user, &delivery.phone, cash.per_phone).await?;
        if others >= i64::from(cash.per_phone) {
            return Err(OrderError::TooManyOpenOrders { most: cash.per_phone, phone: shop.contact.phone.clone() });
        }
    }
    if let Some(from) = counted_from {
        app.limits.cod_orders.peek(from)?;
    }
    let waits = unproven && !cash.confirm_within.is_zero();

    let id = new_order_id(now);
    let (code, tracking) = (tokens::generate_code(CODE_LENGTH)?, tokens::generate_code(TRACKING_LENGTH)?);
    let state = State::placed(method);
    let online = method == Method::Online;
    let receipt =
        NewReceipt { id, code: &code, tracking: &tracking, placed_at: now, delivery_date, slot, state, quote };
    let response = (request.write_response)(&receipt)?;
    let new = NewOrder {
        id,
        code: &code,
        tracking: &tracking,
        key,
        request_hash: &request.hash,
        response: &response,
        placed_before: snapshot.placed,
        state,
        quote,
        rates: shop.rates,
        fees,
        delivery: &delivery,
        language: request.language.code(),
        delivery_date,
        slot,
        note_shop: &checked.note_shop,
        note_rider: &checked.note_rider,
        if_unavailable: checked.if_unavailable,
        created_at: now,
        items: &item_columns(chosen, &lines, checked),
        coupon: coupon.as_ref(),
        confirm_by: waits.then(|| now + cash.confirm_within),
        hold_ends_at: online.then(|| now + schedule::INITIAL_HOLD),
        email: &serde_json::to_string(&jobs::payload(&SendOrderEmail::placed(id)))?,
        email_job: SendOrderEmail::NAME,
        email_attempts: i32::from(SendOrderEmail::ATTEMPTS),
    };
    match store::insert_order(connection, &new).await {
        Ok(true) => {
            fail_point!(app, "orders.place.written");
            if let Some(from) = counted_from {
                app.limits.cod_orders.record(from);
            }
            metrics::counter!("orders_placed_total", "method" => state.method.name()).increment(1);
            let value = u64::try_from(quote.total.0).unwrap_or_default();
            metrics::counter!("orders_value_paisa_total", "method" => state.method.name()).increment(value);
            Ok(Some(PlacedOrder { order: id, response }))
        }
        Ok(false) => Ok(None),
        Err(error) => match db::sqlstate(&error).as_deref() {
            Some(STOCK_CHANGED | WINDOW_FULL | COUPON_CHANGED | UNIQUE_VIOLATION) => Ok(None),
            _ => Err(error.into()),
        },
    }
}

/// Ids are ordered by time, so that a range of days is a range of the primary key.
fn new_order_id(now: DateTime<Utc>) -> OrderId {
    let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
    OrderId(Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, now.timestamp_subsec_nanos())))
}

fn check_order_rate(snapshot: &PlacementSnapshot, limits: &OrderLimits) -> Result<(), OrderError> {
    if snapshot.last_minute >= i64::from(limits.per_minute) {
        return Err(OrderError::RateLimited { retry_after: 60 });
    }
    if snapshot.last_day >= i64::from(limits.per_day) {
        return Err(OrderError::RateLimited { retry_after: 3_600 });
    }
    Ok(())
}

/// Enforces the limits that keep an unknown shopper from causing large deliveries in vain, or from holding much stock
/// with orders that are never paid.
fn check_order_value(
    snapshot: &PlacementSnapshot,
    total: Paisa,
    checked: &CheckedRequest,
    method: Method,
    shop: &Shop,
    cash: &CodLimits,
) -> Result<(), OrderError> {
    let (limits, phone) = (&shop.limits, || shop.contact.phone.clone());
    if total > limits.max_order_total {
        return Err(OrderError::OrderTooLarge { most: limits.max_order_total, phone: phone() });
    }
    if method == Method::Online {
        let most = i32::try_from(limits.held_per_product).unwrap_or(i32::MAX);
        return if snapshot.unpaid_others >= i64::from(limits.max_unpaid_orders) {
            Err(OrderError::TooManyUnpaid)
        } else if !snapshot.history.is_proven(cash) && checked.lines.iter().any(|(_, quantity)| *quantity > most) {
            Err(OrderError::HoldLimit(limits.held_per_product))
        } else {
            Ok(())
        };
    }
    let most = snapshot.history.open_orders(limits.open_cod);
    if snapshot.open_cod >= most {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        return Err(OrderError::TooManyOpenOrders { most, phone: phone() });
    }
    let most = snapshot.history.open_worth(limits.open_cod_value, cash);
    if snapshot.open_cod_worth + total > most {
        return Err(OrderError::CashLimit { most, phone: phone() });
    }
    Ok(())
}

/// Matches each line with its current offer; fails with the products that are gone or out of stock.
fn match_offers(lines: &[(ProductId, i32)], offers: Vec<Offer>) -> Result<Vec<(Offer, i32)>, OrderError> {
    let mut offers: HashMap<ProductId, Offer> = offers.into_iter().map(|offer| (offer.id, offer)).collect();
    let (mut chosen, mut gone, mut short) = (Vec::new(), Vec::new(), Vec::new());
    for (id, quantity) in lines {
        let missing = |offer: &Offer, available| UnavailableProduct {
            id: *id,
            name: offer.name.clone(),
            name_ne: offer.name_ne.clone(),
            available,
        };
        match offers.remove(id) {
            None => {
                gone.push(UnavailableProduct { id: *id, name: "A product".to_owned(), name_ne: None, available: 0 });
            }
            Some(offer) if !offer.on_sale => gone.push(missing(&offer, 0)),
            Some(offer) if offer.stock < *quantity => short.push(missing(&offer, offer.stock)),
            Some(offer) => chosen.push((offer, *quantity)),
        }
    }
    if !gone.is_empty() {
        return Err(OrderError::ProductGone(gone));
    }
    if !short.is_empty() {
        return Err(OrderError::OutOfStock(short));
    }
    Ok(chosen)
}

impl From<&Delivery> for Place {
    fn from(delivery: &Delivery) -> Self {
        Self {
            district: delivery.district.clone(),
            municipality: delivery.municipality.clone(),
            ward: delivery.ward.clone(),
        }
    }
}

/// Finds the coupon that the shopper has entered, if it can be used for these goods.
async fn find_coupon(
    app: &App,
    connection: &mut PgConnection,
    request: &OrderRequest,
    chosen: &[(Offer, i32)],
) -> Result<Option<Coupon>, OrderError> {
    let Some(code) = &request.coupon else { return Ok(None) };
    let goods = chosen.iter().map(|(offer, quantity)| offer.price * *quantity).sum();
    let products: Vec<ProductId> = chosen.iter().map(|(offer, _)| offer.id).collect();
    let cart = CartValue { goods, products: &products };
    Ok(Some(coupons::find_usable(app, connection, code, request.user, &cart).await?))
}

/// `lines` are the chosen products with the prices that are charged.
fn item_columns(chosen: Vec<(Offer, i32)>, lines: &[QuoteLine], checked: &CheckedRequest) -> NewItems {
    let mut items = NewItems::default();
    for ((offer, quantity), line) in chosen.into_iter().zip(lines) {
        let choice = checked.line_choices.iter().find(|(product, _)| *product == offer.id);
        items.if_unavailable.push(choice.map(|(_, choice)| choice.name()));
        items.products.push(offer.id);
        items.names.push(offer.name);
        items.names_ne.push(offer.name_ne);
        items.pictures.push(offer.picture_key);
        items.prices.push(line.price.0);
        items.listed_prices.push(offer.price.0);
        items.tax_classes.push(offer.tax_class.name().to_owned());
        items.quantities.push(quantity);
        items.pack_labels.push(offer.pack_label);
        items.pack_labels_ne.push(offer.pack_label_ne);
    }
    items
}

/// Builds the delivery details to store with the order: from the address book entry with the given id or the same line,
/// or else from what the client sent. Missing contact details come from the account.
async fn resolve_delivery(
    connection: &mut PgConnection,
    user: UserId,
    checked: &CheckedRequest,
) -> Result<Delivery, OrderError> {
    let mut delivery = Delivery {
        recipient: checked.recipient.clone(),
        email: checked.email.clone(),
        phone: checked.phone.clone(),
        address: checked.address.clone(),
        ..Delivery::default()
    };
    let entry = match checked.address_id {
        Some(id) => {
            let entry =
                addresses::find_address(connection, user, id).await?.ok_or(addresses::AddressError::NotFound)?;
            if !entry.phone.is_empty() {
                delivery.phone.clone_from(&entry.phone);
            }
            Some(entry)
        }
        None => addresses::find_address_by_line(connection, user, &checked.address).await?,
    };
    if let Some(address) = entry {
        delivery.address = address.line;
        delivery.district = address.district;
        delivery.municipality = address.municipality;
        delivery.ward = address.ward;
        delivery.landmark = address.landmark;
    }
    let blanks = [&delivery.recipient, &delivery.email, &delivery.phone];
    if blanks.iter().any(|text| text.is_empty())
        && let Some(person) = accounts::find_contact(connection, user).await?
    {
        let fill = |text: &mut String, known: String| {
            if text.is_empty() {
                *text = known;
            }
        };
        fill(&mut delivery.recipient, person.name);
        fill(&mut delivery.email, person.email);
        fill(&mut delivery.phone, person.phone);
    }
    Ok(delivery)
}
