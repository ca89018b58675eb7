//! Describes a browser for the list of devices: enough to recognise one's own phone, not enough to track it.

use http::{HeaderMap, header};

/// The order matters: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
const SYSTEMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
];

pub fn describe(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let named = |table: &[(&str, &'static str)]| {
        table.iter().find(|(mark, _)| agent.contains(mark)).map_or("", |(_, name)| name)
    };
    match (named(&BROWSERS), named(&SYSTEMS)) {
        ("", "") => String::new(),
        (browser, "") => browser.to_owned(),
        ("", system) => system.to_owned(),
        (browser, system) => format!("{browser} on {system}"),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn a_phone_is_recognised_and_a_stranger_is_not_described() {
        let described = |agent: &'static str| {
            describe(&HeaderMap::from_iter([(header::USER_AGENT, HeaderValue::from_static(agent))]))
        };

        let phone = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36";
        assert_eq!(described(phone), "Chrome on Android");
        assert_eq!(described("curl/8.0"), "");
    }
}
