//! The files of the built web app, embedded in the binary with their compressed forms.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::platform::api_error::ApiError;
use crate::platform::cache::{Encoding, short_hash};
use crate::platform::config::Config;
use crate::platform::language::Language;
use crate::platform::messages::message;

/// `web/dist`; a checkout whose web app was never built serves [`UNBUILT`] instead.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

const UNBUILT: &str = include_str!("unbuilt.html");
const PREFERENCE: [Encoding; 3] = [Encoding::Brotli, Encoding::Zstd, Encoding::Gzip];

static WEB_BUILD: LazyLock<WebBuild> = LazyLock::new(WebBuild::load);

struct WebBuild {
    files: HashMap<String, File>,
    index: String,
    /// Maps a page's source file to the scripts that it needs besides the entry's, including the app's own.
    chunks: HashMap<String, PageScripts>,
    /// Maps a page's source file to the style sheets that it needs besides the entry's.
    styles: HashMap<String, Vec<String>>,
}

struct File {
    content_type: HeaderValue,
    tag: String,
    plain: Bytes,
    brotli: Option<Bytes>,
    zstd: Option<Bytes>,
    gzip: Option<Bytes>,
}

#[derive(Deserialize)]
struct ManifestEntry {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    css: Vec<String>,
}

type Manifest = HashMap<String, ManifestEntry>;

/// The messages are in other files for each language.
struct PageScripts {
    english: Vec<String>,
    nepali: Vec<String>,
}

impl WebBuild {
    fn load() -> Self {
        let read = |name: &str| {
            Dist::get(name).map(|file| match file.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => Bytes::from(bytes),
            })
        };
        let mut files = HashMap::new();
        for name in Dist::iter() {
            let compressed = [".br", ".zst", ".gz"].iter().any(|suffix| name.ends_with(suffix));
            if compressed || name.starts_with('.') || name == "index.html" {
                continue;
            }
            let Some(plain) = read(&name) else { continue };
            files.insert(
                format!("/{name}"),
                File {
                    content_type: HeaderValue::from_static(content_type(&name)),
                    tag: short_hash(&plain),
                    plain,
                    brotli: read(&format!("{name}.br")),
                    zstd: read(&format!("{name}.zst")),
                    gzip: read(&format!("{name}.gz")),
                },
            );
        }
        let index = read("index.html").and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
        let manifest: Option<Manifest> =
            read(".vite/manifest.json").and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            files,
            index: index.unwrap_or_else(|| UNBUILT.to_owned()),
            chunks: manifest.as_ref().map(|manifest| chunks(manifest, &message_parts())).unwrap_or_default(),
            styles: manifest.as_ref().map(styles).unwrap_or_default(),
        }
    }
}

/// The page that Vite built; the browser loads its scripts and styles anyway.
const ENTRY_MODULE: &str = "index.html";
/// The app that every page shares; the entry fetches it after the first paint (`web/src/boot.ts`).
const APP_MODULE: &str = "src/main.tsx";
/// What the app needs besides the messages of the page to be shown in Nepali.
const NEPALI_MODULE: &str = "src/lib/nepali.ts";

/// Maps each module of the web app that is loaded on demand to the parts of the messages that it needs.
type MessageParts = HashMap<String, Vec<String>>;

fn message_parts() -> MessageParts {
    serde_json::from_str(include_str!("../../../data/messages/parts.json")).unwrap_or_default()
}

/// For each module of the manifest, the files that are needed to show it: each after its imports, so that they can be
/// run one by one. Files that the entry loads anyway are left out.
fn chunks(manifest: &Manifest, parts: &MessageParts) -> HashMap<String, PageScripts> {
    let mut entry_order = ImportOrder::default();
    entry_order.visit(manifest, ENTRY_MODULE);
    let in_order = |page: &str, language: Language| {
        let module = page.strip_prefix("src/").and_then(|page| page.strip_suffix(".tsx")).unwrap_or_default();
        let mut order = entry_order.clone();
        for part in parts.get(module).into_iter().flatten() {
            order.visit(manifest, &format!("../data/messages/web/{part}.{}.json", language.code()));
        }
        order.visit(manifest, APP_MODULE);
        if language == Language::Nepali {
            order.visit(manifest, NEPALI_MODULE);
        }
        order.visit(manifest, page);
        let modules = order.found.into_iter().skip(entry_order.found.len());
        modules.filter_map(|name| manifest.get(name)).map(|entry| format!("/{}", entry.file)).collect()
    };
    let scripts = |page: &str| PageScripts {
        english: in_order(page, Language::English),
        nepali: in_order(page, Language::Nepali),
    };
    manifest.keys().map(|page| (page.clone(), scripts(page))).collect()
}

/// For each module of the manifest, its style sheets and those of all its imports, except the entry's own.
fn styles(manifest: &Manifest) -> HashMap<String, Vec<String>> {
    let of = |page: &str| {
        let mut order = ImportOrder::default();
        order.visit(manifest, page);
        let modules = order.found.into_iter().filter(|name| *name != ENTRY_MODULE);
        modules
            .filter_map(|name| manifest.get(name))
            .flat_map(|entry| &entry.css)
            .map(|file| format!("/{file}"))
            .collect()
    };
    manifest.keys().map(|name| (name.clone(), of(name))).collect()
}

/// Orders modules after their imports. In an import cycle the module that is visited first comes last.
#[derive(Clone, Default)]
struct ImportOrder<'a> {
    begun: HashSet<&'a str>,
    found: Vec<&'a str>,
}

impl<'a> ImportOrder<'a> {
    fn visit(&mut self, manifest: &'a Manifest, name: &str) {
        let Some((name, entry)) = manifest.get_key_value(name) else { return };
        if !self.begun.insert(name) {
            return;
        }
        for import in &entry.imports {
            self.visit(manifest, import);
        }
        self.found.push(name);
    }
}

/// The page that Vite built, with its placeholders.
pub fn index() -> &'static str {
    &WEB_BUILD.index
}

/// The scripts that a page needs besides the entry's. A page without a file of its own is part of the app.
pub fn page_scripts(module: &str, language: Language) -> &'static [String] {
    let scripts = WEB_BUILD.chunks.get(module).or_else(|| WEB_BUILD.chunks.get(APP_MODULE));
    scripts
        .map(|scripts| match language {
            Language::English => scripts.english.as_slice(),
            Language::Nepali => scripts.nepali.as_slice(),
        })
        .unwrap_or_default()
}

/// The style sheets that a page needs besides the entry's.
pub fn page_styles(module: &str) -> &'static [String] {
    WEB_BUILD.styles.get(module).map(Vec::as_slice).unwrap_or_default()
}

/// The web app manifest, which a phone reads before it adds the shop to its home screen.
pub fn manifest() -> Option<&'static [u8]> {
    WEB_BUILD.files.get("/manifest.webmanifest").map(|file| file.plain.as_ref())
}

/// The service worker, which makes the shop usable without a network. Its own response sets its policy: it may fetch,
/// and nothing else.
const SERVICE_WORKER: &str = "/sw.js";
/// Served in place of the other if the operator turns the service worker off: it deletes the caches and unregisters
/// itself.
const UNREGISTERING_SERVICE_WORKER: &str = "/last-sw.js";
const SERVICE_WORKER_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");

/// A file at the root of the site, such as the icon. Its name never changes, so it is cached for an hour only.
pub fn root_file(path: &str, request_headers: &HeaderMap, config: &Config) -> Option<Response> {
    if path != SERVICE_WORKER {
        return Some(WEB_BUILD.files.get(path)?.respond(request_headers, "public, max-age=3600"));
    }
    let file =
        WEB_BUILD.files.get(if config.service_worker { SERVICE_WORKER } else { UNREGISTERING_SERVICE_WORKER })?;
    // If browsers cached it for an hour, a bad one would stay for an hour.
    let mut response = file.respond(request_headers, "no-cache");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, SERVICE_WORKER_POLICY);
    Some(response)
}

/// Serves files whose name contains a hash of their content, so they never change.
pub async fn hashed_asset(Path(name): Path<String>, request_headers: HeaderMap) -> Response {
    match WEB_BUILD.files.get(&format!("/assets/{name}")) {
        Some(file) => file.respond(&request_headers, "public, max-age=31536000, immutable"),
        None => ApiError::not_found("file_not_found", message!("api.file_not_found")).into_response(),
    }
}

impl File {
    fn respond(&self, request_headers: &HeaderMap, caching: &'static str) -> Response {
        let offered: Vec<Encoding> =
            PREFERENCE.into_iter().filter(|encoding| self.encoded(*encoding).is_some()).collect();
        let encoding = Encoding::best(request_headers, &offered);
        let body = encoding.and_then(|encoding| self.encoded(encoding)).unwrap_or(&self.plain);
        let etag = format!("\"{}{}\"", self.tag, encoding.map_or("", Encoding::name));
        let known = request_headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == etag.as_bytes());
        let mut response = if known {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let mut response = Response::new(Body::from(body.clone()));
            response.headers_mut().insert(header::CONTENT_TYPE, self.content_type.clone());
            if let Some(encoding) = encoding {
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
            }
            response
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(etag) = HeaderValue::try_from(etag) {
            headers.insert(header::ETAG, etag);
        }
        response
    }

    fn encoded(&self, encoding: Encoding) -> Option<&Bytes> {
        match encoding {
            Encoding::Brotli => self.brotli.as_ref(),
            Encoding::Zstd => self.zstd.as_ref(),
            Encoding::Gzip => self.gzip.as_ref(),
        }
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(json: serde_json::Value) -> Manifest {
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn the_scripts_of_a_page_come_after_their_imports_and_its_messages_in_the_language_of_the_reader() {
        let manifest = manifest(serde_json::json!({
            "index.html": { "file": "boot.js", "imports": ["runtime"] },
            "runtime": { "file": "runtime.js" },
            "src/main.tsx": { "file": "app.js", "imports": ["runtime", "vendor"] },
            "vendor": { "file": "vendor.js" },
            "src/lib/nepali.ts": { "file": "nepali.js", "imports": ["src/main.tsx"] },
            "src/pages/home-page.tsx": { "file": "home.js", "imports": ["common", "src/main.tsx"] },
            "common": { "file": "common.js", "imports": ["src/main.tsx"] },
            "../data/messages/web/catalogue.en.json": { "file": "catalogue.en.js" },
            "../data/messages/web/catalogue.ne.json": { "file": "catalogue.ne.js" },
        }));
        let parts = HashMap::from([("pages/home-page".to_owned(), vec!["catalogue".to_owned()])]);

        let scripts = chunks(&manifest, &parts);

        let home = &scripts["src/pages/home-page.tsx"];
        assert_eq!(home.english, ["/catalogue.en.js", "/vendor.js", "/app.js", "/common.js", "/home.js"]);
        assert_eq!(home.nepali, ["/catalogue.ne.js", "/vendor.js", "/app.js", "/nepali.js", "/common.js", "/home.js"]);
        assert_eq!(scripts[APP_MODULE].english, ["/vendor.js", "/app.js"]);
    }

    #[test]
    fn modules_that_import_each_other_are_ordered_once_each() {
        let manifest = manifest(serde_json::json!({
            "a": { "file": "a.js", "imports": ["b"] },
            "b": { "file": "b.js", "imports": ["a"] },
        }));

        let scripts = chunks(&manifest, &HashMap::new());

        assert_eq!(scripts["a"].english, ["/b.js", "/a.js"]);
        assert_eq!(scripts["b"].english, ["/a.js", "/b.js"]);
    }

    #[test]
    fn a_page_brings_its_own_style_sheets_and_those_of_what_it_imports() {
        let manifest = manifest(serde_json::json!({
            "index.html": { "file": "boot.js", "css": ["index.css"] },
            "page": { "file": "page.js", "imports": ["frame", "index.html"], "css": ["page.css"] },
            "frame": { "file": "frame.js", "css": ["frame.css"] },
        }));

        let styles = styles(&manifest);

        assert_eq!(styles["page"], ["/frame.css", "/page.css"]);
        assert!(styles["index.html"].is_empty());
    }
}
