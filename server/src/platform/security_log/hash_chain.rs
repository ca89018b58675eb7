//! A hash chain over the rows of a log: `h = SHA-256(previous h || row)`, stored in `log_seals`.
//!
//! Rows are written without reading the chain, so that a flood of failed logins waits for nothing; the worker seals
//! them every minute, in the order in which it finds them. The head also goes to the process's own log, which is stored
//! elsewhere: an attacker who cuts off the end of a log cannot remove it there (`thunse audit verify --head`).

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sqlx::PgPool;

use super::model::{ChainedLog, ChainedRow, Seal};
use super::store;
use crate::platform::hex;

const BATCH: usize = 2_000;
/// Rows get their ids before they commit. A row that commits more than this many ids late is never sealed, and is
/// reported as overdue.
const MAX_ID_LAG: i64 = 20_000;
/// The worker may be down for a while; an older row must be sealed.
const SEAL_DEADLINE: Duration = Duration::from_hours(24);

fn initial_hash(log: &str) -> Vec<u8> {
    Sha256::digest(log.as_bytes()).to_vec()
}

fn next_hash(before: &[u8], row: &ChainedRow) -> Vec<u8> {
    Sha256::new().chain_update(before).chain_update(&row.canonical).finalize().to_vec()
}

/// Seals the rows that are not sealed yet and returns how many.
pub async fn seal<L: ChainedLog>(db: &PgPool) -> sqlx::Result<usize> {
    let mut sealed = 0;
    loop {
        let batch = seal_batch::<L>(db).await?;
        sealed += batch;
        if batch < BATCH {
            return Ok(sealed);
        }
    }
}

async fn seal_batch<L: ChainedLog>(db: &PgPool) -> sqlx::Result<usize> {
    let mut tx = db.begin().await?;
    if !store::try_lock(&mut tx, L::NAME).await? {
        return Ok(0);
    }
    let above = store::highest_sealed_row(&mut tx, L::NAME).await? - MAX_ID_LAG;
    let rows = L::unsealed(&mut tx, above, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let (mut seq, mut h) =
        store::head(&mut tx, L::NAME).await?.map_or_else(|| (0, initial_hash(L::NAME)), |head| (head.seq, head.h));
    let mut seals = Vec::with_capacity(rows.len());
    for row in &rows {
        seq += 1;
        h = next_hash(&h, row);
        seals.push(Seal { seq, row_id: row.id, h: h.clone() });
    }
    store::insert_seals(&mut tx, L::NAME, &seals).await?;
    tx.commit().await?;
    tracing::info!(log = L::NAME, seq, head = hex::encode(h), "log sealed");
    Ok(rows.len())
}

/// The result of verifying a chain.
#[derive(Debug)]
pub struct ChainReport {
    pub log: &'static str,
    pub sealed: i64,
    /// The hash of the last row, in hex.
    pub head: String,
    /// The first row that does not match its seal, and why.
    pub fault: Option<String>,
    /// The requested heads that are part of the chain.
    found: Vec<String>,
}

impl ChainReport {
    pub fn has(&self, head: &str) -> bool {
        self.found.iter().any(|found| found.eq_ignore_ascii_case(head))
    }
}

/// Verifies every sealed row against the chain, from the first one on.
pub async fn verify<L: ChainedLog>(db: &PgPool, heads: &[String]) -> sqlx::Result<ChainReport> {
    let mut report = ChainReport { log: L::NAME, sealed: 0, head: String::new(), fault: None, found: Vec::new() };
    let mut h = initial_hash(L::NAME);
    loop {
        let seals = store::seals(db, L::NAME, report.sealed, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        if seals.is_empty() {
            break;
        }
        let ids: Vec<i64> = seals.iter().map(|seal| seal.row_id).collect();
        let rows: HashMap<i64, ChainedRow> = L::rows(db, &ids).await?.into_iter().map(|row| (row.id, row)).collect();
        for seal in seals {
            if seal.seq != report.sealed + 1 {
                report.fault = Some(format!("the seal before row {} is missing", seal.row_id));
                return Ok(report);
            }
            let Some(row) = rows.get(&seal.row_id) else {
                report.fault = Some(format!("row {} was removed", seal.row_id));
                return Ok(report);
            };
            h = next_hash(&h, row);
            if h != seal.h {
                report.fault = Some(format!("row {} was changed", seal.row_id));
                return Ok(report);
            }
            report.sealed = seal.seq;
            report.head = hex::encode(h.iter().copied());
            if heads.iter().any(|head| head.eq_ignore_ascii_case(&report.head)) {
                report.found.push(report.head.clone());
            }
        }
    }
    if let Some(row) = L::overdue(db, SEAL_DEADLINE).await? {
        report.fault = Some(format!("row {row} was never sealed"));
    }
    Ok(report)
}
