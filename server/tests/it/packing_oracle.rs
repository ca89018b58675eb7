//! Random packing reports from a seed: `packing::plan` is compared with an independent implementation in SQL
//! (`packing.sql`). `HISTORIES` and `SEED` choose how many and which.

use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::catalogue::TaxClass;
use thunse::orders::OrderTerms;
use thunse::packing::plan::{
    Agreement, LineDecision, OrderedLine, Reason, ReplacementChoice, ReplacementOffer, agreed_by_order, plan,
};
use thunse::platform::ids::ProductId;
use thunse::platform::money::{Paisa, Percent};
use uuid::Uuid;

use crate::oracle::{Rng, number};
use crate::support::report_figure;

fn product(number: u64) -> ProductId {
    ProductId(Uuid::from_u128(u128::from(number)))
}

fn tax(rng: &mut Rng) -> TaxClass {
    rng.one_of(&[TaxClass::Standard, TaxClass::Exempt])
}

fn units(rng: &mut Rng, below: u64) -> i32 {
    i32::try_from(rng.below(below)).unwrap()
}

fn paisa(rng: &mut Rng, below: u64) -> i64 {
    i64::try_from(rng.below(below)).unwrap()
}

/// Returns the case as the oracle reads it, and what our own function makes of it.
fn random_case(rng: &mut Rng) -> (Value, String) {
    let lines: Vec<OrderedLine> = (1..=1 + rng.below(4))
        .map(|number| OrderedLine {
            product: product(number),
            price: Paisa(paisa(rng, 30_000)),
            tax: tax(rng),
            quantity: 1 + units(rng, 4),
            step_grams: rng.one_of(&[None, None, Some(250), Some(1_000)]),
        })
        .collect();
    let offers: Vec<ReplacementOffer> = (1..=8)
        .map(|number| ReplacementOffer {
            product: product(number),
            price: Paisa(paisa(rng, 40_000)),
            tax: tax(rng),
            stock: units(rng, 6),
            on_sale: rng.below(8) > 0,
        })
        .collect();
    let decisions: Vec<LineDecision> = lines
        .iter()
        .map(|line| {
            let packed = if rng.below(2) == 0 { line.quantity } else { units(rng, 6) - 1 };
            let reason =
                rng.one_of(&[None, Some(Reason::NotAvailable), Some(Reason::Damaged), Some(Reason::NotWanted)]);
            let replaced = packed < line.quantity && rng.below(2) == 0;
            let choice = ReplacementChoice { product: product(1 + rng.below(9)), quantity: units(rng, 5) };
            let replacement = replaced.then_some(choice);
            // Mostly near the expected weight; sometimes none, and sometimes one for goods that are not weighed.
            let near = line.step_grams.unwrap_or(100) * packed.max(1) + units(rng, 400) - 200;
            let weighed = line.step_grams.is_some() && packed > 0;
            let grams = (weighed != (rng.below(20) == 0)).then_some(near);
            LineDecision { product: line.product, packed, grams, reason, replacement }
        })
        .collect();
    let terms = OrderTerms {
        total: Paisa(1_000 + paisa(rng, 120_000)),
        shipping: Paisa(rng.one_of(&[0, 2_000, 7_550])),
        free_above: rng.one_of(&[None, Some(Paisa(20_000)), Some(Paisa(100_000))]),
        tax_rate: Percent(rng.one_of(&[0, 1_300, 1_333])),
        vat_registered: rng.below(3) > 0,
        prices_include_tax: rng.below(2) == 0,
        weight_tolerance: Percent(rng.one_of(&[0, 1_000, 755])),
    };
    let is_online = rng.below(2) == 0;
    let accepted = Paisa(paisa(rng, 150_000));
    let agreement = rng.one_of(&[Agreement::Order, Agreement::Link(accepted), Agreement::Call]);
    let ours = match plan(&terms, is_online, &lines, &decisions, &offers, agreement) {
        Err(_) => "refused".to_owned(),
        Ok(plan) => {
            let ordered = if is_online { terms.total } else { agreed_by_order(&terms, &lines) };
            assert!(plan.due <= plan.agreed && (agreement != Agreement::Order || plan.due <= ordered));
            let number = |product: ProductId| product.0.as_u128();
            let moves = [("missing", plan.missing), ("returned", plan.returned), ("taken", plan.taken)];
            let moves = moves.iter().flat_map(|(what, units)| {
                units.iter().map(move |(product, units)| format!("{what} {} {units}", number(*product)))
            });
            let amounts = [plan.quote.subtotal, plan.quote.tax, plan.quote.shipping_fee, plan.agreed, plan.due];
            let mut parts: Vec<String> = amounts.iter().map(|amount| amount.0.to_string()).collect();
            let weights: Vec<String> =
                plan.weights.iter().map(|weight| format!("{} {}", number(weight.product), weight.amount.0)).collect();
            parts.push(weights.join(","));
            let moves = moves.collect::<Vec<_>>().join(",");
            if !moves.is_empty() {
                parts.push(moves);
            }
            parts.join("|")
        }
    };
    let told = json!({
        "online": is_online, "total": terms.total.0, "shipping": terms.shipping.0,
        "free_above": terms.free_above.map(|above| above.0), "tax_bp": terms.tax_rate.0, "vat": terms.vat_registered,
        "inclusive": terms.prices_include_tax, "tolerance_bp": terms.weight_tolerance.0,
        "agreement": agreement.name(), "accepted": accepted.0,
        "lines": lines.iter().zip(&decisions).map(|(line, decision)| json!({
            "p": u64::try_from(line.product.0.as_u128()).unwrap(), "price": line.price.0, "tax": line.tax.name(),
            "q": line.quantity, "packed": decision.packed, "step": line.step_grams,
            "grams": decision.grams, "reason": decision.reason.map(Reason::name),
            "rp": decision.replacement.map(|choice| u64::try_from(choice.product.0.as_u128()).unwrap()),
            "rq": decision.replacement.map(|choice| choice.quantity),
        })).collect::<Vec<_>>(),
        "offers": offers.iter().map(|offer| json!({
            "p": u64::try_from(offer.product.0.as_u128()).unwrap(), "price": offer.price.0, "tax": offer.tax.name(),
            "stock": offer.stock, "on_sale": offer.on_sale,
        })).collect::<Vec<_>>(),
    });
    (told, ours)
}

#[sqlx::test]
async fn random_packing_reports_agree_with_the_second_opinion(db: PgPool) {
    let (cases, seed) = (number("HISTORIES", 20_000), number("SEED", 20_261_118));
    sqlx::raw_sql(include_str!("packing.sql")).execute(&db).await.unwrap();
    let mut rng = Rng(seed);
    let (mut accepted, mut left) = (0_u64, cases);
    while left > 0 {
        let batch: Vec<(Value, String)> = (0..left.min(5_000)).map(|_| random_case(&mut rng)).collect();
        left -= u64::try_from(batch.len()).unwrap();
        let told: Vec<Value> = batch.iter().map(|(told, _)| told.clone()).collect();
        let theirs: Vec<String> = sqlx::query_scalar(
            "SELECT packing_oracle(told) FROM unnest($1::jsonb[]) WITH ORDINALITY c (told, place) ORDER BY place",
        )
        .bind(&told)
        .fetch_all(&db)
        .await
        .unwrap();
        for ((told, ours), theirs) in batch.iter().zip(&theirs) {
            assert_eq!(ours, theirs, "seed {seed}: {told}");
            accepted += u64::from(ours != "refused");
        }
    }
    assert!(accepted * 10 > cases, "{accepted} of {cases} were packed");
    report_figure(&format!("packing: {cases} random reports, {accepted} packed, seed {seed}: no disagreement"));
}
