//! The settings of web push and of the SMS gateway.

use super::env_reader::{EnvReader, host_of, is_local};
use super::secret::Secret;
use crate::platform::push::{PushKey, PushSettings};

/// The push services of Chrome, Edge and other Chromium browsers, Firefox and Safari. `*.` stands for any subdomain.
const PUSH_SERVICES: &str =
    "fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com,android.googleapis.com";

/// Web push is off without a key.
pub fn read_push(env: &mut EnvReader) -> Option<PushSettings> {
    let key = env.text("VAPID_PRIVATE_KEY")?;
    let Some(key) = PushKey::parse(&key) else {
        env.add_problem("VAPID_PRIVATE_KEY: must be a key that `thunse push-key` has printed");
        return None;
    };
    let subject = env.required("VAPID_SUBJECT");
    if !subject.is_empty() && !subject.starts_with("mailto:") && !subject.starts_with("https://") {
        env.add_problem("VAPID_SUBJECT: must be a mailto: or https:// URL, such as mailto:owner@shop.example");
    }
    let services = env.text_or("PUSH_SERVICES", PUSH_SERVICES);
    let services: Vec<String> =
        services.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    for service in services.iter().filter(|service| service.contains("://")) {
        if !is_local(host_of(service)) {
            env.add_problem(format_args!("PUSH_SERVICES: '{service}' must be a host name without a scheme"));
        }
    }
    Some(PushSettings { key, subject, services })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmsProvider {
    Sparrow,
    Aakash,
}

/// The SMS gateway; off without a provider.
#[derive(Debug, Clone)]
pub struct SmsSettings {
    pub provider: SmsProvider,
    /// Without a trailing slash.
    pub url: String,
    pub token: Secret,
    /// The identity that Sparrow SMS has approved for the shop; Aakash SMS has none.
    pub sender: String,
}

impl SmsSettings {
    pub fn read(env: &mut EnvReader) -> Option<Self> {
        let (provider, url) = match env.text("SMS_PROVIDER")?.as_str() {
            "sparrow" => (SmsProvider::Sparrow, "https://api.sparrowsms.com"),
            "aakash" => (SmsProvider::Aakash, "https://sms.aakashsms.com"),
            other => {
                env.add_problem(format_args!("SMS_PROVIDER: '{other}' must be sparrow or aakash"));
                return None;
            }
        };
        let url = env.text_or("SMS_URL", url).trim_end_matches('/').to_owned();
        env.secure_url("SMS_URL", &url);
        let sender = match provider {
            SmsProvider::Sparrow => env.required("SMS_SENDER"),
            SmsProvider::Aakash => String::new(),
        };
        Some(Self { provider, url, token: Secret::new(env.required("SMS_TOKEN")), sender })
    }
}
