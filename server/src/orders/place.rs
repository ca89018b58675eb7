//! Placing an order: look, work out, write. Looking takes no locks, so most refusals cost little; writing is one
//! statement that holds only if nothing that matters has changed since the look, else everything starts again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::{Connection, PgConnection};
use uuid::{NoContext, Timestamp, Uuid};

use super::change::{self, Actor};
use super::letters::TellShopper;
use super::model::{Missing, OrderError, PAYMENT_PENDING, Receipt};
use super::store::{self, Delivery, Earlier, Key, New, NewItems, Seen};
use super::transition::{Event, Label, Method, Payment, State};
use crate::accounts;
use crate::addresses;
use crate::cart::{self, Line, MOST_OF_ONE};
use crate::catalogue::{self, Offer};
use crate::payments::schedule;
use crate::platform::config::{CashLimits, OrderLimits, Shop};
use crate::platform::db::Patience;
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::Job;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{clock, contact, db, hex, tokens};
use crate::shop;

/// Looks and writes before the shop says that it is busy.
const TRIES: u32 = 5;
const LONGEST_KEY: usize = 200;
const LONGEST_TEXT: usize = 600;
/// Without a key, the same order again within this time is the same order.
const SAME_ORDER_WINDOW: Duration = Duration::from_secs(10);
const OWN_KEY: &str = "auto:";
/// Of the number that people say, and of the one on the parcel.
const CODE_LENGTH: usize = 10;
const TRACKING_LENGTH: usize = 12;
/// What the database says when the shelf is not as it was seen, and when a number is taken.
const SHELF_CHANGED: &str = "TS001";
const NOT_UNIQUE: &str = "23505";

/// An order as a client asks for it. What it says about money is only what the shopper saw.
#[derive(Debug, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wish {
    pub items: Vec<WishedItem>,
    /// On one line.
    #[serde(default)]
    pub address: String,
    /// One of the address book, instead of `address`.
    pub address_id: Option<String>,
    /// What the shopper saw: a higher price is not charged without asking.
    pub total_amount: f64,
    #[serde(default)]
    pub shipping_fee: f64,
    #[serde(default)]
    pub tax: f64,
    pub payment_method: String,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub email: String,
    #[serde(default)]
    pub phone: String,
}

#[derive(Debug, Deserialize, Serialize, utoipa::ToSchema)]
pub struct WishedItem {
    #[serde(alias = "_id")]
    pub id: String,
    pub quantity: i64,
}

/// A wish that makes sense by itself.
struct Checked {
    /// In the order of the wish, each product once.
    lines: Vec<(Uuid, i32)>,
    seen_total: Paisa,
    address: String,
    address_id: Option<Uuid>,
    recipient: String,
    email: String,
    phone: String,
}

fn check(wish: &Wish, method: Method, most_lines: u32) -> Result<Checked, OrderError> {
    let invalid = || OrderError::ItemsInvalid(most_lines);
    if wish.payment_method != method.name() {
        return Err(OrderError::MethodInvalid);
    }
    // One product on two lines is one line: each alone might fit the shelf.
    let mut lines: Vec<(Uuid, i32)> = Vec::new();
    for item in &wish.items {
        let id: Uuid = item.id.parse().map_err(|_| invalid())?;
        let quantity = i32::try_from(item.quantity).ok().filter(|quantity| (1..=MOST_OF_ONE).contains(quantity));
        let quantity = quantity.ok_or_else(invalid)?;
        match lines.iter_mut().find(|(known, _)| *known == id) {
            Some((_, sum)) => *sum += quantity,
            None => lines.push((id, quantity)),
        }
    }
    let too_many = u32::try_from(lines.len()).map_or(true, |count| count > most_lines);
    if lines.is_empty() || too_many || lines.iter().any(|(_, quantity)| *quantity > MOST_OF_ONE) {
        return Err(invalid());
    }
    let texts = [&wish.address, &wish.name, &wish.email, &wish.phone].map(|text| contact::tidy(text));
    if texts.iter().any(|text| text.chars().count() > LONGEST_TEXT) {
        return Err(OrderError::FieldTooLong);
    }
    let [address, recipient, email, phone] = texts;
    if contact::has_link(&address) || contact::has_link(&recipient) {
        return Err(OrderError::LinkInText);
    }
    // What is no address or no number is replaced by the account's, like what is missing: the order counts, not its spelling.
    let email = contact::email(&email).unwrap_or_default();
    let phone = contact::phone(&phone).unwrap_or_default();
    let address_id = match &wish.address_id {
        Some(id) => Some(id.parse().map_err(|_| addresses::AddressError::NotFound)?),
        None => None,
    };
    if address.is_empty() && address_id.is_none() {
        return Err(OrderError::AddressRequired);
    }
    let seen_total = Paisa::from_json(wish.total_amount).ok_or(OrderError::TotalInvalid)?;
    Ok(Checked { lines, seen_total, address, address_id, recipient, email, phone })
}

/// The key of the header, or one made from the order itself.
fn key_of(user: Uuid, header: Option<&str>, request_hash: &[u8]) -> Result<Key, OrderError> {
    match header {
        Some(text) => {
            let fine = !text.is_empty()
                && text.len() <= LONGEST_KEY
                && text.bytes().all(|byte| byte.is_ascii_graphic())
                && !text.starts_with(OWN_KEY);
            if !fine {
                return Err(OrderError::KeyInvalid);
            }
            Ok(Key { user, text: text.to_owned(), window: None })
        }
        None => Ok(Key {
            user,
            text: format!("{OWN_KEY}{}", hex::encode(request_hash.iter().copied())),
            window: Some(SAME_ORDER_WINDOW),
        }),
    }
}

/// An order, and the answer as it was first given, byte for byte.
pub struct Placed {
    pub order: Uuid,
    pub answer: String,
}

impl From<Earlier> for Placed {
    fn from(earlier: Earlier) -> Self {
        Self { order: earlier.order_id, answer: earlier.answer }
    }
}

/// What somebody wants, and in whose name.
struct Request {
    key: Key,
    hash: Vec<u8>,
    checked: Checked,
    method: Method,
    language: Language,
    /// For a cash order.
    from: Option<IpAddr>,
    /// The fees and limits that it is placed under.
    shop: Arc<Shop>,
}

/// Places an order: one that is paid on delivery is done with that, the other kind holds its goods until it is paid.
pub async fn place(
    app: &App,
    user: Uuid,
    key: Option<&str>,
    wish: &Wish,
    method: Method,
    language: Language,
    from: Option<IpAddr>,
) -> Result<Placed, OrderError> {
    let shop = shop::settled(app).await?;
    let checked = check(wish, method, shop.cart_lines)?;
    let hash = Sha256::digest(serde_json::to_vec(wish)?).to_vec();
    let request = Request { key: key_of(user, key, &hash)?, hash, checked, method, language, from, shop };
    fail_point!(app, "orders.place.checked");
    let mut connection = app.db.main.acquire().await?;
    let mut patience = Patience::of(TRIES);
    for _ in 0..TRIES {
        match attempt(app, &mut connection, &request).await {
            Ok(Some(placed)) => {
                fail_point!(app, "orders.place.placed");
                return Ok(placed);
            }
            // Somebody was faster: look again.
            Ok(None) => {}
            Err(error) if error.is_contention() && patience.again().await => {}
            Err(OrderError::Db(error)) => return Err(OrderError::Db(error)),
            // Perhaps it is refused only because the same order has just been placed, or is being placed at this moment:
            // then that is the answer.
            Err(refusal) => {
                store::wait_for_others(&mut connection, &request.key).await?;
                return replay(&mut connection, &request, app.clock.now()).await?.ok_or(refusal);
            }
        }
    }
    Err(OrderError::Busy)
}

/// What became of a placing whose answer was lost. Asking places nothing.
pub async fn answer_of(app: &App, user: Uuid, key: &str) -> Result<Option<Placed>, OrderError> {
    let key = key_of(user, Some(key), &[])?;
    let mut connection = app.db.main.acquire().await?;
    store::wait_for_others(&mut connection, &key).await?;
    Ok(store::replay(&mut connection, &key, app.clock.now()).await?.map(Placed::from))
}

async fn replay(
    connection: &mut PgConnection,
    request: &Request,
    now: DateTime<Utc>,
) -> Result<Option<Placed>, OrderError> {
    match store::replay(connection, &request.key, now).await? {
        Some(earlier) if earlier.request_hash == request.hash => Ok(Some(earlier.into())),
        Some(_) => Err(OrderError::KeyReused),
        None => Ok(None),
    }
}

/// One look and one writing. `None` when something changed in between.
async fn attempt(app: &App, connection: &mut PgConnection, request: &Request) -> Result<Option<Placed>, OrderError> {
    let Request { key, checked, method, .. } = request;
    let ids: Vec<Uuid> = checked.lines.iter().map(|(id, _)| *id).collect();
    let now = app.clock.now();
    let seen = store::look(connection, key, &ids, now).await?;
    if seen.has_answer {
        return replay(connection, request, now).await;
    }
    fail_point!(app, "orders.place.looked");
    if seen.unpaid_alike.is_empty() {
        return write(app, connection, request, seen, now).await;
    }
    // The same order once more, not paid yet: it has a link already, or gets one.
    if *method == Method::Online
        && let Some(same) = store::same_unpaid(connection, key.user, &request.hash, &seen.unpaid_alike).await?
    {
        store::file(connection, key, &same, now).await?;
        fail_point!(app, "orders.place.filed");
        return Ok(Some(same.into()));
    }
    // Somebody came back from the wallet and orders anew: what the unpaid order holds is his to order.
    let mut tx = connection.begin().await?;
    supersede(app, &mut tx, key.user, &seen.unpaid_alike, &ids).await?;
    fail_point!(app, "orders.place.superseded");
    let seen = store::look(&mut tx, key, &ids, now).await?;
    let placed = if seen.has_answer { Ok(None) } else { write(app, &mut tx, request, seen, now).await };
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

/// Cancels unpaid orders whose goods are wanted again. Everything is locked in the order in which everybody locks: the
/// shopper, his orders, then all products of both orders at once.
async fn supersede(
    app: &App,
    connection: &mut PgConnection,
    user: Uuid,
    unpaid: &[Uuid],
    wanted: &[Uuid],
) -> Result<(), OrderError> {
    store::lock_buyer(connection, user).await?;
    let mut orders = Vec::new();
    let mut products = wanted.to_vec();
    for id in unpaid {
        let Some(order) = change::lock(connection, *id, &app.clock).await? else { continue };
        products.extend(store::units(connection, *id).await?.ids);
        orders.push(order);
    }
    catalogue::lock_products(connection, &products).await?;
    for order in orders {
        // Perhaps the money has come at this very moment.
        if order.state.label == Label::Placed && matches!(order.state.payment, Payment::Awaiting | Payment::Failed) {
            change::step(app, connection, &order, Event::ShopperCancels, Actor::Shopper, None).await?;
        }
    }
    Ok(())
}

async fn write(
    app: &App,
    connection: &mut PgConnection,
    request: &Request,
    mut seen: Seen,
    now: DateTime<Utc>,
) -> Result<Option<Placed>, OrderError> {
    let Request { key, hash: request_hash, checked, method, language, from, shop } = request;
    let cash = &app.config.rate.cash;
    check_pace(&seen, &shop.limits)?;
    let chosen = choose(&checked.lines, std::mem::take(&mut seen.offers))?;
    let lines: Vec<Line> = chosen
        .iter()
        .map(|(offer, quantity)| Line { price: offer.price, quantity: *quantity, tax: offer.tax_class })
        .collect();
    let quote = cart::quote(&lines, &shop.rates);
    if quote.total > checked.seen_total {
        return Err(OrderError::PriceChanged(quote));
    }
    check_worth(&seen, quote.total, checked, *method, shop, cash)?;
    let delivery = delivery(connection, key.user, checked).await?;
    // An account without a record shares its limits with others like it: making another account is too easy.
    let unproven = *method == Method::Cod && !seen.record.is_proven(cash);
    let counted_from = from.filter(|_| unproven);
    if unproven {
        let others = store::open_cash_with_phone(connection, key.user, &delivery.phone).await?;
        if others >= i64::from(cash.per_phone) {
            return Err(OrderError::TooManyOpen { most: cash.per_phone, phone: shop.contact.phone.clone() });
        }
    }
    if let Some(from) = counted_from {
        app.limits.cash_orders.peek(from)?;
    }
    let waits = unproven && !cash.confirm_within.is_zero();

    let id = order_id(now);
    let (code, tracking) = (tokens::readable(CODE_LENGTH)?, tokens::readable(TRACKING_LENGTH)?);
    let delivery_date = clock::day(now) + Days::new(u64::from(shop.delivery_days));
    let state = State::placed(*method);
    let online = *method == Method::Online;
    let answer = serde_json::to_string(&Receipt {
        id,
        order_id: code.clone(),
        tracking_number: tracking.clone(),
        date: now,
        delivery_date,
        status: if online { PAYMENT_PENDING } else { state.label.name() },
        payment_method: state.method.name(),
        quote,
    })?;
    let new = New {
        id,
        code: &code,
        tracking: &tracking,
        key,
        request_hash,
        answer: &answer,
        placed_before: seen.placed,
        state,
        quote,
        rates: shop.rates,
        delivery: &delivery,
        language: language.code(),
        delivery_date,
        created_at: now,
        items: &columns(chosen),
        confirm_by: waits.then(|| now + cash.confirm_within),
        hold_ends_at: online.then(|| now + schedule::HOLD_AT_FIRST),
        letter: &serde_json::to_string(&TellShopper::placed(id))?,
        letter_job: TellShopper::NAME,
        letter_tries: i32::from(TellShopper::ATTEMPTS),
    };
    match store::write(connection, &new).await {
        Ok(true) => {
            fail_point!(app, "orders.place.written");
            if let Some(from) = counted_from {
                app.limits.cash_orders.count(from);
            }
            metrics::counter!("orders_placed_total", "method" => state.method.name()).increment(1);
            Ok(Some(Placed { order: id, answer }))
        }
        Ok(false) => Ok(None),
        Err(error) => match db::code_of(&error).as_deref() {
            Some(SHELF_CHANGED | NOT_UNIQUE) => Ok(None),
            _ => Err(error.into()),
        },
    }
}

/// Ordered by time, so that a range of days is a range of the primary key.
fn order_id(now: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, now.timestamp_subsec_nanos()))
}

fn check_pace(seen: &Seen, limits: &OrderLimits) -> Result<(), OrderError> {
    if seen.last_minute >= i64::from(limits.per_minute) {
        return Err(OrderError::TooMany { retry_after: 60 });
    }
    if seen.last_day >= i64::from(limits.per_day) {
        return Err(OrderError::TooMany { retry_after: 3_600 });
    }
    Ok(())
}

/// Somebody of whom the shop knows nothing yet should not send the rider around with a lorry, nor empty the shelf with
/// orders that he never pays.
fn check_worth(
    seen: &Seen,
    total: Paisa,
    checked: &Checked,
    method: Method,
    shop: &Shop,
    cash: &CashLimits,
) -> Result<(), OrderError> {
    let (limits, phone) = (&shop.limits, || shop.contact.phone.clone());
    if total > limits.largest {
        return Err(OrderError::TooLarge { most: limits.largest, phone: phone() });
    }
    if method == Method::Online {
        let most = i32::try_from(limits.held_of_one).unwrap_or(i32::MAX);
        return if seen.unpaid_others >= i64::from(limits.unpaid) {
            Err(OrderError::TooManyUnpaid)
        } else if !seen.record.is_proven(cash) && checked.lines.iter().any(|(_, quantity)| *quantity > most) {
            Err(OrderError::HoldLimit(limits.held_of_one))
        } else {
            Ok(())
        };
    }
    let most = seen.record.open_orders(limits.open_cod);
    if seen.open_cod >= most {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        return Err(OrderError::TooManyOpen { most, phone: phone() });
    }
    let most = seen.record.open_worth(limits.open_cod_worth, cash);
    if seen.open_cod_worth + total > most {
        return Err(OrderError::CashLimit { most, phone: phone() });
    }
    Ok(())
}

/// The products as they are offered now, or which of them cannot be had.
fn choose(lines: &[(Uuid, i32)], offers: Vec<Offer>) -> Result<Vec<(Offer, i32)>, OrderError> {
    let mut offers: HashMap<Uuid, Offer> = offers.into_iter().map(|offer| (offer.id, offer)).collect();
    let (mut chosen, mut gone, mut short) = (Vec::new(), Vec::new(), Vec::new());
    for (id, quantity) in lines {
        let missing = |offer: &Offer, available| Missing {
            id: *id,
            name: offer.name.clone(),
            name_ne: offer.name_ne.clone(),
            available,
        };
        match offers.remove(id) {
            None => gone.push(Missing { id: *id, name: "A product".to_owned(), name_ne: None, available: 0 }),
            Some(offer) if !offer.on_sale => gone.push(missing(&offer, 0)),
            Some(offer) if offer.stock < *quantity => short.push(missing(&offer, offer.stock)),
            Some(offer) => chosen.push((offer, *quantity)),
        }
    }
    if !gone.is_empty() {
        return Err(OrderError::Gone(gone));
    }
    if !short.is_empty() {
        return Err(OrderError::OutOfStock(short));
    }
    Ok(chosen)
}

fn columns(chosen: Vec<(Offer, i32)>) -> NewItems {
    let mut items = NewItems::default();
    for (offer, quantity) in chosen {
        items.products.push(offer.id);
        items.names.push(offer.name);
        items.names_ne.push(offer.name_ne);
        items.pictures.push(offer.picture_key);
        items.prices.push(offer.price.0);
        items.tax_classes.push(offer.tax_class.name().to_owned());
        items.quantities.push(quantity);
        items.pack_labels.push(offer.pack_label);
        items.pack_labels_ne.push(offer.pack_label_ne);
    }
    items
}

/// A copy of where it goes: an entry of the address book, named by its id or written out as its line, or what the client
/// wrote; what is missing is the account's.
async fn delivery(connection: &mut PgConnection, user: Uuid, checked: &Checked) -> Result<Delivery, OrderError> {
    let mut delivery = Delivery {
        recipient: checked.recipient.clone(),
        email: checked.email.clone(),
        phone: checked.phone.clone(),
        address: checked.address.clone(),
        ..Delivery::default()
    };
    let entry = match checked.address_id {
        Some(id) => {
            let entry = addresses::find(connection, user, id).await?.ok_or(addresses::AddressError::NotFound)?;
            if !entry.phone.is_empty() {
                delivery.phone.clone_from(&entry.phone);
            }
            Some(entry)
        }
        None => addresses::find_by_line(connection, user, &checked.address).await?,
    };
    if let Some(address) = entry {
        delivery.address = address.line;
        delivery.municipality = address.municipality;
        delivery.ward = address.ward;
        delivery.landmark = address.landmark;
    }
    let blanks = [&delivery.recipient, &delivery.email, &delivery.phone];
    if blanks.iter().any(|text| text.is_empty())
        && let Some(person) = accounts::person(connection, user).await?
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(items: &[(&str, i64)]) -> Wish {
        Wish {
            items: items
                .iter()
                .map(|(id, quantity)| WishedItem { id: (*id).to_owned(), quantity: *quantity })
                .collect(),
            address: " Mitra  Marg ".to_owned(),
            address_id: None,
            total_amount: 585.0,
            shipping_fee: 20.0,
            tax: 65.0,
            payment_method: "COD".to_owned(),
            name: "Asha".to_owned(),
            email: "asha@example.com".to_owned(),
            phone: "9801234567".to_owned(),
        }
    }

    const RICE: &str = "019a0000-0000-7000-8000-000000000001";
    const OIL: &str = "019a0000-0000-7000-8000-000000000002";

    #[test]
    fn one_product_on_two_lines_is_one_line() {
        let checked = check(&wish(&[(RICE, 2), (OIL, 1), (RICE, 3)]), Method::Cod, 100).unwrap();

        assert_eq!(checked.lines.iter().map(|(_, quantity)| *quantity).collect::<Vec<_>>(), [5, 1]);
        assert_eq!(checked.address, "Mitra Marg");
    }

    #[test]
    fn quantities_that_make_no_sense_are_refused() {
        let odd: [&[(&str, i64)]; 7] = [
            &[],
            &[(RICE, 0)],
            &[(RICE, -1)],
            &[(RICE, 100)],
            &[(RICE, i64::MAX)],
            &[(RICE, 60), (RICE, 60)],
            &[("rice", 1)],
        ];
        for items in odd {
            assert!(matches!(check(&wish(items), Method::Cod, 100), Err(OrderError::ItemsInvalid(100))), "{items:?}");
        }
    }

    #[test]
    fn a_key_is_plain_text_and_never_one_of_ours() {
        let user = Uuid::nil();
        for odd in ["", "auto:abc", "with space", "ä", &"k".repeat(201)] {
            assert!(matches!(key_of(user, Some(odd), &[]), Err(OrderError::KeyInvalid)), "{odd}");
        }
        assert!(key_of(user, Some("0f8fad5b-d9cb-469f-a165-70867728950e"), &[]).is_ok());
        assert_eq!(key_of(user, None, &[1, 2]).unwrap().text, "auto:0102");
    }
}
