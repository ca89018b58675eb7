//! Everything besides the database: mail server, wallet, picture store, disk, and the address that shoppers use.

use std::path::Path;
use std::time::Duration;

use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use reqwest::{Client, Url, redirect};
use uuid::Uuid;

use super::finding::Finding;
use crate::media;
use crate::payments::{self, WalletError};
use crate::platform::config::{Config, PictureStore};
use crate::platform::mail::Mailer;

const TIMEOUT: Duration = Duration::from_secs(10);
const GIB: u64 = 1 << 30;
/// Below this a day of pictures and logs may fill the disk.
const LEAST_FREE_BYTES: u64 = 2 * GIB;

pub async fn check_mail(config: &Config) -> Finding {
    let Some(url) = config.mail.smtp_url() else {
        let advice = "Set SMTP_URL and MAIL_FROM: without them nobody can confirm an address or reset a password.";
        return Finding::warning("mail", "no mail server is set; emails wait in the queue", advice);
    };
    match Mailer::new(Some(url), &config.mail.from).test_connection().await {
        Ok(()) => Finding::ok("mail", "the mail server accepts our connection"),
        Err(error) => {
            let advice =
                "Check host, port, user and password in SMTP_URL, and that thunse-egress.conf allows the host.";
            Finding::failed("mail", error.to_string(), advice)
        }
    }
}

/// `None` if there is no wallet, which the settings have reported.
pub async fn check_wallet(config: &Config) -> Option<Finding> {
    let settings = config.khalti.clone()?;
    let answered =
        tokio::time::timeout(TIMEOUT, payments::ping_wallet(settings)).await.unwrap_or(Err(WalletError::Timeout));
    Some(match answered {
        Ok(()) => Finding::ok("wallet", "Khalti accepts our key"),
        Err(error @ WalletError::Unauthorized) => {
            let advice = "Copy the live secret key from Khalti's merchant dashboard into KHALTI_SECRET_KEY; a test key needs \
                          KHALTI_URL=https://dev.khalti.com.";
            Finding::failed("wallet", error.to_string(), advice)
        }
        Err(error) => {
            let advice = "Check KHALTI_URL and that thunse-egress.conf allows its host; if Khalti is down, wait: cash orders go on.";
            Finding::failed("wallet", error.to_string(), advice)
        }
    })
}

pub async fn check_pictures(config: &Config) -> Finding {
    let place = match &config.pictures.store {
        PictureStore::Folder(folder) => format!("the folder {}", folder.display()),
        PictureStore::S3 { bucket, .. } => format!("the bucket {bucket}"),
    };
    let tried = match media::open_store(&config.pictures.store) {
        Ok(store) => tokio::time::timeout(TIMEOUT, try_store(&*store))
            .await
            .map_or_else(|_| Err("it does not answer".to_owned()), |tried| tried.map_err(|error| error.to_string())),
        Err(error) => Err(format!("{error:#}")),
    };
    match (tried, &config.pictures.store) {
        (Ok(()), _) => Finding::ok("pictures", format!("{place} can be written and read")),
        (Err(error), PictureStore::Folder(_)) => {
            let advice =
                "Give it to the user of the shop: chown thunse-serve:thunse-pictures, chmod 2770 (ops/tmpfiles.conf).";
            Finding::failed("pictures", format!("{place}: {error}"), advice)
        }
        (Err(error), PictureStore::S3 { .. }) => {
            let advice = "Check S3_BUCKET, S3_ENDPOINT and the keys, which need rights to put, get and delete.";
            Finding::failed("pictures", format!("{place}: {error}"), advice)
        }
    }
}

async fn try_store(store: &dyn ObjectStore) -> object_store::Result<()> {
    // No picture has such a name, so the cleanup of pictures does not see it and backups leave it out.
    let name = object_store::path::Path::from(format!("doctor-{}", Uuid::new_v4()));
    store.put(&name, PutPayload::from_static(b"thunse doctor")).await?;
    let read = store.get(&name).await;
    store.delete(&name).await?;
    read?.bytes().await.map(|_| ())
}

/// `None` if pictures are in S3: then this machine stores nothing that grows but its log.
pub fn check_disk(config: &Config) -> Option<Finding> {
    let PictureStore::Folder(folder) = &config.pictures.store else { return None };
    let space = rustix::fs::statvfs(existing_parent(folder)).ok()?;
    let (free, total) = (space.f_bavail * space.f_frsize, space.f_blocks * space.f_frsize);
    let found = format!("{} of {} GB are free", free / GIB, total / GIB);
    Some(if free < LEAST_FREE_BYTES || free < total / 20 {
        Finding::failed("disk", found, "Delete what is not needed, or move pictures and backups to a larger disk.")
    } else {
        Finding::ok("disk", found)
    })
}

fn existing_parent(folder: &Path) -> &Path {
    folder.ancestors().find(|path| path.exists()).unwrap_or(folder)
}

/// Asks for a page as a shopper's browser would: name, certificate, proxy, shop.
pub async fn check_public_url(config: &Config) -> Vec<Finding> {
    let Ok(url) = Url::parse(&config.public_url) else { return Vec::new() };
    let (host, port) = (url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or(443));
    let resolved = tokio::time::timeout(TIMEOUT, tokio::net::lookup_host((host.trim_matches(['[', ']']), port))).await;
    let address = match resolved {
        Ok(Ok(mut addresses)) => addresses.next(),
        _ => None,
    };
    let Some(address) = address else {
        let advice =
            format!("Add an A or AAAA record for {host} at your domain's provider, and wait until it is known.");
        return vec![Finding::failed("dns", format!("{host} has no address"), advice)];
    };
    let dns = Finding::ok("dns", format!("{host} is {}", address.ip()));
    vec![dns, ask_public_url(&url).await]
}

async fn ask_public_url(url: &Url) -> Finding {
    let name = if url.scheme() == "https" { "tls" } else { "web" };
    let client = Client::builder().timeout(TIMEOUT).redirect(redirect::Policy::none()).build();
    let asked = match client {
        Ok(client) => client.get(format!("{}/healthz", url.as_str().trim_end_matches('/'))).send().await,
        Err(error) => Err(error),
    };
    match asked {
        Ok(response) if response.status().is_success() && url.scheme() == "https" => {
            Finding::ok(name, "the certificate is valid, and the shop answers")
        }
        Ok(response) if response.status().is_success() => {
            let advice = "Nothing on a machine for development; otherwise set up TLS and PUBLIC_URL=https://…";
            Finding::warning(name, "the shop answers without TLS", advice)
        }
        Ok(response) => {
            let found = format!("{url} answers with status {}", response.status().as_u16());
            Finding::failed(
                name,
                found,
                "Start the instances (systemctl start thunse-serve@8080), and check the proxy's upstreams.",
            )
        }
        Err(error) if is_certificate_error(&error) => {
            let advice = "Get or renew the certificate for this name (certbot renew; systemctl reload nginx).";
            Finding::failed(name, "the certificate is not valid for this name, or has expired", advice)
        }
        Err(_) => {
            let advice = "Start the proxy (systemctl start nginx), and open ports 80 and 443 in the firewall.";
            Finding::failed(name, format!("{url} does not answer"), advice)
        }
    }
}

fn is_certificate_error(error: &reqwest::Error) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        if error.to_string().contains("certificate") {
            return true;
        }
        source = error.source();
    }
    false
}
