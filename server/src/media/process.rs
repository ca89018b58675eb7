//! The outside of the picture worker: starts it, feeds it, waits for as long as is reasonable, and believes little.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use super::{MediaError, Shape, Variant, decode};

/// Both cores of a small machine, at worst for five seconds each.
static WORKERS: Semaphore = Semaphore::const_new(2);
/// Those at work and those waiting for them.
static PLACES: Semaphore = Semaphore::const_new(MOST);
const MOST: usize = 10;
const TURN: Duration = Duration::from_secs(6);
/// Its own limit of five seconds of work ends a bomb; this one ends a wait, on a machine that is busy with others.
const WALL: Duration = Duration::from_secs(10);
/// Far above what three widths can weigh.
const MAX_OUTPUT: u64 = 16 << 20;

/// This program, even when its file has been replaced by a newer one.
const MYSELF: &str = "/proc/self/exe";

/// Uploads at work and waiting.
pub fn uploads_in_hand() -> usize {
    MOST - PLACES.available_permits()
}

pub async fn shrink(worker: Option<&Path>, upload: Bytes, shape: Shape) -> Result<Vec<Variant>, MediaError> {
    let _place = PLACES.try_acquire().map_err(|_| MediaError::Busy)?;
    let _turn = tokio::time::timeout(TURN, WORKERS.acquire()).await.map_err(|_| MediaError::Busy)?;
    let started = Instant::now();
    let child = command(worker)
        .arg(shape.name())
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| MediaError::Worker(error.to_string()))?;
    let said = converse(child, upload).await;
    metrics::histogram!("picture_worker_seconds").record(started.elapsed());
    let outcome = match &said {
        Ok(_) => "kept",
        Err(MediaError::TooManyPixels) => "too_many_pixels",
        Err(MediaError::Type) => "undecodable",
        Err(_) => "failed",
    };
    metrics::counter!("pictures_total", "outcome" => outcome).increment(1);
    said
}

fn command(worker: Option<&Path>) -> Command {
    let mut command = Command::new(worker.unwrap_or(Path::new(MYSELF)));
    command
        .arg("picture-worker")
        // It needs no secret, so it gets none.
        .env_clear()
        // The allocator would reserve a gigabyte of addresses beforehand, and the worker's limit counts addresses.
        .env("MIMALLOC_ARENA_RESERVE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Says in the log what this kernel lacks of the picture worker's sandbox.
pub async fn log_sandbox(worker: Option<&Path>) {
    let said = tokio::time::timeout(WALL, command(worker).output()).await;
    let said = said.ok().and_then(Result::ok).map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let said = said.unwrap_or_default();
    for part in ["landlock", "seccomp"] {
        let line = said.lines().find_map(|line| line.strip_prefix(part)).unwrap_or(" not");
        match line.split_whitespace().next() {
            Some("fully") => tracing::info!(part, "the picture worker is sandboxed"),
            Some("partly") => tracing::warn!(part, "this kernel enforces only a part of the picture worker's sandbox"),
            _ => tracing::warn!(part, "this kernel does not enforce this part of the picture worker's sandbox"),
        }
    }
}

async fn converse(mut child: Child, upload: Bytes) -> Result<Vec<Variant>, MediaError> {
    let lost = || MediaError::Worker("no pipe to it".to_owned());
    let mut stdin = child.stdin.take().ok_or_else(lost)?;
    let mut stdout = child.stdout.take().ok_or_else(lost)?.take(MAX_OUTPUT);
    let mut said = Vec::new();
    let talk = async {
        // A worker that has seen enough stops reading; its answer says why.
        let _ = stdin.write_all(&upload).await;
        drop(stdin);
        drop(upload);
        let _ = stdout.read_to_end(&mut said).await;
        child.wait().await
    };
    let ended = tokio::time::timeout(WALL, talk).await;
    let Ok(ended) = ended else {
        // Its own limit is on computing, and shorter: this machine has too much to do, the picture may be fine.
        killed("time");
        let _ = child.kill().await;
        return Err(MediaError::Busy);
    };
    let ended = ended.map_err(|error| MediaError::Worker(error.to_string()))?;
    match ended.code() {
        Some(0) => decode::read_frames(&said).ok_or_else(|| MediaError::Worker("not understood".to_owned())),
        Some(code) if code == i32::from(decode::UNDECODABLE) => Err(MediaError::Type),
        Some(code) if code == i32::from(decode::TOO_MANY_PIXELS) => Err(MediaError::TooManyPixels),
        Some(1) => Err(MediaError::Worker("it cannot limit itself".to_owned())),
        // It panicked, or ran into its limits: whatever was in the file, we cannot show it.
        _ => {
            killed("crash");
            Err(MediaError::Type)
        }
    }
}

fn killed(why: &'static str) {
    metrics::counter!("picture_worker_killed_total", "why" => why).increment(1);
}
