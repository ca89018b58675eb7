//! Sends finished emails to the mail server; `notifications` writes them.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart};
use lettre::transport::smtp::{self, AsyncSmtpTransportBuilder, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

const TIMEOUT: Duration = Duration::from_secs(10);
const CONNECTIONS: u32 = 4;
/// Shorter than the minute after which many servers close the connection.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// SMTP codes that mean that this recipient will never get an email. Other failures, such as a wrong login or a full
/// server, can be fixed.
const RECIPIENT_REJECTED_CODES: [&str; 5] = ["501", "550", "551", "553", "556"];

#[derive(Clone)]
pub struct Mailer {
    server: Option<AsyncSmtpTransport<Tokio1Executor>>,
    from: Option<Mailbox>,
}

/// An email that is ready to be sent.
pub struct MailMessage {
    pub to: String,
    /// The part of the Message-ID before the @. It is the same for every attempt, so that a repeated email can be
    /// recognised.
    pub id: String,
    /// The part of the Message-ID after the @.
    pub host: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// A URL that turns off further emails of this kind when it is posted to (RFC 8058).
    pub unsubscribe_url: Option<String>,
    pub attachment: Option<MailAttachment>,
}

/// A file that is sent with an email.
pub struct MailAttachment {
    pub name: String,
    pub content_type: &'static str,
    pub content: Vec<u8>,
}

/// The texts never name the recipient, because they end up in logs and in the list of failed jobs.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    #[error("no mail server is configured (SMTP_URL)")]
    NoServer,
    #[error("the email could not be composed: {0}")]
    Invalid(&'static str),
    #[error("the mail server rejected the recipient ({0})")]
    RecipientRejected(String),
    #[error("the mail server did not accept the email: {0}")]
    Transient(String),
}

impl Mailer {
    /// Without a valid server, emails wait in the queue; `validate` reports the problem at startup.
    pub fn new(smtp_url: Option<&str>, from: &str) -> Self {
        let server = smtp_url.and_then(|url| smtp_transport(url).ok());
        // The connection pool runs a background task, so this needs a runtime.
        let server = server.map(AsyncSmtpTransportBuilder::build);
        Self { server, from: from.parse().ok() }
    }

    /// Returns what is wrong with the settings, for the list that is shown at startup.
    pub fn validate(smtp_url: Option<&str>, from: &str) -> Vec<String> {
        let server = smtp_url.and_then(|url| smtp_transport(url).err());
        let server = server.map(|error| format!("SMTP_URL: {error}"));
        let from = from.parse::<Mailbox>().err().map(|error| format!("MAIL_FROM: {error}"));
        server.into_iter().chain(from).collect()
    }

    pub fn is_configured(&self) -> bool {
        self.server.is_some()
    }

    /// Connects, greets and logs in, without sending anything.
    pub async fn test_connection(&self) -> Result<(), MailError> {
        let server = self.server.as_ref().ok_or(MailError::NoServer)?;
        match server.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(MailError::Transient("it closed the connection".to_owned())),
            Err(error) => {
                let code = error.status().map(|code| code.to_string());
                Err(MailError::Transient(code.unwrap_or_else(|| describe_error(&error).to_owned())))
            }
        }
    }

    pub async fn send(&self, email: MailMessage) -> Result<(), MailError> {
        let server = self.server.as_ref().ok_or(MailError::NoServer)?;
        let from = self.from.clone().ok_or(MailError::Invalid("the sender"))?;
        let to = Mailbox::new(None, email.to.parse().map_err(|_| MailError::Invalid("the address"))?);
        let header = |name, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        let mut builder = Message::builder()
            .from(from)
            .to(to)
            .subject(email.subject)
            .message_id(Some(format!("<{}@{}>", email.id, email.host)))
            // The header keeps other systems from replying automatically, for example with a holiday notice.
            .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(url) = email.unsubscribe_url {
            builder = builder
                .raw_header(header("List-Unsubscribe", format!("<{url}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        let mut body = MultiPart::alternative_plain_html(email.text, email.html);
        if let Some(MailAttachment { name, content_type, content }) = email.attachment {
            let content_type = ContentType::parse(content_type).map_err(|_| MailError::Invalid("its attachment"))?;
            body = MultiPart::mixed().multipart(body).singlepart(Attachment::new(name).body(content, content_type));
        }
        let message = builder.multipart(body).map_err(|_| MailError::Invalid("its parts"))?;
        server.send(message).await.map(|_| ()).map_err(|error| {
            let Some(code) = error.status() else { return MailError::Transient(describe_error(&error).to_owned()) };
            let code = code.to_string();
            // Only the code is reported, because servers repeat the recipient in their text.
            if RECIPIENT_REJECTED_CODES.contains(&code.as_str()) {
                MailError::RecipientRejected(code)
            } else {
                MailError::Transient(code)
            }
        })
    }
}

fn smtp_transport(url: &str) -> Result<AsyncSmtpTransportBuilder, smtp::Error> {
    let pool = PoolConfig::new().max_size(CONNECTIONS).idle_timeout(IDLE_TIMEOUT);
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)?;
    Ok(builder.timeout(Some(TIMEOUT)).pool_config(pool))
}

fn describe_error(error: &smtp::Error) -> &'static str {
    if error.is_timeout() {
        "timed out"
    } else if error.is_tls() {
        "the TLS connection failed"
    } else {
        "no connection"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_are_told_at_boot() {
        assert_eq!(Mailer::validate(Some("smtps://user:secret@mail.example"), "Thunse <a@b.example>"), [""; 0]);
        assert_eq!(Mailer::validate(Some("mail.example:25"), "Thunse").len(), 2);
    }
}
