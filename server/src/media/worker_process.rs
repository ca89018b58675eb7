//! The outside of the picture worker: it starts the process, sends it the file, limits its time and checks what comes
//! back.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;

use super::{MediaError, PicturePurpose, Variant, decode};
use crate::platform::config::PictureSettings;

/// Two workers use both cores of a small machine, for at most five seconds each.
static WORKERS: Semaphore = Semaphore::const_new(2);
/// Limits the uploads that are being decoded or are waiting.
static QUEUE_SLOTS: Semaphore = Semaphore::const_new(MAX_QUEUED);
const MAX_QUEUED: usize = 10;
/// Far more than three widths take.
const MAX_OUTPUT: u64 = 16 << 20;

/// The running program, even if its file has been replaced by a newer version.
const OWN_EXECUTABLE: &str = "/proc/self/exe";

/// Counts the uploads that are being decoded or are waiting.
pub fn count_active_uploads() -> usize {
    MAX_QUEUED - QUEUE_SLOTS.available_permits()
}

pub async fn resize_picture(
    settings: &PictureSettings,
    upload: Bytes,
    purpose: PicturePurpose,
) -> Result<Vec<Variant>, MediaError> {
    let _slot = QUEUE_SLOTS.try_acquire().map_err(|_| MediaError::Busy)?;
    let permit = tokio::time::timeout(settings.limits.queue, WORKERS.acquire());
    let _permit = permit.await.map_err(|_| MediaError::Busy)?;
    let started = Instant::now();
    let child = worker_command(settings)
        .arg(purpose.name())
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| MediaError::Worker(error.to_string()))?;
    let output = communicate(child, upload, settings.limits.work).await;
    metrics::histogram!("picture_worker_duration_seconds").record(started.elapsed());
    let outcome = match &output {
        Ok(_) => "stored",
        Err(MediaError::TooManyPixels) => "too_many_pixels",
        Err(MediaError::Type) => "undecodable",
        Err(_) => "failed",
    };
    metrics::counter!("pictures_total", "outcome" => outcome).increment(1);
    output
}

fn worker_command(settings: &PictureSettings) -> Command {
    let mut command = Command::new(settings.worker.as_deref().unwrap_or(Path::new(OWN_EXECUTABLE)));
    command
        .arg("picture-worker")
        // It needs no secret, so it gets none.
        .env_clear()
        // Otherwise the allocator reserves a gigabyte of address space, which counts towards the worker's limit.
        .env("MIMALLOC_ARENA_RESERVE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    command
}

/// Logs which parts of the picture worker's sandbox this kernel enforces.
pub async fn log_sandbox(settings: &PictureSettings) {
    let output = tokio::time::timeout(settings.limits.work, worker_command(settings).output()).await;
    let output = output.ok().and_then(Result::ok).map(|ended| String::from_utf8_lossy(&ended.stdout).into_owned());
    let output = output.unwrap_or_default();
    for part in ["landlock", "seccomp"] {
        let line = output.lines().find_map(|line| line.strip_prefix(part)).unwrap_or(" not");
        match line.split_whitespace().next() {
            Some("fully") => tracing::info!(part, "the picture worker is sandboxed"),
            Some("partly") => tracing::warn!(part, "this kernel enforces only a part of the picture worker's sandbox"),
            _ => tracing::warn!(part, "this kernel does not enforce this part of the picture worker's sandbox"),
        }
    }
}

async fn communicate(mut child: Child, upload: Bytes, limit: Duration) -> Result<Vec<Variant>, MediaError> {
    let lost = || MediaError::Worker("no pipe to the process".to_owned());
    let mut stdin = child.stdin.take().ok_or_else(lost)?;
    let mut stdout = child.stdout.take().ok_or_else(lost)?.take(MAX_OUTPUT);
    let mut output = Vec::new();
    let exchange = async {
        // A worker that has seen enough stops reading; its exit code says why.
        let _ = stdin.write_all(&upload).await;
        drop(stdin);
        drop(upload);
        let _ = stdout.read_to_end(&mut output).await;
        child.wait().await
    };
    let ended = tokio::time::timeout(limit, exchange).await;
    let Ok(ended) = ended else {
        // The worker's own limit on CPU time is shorter, so this machine is overloaded and the picture may be fine.
        count_killed_worker("time");
        let _ = child.kill().await;
        return Err(MediaError::Busy);
    };
    let ended = ended.map_err(|error| MediaError::Worker(error.to_string()))?;
    match ended.code() {
        Some(0) => {
            decode::read_frames(&output).ok_or_else(|| MediaError::Worker("output could not be parsed".to_owned()))
        }
        Some(code) if code == i32::from(decode::UNDECODABLE) => Err(MediaError::Type),
        Some(code) if code == i32::from(decode::TOO_MANY_PIXELS) => Err(MediaError::TooManyPixels),
        Some(1) => Err(MediaError::Worker("could not apply its sandbox".to_owned())),
        // The worker panicked or exceeded its limits, so the picture cannot be used.
        _ => {
            count_killed_worker("crash");
            Err(MediaError::Type)
        }
    }
}

fn count_killed_worker(reason: &'static str) {
    metrics::counter!("picture_worker_killed_total", "reason" => reason).increment(1);
}
