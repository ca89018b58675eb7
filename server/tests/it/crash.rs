//! The process dies at every point between two steps of placing an order, paying, settling, refunding and importing.
//! Another process is started, unanswered requests are repeated, and the invariants must hold. A cell is a scenario, a
//! fail point that it passes, and how often it has passed it before. See
//! `docs/decisions/058-fail-points-for-crash-tests.md`.

use std::collections::BTreeSet;
use std::path::Path;

use sqlx::PgPool;

use crate::architecture::sources;
use crate::crash_world::{Instance, State, Subject, World, pidx};
use crate::support::report_figure;

/// What people and the worker do when the process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scenario {
    /// A cash order.
    CashOrder,
    /// A paid online order whose shopper returns from the wallet.
    OnlineOrder,
    /// An online order whose shopper returns neither from the wallet nor to the shop.
    ForgottenOrder,
    /// A cash order that replaces an unpaid one.
    ReplacedOrder,
    /// The same unpaid order with another idempotency key.
    RepeatedOrder,
    /// The wallet fails to create a payment page.
    RefusedPage,
    /// The shopper closes the browser after paying, and the worker finds the payment.
    ClosedBrowser,
    /// A cash order is paid with the wallet at the door.
    PaidAtDoor,
    /// The payment arrives after the hold has ended, and the goods are still in stock.
    LateMoney,
    /// The payment arrives after the hold has ended, and the goods are sold.
    LateMoneyGoodsGone,
    /// Two links of one order are paid.
    PaidTwice,
    ShopperCancels,
    SellerCancels,
    /// The seller undoes a cancellation before the refund is sent.
    SellerReopens,
    Refund,
    /// The wallet refuses a refund.
    RefusedRefund,
    /// The wallet rejects our key when the refund is requested.
    UnheardRefund,
    /// The seller requests a failed refund again.
    RefundByHand,
    EndedHold,
    /// A payment whose process died before it requested a link.
    AbandonedPayment,
    /// An order that has been unpaid for a day.
    UnpaidForLong,
    UnconfirmedOrder,
    /// The job that polls a payment was lost.
    LostPoll,
    /// The job that sends a refund was lost.
    LostRefund,
    /// An order is delivered, and its bill is issued.
    BillIssued,
    /// A delivered order is cancelled, and its bill is taken back.
    BillTakenBack,
    /// A paid order of which not all is packed.
    PackedOrder,
    /// The refund of what was not packed.
    PartialRefund,
    Import,
    /// A file with a product that was changed after the check.
    FailedImport,
    CancelledImport,
}

use Scenario::{
    AbandonedPayment, BillIssued, BillTakenBack, CancelledImport, CashOrder, ClosedBrowser, EndedHold, FailedImport,
    ForgottenOrder, Import, LateMoney, LateMoneyGoodsGone, LostPoll, LostRefund, OnlineOrder, PackedOrder, PaidAtDoor,
    PaidTwice, PartialRefund, Refund, RefundByHand, RefusedPage, RefusedRefund, RepeatedOrder, ReplacedOrder,
    SellerCancels, SellerReopens, ShopperCancels, UnconfirmedOrder, UnheardRefund, UnpaidForLong,
};

const ORDERING: &[Scenario] = &[CashOrder, ReplacedOrder, RepeatedOrder, RefusedPage, ForgottenOrder];
const PAYING: &[Scenario] = &[OnlineOrder, ClosedBrowser, PaidAtDoor];
const SETTLING: &[Scenario] = &[LateMoney, LateMoneyGoodsGone, PaidTwice];
const CANCELLING: &[Scenario] = &[ShopperCancels, SellerCancels, SellerReopens];
const REFUNDING: &[Scenario] = &[Refund, RefusedRefund, UnheardRefund, RefundByHand];
const MAINTENANCE: &[Scenario] = &[EndedHold, AbandonedPayment, UnpaidForLong, UnconfirmedOrder, LostPoll, LostRefund];
const BILLING: &[Scenario] = &[BillIssued, BillTakenBack];
const IMPORTING: &[Scenario] = &[Import, FailedImport, CancelledImport];
const PACKING: &[Scenario] = &[PackedOrder, PartialRefund];
const GROUPS: [&[Scenario]; 9] =
    [ORDERING, PAYING, SETTLING, CANCELLING, REFUNDING, MAINTENANCE, BILLING, IMPORTING, PACKING];

const ISSUE_BILL: &str = "orders.issue_bill";

const PLACED: State = ("Order Placed", "cod_due", "taken");
const PAID: State = ("Order Confirmed", "paid", "taken");
const UNPAID: State = ("Order Placed", "failed", "returned");
const REFUNDED: State = ("Cancelled", "refunded", "returned");

impl Scenario {
    fn stock(self) -> i32 {
        if self == LateMoneyGoodsGone { 2 } else { 10 }
    }

    /// Returns the prefix of the fail points that this scenario adds; its other points are covered by other scenarios.
    fn own_points(self) -> &'static str {
        match self {
            LateMoney | PaidTwice => "orders.change.",
            RefusedRefund | UnheardRefund | PartialRefund => "settlement.refund.",
            LostPoll | LostRefund => "settlement.maintenance.",
            BillTakenBack => "billing.",
            _ => "",
        }
    }

    /// Does everything that happens before the tested steps. The process does not die here.
    async fn arrange(self, about: &mut Subject<'_>, at: &Instance) {
        let wallet = &about.world.wallet;
        match self {
            CashOrder | OnlineOrder => about.fill_cart(at).await,
            ForgottenOrder | Import => {}
            BillIssued | BillTakenBack => {
                self.place_cash(about, at).await;
                if self == BillTakenBack {
                    about.set_status(at, "Delivered").await;
                    about.run_job(at, ISSUE_BILL).await;
                }
            }
            PaidAtDoor => {
                self.place_cash(about, at).await;
                about.send_out(at).await;
            }
            ReplacedOrder => assert_eq!(about.place_online_order(at, "first", 1).await.status, 200),
            RepeatedOrder => about.go_to_wallet(at).await,
            EndedHold => {
                about.go_to_wallet(at).await;
                about.expire_hold().await;
            }
            RefusedPage => wallet.misbehave("initiate", "error", 1).await,
            ClosedBrowser => {
                about.fill_cart(at).await;
                about.go_to_wallet(at).await;
                about.act_at_wallet("pay").await;
            }
            LateMoney | LateMoneyGoodsGone => {
                about.go_to_wallet(at).await;
                about.expire_hold().await;
                about.run_maintenance(at).await;
                if self == LateMoneyGoodsGone {
                    let bina = at.browser(&about.world.bina);
                    assert_eq!(bina.place_order(Some(&about.key("bina")), &about.cash(2)).await.status, 200);
                }
                about.act_at_wallet("pay").await;
            }
            PaidTwice => {
                about.go_to_wallet(at).await;
                about.act_at_wallet("cancel").await;
                assert_eq!(about.verify(at).await.status, 409);
                let asked = serde_json::json!({"orderId": about.order().await});
                let again = at.browser(&about.world.asha).post("/api/order/pay_order", &asked).await;
                let first = about.pidx.replace(pidx(&again));
                about.act_at_wallet("pay").await;
                assert_eq!(about.verify(at).await.status, 200);
                about.pidx = first;
                about.act_at_wallet("pay").await;
            }
            ShopperCancels | SellerCancels | PackedOrder => about.buy(at).await,
            PartialRefund => {
                about.buy(at).await;
                about.pack_one(at).await;
            }
            SellerReopens => {
                about.buy(at).await;
                about.set_status(at, "Cancelled").await;
            }
            Refund | RefusedRefund | UnheardRefund | RefundByHand | LostRefund => {
                about.buy(at).await;
                about.cancel(at).await;
                match self {
                    RefusedRefund | RefundByHand => wallet.misbehave("refund", "refused", 1).await,
                    UnheardRefund => {
                        wallet.misbehave("refund", "key", 1).await;
                        about.allow_refund_call();
                    }
                    _ => {}
                }
                if self == RefundByHand {
                    about.run_job(at, "orders.send_refund").await;
                }
                if self == LostRefund {
                    about.world.delete_jobs().await;
                    about.pass_time(5 * 60).await;
                }
            }
            AbandonedPayment => {
                let first = about.world.start();
                first.shop.app.fail_points.arm("settlement.pay.claimed", 0);
                let place = async {
                    about.place_online_order(&first, "online", 2).await;
                };
                assert!(first.kill_during(Box::pin(place)).await);
                about.pass_time(3 * 60).await;
            }
            UnpaidForLong => {
                wallet.misbehave("initiate", "error", 1).await;
                assert_eq!(about.place_online_order(at, "online", 2).await.status, 503);
                about.pass_time(26 * 3_600).await;
            }
            UnconfirmedOrder => {
                self.place_cash(about, at).await;
                about.expire_confirmation().await;
            }
            LostPoll => {
                about.go_to_wallet(at).await;
                about.act_at_wallet("pay").await;
                about.world.delete_jobs().await;
                about.pass_time(5 * 60).await;
            }
            FailedImport | CancelledImport => {
                about.upload(at).await;
                about.run_job(at, "catalogue.check_import").await;
                assert_eq!(about.import_state(at).await, "checked");
                if self == FailedImport {
                    about.set_price(at, "550").await;
                }
            }
        }
        about.delete_emails().await;
    }

    async fn place_cash(self, about: &Subject<'_>, at: &Instance) {
        let placed = at.browser(&about.world.asha).place_order(Some(&about.key("cash")), &about.cash(2)).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
    }

    /// Does the steps during which the process dies. They can be repeated, as a client repeats an unanswered request.
    async fn act(self, about: &mut Subject<'_>, at: &Instance) {
        match self {
            CashOrder | ReplacedOrder => self.place_cash(about, at).await,
            OnlineOrder => {
                about.go_to_wallet(at).await;
                about.act_at_wallet("pay").await;
                assert_eq!(about.verify(at).await.status, 200);
            }
            PaidAtDoor => {
                about.offer_at_door(at).await;
                about.act_at_wallet("pay").await;
                assert_eq!(about.cash_at_door(at).await, 0);
            }
            ForgottenOrder => assert_eq!(about.place_online_order(at, "online", 2).await.status, 200),
            RepeatedOrder => {
                let again = about.place_online_order(at, "other", 2).await;
                assert_eq!(again.status, 200, "{}", again.text);
                assert_eq!(Some(pidx(&again)), about.pidx, "the same page");
            }
            RefusedPage => assert_eq!(about.place_online_order(at, "online", 2).await.status, 503),
            ClosedBrowser => about.run_job(at, "orders.check_payment").await,
            LateMoney => assert_eq!(about.verify(at).await.status, 200),
            LateMoneyGoodsGone | PaidTwice => {
                assert_eq!(about.verify(at).await.refusal(), (409, "payment_returned".to_owned()));
            }
            ShopperCancels => about.cancel(at).await,
            SellerCancels => about.set_status(at, "Cancelled").await,
            SellerReopens => about.set_status(at, "Order Confirmed").await,
            PackedOrder => about.pack_one(at).await,
            Refund | RefusedRefund | UnheardRefund | PartialRefund => about.run_job(at, "orders.send_refund").await,
            RefundByHand => about.refund_by_hand(at).await,
            BillIssued | BillTakenBack => {
                about.set_status(at, if self == BillIssued { "Delivered" } else { "Cancelled" }).await;
                about.run_job(at, ISSUE_BILL).await;
            }
            EndedHold | AbandonedPayment | UnpaidForLong | UnconfirmedOrder | LostPoll | LostRefund => {
                about.run_maintenance(at).await;
            }
            Import => {
                about.upload(at).await;
                about.run_job(at, "catalogue.check_import").await;
                about.press(at, "apply_import", "checked").await;
                about.run_job(at, "catalogue.apply_import").await;
                assert_eq!(about.import_state(at).await, "applied");
            }
            FailedImport => {
                about.press(at, "apply_import", "checked").await;
                about.run_job(at, "catalogue.apply_import").await;
                assert_eq!(about.import_state(at).await, "failed");
            }
            CancelledImport => {
                about.press(at, "cancel_import", "checked").await;
                assert_eq!(about.import_state(at).await, "cancelled");
            }
        }
    }

    /// Does what people do after the next process has started.
    async fn recover(self, about: &mut Subject<'_>, at: &Instance) {
        match self {
            ForgottenOrder | Refund | RefusedRefund | UnheardRefund | PartialRefund => {}
            RefusedPage => {
                about.pass_time(15).await;
                let mut placed = about.place_online_order(at, "online", 2).await;
                if placed.status == 503 {
                    // The process died before it called the wallet, so this is the first failed call.
                    placed = about.place_online_order(at, "online", 2).await;
                }
                assert_eq!(placed.status, 200, "{}", placed.text);
            }
            _ => {
                // Another process waits for a link that is being created until its creator must have died.
                about.pass_time(15).await;
                self.act(about, at).await;
            }
        }
    }

    /// Runs until nothing more happens without a new request.
    async fn finish(self, about: &mut Subject<'_>, at: &Instance) {
        match self {
            CashOrder | OnlineOrder | ClosedBrowser | PaidAtDoor | LateMoney | UnpaidForLong | UnconfirmedOrder
            | BillIssued | BillTakenBack | Import | FailedImport | CancelledImport => {}
            ForgottenOrder | RefusedPage => {
                about.expire_links().await;
                about.pass_time(80 * 60).await;
                about.run_until_idle(at).await;
            }
            RepeatedOrder => {
                about.act_at_wallet("pay").await;
                about.run_until_idle(at).await;
            }
            ReplacedOrder | EndedHold => {
                about.expire_links().await;
                about.run_until_idle(at).await;
            }
            LateMoneyGoodsGone | PaidTwice | ShopperCancels | SellerCancels | SellerReopens | AbandonedPayment
            | LostPoll | LostRefund => about.run_until_idle(at).await,
            Refund | RefusedRefund | UnheardRefund | RefundByHand | PackedOrder | PartialRefund => {
                about.complete_refund().await;
            }
        }
    }

    /// Checks the outcome, which is the same wherever the process died.
    async fn check(self, about: &Subject<'_>, at: &Instance, cell: &str, died_at: Option<&str>) {
        let expected: &[State] = match self {
            CashOrder => &[PLACED],
            PaidAtDoor => &[("Out for Delivery", "paid", "taken")],
            OnlineOrder | RepeatedOrder | ClosedBrowser | LateMoney | PaidTwice | SellerReopens | LostPoll
            | PackedOrder | PartialRefund => &[PAID],
            // The process died before the order was written.
            ForgottenOrder if matches!(died_at, Some("orders.place.checked" | "orders.place.snapshot_loaded")) => &[],
            ForgottenOrder | RefusedPage | EndedHold | AbandonedPayment => &[UNPAID],
            ReplacedOrder => &[("Cancelled", "failed", "returned"), PLACED],
            LateMoneyGoodsGone => &[REFUNDED, PLACED],
            ShopperCancels | SellerCancels | Refund | RefusedRefund | UnheardRefund | RefundByHand | LostRefund => {
                &[REFUNDED]
            }
            UnpaidForLong => &[("Cancelled", "failed", "returned")],
            UnconfirmedOrder => &[("Cancelled", "cod_void", "returned")],
            BillIssued => &[("Delivered", "cod_collected", "taken")],
            BillTakenBack => &[("Cancelled", "cod_void", "taken")],
            Import | FailedImport | CancelledImport => &[],
        };
        about.assert_invariants_hold(cell, expected).await;
        if matches!(self, CashOrder | OnlineOrder | ClosedBrowser) {
            assert_eq!(about.left_in_cart(at).await, 1, "{cell}: what was bought has left the cart, once");
        }
        if matches!(self, BillIssued | BillTakenBack) {
            let notes = i64::from(self == BillTakenBack);
            assert_eq!(about.bills_and_credit_notes().await, (1, notes), "{cell}: one bill, taken back once");
        }
        let imported = match self {
            Import => (600, 15, 1, 1),
            FailedImport => (550, 10, 0, 0),
            CancelledImport => (500, 10, 0, 0),
            _ => return,
        };
        assert_eq!(about.imported().await, imported, "{cell}: all rows once, or none");
    }
}

type Point = (&'static str, usize);

/// Runs the steps of a scenario without a crash and returns the points at which it can crash.
async fn record(world: &World, scenario: Scenario) -> (Subject<'_>, Vec<Point>) {
    let at = world.start();
    let mut about = world.subject(&at, scenario.stock()).await;
    Box::pin(scenario.arrange(&mut about, &at)).await;
    at.shop.app.fail_points.record();
    Box::pin(scenario.act(&mut about, &at)).await;
    let passed = at.shop.app.fail_points.passed();
    at.stop().await;
    let mut points: Vec<Point> = Vec::new();
    for point in passed {
        let before = points.iter().filter(|(known, _)| *known == point).count();
        points.push((point, before));
    }
    points.retain(|(point, _)| point.starts_with(scenario.own_points()));
    (about, points)
}

/// Runs a scenario without a crash.
async fn live(world: &World, scenario: Scenario) -> Vec<Point> {
    let (mut about, points) = record(world, scenario).await;
    let at = world.start();
    Box::pin(scenario.finish(&mut about, &at)).await;
    scenario.check(&about, &at, &format!("{scenario:?} dies nowhere"), None).await;
    at.stop().await;
    world.clean_up().await;
    points
}

/// Runs a scenario whose process dies at this point.
async fn die_at(world: &World, scenario: Scenario, (point, passes): Point) {
    let cell = format!("{scenario:?} dies at {point} after {passes} passes");
    println!("{cell}");
    let first = world.start();
    let mut about = world.subject(&first, scenario.stock()).await;
    Box::pin(scenario.arrange(&mut about, &first)).await;
    first.shop.app.fail_points.arm(point, passes);
    let died = first.kill_during(Box::pin(scenario.act(&mut about, &first))).await;
    assert!(died, "{cell}: it never came there");
    world.release_jobs_of_dead_workers().await;
    let second = world.start();
    Box::pin(scenario.recover(&mut about, &second)).await;
    Box::pin(scenario.finish(&mut about, &second)).await;
    scenario.check(&about, &second, &cell, Some(point)).await;
    second.stop().await;
    world.clean_up().await;
}

async fn die_everywhere(db: PgPool, scenarios: &[Scenario]) {
    let world = World::open(db).await;
    for scenario in scenarios {
        for point in live(&world, *scenario).await {
            die_at(&world, *scenario, point).await;
        }
    }
}

#[sqlx::test]
async fn an_order_is_placed_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, ORDERING).await;
}

#[sqlx::test]
async fn a_payment_is_known_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, PAYING).await;
}

#[sqlx::test]
async fn late_and_second_money_is_settled_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, SETTLING).await;
}

#[sqlx::test]
async fn an_order_is_cancelled_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, CANCELLING).await;
}

#[sqlx::test]
async fn money_goes_back_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, REFUNDING).await;
}

#[sqlx::test]
async fn maintenance_goes_on_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, MAINTENANCE).await;
}

#[sqlx::test]
async fn a_bill_is_issued_and_taken_back_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, BILLING).await;
}

#[sqlx::test]
async fn a_file_is_applied_whole_and_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, IMPORTING).await;
}

#[sqlx::test]
async fn an_order_is_packed_once_wherever_the_process_dies(db: PgPool) {
    die_everywhere(db, PACKING).await;
}

/// Returns the names of all fail points in the source code.
fn declared_points() -> Vec<String> {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    files.retain(|(path, _)| path != "platform/fail_point.rs");
    let names = files.iter().flat_map(|(_, text)| {
        text.split("fail_point!(").skip(1).map(|call| call.split('"').nth(1).unwrap().to_owned())
    });
    names.collect()
}

#[sqlx::test]
async fn every_point_has_a_cell_and_there_are_at_least_a_hundred(db: PgPool) {
    let world = World::open(db).await;
    let (mut cells, mut points) = (0, BTreeSet::new());
    for scenario in GROUPS.into_iter().flatten() {
        let (_, passed) = record(&world, *scenario).await;
        world.clean_up().await;
        println!("{scenario:?}: {}", passed.len());
        cells += passed.len();
        points.extend(passed.into_iter().map(|(point, _)| point.to_owned()));
    }

    let declared = declared_points();
    assert_eq!(points, declared.iter().cloned().collect(), "a point that nobody reaches proves nothing");
    assert_eq!(points.len(), declared.len(), "a name stands in the code once");
    report_figure(&format!(
        "crash tests: {cells} cells, {} fail points, {} scenarios",
        points.len(),
        GROUPS.concat().len()
    ));
    assert!(cells >= 100, "{cells} cells");
}
