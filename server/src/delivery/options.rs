//! What a shopper can choose at an address, and the choice that an order is placed with.

use chrono::{DateTime, Days, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::error::DeliveryError;
use super::model::{Coverage, DeliveryFees, DeliveryRules, LOOK_AHEAD_DAYS, Place, Slot, SlotRequest, Zone};
use super::offer::{self, Bookings, DeliveryOptions, Destination, SlotProblem, ZoneName};
use super::rules::load_rules;
use super::store;
use crate::addresses::{self, Address};
use crate::platform::clock;
use crate::platform::config::{Rates, Shop};
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::money::Paisa;
use crate::platform::state::App;

/// The fees, the day and the window of an order.
pub struct DeliveryChoice {
    pub fees: DeliveryFees,
    pub date: NaiveDate,
    pub slot: Option<Slot>,
    options: DeliveryOptions,
}

impl DeliveryChoice {
    /// The error for an order that is too small for its zone.
    pub fn below_minimum(self, missing: Paisa) -> DeliveryError {
        DeliveryError::BelowMinimum { minimum: self.fees.minimum, missing, options: Box::new(self.options) }
    }
}

impl From<&Address> for Place {
    fn from(address: &Address) -> Self {
        Self {
            district: address.district.clone(),
            municipality: address.municipality.clone(),
            ward: address.ward.clone(),
        }
    }
}

async fn load_bookings(
    connection: &mut PgConnection,
    zone: &Zone,
    now: DateTime<Utc>,
) -> Result<Bookings, DeliveryError> {
    if zone.windows.is_empty() {
        return Ok(Bookings::default());
    }
    let windows: Vec<_> = zone.windows.iter().map(|window| window.id).collect();
    let today = clock::nepal_date(now);
    Ok(store::load_bookings(connection, &windows, today, today + Days::new(LOOK_AHEAD_DAYS)).await?)
}

fn build_options(rules: &DeliveryRules, shop: &Shop, now: DateTime<Utc>, coverage: &Coverage<'_>) -> DeliveryOptions {
    let (destination, fees) = match coverage {
        Coverage::Everywhere => (Destination::Everywhere, None),
        Coverage::Zone(zone) => (Destination::Zone((*zone).into()), Some(zone.fees)),
        Coverage::Outside => (Destination::Outside, None),
        Coverage::Incomplete => (Destination::Incomplete, None),
    };
    DeliveryOptions {
        destination,
        fees: fees.unwrap_or_else(|| (&shop.rates).into()),
        zones: rules.active_zones().into_iter().map(ZoneName::from).collect(),
        has_windows: matches!(coverage, Coverage::Zone(zone) if !zone.windows.is_empty()),
        days: Vec::new(),
        next: None,
        date: rules.delivery_day(now, shop.delivery_days),
        closed_today: rules.find_closed_day(clock::nepal_date(now)).cloned(),
    }
}

/// Lists what a shopper can choose at a place.
pub async fn load_options(
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    shop: &Shop,
    place: &Place,
    now: DateTime<Utc>,
) -> Result<DeliveryOptions, DeliveryError> {
    let coverage = rules.coverage(place);
    let mut options = build_options(rules, shop, now, &coverage);
    if let Coverage::Zone(zone) = coverage {
        let bookings = load_bookings(connection, zone, now).await?;
        options.days = offer::list_days(rules, zone, now, &bookings);
        options.next = offer::next_slot(&options.days);
    }
    Ok(options)
}

/// Chooses the fees, the day and the window of an order: the requested window, or else the next free one. The place in
/// the window is taken when the order is written.
pub async fn choose_delivery(
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    shop: &Shop,
    place: &Place,
    requested: Option<SlotRequest>,
    language: Language,
    now: DateTime<Utc>,
) -> Result<DeliveryChoice, DeliveryError> {
    let coverage = rules.coverage(place);
    let mut options = build_options(rules, shop, now, &coverage);
    let zone = match coverage {
        Coverage::Zone(zone) => Some(zone),
        Coverage::Everywhere => None,
        Coverage::Incomplete => return Err(DeliveryError::AddressIncomplete(Box::new(options))),
        Coverage::Outside => {
            let places = zone_names(&options.zones, language);
            return Err(DeliveryError::Outside { places, options: Box::new(options) });
        }
    };
    let Some(zone) = zone.filter(|zone| !zone.windows.is_empty()) else {
        if requested.is_some() {
            return Err(DeliveryError::Closed(Box::new(options)));
        }
        return Ok(DeliveryChoice { fees: options.fees, date: options.date, slot: None, options });
    };
    let bookings = load_bookings(connection, zone, now).await?;
    options.days = offer::list_days(rules, zone, now, &bookings);
    options.next = offer::next_slot(&options.days);
    let slot = match requested {
        Some(requested) => offer::find_slot(rules, zone, now, &bookings, requested),
        None => options.next.ok_or(SlotProblem::Full),
    };
    match slot {
        Ok(slot) => Ok(DeliveryChoice { fees: options.fees, date: slot.day, slot: Some(slot), options }),
        Err(SlotProblem::Full) => Err(DeliveryError::Full(Box::new(options))),
        Err(SlotProblem::Closed) => Err(DeliveryError::Closed(Box::new(options))),
    }
}

/// Finds the first free slot, from `from` on, in the zone of a window; `None` if all are full or the window is gone.
pub async fn find_other_slot(
    connection: &mut PgConnection,
    rules: &DeliveryRules,
    window: Uuid,
    from: Option<NaiveDate>,
    now: DateTime<Utc>,
) -> Result<Option<Slot>, DeliveryError> {
    let zone = rules.zones.iter().find(|zone| zone.windows.iter().any(|known| known.id == window));
    let Some(zone) = zone else { return Ok(None) };
    let bookings = load_bookings(connection, zone, now).await?;
    let mut days = offer::list_days(rules, zone, now, &bookings);
    days.retain(|day| from.is_none_or(|from| day.day >= from));
    Ok(offer::next_slot(&days))
}

fn zone_names(zones: &[ZoneName], language: Language) -> String {
    let name = |zone: &ZoneName| match language {
        Language::Nepali if !zone.name_ne.is_empty() => zone.name_ne.clone(),
        _ => zone.name.clone(),
    };
    zones.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The fees at the default address of a shopper, for the quote of the cart; those of the shop where it has no zones or
/// the address is in none.
pub async fn load_fees_for_user(app: &App, user: UserId, rates: &Rates) -> Result<DeliveryFees, DeliveryError> {
    let rules = load_rules(app).await?;
    if !rules.has_zones() {
        return Ok(rates.into());
    }
    let mut connection = app.db.main.acquire().await?;
    let address = addresses::find_default_address(&mut connection, user).await?;
    Ok(match address.map(|address| rules.coverage(&(&address).into())) {
        Some(Coverage::Zone(zone)) => zone.fees,
        _ => rates.into(),
    })
}
