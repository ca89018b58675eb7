//! Cookies: read by name, written with the attributes that keep them ours alone.

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

/// A secret: only our own pages send it, only over a safe line, and no script can read it. `name` starts with `__Host-`,
/// so no other host can plant one.
pub fn http_only(name: &str, value: &str, life: Duration) -> HeaderValue {
    header_value(format!("{name}={value}; Path=/; Max-Age={}; Secure; HttpOnly; SameSite=Lax", life.as_secs()))
}

/// A remark that scripts may read and that is worth nothing; its name has the prefix too, so that no other host can plant one.
pub fn script_readable(name: &str, value: &str, life: Duration) -> HeaderValue {
    header_value(format!("{name}={value}; Path=/; Max-Age={}; Secure; SameSite=Lax", life.as_secs()))
}

/// Takes a cookie away.
pub fn delete(name: &str) -> HeaderValue {
    header_value(format!("{name}=; Path=/; Max-Age=0; Secure; SameSite=Lax"))
}

fn header_value(text: String) -> HeaderValue {
    // Names are ours and values are base64: always a header value.
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
