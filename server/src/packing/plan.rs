//! What packing an order means: a pure function of the order, of what the packer says and of the replacements. It uses
//! no clock and no database, so that it can be compared with a second implementation in SQL.

use std::collections::{BTreeMap, BTreeSet};

use crate::cart::{self, MAX_QUANTITY, Quote, QuoteLine};
use crate::catalogue::TaxClass;
use crate::delivery::DeliveryFees;
use crate::orders::OrderTerms;
use crate::platform::config::Rates;
use crate::platform::ids::ProductId;
use crate::platform::money::{Paisa, Percent};

/// A hundred kilograms, more than a bag holds.
const MAX_GRAMS: i32 = 100_000;

/// Why a line was not packed as ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The goods are not there, whatever the stock says.
    NotAvailable,
    Damaged,
    /// The shopper no longer wants it.
    NotWanted,
}

impl Reason {
    pub const ALL: [Self; 3] = [Self::NotAvailable, Self::Damaged, Self::NotWanted];

    pub const fn name(self) -> &'static str {
        match self {
            Self::NotAvailable => "not_available",
            Self::Damaged => "damaged",
            Self::NotWanted => "not_wanted",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Whether units that were not packed can be sold again. Goods that nobody found or that are damaged cannot.
    pub const fn returns_to_stock(self) -> bool {
        matches!(self, Self::NotWanted)
    }
}

/// A line as it was ordered.
#[derive(Debug, Clone, Copy)]
pub struct OrderedLine {
    pub product: ProductId,
    pub price: Paisa,
    pub tax: TaxClass,
    pub quantity: i32,
    /// What a unit weighs as expected, if the product is sold by weight.
    pub step_grams: Option<i32>,
}

/// What the packer says about a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineDecision {
    pub product: ProductId,
    pub packed: i32,
    /// What the packed units weigh together; given if the product is sold by weight.
    pub grams: Option<i32>,
    /// Given if fewer units were packed than ordered.
    pub reason: Option<Reason>,
    pub replacement: Option<ReplacementChoice>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplacementChoice {
    pub product: ProductId,
    pub quantity: i32,
}

/// A product that can replace another, as it is offered now.
#[derive(Debug, Clone, Copy)]
pub struct ReplacementOffer {
    pub product: ProductId,
    pub price: Paisa,
    pub tax: TaxClass,
    pub stock: i32,
    pub on_sale: bool,
}

/// How the shopper agreed to the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// By placing the order.
    Order,
    /// By accepting a proposal with this total.
    Link(Paisa),
    /// On the phone.
    Call,
}

impl Agreement {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Link(_) => "link",
            Self::Call => "call",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replacement {
    pub product: ProductId,
    pub quantity: i32,
    /// The price that is charged, which can be lower than the product's own.
    pub price: Paisa,
    pub tax: TaxClass,
}

/// A line that was packed differently from the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjustment {
    pub product: ProductId,
    pub before: i32,
    pub after: i32,
    pub replacement: Option<Replacement>,
    pub reason: Reason,
}

impl Adjustment {
    pub const fn kind(&self) -> &'static str {
        if self.replacement.is_some() {
            "replaced"
        } else if self.after == 0 {
            "none"
        } else {
            "fewer"
        }
    }
}

/// What the packed units of a line weigh together, and what is charged for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedWeight {
    pub product: ProductId,
    pub grams: i32,
    pub amount: Paisa,
}

#[derive(Debug, Clone)]
pub struct Plan {
    pub adjustments: Vec<Adjustment>,
    pub weights: Vec<PackedWeight>,
    /// Units that go back to stock.
    pub returned: Vec<(ProductId, i32)>,
    /// Units that leave the order but do not go back on sale.
    pub missing: Vec<(ProductId, i32)>,
    /// Units that replacements take from stock.
    pub taken: Vec<(ProductId, i32)>,
    pub quote: Quote,
    pub agreement: Agreement,
    /// The most that the shopper has agreed to pay.
    pub agreed: Paisa,
    pub due: Paisa,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("the lines do not fit the order")]
    LinesInvalid,
    #[error("reason missing")]
    ReasonMissing,
    #[error("weight missing")]
    WeightMissing,
    #[error("nothing packed")]
    NothingPacked,
    #[error("replacement not in stock")]
    ReplacementGone(ProductId),
}

/// Computes what the packed order costs and how its units move. The fees and rates are those of the order. A payment
/// that was made online cannot be increased, so such an order never costs more than its total.
pub fn plan(
    terms: &OrderTerms,
    is_paid_online: bool,
    lines: &[OrderedLine],
    decisions: &[LineDecision],
    offers: &[ReplacementOffer],
    agreement: Agreement,
) -> Result<Plan, PlanError> {
    let agreement = if is_paid_online { Agreement::Order } else { agreement };
    let products: BTreeSet<ProductId> = decisions.iter().map(|decision| decision.product).collect();
    if products.len() != decisions.len() || decisions.len() != lines.len() {
        return Err(PlanError::LinesInvalid);
    }
    let (mut adjustments, mut packed, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let mut moves: [BTreeMap<ProductId, i32>; 3] = Default::default();
    for line in lines {
        let decision = decisions.iter().find(|decision| decision.product == line.product);
        let decision = decision.ok_or(PlanError::LinesInvalid)?;
        let missing = line.quantity - decision.packed;
        if decision.packed < 0 || missing < 0 || (missing == 0 && decision.replacement.is_some()) {
            return Err(PlanError::LinesInvalid);
        }
        let weight = weigh(terms, line, decision)?;
        if let Some(weight) = weight {
            packed.push(QuoteLine { price: weight.amount, quantity: 1, tax: line.tax });
            weights.push(weight);
        } else if decision.packed > 0 {
            packed.push(QuoteLine { price: line.price, quantity: decision.packed, tax: line.tax });
        }
        if missing == 0 {
            continue;
        }
        let reason = decision.reason.ok_or(PlanError::ReasonMissing)?;
        let [returned, written_off, taken] = &mut moves;
        let units = if reason.returns_to_stock() { returned } else { written_off };
        *units.entry(line.product).or_default() += missing;
        let mut replacement = None;
        if let Some(choice) = decision.replacement {
            let chosen = replace(line, missing, choice, offers, agreement)?;
            packed.push(QuoteLine { price: chosen.price, quantity: chosen.quantity, tax: chosen.tax });
            *taken.entry(chosen.product).or_default() += chosen.quantity;
            replacement = Some(chosen);
        }
        let (before, after) = (line.quantity, decision.packed);
        adjustments.push(Adjustment { product: line.product, before, after, replacement, reason });
    }
    let [returned, missing, taken] = moves.map(|units| units.into_iter().collect::<Vec<_>>());
    let offered = |product: ProductId| offers.iter().find(|offer| offer.product == product).map_or(0, |o| o.stock);
    if let Some((gone, _)) = taken.iter().find(|(product, units)| offered(*product) < *units) {
        return Err(PlanError::ReplacementGone(*gone));
    }
    let quote = quote(terms, &packed);
    let ordered = if is_paid_online { terms.total } else { agreed_by_order(terms, lines) };
    let agreed = match agreement {
        Agreement::Order => ordered,
        Agreement::Link(accepted) => ordered.max(accepted),
        Agreement::Call => ordered.max(quote.total),
    };
    let due = quote.total.min(agreed);
    if packed.is_empty() || (is_paid_online && due.is_zero()) {
        return Err(PlanError::NothingPacked);
    }
    Ok(Plan { adjustments, weights, returned, missing, taken, quote, agreement, agreed, due })
}

/// The most that is charged for this many units of a weighed line.
fn most_for_units(terms: &OrderTerms, line: &OrderedLine, units: i32) -> Paisa {
    let estimate = line.price * units;
    Paisa(estimate.0 * (Percent::WHOLE + i64::from(terms.weight_tolerance.0)) / Percent::WHOLE)
}

/// Prices a weighed line by its weight; what is heavier than the tolerance allows is free of charge.
fn weigh(terms: &OrderTerms, line: &OrderedLine, decision: &LineDecision) -> Result<Option<PackedWeight>, PlanError> {
    let (Some(step), true) = (line.step_grams, decision.packed > 0) else {
        return if decision.grams.is_none() { Ok(None) } else { Err(PlanError::LinesInvalid) };
    };
    let grams = decision.grams.filter(|grams| (1..=MAX_GRAMS).contains(grams)).ok_or(PlanError::WeightMissing)?;
    let by_weight = line.price.scale(grams.into(), step.into());
    let amount = by_weight.min(most_for_units(terms, line, decision.packed));
    Ok(Some(PackedWeight { product: line.product, grams, amount }))
}

/// The most that the shopper has agreed to pay by placing the order: its total, and for weighed goods a little more.
pub fn agreed_by_order(terms: &OrderTerms, lines: &[OrderedLine]) -> Paisa {
    let most = lines.iter().map(|line| match line.step_grams {
        None => QuoteLine { price: line.price, quantity: line.quantity, tax: line.tax },
        Some(_) => QuoteLine { price: most_for_units(terms, line, line.quantity), quantity: 1, tax: line.tax },
    });
    terms.total.max(quote(terms, &most.collect::<Vec<_>>()).total)
}

/// The same quote as the cart's, with the fees and rates of the order. A delivery fee that was waived stays waived when
/// the subtotal falls.
fn quote(terms: &OrderTerms, packed: &[QuoteLine]) -> Quote {
    let rates = Rates {
        tax_rate: terms.tax_rate,
        vat_registered: terms.vat_registered,
        prices_include_tax: terms.prices_include_tax,
        ..Rates::default()
    };
    let fees = DeliveryFees { fee: terms.shipping, free_above: terms.free_above, minimum: Paisa::ZERO };
    cart::quote(packed, &rates, &fees)
}

/// Unless the shopper has agreed to more, a replacement costs no more than the units that it replaces.
fn replace(
    line: &OrderedLine,
    missing: i32,
    choice: ReplacementChoice,
    offers: &[ReplacementOffer],
    agreement: Agreement,
) -> Result<Replacement, PlanError> {
    if choice.product == line.product || !(1..=MAX_QUANTITY).contains(&choice.quantity) {
        return Err(PlanError::LinesInvalid);
    }
    let offer = offers.iter().find(|offer| offer.product == choice.product && offer.on_sale);
    let offer = offer.ok_or(PlanError::ReplacementGone(choice.product))?;
    let most = Paisa((line.price * missing).0 / i64::from(choice.quantity));
    let price = if agreement == Agreement::Order { offer.price.min(most) } else { offer.price };
    Ok(Replacement { product: choice.product, quantity: choice.quantity, price, tax: offer.tax })
}
