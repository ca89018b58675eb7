//! Sets the security headers of every response.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// Pages may use scripts, styles, fonts and calls of our own origin only; nothing inline, nothing framed, nothing
/// embedded.
const PAGE_CSP: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
     connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; \
     object-src 'none'; frame-ancestors 'none'",
);
const DATA_CSP: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

const FIXED_HEADERS: [(HeaderName, HeaderValue); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin-allow-popups")),
    (
        HeaderName::from_static("permissions-policy"),
        // The search box reads barcodes with the camera.
        HeaderValue::from_static(
            "geolocation=(), camera=(self), microphone=(), payment=(), usb=(), interest-cohort=()",
        ),
    ),
];

/// Sets the security headers, unless they are already set.
pub fn set_security_headers(headers: &mut HeaderMap) {
    if headers.contains_key(header::X_FRAME_OPTIONS) {
        return;
    }
    let kind = headers.get(header::CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let policy = if is_page { PAGE_CSP } else { DATA_CSP };
    // A response may have a stricter policy of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    for (name, value) in FIXED_HEADERS {
        headers.entry(name).or_insert(value);
    }
}

/// Turns the headers into those of a 304. Browsers update the headers of the cached page with them, so they must not
/// describe the body or contain the policy of another content type.
pub fn strip_body_headers(headers: &mut HeaderMap) {
    headers.remove(header::CONTENT_TYPE);
    headers.remove(header::CONTENT_ENCODING);
    headers.remove(header::CONTENT_SECURITY_POLICY);
}
