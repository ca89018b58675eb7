//! Asking the shopper about a price above the agreed one. Only a cash order can become dearer: what was paid online is
//! paid.

use uuid::Uuid;

use super::finish::{ordered_line, plan_with};
use super::messages::SendPackingMessage;
use super::model::{PackingDetails, PackingError, PackingReport, ProposalRow, ProposedLine, ProposedReplacement};
use super::plan::{Agreement, OrderedLine, agreed_by_order};
use super::{queries, store};
use crate::orders::transition::Method;
use crate::orders::{self, OrderError};
use crate::platform::ids::{OrderId, UserId};
use crate::platform::jobs;
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;

/// Asks the shopper by email and push. A new question replaces the one before it.
pub async fn ask(app: &App, by: &StaffSession, report: &PackingReport) -> Result<PackingDetails, PackingError> {
    let mut tx = app.db.main.begin().await?;
    let order = orders::lock(&mut tx, report.order, &app.clock).await?.ok_or(OrderError::NotFound)?;
    if store::find_packing(&mut tx, order.id).await?.is_some() {
        return Err(PackingError::AlreadyPacked);
    }
    if !order.state.is_packable() || order.confirm_by.is_some() {
        return Err(PackingError::NotPackable);
    }
    if order.state.method == Method::Online {
        return Err(PackingError::PaidOnline);
    }
    let prepared = plan_with(&mut tx, &order, &report.lines, Agreement::Call).await?;
    let total = prepared.plan.quote.total;
    let terms = orders::find_terms(&mut tx, order.id).await?.ok_or(OrderError::NotFound)?;
    let items = orders::list_items(&mut tx, &[order.id]).await?;
    let lines: Vec<OrderedLine> = items.iter().map(ordered_line).collect();
    if total <= agreed_by_order(&terms, &lines) {
        return Err(PackingError::NotDearer);
    }
    let lines = prepared.plan.adjustments.iter().map(|adjustment| ProposedLine {
        product: adjustment.product,
        ordered: adjustment.before,
        packed: adjustment.after,
        replacement: adjustment.replacement.and_then(|replacement| {
            let offer = prepared.offers.iter().find(|offer| offer.id == replacement.product)?;
            Some(ProposedReplacement {
                name: offer.name.clone(),
                name_ne: offer.name_ne.clone(),
                quantity: replacement.quantity,
                price: replacement.price,
            })
        }),
    });
    let proposal = ProposalRow {
        id: Uuid::now_v7(),
        order_id: order.id,
        user_id: order.user,
        total,
        lines: lines.collect(),
        accepted: None,
    };
    store::insert_proposal(&mut tx, &proposal, by.person, order.now).await?;
    jobs::enqueue(&mut tx, &SendPackingMessage::question(order.id)).await?;
    let details = queries::load_details(&mut tx, order.id, None).await?;
    tx.commit().await?;
    Ok(details)
}

/// Stores the shopper's answer to the newest question about an order.
pub async fn answer(
    app: &App,
    user: UserId,
    order: OrderId,
    proposal: Uuid,
    accepted: bool,
) -> Result<PackingDetails, PackingError> {
    let mut tx = app.db.main.begin().await?;
    let locked = orders::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    let newest = store::find_newest_proposal(&mut tx, order).await?;
    let is_open = newest.is_some_and(|newest| newest.id == proposal) && locked.state.is_packable();
    let is_packed = store::find_packing(&mut tx, order).await?.is_some();
    if !is_open || is_packed || !store::answer_proposal(&mut tx, proposal, accepted, locked.now).await? {
        return Err(PackingError::QuestionClosed);
    }
    let details = queries::load_details(&mut tx, order, Some(user)).await?;
    tx.commit().await?;
    Ok(details)
}
