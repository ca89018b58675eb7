//! Reads of the catalogue on real standbys (decision 111): never an older price than the shop was notified of, and no
//! failed read when a standby is behind, silent or dead.

use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgPool;

use crate::support::relay::Relay;
use crate::support::standby::{DatabaseWithStandbys, last_read, sessions};
use crate::support::{TestShop, database_url, wait_until};

const RICE: &str = "jeera-masino-rice";

struct ShopWithStandbys {
    shop: TestShop,
    database: DatabaseWithStandbys,
    relay: Relay,
    lists: AtomicUsize,
}

impl ShopWithStandbys {
    /// A demo shop that reads on the first standby, through a relay.
    async fn start(standbys: usize) -> Self {
        let database = DatabaseWithStandbys::start(standbys).await;
        let relay = Relay::to(&database.standbys[0]).await;
        let shop = TestShop::with_own_pools(&database.primary, Some(&database_url(&relay.pool(&database.standbys[0]))));
        thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();
        let with_standbys = Self { shop, database, relay, lists: AtomicUsize::new(0) };
        with_standbys.wait_until_standby_answers().await;
        with_standbys
    }

    fn is_current(&self) -> bool {
        self.shop.app.db.replica.as_ref().unwrap().is_current()
    }

    async fn wait_until_current(&self) {
        wait_until("the standby is current", async || self.is_current()).await;
    }

    /// On a busy machine a standby may take longer than the shop waits, and then the primary answers.
    async fn wait_until_standby_answers(&self) {
        let what = "a list is read on the first standby, and nothing elsewhere";
        wait_until(what, async || {
            self.servers_of_a_list().await.iter().enumerate().all(|(server, read)| *read == (server == 1))
        })
        .await;
    }

    /// The price in a list that is not cached, because nobody has asked for this maximum before.
    async fn price(&self) -> Value {
        let maximum = 9_000 + self.lists.fetch_add(1, Ordering::Relaxed);
        let path = format!("/api/product/get_products?search=jeera%20masino&maxPrice={maximum}");
        self.shop.get(&path).await.json()["data"][0]["price"].clone()
    }

    /// Changes the price and returns when the shop has been notified.
    async fn change_price(&self, rupees: usize) {
        let before = self.shop.app.cache.change_count();
        self.shop.sql(&format!("UPDATE products SET price_paisa = {rupees} * 100 WHERE slug = '{RICE}'")).await;
        wait_until("a change is notified", async || self.shop.app.cache.change_count() > before).await;
    }

    /// Nobody is notified of a sale.
    async fn sell_one(&self) {
        self.shop.sql(&format!("UPDATE products SET stock = stock - 1 WHERE slug = '{RICE}'")).await;
    }

    /// When the shop last read on each server: the primary first.
    async fn last_reads(&self) -> Vec<Option<DateTime<Utc>>> {
        let mut times = vec![last_read(&self.database.primary).await];
        for standby in &self.database.standbys {
            times.push(last_read(standby).await);
        }
        times
    }

    /// Whether each server, the primary first, is asked something for a new list.
    async fn servers_of_a_list(&self) -> Vec<bool> {
        let before = self.last_reads().await;
        self.price().await;
        before.iter().zip(self.last_reads().await).map(|(before, after)| *before != after).collect()
    }
}

#[tokio::test]
async fn a_standby_that_is_behind_answers_nothing() {
    let with_standbys = ShopWithStandbys::start(1).await;

    with_standbys.database.pause(0).await;
    with_standbys.change_price(530).await;
    assert_eq!(with_standbys.price().await, 530, "the standby has the old price");
    assert_eq!(with_standbys.servers_of_a_list().await, [true, false]);

    with_standbys.database.resume(0).await;
    with_standbys.wait_until_standby_answers().await;
    assert_eq!(with_standbys.price().await, 530);

    with_standbys.database.pause(0).await;
    with_standbys.sell_one().await;
    wait_until("it is noticed by asking", async || !with_standbys.is_current()).await;
    assert_eq!(with_standbys.servers_of_a_list().await, [true, false]);
}

#[tokio::test]
async fn no_list_shows_an_older_price_than_the_last_that_was_notified() {
    let with_standbys = ShopWithStandbys::start(1).await;
    // A list that was read on the standby at once would show the price before.
    with_standbys.database.delay(0, 300).await;

    for round in 0..8 {
        with_standbys.change_price(600 + round).await;
        for _ in 0..10 {
            assert_eq!(with_standbys.price().await, 600 + round);
        }
        if round % 4 == 3 {
            with_standbys.wait_until_standby_answers().await;
            assert_eq!(with_standbys.price().await, 600 + round);
        }
    }
}

/// As behind a proxy that leads two connections to two standbys.
#[tokio::test]
async fn each_connection_is_checked_because_another_standby_may_be_behind() {
    let with_standbys = ShopWithStandbys::start(2).await;
    let ShopWithStandbys { database, relay, .. } = &with_standbys;
    // Connections for reads are open to the first standby, which is behind now, and the shop compares the second.
    database.pause(0).await;
    with_standbys.sell_one().await;
    wait_until("the first is behind", async || !with_standbys.is_current()).await;
    relay.lead_new_connections_to(&database.standbys[1]);
    with_standbys.change_price(530).await;
    with_standbys.wait_until_current().await;

    relay.lead_new_connections_to(&database.standbys[0]);

    // The first read finds the open connection, and the others have to open another.
    for _ in 0..3 {
        assert_eq!(with_standbys.price().await, 530);
    }
}

#[tokio::test]
async fn a_read_on_a_standby_that_falls_silent_or_dies_is_repeated_on_the_primary() {
    let with_standbys = ShopWithStandbys::start(1).await;

    with_standbys.relay.fall_silent();
    assert_eq!(with_standbys.price().await, 525);

    with_standbys.relay.forward();
    with_standbys.wait_until_standby_answers().await;

    with_standbys.database.kill(0);
    for _ in 0..10 {
        assert_eq!(with_standbys.price().await, 525);
    }
    wait_until("a dead standby is noticed", async || !with_standbys.is_current()).await;
    assert_eq!(with_standbys.price().await, 525);
}

/// As after a mistake in the settings: the standby of a test shop, which is ahead of everything that this shop has written, or
/// another database on the right standby.
#[tokio::test]
async fn a_standby_of_another_database_answers_nothing() {
    let (own, other) = (DatabaseWithStandbys::start(1).await, DatabaseWithStandbys::start(1).await);
    let shop = TestShop::with_own_pools(&own.primary, None);
    thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();
    other.lengthen_wal(20).await;

    for (standby, name) in [(&other.standbys[0], "thunse"), (&own.standbys[0], "postgres")] {
        let before = sessions(standby, name).await;
        let url = database_url(standby);
        let url = format!("{}/{name}", url.rsplit_once('/').unwrap().0);
        let shop = TestShop::with_own_pools(&own.primary, Some(&url));
        // The shop connects anew for each comparison that failed, and stays connected after one that did not.
        wait_until("the standby was compared again", async || sessions(standby, name).await > before + 3).await;

        assert!(!shop.app.db.replica.as_ref().unwrap().is_current());
        assert_eq!(shop.get("/api/product/get_products?search=jeera%20masino").await.json()["data"][0]["price"], 525);
        assert_eq!(last_read(standby).await, None);
    }
}

/// A position in the WAL of a primary says nothing about what a reader of it sees, and it would not help anybody.
#[sqlx::test]
async fn a_primary_is_not_taken_for_a_standby(db: PgPool) {
    let shop = TestShop::with_own_pools(&db, Some(&database_url(&db)));
    thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();

    let before = shop.app.cache.change_count();
    shop.sql(&format!("UPDATE products SET price_paisa = 53000 WHERE slug = '{RICE}'")).await;
    wait_until("a change is notified", async || shop.app.cache.change_count() > before).await;

    assert_eq!(shop.get("/api/product/get_products?search=jeera%20masino").await.json()["data"][0]["price"], 530);
    assert!(!shop.app.db.replica.as_ref().unwrap().is_current());
}
