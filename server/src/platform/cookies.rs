//! Reads cookies by name, and writes them with attributes that protect them from scripts and from other hosts.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};

/// The value of a cookie, if the request carries one of that name.
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .find_map(|cookie| cookie.trim().strip_prefix(name)?.strip_prefix('='))
        .filter(|value| !value.is_empty())
}

/// A cookie for a secret: browsers send it only over TLS and not with cross-site calls, and no script can read it.
/// `name` starts with `__Host-`, so that no other host can set it.
pub fn http_only(name: &str, value: &str, life: Duration) -> HeaderValue {
    header_value(format!("{name}={value}; Path=/; Max-Age={}; Secure; HttpOnly; SameSite=Lax", life.as_secs()))
}

/// A cookie that scripts may read and that grants nothing. Its name has the same prefix, so that no other host can set
/// it.
pub fn script_readable(name: &str, value: &str, life: Duration) -> HeaderValue {
    header_value(format!("{name}={value}; Path=/; Max-Age={}; Secure; SameSite=Lax", life.as_secs()))
}

/// A header that deletes a cookie.
pub fn delete(name: &str) -> HeaderValue {
    header_value(format!("{name}=; Path=/; Max-Age=0; Secure; SameSite=Lax"))
}

fn header_value(text: String) -> HeaderValue {
    // Our names and values are plain ASCII, which always makes a valid header value.
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others_by_its_whole_name() {
        let headers = HeaderMap::from_iter([(
            header::COOKIE,
            HeaderValue::from_static("lang=ne; x__Host-sid=no; __Host-sid=yes; __Host-sid2=no"),
        )]);

        assert_eq!(read(&headers, "__Host-sid"), Some("yes"));
        assert_eq!(read(&headers, "__Host-ssid"), None);
    }
}
