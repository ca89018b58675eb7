//! Renders the content of `<head>`: title, description, canonical URL, tags for social networks, structured data for
//! search engines, and what the browser should fetch first.
#![expect(clippy::indexing_slicing, reason = "reading a JSON value by a name that is missing gives null")]

use std::fmt::Write;

use serde_json::{Value, json};

use crate::platform::config::{Config, Shop};

pub struct Head {
    pub title: String,
    pub description: String,
    /// The path of the page's canonical URL; `None` excludes the page from search engines.
    pub canonical: Option<String>,
    pub image: Option<String>,
    pub structured: Vec<Value>,
    /// The `srcset` and `sizes` of the picture that is the largest thing on the screen.
    pub picture: Option<(String, &'static str)>,
    /// Style sheets that the first view needs besides the one that every page has.
    pub styles: &'static [String],
    pub scripts: &'static [String],
}

impl Head {
    pub fn render(&self, config: &Config, brand: &str) -> String {
        let mut out = String::with_capacity(2048);
        let title = escape(&self.title);
        let description = escape(&self.description);
        // Writing to a String does not fail.
        let _ = write!(out, "<title>{title}</title><meta name=\"description\" content=\"{description}\">");
        match &self.canonical {
            Some(path) => {
                let address = escape(&format!("{}{path}", config.public_url));
                let _ = write!(
                    out,
                    "<link rel=\"canonical\" href=\"{address}\"><meta property=\"og:url\" content=\"{address}\">"
                );
            }
            None => out.push_str("<meta name=\"robots\" content=\"noindex\">"),
        }
        let image = escape(&format!("{}{}", config.public_url, self.image.as_deref().unwrap_or("/og.png")));
        let brand = escape(brand);
        let _ = write!(
            out,
            "<meta property=\"og:title\" content=\"{title}\"><meta property=\"og:description\" content=\"{description}\">\
             <meta property=\"og:type\" content=\"website\"><meta property=\"og:site_name\" content=\"{brand}\">\
             <meta property=\"og:image\" content=\"{image}\"><meta name=\"twitter:card\" content=\"summary\">"
        );
        if let Some((set, sizes)) = &self.picture {
            let _ = write!(
                out,
                "<link rel=\"preload\" as=\"image\" imagesrcset=\"{}\" imagesizes=\"{sizes}\" fetchpriority=\"high\">",
                escape(set)
            );
        }
        for file in self.styles {
            let _ = write!(out, "<link rel=\"stylesheet\" crossorigin href=\"{}\">", escape(file));
        }
        if !self.scripts.is_empty() {
            // This is not `modulepreload`, because the scripts wait for the first paint (`web/src/boot.ts`).
            let _ = write!(out, "<meta name=\"page-scripts\" content=\"{}\">", escape(&self.scripts.join(" ")));
        }
        for data in &self.structured {
            let _ = write!(out, "<script type=\"application/ld+json\">{}</script>", script_json(data));
        }
        out
    }
}

/// Serializes JSON for a `<script>` element; nothing in it can end the element.
pub fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

pub fn organization(config: &Config, shop: &Shop) -> Value {
    let mut organization = json!({
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": shop.brand,
        "alternateName": shop.brand_ne,
        "url": config.public_url,
        "logo": format!("{}/icon-512.png", config.public_url),
        "email": shop.contact.email,
        "telephone": shop.contact.phone,
        "address": shop.contact.address,
        "sameAs": shop.social.iter().map(|link| &link.url).collect::<Vec<_>>(),
    });
    if let Some(fields) = organization.as_object_mut() {
        fields.retain(|_, value| value != "" && *value != json!([]));
    }
    organization
}

/// The breadcrumbs of a page: names and paths, the page itself last.
pub fn breadcrumbs(config: &Config, steps: &[(&str, String)]) -> Value {
    let items: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(index, (name, path))| {
            json!({
                "@type": "ListItem",
                "position": index + 1,
                "name": name,
                "item": format!("{}{path}", config.public_url),
            })
        })
        .collect();
    json!({ "@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": items })
}

/// `product` is the product as the API returns it, from the page's first data.
pub fn product(config: &Config, product: &Value, path: &str) -> Value {
    let in_stock = product["stock"].as_i64().unwrap_or(0) > 0;
    let availability = if in_stock { "InStock" } else { "OutOfStock" };
    let mut data = json!({
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product["name"],
        "alternateName": product["nameNe"],
        "description": product["description"],
        "sku": product["slug"],
        "category": product["category"],
        "offers": {
            "@type": "Offer",
            "url": format!("{}{path}", config.public_url),
            "price": product["price"],
            "priceCurrency": "NPR",
            "availability": format!("https://schema.org/{availability}"),
        },
    });
    if let Some(ends_at) = product["saleEndsAt"].as_str() {
        data["offers"]["priceValidUntil"] = json!(ends_at);
    }
    if let Some(image) = product["image"].as_str() {
        let more = product["moreImages"].as_array().into_iter().flatten().filter_map(|more| more["image"].as_str());
        let images = std::iter::once(image).chain(more).map(|image| format!("{}{image}", config.public_url));
        data["image"] = json!(images.collect::<Vec<_>>());
    }
    if product["reviews"].as_i64().unwrap_or(0) > 0 {
        data["aggregateRating"] =
            json!({ "@type": "AggregateRating", "ratingValue": product["rating"], "reviewCount": product["reviews"] });
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_name_cannot_leave_its_script() {
        let text = script_json(&json!({ "name": "</script><script>alert(1)</script>" }));

        assert!(!text.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["name"], "</script><script>alert(1)</script>");
    }
}
