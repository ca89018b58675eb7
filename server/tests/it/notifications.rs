//! Emails and the jobs that send them, against a real mail server.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::notifications::{self, Email, Recipient};
use thunse::platform::jobs;
use thunse::platform::language::Language;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::support::mailbox::Mailbox;
use crate::support::{TestShop, queue, wait_until};

const THUNSE: &str = env!("CARGO_BIN_EXE_thunse");
const LINK: &str = "https://shop.test/reset-password#token=s3cret";

fn recipient(email: &str, language: Language) -> Recipient {
    Recipient { email: email.to_owned(), name: "Asha Rai".to_owned(), language }
}

async fn shop_with_mailbox(db: PgPool, mailbox: &Mailbox) -> TestShop {
    TestShop::with_jobs_and_settings(db, &[("SMTP_URL", &mailbox.smtp_url)]).await
}

impl TestShop {
    async fn send_email_to(&self, to: &Recipient, message: &Email) {
        let mut tx = self.db.begin().await.unwrap();
        notifications::send_email(&mut tx, to, message).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Returns a command of the program that uses this shop's database.
    pub async fn command(&self, words: &[&str], settings: &[(&str, &str)]) -> Command {
        let name: String = sqlx::query_scalar("SELECT current_database()").fetch_one(&self.db).await.unwrap();
        let base = std::env::var("DATABASE_URL").unwrap();
        let (server, _) = base.rsplit_once('/').unwrap();
        let mut command = Command::new(THUNSE);
        command
            .args(words)
            .env("DATABASE_URL", format!("{server}/{name}"))
            .envs([
                ("PUBLIC_URL", "http://shop.test"),
                ("MEDIA_DIR", "/nowhere/unused"),
                ("METRICS_LISTEN", "127.0.0.1:0"),
            ])
            .env("S3_BUCKET", "unused")
            .envs([("S3_ACCESS_KEY", "unused"), ("S3_SECRET_KEY", "unused")])
            .envs(settings.iter().copied());
        command
    }

    pub async fn output(&self, words: &[&str]) -> String {
        let done = self.command(words, &[]).await.output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }
}

#[sqlx::test]
async fn an_email_goes_out_with_the_transaction_that_asked_for_it(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let asha = recipient("asha@example.com", Language::English);

    let mut undone = shop.db.begin().await.unwrap();
    notifications::send_email(&mut undone, &asha, &Email::EmailChanged).await.unwrap();
    undone.rollback().await.unwrap();
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 0);

    shop.send_email_to(&asha, &Email::EmailChanged).await;
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 1);
    assert!(shop.queued_emails().await.is_empty(), "what is sent is no longer stored");
}

#[sqlx::test]
async fn an_email_arrives_in_the_reader_s_language_as_text_and_html(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let message = Email::ResetPassword { link: LINK.to_owned() };
    shop.send_email_to(&recipient("asha@example.com", Language::English), &message).await;
    shop.send_email_to(&recipient("maya@example.com", Language::Nepali), &message).await;
    let ids: Vec<_> =
        shop.queued_emails().await.iter().map(|message| message["id"].as_str().unwrap().to_owned()).collect();

    shop.run_jobs().await;

    for (number, to, subject, greeting, language) in [
        (0, "asha@example.com", "Reset your Thunse password", "Namaste Asha Rai,", "lang=\"en\""),
        (1, "maya@example.com", "थुन्सेको पासवर्ड रिसेट गर्नुहोस्", "नमस्ते Asha Rai,", "lang=\"ne\""),
    ] {
        let emails = mailbox.emails(to).await;
        let [message] = emails.as_slice() else { panic!("{emails:?}") };
        assert_eq!(message["subject"], subject);
        for form in ["text", "html"] {
            let form = message[form].as_str().unwrap().replace("&#x2f;", "/");
            assert!(form.contains(greeting) && form.contains(LINK), "{form}");
        }
        assert!(message["html"].as_str().unwrap().contains(language));
        assert_eq!(message["headers"]["auto-submitted"], "auto-generated");
        assert_eq!(message["headers"]["message-id"], format!("<{}@shop.test>", ids[number]));
        assert_eq!(message["headers"]["from"], "Thunse <hello@thunse.example>");
    }
}

#[sqlx::test]
async fn a_mail_server_that_refuses_for_a_while_loses_nothing(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    mailbox.accept(false).await;
    for number in 0..5 {
        shop.send_email_to(&recipient(&format!("a{number}@example.com"), Language::English), &Email::PasswordChanged)
            .await;
    }

    shop.run_jobs().await;

    let waiting = jobs::list(&shop.db, false).await.unwrap();
    assert_eq!(waiting.iter().map(|job| job.attempts).collect::<Vec<_>>(), [1; 5]);
    let later = "graphile_worker.jobs WHERE run_at > updated_at";
    assert_eq!(shop.count(later).await, 5, "they are tried later, not at once");
    let why = waiting[0].last_error.as_deref().unwrap();
    assert!(why.contains("451") && !why.contains("example.com"), "{why}");
    assert!(jobs::list(&shop.db, true).await.unwrap().is_empty());

    mailbox.accept(true).await;
    shop.run_all_jobs().await;
    for number in 0..5 {
        assert_eq!(mailbox.emails(&format!("a{number}@example.com")).await.len(), 1);
    }
}

#[sqlx::test]
async fn without_a_mail_server_emails_wait_untried(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    shop.send_email_to(&recipient("asha@example.com", Language::English), &Email::EmailChanged).await;

    shop.run_jobs().await;

    assert_eq!(jobs::list(&shop.db, false).await.unwrap()[0].attempts, 0);
}

#[sqlx::test]
async fn a_dead_email_is_listed_and_sent_again_from_the_command_line(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    mailbox.accept(false).await;
    for email in ["asha@example.com", "maya@example.com"] {
        shop.send_email_to(&recipient(email, Language::English), &Email::EmailChanged).await;
    }
    queue::set_attempts(&shop.db, 24).await;
    shop.run_jobs().await;
    mailbox.accept(true).await;
    shop.run_all_jobs().await;
    assert!(mailbox.emails("asha@example.com").await.is_empty(), "a dead job is not run");

    let listed = shop.output(&["jobs", "list", "--dead"]).await;
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((lines.len(), lines[0][1], lines[0][2]), (2, "notifications.send_email", "25/25"), "{listed}");
    assert!(listed.contains("451") && !listed.contains("example.com"), "{listed}");

    assert_eq!(shop.output(&["jobs", "drop", lines[1][0]]).await, "jobs deleted: 1\n");
    assert_eq!(shop.output(&["jobs", "retry", "--dead"]).await, "jobs queued again: 1\n");
    assert_eq!(shop.output(&["jobs", "list", "--dead"]).await, "");
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 1);
    assert_eq!(mailbox.emails("maya@example.com").await.len(), 0);
}

/// Starts a mail server that rejects every recipient.
async fn start_rejecting_mail_server() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            stream.write_all(b"220 nobody.example\r\n").await.unwrap();
            let mut line = String::new();
            while stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {
                let answer = if line.starts_with("RCPT") { "550 no such asha@example.com\r\n" } else { "250 ok\r\n" };
                if stream.write_all(answer.as_bytes()).await.is_err() {
                    break;
                }
                line.clear();
            }
        }
    });
    url
}

#[sqlx::test]
async fn a_recipient_who_does_not_exist_is_not_tried_again(db: PgPool) {
    let url = start_rejecting_mail_server().await;
    let shop = TestShop::with_jobs_and_settings(db, &[("SMTP_URL", &url)]).await;
    shop.send_email_to(&recipient("asha@example.com", Language::English), &Email::EmailChanged).await;
    shop.send_email_to(&recipient("not an address", Language::English), &Email::EmailChanged).await;

    shop.run_jobs().await;

    let dead = jobs::list(&shop.db, true).await.unwrap();
    assert_eq!(dead.iter().map(|job| (job.attempts, job.max_attempts)).collect::<Vec<_>>(), [(1, 1), (1, 1)]);
    let why: Vec<_> = dead.iter().map(|job| job.last_error.clone().unwrap()).collect();
    assert!(why.iter().any(|why| why.contains("550")), "{why:?}");
    assert!(why.iter().all(|why| !why.contains("example.com") && !why.contains("not an address")), "{why:?}");
    // A retry restores the full number of attempts.
    assert_eq!(jobs::retry(&shop.db, &[dead[0].id]).await.unwrap(), 1);
    assert_eq!(jobs::list(&shop.db, false).await.unwrap().iter().map(|job| job.max_attempts).max(), Some(25));
}

#[sqlx::test]
async fn a_job_of_another_version_keeps_what_it_is_about_to_itself(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    queue::add_job(&shop.db, "notifications.send_email", &json!({"to": "asha@example.com"})).await;

    shop.run_jobs().await;

    let job = &jobs::list(&shop.db, false).await.unwrap()[0];
    assert_eq!((job.attempts, job.max_attempts), (1, 25));
    assert!(!job.last_error.as_deref().unwrap().contains("asha"), "{:?}", job.last_error);
}

#[sqlx::test]
async fn the_serving_role_may_do_all_this(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let options = shop.db.connect_options().as_ref().clone().username("thunse_app").password("thunse_app");
    let served = PgPool::connect_with(options).await.unwrap();

    let mut tx = served.begin().await.unwrap();
    let asha = recipient("asha@example.com", Language::English);
    notifications::send_email(&mut tx, &asha, &Email::EmailChanged).await.unwrap();
    tx.commit().await.unwrap();
    let id = jobs::list(&served, false).await.unwrap()[0].id;
    queue::set_attempts(&shop.db, 1).await;
    jobs::stop_retrying(&served, id, 1).await.unwrap();
    assert_eq!(jobs::backlog(&served).await.unwrap().dead, 1);
    assert_eq!(jobs::retry(&served, &[id]).await.unwrap(), 1);
    assert_eq!(jobs::backlog(&served).await.unwrap().waiting, 1);
    assert_eq!(jobs::delete_dead(&served, Duration::ZERO).await.unwrap(), 0);
    assert_eq!(jobs::remove(&served, &[id]).await.unwrap(), 1);
    assert_eq!(jobs::backlog(&served).await.unwrap().waiting, 0);
    sqlx::query("SELECT enqueue_job('orders.send_email', '{}', 1)").execute(&served).await.unwrap();
    assert_eq!(jobs::move_outbox(&served).await.unwrap(), 1);
    served.close().await;
}

#[sqlx::test]
async fn a_stopped_worker_finishes_its_job_and_its_log_names_nobody(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    mailbox.delay(10_000).await;
    let message = Email::ResetPassword { link: LINK.to_owned() };
    shop.send_email_to(&recipient("asha@example.com", Language::English), &message).await;
    // This email fails, and a failure is logged.
    shop.send_email_to(&recipient("not an address", Language::English), &message).await;

    let settings = [
        ("SMTP_URL", mailbox.smtp_url.as_str()),
        ("MAIL_FROM", "Thunse <hello@thunse.example>"),
        ("RUST_LOG", "trace,sqlx=warn,hyper=warn"),
    ];
    let worker = shop.command(&["worker"], &settings).await.stderr(Stdio::piped()).spawn().unwrap();
    // The job engine starts more jobs each minute, which do not count.
    let waiting = async || {
        let jobs = jobs::list(&shop.db, false).await.unwrap();
        jobs.into_iter().filter(|job| job.name == "notifications.send_email").count()
    };
    wait_until("one email is being sent, and the other has failed", async || {
        let sql = "SELECT count(*) FROM graphile_worker.jobs
                   WHERE locked_at IS NOT NULL AND task_identifier = 'notifications.send_email'";
        let sending: i64 = sqlx::query_scalar(sql).fetch_one(&shop.db).await.unwrap();
        sending == 1 && jobs::list(&shop.db, true).await.unwrap().len() == 1
    })
    .await;
    assert!(mailbox.emails("asha@example.com").await.is_empty(), "it must be in the middle of it");
    Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap();
    let ended = tokio::task::spawn_blocking(move || worker.wait_with_output().unwrap()).await.unwrap();

    let log = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{log}");
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 1);
    assert_eq!(waiting().await, 1, "only the dead one is left");
    assert!(log.contains("a job is dead"), "{log}");
    for personal in ["asha@example.com", "Asha Rai", "s3cret", "not an address"] {
        assert!(!log.contains(personal), "'{personal}' is in the log:\n{log}");
    }
}

#[sqlx::test]
async fn jobs_by_the_clock_run(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    // The scheduler adds these jobs with `null` as their payload.
    let by_the_clock =
        ["maintenance.check_invariants", "media.delete_orphans", "jobs.delete_dead", "maintenance.delete_expired"];
    for name in by_the_clock {
        queue::add_job(&shop.db, name, &Value::Null).await;
    }
    assert_eq!(jobs::list(&shop.db, false).await.unwrap().len(), by_the_clock.len());

    shop.run_jobs().await;

    let left = jobs::list(&shop.db, false).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}
