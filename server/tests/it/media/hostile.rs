//! Malicious files, and too many files at once.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::body::Body;
use futures_util::future::join_all;
use image::ImageFormat;
use sqlx::PgPool;
use thunse::media;
use thunse::platform::config::WorkerLimits;
use thunse::platform::form::MAX_FILE;
use tokio::task::JoinSet;

use super::sample_images;
use super::upload::{StreamedForm, UploadServer, WORKER};
use crate::support::{NEVER, TestResponse, refusal, report_figure, wait_until};

const REFUSED: &str = "Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.";

/// Counts the child processes of this process that still exist, including zombies.
fn count_worker_processes() -> usize {
    let me = std::process::id().to_string();
    let stats = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let stat = std::fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        // The fields after the program's name, which may contain any character, are the state and the parent.
        stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().nth(1).unwrap_or_default().to_owned())
    });
    stats.filter(|parent| *parent == me).count()
}

fn memory_kb(what: &str) -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

// spec: 9.const.14
#[sqlx::test]
async fn ten_megabytes_pass_and_one_byte_more_is_cut_while_it_streams(db: PgPool) {
    let server = UploadServer::new(db);
    let picture = sample_images::encode(&sample_images::two_halves(300, 200), ImageFormat::Jpeg);

    let exact = server.send_body(Body::new(StreamedForm::new(&picture, MAX_FILE))).await;
    let above = server.send_body(Body::new(StreamedForm::new(&picture, MAX_FILE + 1))).await;
    let endless = StreamedForm::new(&picture, 1 << 40);
    let pulled = endless.pulled.clone();
    let endless = server.send_body(Body::new(endless)).await;

    assert_eq!(exact.status, 200, "{}", exact.text);
    for answer in [above, endless] {
        assert_eq!(answer.refusal(), (413, "image_size".to_owned()));
        assert_eq!(answer.json()["message"], "File is too large. Maximum size is 10MB.");
    }
    let pulled = pulled.load(Ordering::Relaxed);
    assert!(pulled <= MAX_FILE + 256 * 1024, "{pulled} bytes were read of a file that is never taken");
}

#[sqlx::test]
async fn a_bomb_is_refused_by_its_header(db: PgPool) {
    let server = UploadServer::new(db);
    let still =
        sample_images::webp_chunks(&sample_images::encode(&sample_images::two_halves(10, 10), ImageFormat::WebP));
    for (name, bomb) in [
        ("a PNG of 20,000 x 20,000", sample_images::png(20_000, 20_000, &sample_images::packed_zeros(1 << 20))),
        ("a PNG of 8,192 x 8,192", sample_images::png(8_192, 8_192, &sample_images::packed_zeros(1 << 20))),
        ("a PNG of 4 billion x 1", sample_images::png(u32::MAX, 1, &[])),
        ("a GIF with a screen of 65,535 x 65,535", sample_images::gif((u16::MAX, u16::MAX), (1, 1))),
        ("an animated WebP with a canvas of 16,000 x 16,000", sample_images::animated_webp(16_000, 10, &still)),
        (
            "an animated WebP with a canvas of 16 million x 16 million",
            sample_images::animated_webp(1 << 24, 10, &still),
        ),
        ("a lossless WebP of 16,384 x 16,384", sample_images::empty_lossless(16_384)),
    ] {
        let answer = server.send(&bomb).await;

        assert_eq!(answer.refusal(), (422, "image_pixels".to_owned()), "{name}");
    }
}

#[sqlx::test]
async fn a_bomb_with_a_harmless_header_hurts_only_its_own_process(db: PgPool) {
    let server = UploadServer::new(db);
    let large = sample_images::webp_chunks(&sample_images::empty_lossless(16_384));
    for (name, bomb) in [
        (
            "a PNG of 10 x 10 that unpacks to a gigabyte",
            sample_images::png(10, 10, &sample_images::packed_zeros(1 << 30)),
        ),
        ("a GIF of 1 x 1 with a frame of 65,535 x 65,535", sample_images::gif((1, 1), (u16::MAX, u16::MAX))),
        ("a GIF of 6,000 x 6,000 that stops at once", sample_images::gif((6_000, 6_000), (6_000, 6_000))),
        (
            "an animated WebP of 10 x 10 with frames of 16,384 x 16,384",
            sample_images::animated_webp(10, 16_384, &large),
        ),
        ("an animated WebP that hides larger pictures in its frames", sample_images::animated_webp(10, 10, &large)),
        ("a lossless WebP of 6,000 x 6,000 that stops at once", sample_images::empty_lossless(6_000)),
    ] {
        let before = memory_kb("VmRSS");
        let answer = server.send(&bomb).await;

        // The decoder may accept or refuse the picture, but must not harm the server.
        assert!([200, 422].contains(&answer.status.as_u16()), "{name}: {} {}", answer.status, answer.text);
        assert!(memory_kb("VmRSS") - before < 50_000, "{name} left {} KB", memory_kb("VmRSS") - before);
    }
    assert_eq!(count_worker_processes(), 0);
}

#[sqlx::test]
async fn what_is_not_a_picture_is_refused_with_the_contract_s_sentence(db: PgPool) {
    let server = UploadServer::new(db);
    let png = sample_images::encode(&sample_images::two_halves(50, 50), ImageFormat::Png);
    let jpeg = sample_images::encode(&sample_images::two_halves(50, 50), ImageFormat::Jpeg);
    let noise: Vec<u8> = (0..50_000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    for (name, file) in [
        ("SVG", &b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"[..]),
        ("SVG with a prologue", b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("HTML renamed to .png", b"<!doctype html><script>alert(1)</script>"),
        ("PDF", b"%PDF-1.7\n1 0 obj"),
        ("a ZIP", b"PK\x03\x04\x14\0\0\0"),
        ("a program", b"\x7fELF\x02\x01\x01"),
        ("BMP", b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0"),
        ("AVIF", b"\0\0\0\x1cftypavif\0\0\0\0"),
        ("noise", &noise),
        ("a script that begins like a GIF", b"GIF89a/*\0\0\0\0*/=1;alert(document.cookie)//"),
        ("a page that begins like a JPEG", b"\xff\xd8\xff\xfe\0\x20<html><script>alert(1)</script>"),
        ("half a PNG", &png[..png.len() / 2]),
        ("a JPEG without pixels", &jpeg[..200]),
    ] {
        let answer = server.send(file).await;

        assert_eq!(answer.refusal(), (422, "image_type".to_owned()), "{name}");
        assert_eq!(answer.json()["message"], REFUSED, "{name}");
    }
}

#[sqlx::test]
async fn a_picture_that_is_also_something_else_comes_out_as_a_picture_only(db: PgPool) {
    let server = UploadServer::new(db);
    let jpeg = sample_images::encode(&sample_images::two_halves(300, 200), ImageFormat::Jpeg);
    let script = b"<script>alert(document.cookie)</script>";
    for (name, file) in [
        ("a JPEG with a page in its comment", sample_images::with_segment(&jpeg, 0xfe, script)),
        ("a JPEG with a page behind it", [&jpeg[..], script].concat()),
        (
            "a PNG with a ZIP behind it",
            [&sample_images::encode(&sample_images::two_halves(300, 200), ImageFormat::Png)[..], b"PK\x03\x04<script>"]
                .concat(),
        ),
    ] {
        for (_, webp) in server.upload_and_read(&file, "product").await {
            assert!(!webp.windows(7).any(|part| part == b"<script"), "{name}");
            assert!(webp.starts_with(b"RIFF"), "{name}");
        }
    }
}

/// A small random number generator, which gives the same mutations on every machine.
struct Rng(u64);

impl Rng {
    fn next_below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

fn mutate(seed: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = seed.to_vec();
    for _ in 0..=rng.next_below(3) {
        let at = rng.next_below(file.len());
        match rng.next_below(12) {
            0 => file.truncate(at.max(12)),
            1..=3 => file[at] = [0, 0xff, 0x7f, 0x80][rng.next_below(4)],
            4..=7 => file[at] ^= 1 << rng.next_below(8),
            8 => {
                let copied: Vec<u8> = file[at..].iter().copied().take(1 + rng.next_below(64)).collect();
                let to = rng.next_below(file.len());
                file.splice(to..to, copied);
            }
            9 => {
                let to = (at + 1 + rng.next_below(32)).min(file.len());
                file.drain(at..to);
            }
            // Image sizes are near the start of a file.
            _ => {
                let near = rng.next_below(file.len().min(40));
                file[near] = u8::try_from(rng.next_below(256)).unwrap();
            }
        }
        if file.is_empty() {
            return seed[..4].to_vec();
        }
    }
    file
}

/// Set `PICTURE_MUTATIONS=10000` for a long run.
#[sqlx::test]
async fn mutated_pictures_never_upset_the_shop(db: PgPool) {
    let count: usize = std::env::var("PICTURE_MUTATIONS").map_or(300, |count| count.parse().unwrap());
    let server = UploadServer::new(db);
    let picture = sample_images::two_halves(120, 80);
    let still = sample_images::encode(&picture, ImageFormat::WebP);
    let seeds = [
        sample_images::encode(&picture, ImageFormat::Jpeg),
        sample_images::phone_photo(&picture),
        sample_images::encode(&picture, ImageFormat::Png),
        sample_images::encode(&sample_images::disc(90), ImageFormat::Gif),
        still.clone(),
        sample_images::animated_webp(120, 120, &sample_images::webp_chunks(&still)),
    ];
    let mut rng = Rng(20_261_115);
    let (mut taken, mut refused) = (0, 0);
    server.upload_and_read(&seeds[0], "avatar").await;
    let (idle, started) = (memory_kb("VmRSS"), Instant::now());
    for number in 0..count {
        let file = mutate(&seeds[number % seeds.len()], &mut rng);
        let answer = server.send_as(&file, "avatar").await;
        match answer.status.as_u16() {
            200 => taken += 1,
            422 => refused += 1,
            other => panic!("number {number} was answered {other}: {}", answer.text),
        }
    }
    let grown = memory_kb("VmRSS") - idle;
    report_figure(&format!(
        "mutated pictures: {count} sent, {taken} taken, {refused} refused, {:.1} ms each, memory grew by {grown} KB",
        started.elapsed().as_secs_f64() * 1000.0 / f64::from(u32::try_from(count).unwrap())
    ));
    assert!(taken > 0 && refused > 0, "the mutations are too wild or too tame");
    assert!(grown < 50_000, "{grown} KB were not given back");
    assert_eq!(count_worker_processes(), 0);
}

#[sqlx::test]
async fn a_crowd_of_the_largest_files_fits_into_150_megabytes(db: PgPool) {
    let server = Arc::new(UploadServer::new(db));
    let picture = sample_images::encode(&sample_images::two_halves(600, 400), ImageFormat::Jpeg);
    server.upload_and_read(&picture, "avatar").await;
    let idle = memory_kb("VmRSS");

    let mut crowd = JoinSet::new();
    for _ in 0..60 {
        let (server, picture) = (server.clone(), picture.clone());
        crowd.spawn(async move { server.send_body(Body::new(StreamedForm::new(&picture, MAX_FILE))).await.status });
    }
    let mut statuses: Vec<u16> = Vec::new();
    let mut most = idle;
    while let Some(status) = crowd.join_next().await {
        statuses.push(status.unwrap().as_u16());
        most = most.max(memory_kb("VmRSS"));
    }

    let most = most.max(memory_kb("VmHWM"));
    let taken = statuses.iter().filter(|status| **status == 200).count();
    report_figure(&format!(
        "60 uploads of 10 MB at once: {taken} taken, others told to come back; {} MB above idle",
        (most - idle) / 1024
    ));
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(taken >= 4, "the first four wait for nothing: {statuses:?}");
    assert!(most - idle < 150 * 1024, "{} KB above idle", most - idle);
    assert_eq!(count_worker_processes(), 0);
}

fn script(folder: &Path, lines: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("worker.sh");
    std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

fn folder_of(test: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("thunse-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A worker that does not answer before the test has ended.
const HANGING: &str = "exec sleep 3600";

/// Sends this many pictures at once, and waits until all are being decoded or wait.
async fn send_crowd(server: &Arc<UploadServer>, count: usize) -> JoinSet<(u16, String)> {
    let mut crowd = JoinSet::new();
    for _ in 0..count {
        let server = server.clone();
        crowd.spawn(async move { server.send(&tiny_picture()).await.refusal() });
    }
    let all_there = async || media::count_active_uploads() == count && count_worker_processes() == count.min(2);
    wait_until("the uploads are active", all_there).await;
    crowd
}

fn tiny_picture() -> Vec<u8> {
    sample_images::encode(&sample_images::two_halves(30, 20), ImageFormat::Png)
}

#[sqlx::test]
async fn a_worker_that_hangs_is_ended(db: PgPool) {
    let folder = folder_of("hangs");
    let limits = WorkerLimits { queue: NEVER, work: Duration::from_millis(200) };
    let server = UploadServer::with_limits(db, &script(&folder, HANGING), limits);
    let picture = tiny_picture();

    // The third and the fourth get a worker only after others have been ended.
    let answers = join_all((0..4).map(|_| server.send(&picture))).await;

    // A hanging worker is the server's fault, so the client may try again.
    let refusals: Vec<(u16, String)> = answers.iter().map(TestResponse::refusal).collect();
    assert_eq!(refusals, vec![refusal(503, "busy"); 4]);
    assert_eq!(count_worker_processes(), 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[sqlx::test]
async fn an_upload_that_gets_no_worker_is_sent_away(db: PgPool) {
    let folder = folder_of("waits");
    let limits = WorkerLimits { queue: Duration::from_millis(200), work: NEVER };
    let server = Arc::new(UploadServer::with_limits(db, &script(&folder, HANGING), limits));
    let mut crowd = send_crowd(&server, 2).await;

    let third = server.send(&tiny_picture()).await;

    assert_eq!(third.refusal(), refusal(503, "busy"));
    assert_eq!(media::count_active_uploads(), 2, "the others go on");
    crowd.shutdown().await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[sqlx::test]
async fn a_long_queue_is_sent_away(db: PgPool) {
    let folder = folder_of("queue");
    let server = Arc::new(UploadServer::with_worker(db, &script(&folder, HANGING)));
    // Two uploads are being processed and eight wait.
    let mut crowd = send_crowd(&server, 10).await;

    // The queue is full, so further uploads are refused at once.
    for _ in 0..4 {
        assert_eq!(server.send(&tiny_picture()).await.refusal(), refusal(503, "busy"));
    }

    assert_eq!(media::count_active_uploads(), 10);
    crowd.shutdown().await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[sqlx::test]
async fn the_worker_is_told_no_secret(db: PgPool) {
    let folder = folder_of("secret");
    let told = folder.join("told");
    let server = UploadServer::with_worker(db, &script(&folder, &format!("/usr/bin/env > {}; exit 2", told.display())));
    assert!(std::env::vars().any(|(name, _)| name == "DATABASE_URL"), "there must be a secret to begin with");

    let answer = server.send(&tiny_picture()).await;

    assert_eq!(answer.refusal(), (422, "image_type".to_owned()));
    let told = std::fs::read_to_string(told).unwrap();
    for line in told.lines() {
        assert!(
            ["MIMALLOC_ARENA_RESERVE=", "PWD=", "SHLVL=", "_="].iter().any(|known| line.starts_with(known)),
            "{line}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The worker sets its own limits, so they hold however it is started.
#[test]
fn the_worker_has_little_memory_and_little_time() {
    let mut child = std::process::Command::new(WORKER)
        .args(["picture-worker", "product"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    let missing = |text: &str| {
        let most = [
            ("Max cpu time", "5"),
            ("Max address space", "536870912"),
            ("Max open files", "3"),
            ("Max file size", "0"),
        ];
        most.into_iter().find(|(what, most)| {
            let line = text.lines().find(|line| line.starts_with(what)).unwrap_or_default();
            !line.split_whitespace().any(|word| word == *most)
        })
    };
    // It sets one after the other, so that only the first may be there yet.
    let mut last = None;
    for _ in 0..3_000 {
        std::thread::sleep(Duration::from_millis(20));
        last = missing(&std::fs::read_to_string(&limits).unwrap());
        if last.is_none() {
            break;
        }
    }
    drop(child.stdin.take());
    child.wait().unwrap();

    assert_eq!(last, None, "it never limited itself");
}

/// The error numbers `EPERM` and `EACCES`.
const DENIED: [&str; 2] = ["1", "13"];

#[test]
fn the_worker_can_open_no_file_no_socket_and_nothing_of_proc() {
    // The worker gets the same environment as from the server.
    let mut worker = std::process::Command::new(WORKER);
    let said = worker.arg("picture-worker").env_clear().env("MIMALLOC_ARENA_RESERVE", "0").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let step = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {said}"));
        let mut words = line.split_whitespace().skip(1);
        let enforced = words.next().unwrap().to_owned();
        let attempts = words.map(|word| word.split_once('=').unwrap()).map(|(a, b)| (a.to_owned(), b.to_owned()));
        (enforced, attempts.collect::<std::collections::BTreeMap<String, String>>())
    };

    let (landlock, files) = step("landlock");
    let (seccomp, all) = step("seccomp");
    report_figure(&format!("picture worker: landlock {landlock}, seccomp {seccomp}"));
    // This kernel supports seccomp fully; on one that does not, the server reports it at start.
    assert_eq!(seccomp, "fully");
    assert_eq!(all.len(), 9);
    for (attempt, ended) in &all {
        assert!(DENIED.contains(&ended.as_str()), "{attempt} ended with {ended}");
    }
    if landlock != "not" {
        for attempt in ["file", "new_file", "folder", "proc", "parent", "program"] {
            assert_eq!(files[attempt], "13", "Landlock alone: {attempt}");
        }
    }
}

/// The environment contains the shop's secrets. After `PR_SET_DUMPABLE`, the files of a process under `/proc` belong to
/// root.
#[test]
fn another_process_of_the_same_user_cannot_read_the_environment_of_the_program() {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    let mut program = std::process::Command::new(WORKER);
    // Everything that root starts belongs to root, so the test uses another user.
    if rustix::process::geteuid().is_root() {
        program.uid(65_534);
    }
    // The program waits for a picture on standard input and so runs long enough to be inspected.
    program.args(["picture-worker", "product"]).stdin(std::process::Stdio::piped());
    let mut child = program.stdout(std::process::Stdio::null()).spawn().unwrap();
    let environment = format!("/proc/{}/environ", child.id());
    let hidden = (0..3_000).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        std::fs::metadata(&environment).is_ok_and(|file| file.uid() == 0)
    });
    drop(child.stdin.take());
    child.wait().unwrap();

    assert!(hidden, "its environment can be read by its own user");
}
