//! Finishing the packing of an order: stock, adjustments, the amount due, the refund of what is no longer owed, and the
//! message to the shopper, all in one transaction and once.

use std::collections::BTreeSet;

use sqlx::PgConnection;

use super::messages::SendPackingMessage;
use super::model::{AdjustmentRow, NewPacking, PackingDetails, PackingError, PackingReport};
use super::plan::{self, Agreement, LineDecision, OrderedLine, Plan, PlanError, ReplacementOffer};
use super::{queries, store};
use crate::catalogue::{self, Offer, ProductQuantities, TaxClass};
use crate::orders::transition::Method;
use crate::orders::{self, LockedOrder, OrderError, OrderItemRow, SendRefund};
use crate::payments::{self, PaymentState};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::jobs;
use crate::platform::money::Paisa;
use crate::platform::permissions::Permission;
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;
use crate::staff;

const MAX_ATTEMPTS: u32 = 3;
const MAX_NAME_LENGTH: usize = 100;

/// Finishes the packing of an order. A repeated request gets the same answer.
pub async fn finish(app: &App, by: &StaffSession, report: &PackingReport) -> Result<PackingDetails, PackingError> {
    orders::retry_on_contention(MAX_ATTEMPTS, PackingError::is_contention, || try_finish(app, by, report)).await
}

async fn try_finish(app: &App, by: &StaffSession, report: &PackingReport) -> Result<PackingDetails, PackingError> {
    let mut tx = app.db.main.begin().await?;
    let order = orders::lock(&mut tx, report.order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    if store::find_packing(&mut tx, order.id).await?.is_some() {
        let known = queries::load_details(&mut tx, order.id, None).await?;
        return if is_same(&known, &report.lines) { Ok(known) } else { Err(PackingError::AlreadyPacked) };
    }
    let name = check_name(report.agreed_on_phone_with.as_deref())?;
    let prepared = prepare(&mut tx, &order, &report.lines, name).await?;
    fail_point!(app, "packing.finish.locked");
    let plan = &prepared.plan;
    let refund = if order.state.method == Method::Online { order.total.0 - plan.due.0 } else { 0 };
    let permission = orders::permission_to_refund(Paisa(refund));
    if permission == Permission::RefundLarge {
        by.check(permission)?;
    }
    move_stock(&mut tx, order.id, plan).await?;
    fail_point!(app, "packing.finish.stock_moved");
    let agreed_name = if plan.agreement == Agreement::Call { name.unwrap_or_default() } else { "" };
    let new = NewPacking { order: order.id, user: order.user, seller: by.person, agreed_name, at: order.now };
    store::insert_packing(&mut tx, &new, plan).await?;
    for adjustment in &plan.adjustments {
        let chosen = adjustment.replacement.map(|replacement| replacement.product);
        let offer = prepared.offers.iter().find(|offer| Some(offer.id) == chosen);
        store::insert_adjustment(&mut tx, &new, adjustment, offer).await?;
    }
    for weight in &plan.weights {
        store::insert_weight(&mut tx, order.id, weight).await?;
    }
    fail_point!(app, "packing.finish.adjustments_written");
    orders::set_amount_due(&mut tx, order.id, plan.due, order.now).await?;
    fail_point!(app, "packing.finish.amount_stored");
    if refund > 0 {
        let paid = order.payments.iter().find(|payment| payment.state == PaymentState::Paid);
        let paid = paid.ok_or(OrderError::Inconsistent("a packed order is paid, and there is no payment"))?;
        let refund = payments::request_partial_refund(&mut tx, paid.id, Paisa(refund), order.now).await?;
        SendRefund { refund }.enqueue_at(&mut tx, order.now).await?;
        fail_point!(app, "packing.finish.refund_requested");
    }
    let object = order.id.to_string();
    let (before, after) = (order.total.two_decimals(), plan.due.two_decimals());
    let entry = staff::NewAuditEntry {
        seller: by.person,
        action: "order.pack",
        object: &object,
        about: &order.code,
        before: &before,
        after: &after,
    };
    staff::record_audit_entry(&mut tx, &entry).await?;
    // An order that is packed as ordered needs no message beside those about its status.
    if !plan.adjustments.is_empty() || !plan.weights.is_empty() {
        jobs::enqueue(&mut tx, &SendPackingMessage::packed(order.id)).await?;
    }
    let done = queries::load_details(&mut tx, order.id, None).await?;
    fail_point!(app, "packing.finish.before_commit");
    tx.commit().await?;
    fail_point!(app, "packing.finish.committed");
    Ok(done)
}

/// A plan with the replacements that it uses.
pub struct PreparedPlan {
    pub plan: Plan,
    pub offers: Vec<Offer>,
}

/// Locks the products of a locked order that change, and plans the packing. `on_phone` is the person who agreed.
pub async fn prepare(
    connection: &mut PgConnection,
    order: &LockedOrder,
    decisions: &[LineDecision],
    on_phone: Option<&str>,
) -> Result<PreparedPlan, PackingError> {
    if !order.state.is_packable() || order.confirm_by.is_some() {
        return Err(PackingError::NotPackable);
    }
    let proposal = store::find_newest_proposal(connection, order.id).await?;
    let accepted = proposal.filter(|proposal| proposal.accepted == Some(true)).map(|proposal| proposal.total);
    let agreement = match (on_phone, accepted) {
        (Some(_), _) => Agreement::Call,
        (None, Some(total)) => Agreement::Link(total),
        (None, None) => Agreement::Order,
    };
    plan_with(connection, order, decisions, agreement).await
}

pub async fn plan_with(
    connection: &mut PgConnection,
    order: &LockedOrder,
    decisions: &[LineDecision],
    agreement: Agreement,
) -> Result<PreparedPlan, PackingError> {
    let items = orders::list_items(connection, &[order.id]).await?;
    let terms = orders::find_terms(connection, order.id).await?.ok_or(OrderError::NotFound)?;
    let replacements = decisions.iter().filter_map(|decision| decision.replacement.map(|choice| choice.product));
    let replacements: BTreeSet<ProductId> = replacements.collect();
    let ordered = items.iter().map(|item| item.product_id);
    let locked: Vec<ProductId> = ordered.chain(replacements.iter().copied()).collect();
    catalogue::lock_products(connection, &locked).await?;
    let ids: Vec<ProductId> = replacements.into_iter().collect();
    let offers = catalogue::find_offers(connection, &ids).await?;
    let lines: Vec<OrderedLine> = items.iter().map(ordered_line).collect();
    let choices: Vec<ReplacementOffer> = offers.iter().map(replacement_offer).collect();
    let is_online = order.state.method == Method::Online;
    let plan = plan::plan(&terms, is_online, &lines, decisions, &choices, agreement);
    let plan = plan.map_err(|error| name_product(error, &offers))?;
    Ok(PreparedPlan { plan, offers })
}

pub fn ordered_line(item: &OrderItemRow) -> OrderedLine {
    OrderedLine {
        product: item.product_id,
        price: item.price,
        tax: TaxClass::from(item.tax_class.clone()),
        quantity: item.quantity,
        step_grams: item.step_grams,
    }
}

const fn replacement_offer(offer: &Offer) -> ReplacementOffer {
    ReplacementOffer {
        product: offer.id,
        price: offer.price,
        tax: offer.tax_class,
        stock: offer.stock,
        on_sale: offer.on_sale,
    }
}

fn name_product(error: PlanError, offers: &[Offer]) -> PackingError {
    match error {
        PlanError::ReplacementGone(product) => match offers.iter().find(|offer| offer.id == product) {
            Some(offer) => PackingError::ReplacementGone(offer.name.clone()),
            None => error.into(),
        },
        PlanError::LinesInvalid | PlanError::ReasonMissing | PlanError::WeightMissing | PlanError::NothingPacked => {
            error.into()
        }
    }
}

fn check_name(name: Option<&str>) -> Result<Option<&str>, PackingError> {
    let Some(name) = name else { return Ok(None) };
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_NAME_LENGTH || name.chars().any(char::is_control) {
        return Err(PackingError::NameMissing);
    }
    Ok(Some(name))
}

async fn move_stock(connection: &mut PgConnection, order: OrderId, plan: &Plan) -> sqlx::Result<()> {
    let units = |units: &[(ProductId, i32)]| units.iter().copied().collect::<ProductQuantities>();
    catalogue::return_units(connection, order, &units(&plan.returned), "not packed").await?;
    catalogue::write_off_units(connection, order, &units(&plan.missing), "missing when packed").await?;
    catalogue::take_units(connection, order, &units(&plan.taken), "replacement").await
}

/// Returns whether an order was packed as these decisions say.
fn is_same(known: &PackingDetails, decisions: &[LineDecision]) -> bool {
    known.items.len() == decisions.len()
        && known.items.iter().all(|item| {
            let row = known.adjustments.iter().find(|row| row.product_id == item.product_id);
            let decision = decisions.iter().find(|decision| decision.product == item.product_id);
            let weight = known.weights.iter().find(|weight| weight.product_id == item.product_id);
            decision.is_some_and(|decision| {
                weight.map(|weight| weight.grams) == decision.grams && fits(item.quantity, row, decision)
            })
        })
}

fn fits(ordered: i32, row: Option<&AdjustmentRow>, decision: &LineDecision) -> bool {
    let Some(row) = row else { return decision.packed == ordered };
    let replacement = row.replacement_id.zip(row.replacement_quantity);
    row.quantity_after == decision.packed
        && replacement == decision.replacement.map(|choice| (choice.product, choice.quantity))
        && decision.reason.is_some_and(|reason| reason.name() == row.reason)
}
