//! The small Markdown subset in which the shop's staff write: headings, paragraphs, lists, quotes, emphasis and links.
//! The writer is trusted to write text, not to write HTML: raw HTML is shown as text, pictures become their
//! description, and a second library removes whatever else a browser would execute (decision 075).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, html};

/// Links may lead to these, and to paths of the shop.
const URL_SCHEMES: [&str; 3] = ["https://", "mailto:", "tel:"];

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from(["h2", "h3", "p", "ul", "ol", "li", "strong", "em", "a", "br", "hr", "blockquote", "code"]))
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"])), ("ol", HashSet::from(["start"]))]))
        .url_schemes(HashSet::from(["https", "mailto", "tel"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener nofollow"));
    builder
});

/// Renders the text as HTML that can be put into a page as it is.
pub fn to_html(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut out, parse(markdown).into_iter());
    SANITIZER.clean(&out).to_string()
}

/// Renders the text as the plain text of an email: the address of a link follows its name.
pub fn to_text(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut links: Vec<String> = Vec::new();
    for event in parse(markdown) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Item) => out.push('\n'),
            Event::Rule | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::List(_)) => out.push_str("\n\n"),
            Event::Start(Tag::Item) => out.push_str("- "),
            Event::Start(Tag::Link { dest_url, .. }) => links.push(dest_url.to_string()),
            Event::End(TagEnd::Link) => {
                if let Some(url) = links.pop().filter(|url| !url.is_empty() && !out.ends_with(url.as_str())) {
                    out.extend([" (", &url, ")"]);
                }
            }
            _ => {}
        }
    }
    let lines = out.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    lines.collect::<Vec<_>>().join("\n\n")
}

/// Makes a value safe to put into Markdown: it is shown as it is, whatever characters it contains.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_[]<>#|!&".contains(character) {
            out.push('\\');
        }
        out.push(if character.is_control() { ' ' } else { character });
    }
    out
}

/// The parts of the text that are allowed. The page has its own main heading, so headings begin at the second level.
fn parse(markdown: &str) -> Vec<Event<'_>> {
    let mut events = Vec::new();
    for event in Parser::new(markdown) {
        events.push(match event {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::HtmlBlock | Tag::CodeBlock(_)) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock | TagEnd::CodeBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
                level: shown_level(level),
                id: None,
                classes: Vec::new(),
                attrs: Vec::new(),
            }),
            Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(shown_level(level))),
            // The description of a picture remains, because it is the content of the element.
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => continue,
            Event::Start(Tag::Link { dest_url, .. }) => Event::Start(Tag::Link {
                link_type: LinkType::Inline,
                dest_url: if is_allowed_url(&dest_url) { dest_url } else { CowStr::Borrowed("") },
                title: CowStr::Borrowed(""),
                id: CowStr::Borrowed(""),
            }),
            other => other,
        });
    }
    events
}

const fn shown_level(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 | HeadingLevel::H2 => HeadingLevel::H2,
        _ => HeadingLevel::H3,
    }
}

fn is_allowed_url(url: &str) -> bool {
    let local = url.starts_with('/') && !url.starts_with("//") && !url.contains('\\');
    let lower = url.to_ascii_lowercase();
    local || URL_SCHEMES.iter().any(|scheme| lower.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subset_is_rendered() {
        let html =
            to_html("# Title\n\nOne **bold** and *slanted*\n\n- a\n- b\n\n[Shop](/products) [Mail](mailto:a@b.np)");

        assert!(html.contains("<h2>Title</h2>"), "{html}");
        assert!(html.contains("<strong>bold</strong> and <em>slanted</em>"), "{html}");
        assert!(html.contains("<li>a</li>"), "{html}");
        assert!(html.contains("href=\"/products\""), "{html}");
        assert!(html.contains("href=\"mailto:a@b.np\""), "{html}");
    }

    #[test]
    fn nothing_that_a_browser_would_run_or_load_gets_through() {
        for hostile in [
            "<script>alert(1)</script>",
            "text <img src=x onerror=alert(1)> text",
            "<iframe src=\"https://evil.example\"></iframe>",
            "[press](javascript:alert(1))",
            "[press](JaVaScRiPt:alert(1))",
            "[press](data:text/html,<script>alert(1)</script>)",
            "[press](//evil.example)",
            "[press](/\\evil.example)",
            "[press](http://plain.example)",
            "![a picture](https://evil.example/track.gif)",
            "<a href=\"javascript:alert(1)\">x</a>",
            "<style>body{display:none}</style>",
            "<svg onload=alert(1)>",
            "<!-- comment --><b onclick=alert(1)>b</b>",
            "[a]: javascript:alert(1)\n\n[a]",
            "<javascript:alert(1)>",
            "```html\n<script>alert(1)</script>\n```",
        ] {
            let html = to_html(hostile);
            let lower = html.to_lowercase();
            for never in [
                "<script",
                "<img",
                "<iframe",
                "<style",
                "<svg",
                "<b ",
                "<a href=\"javascript",
                "<a href=\"data",
                "<a href=\"//",
                "<a href=\"http:",
                "<a href=\"https://evil",
                "<!--",
            ] {
                assert!(!lower.contains(never), "{hostile}: {html}");
            }
        }
    }

    #[test]
    fn raw_html_is_shown_as_the_text_it_is() {
        assert!(to_html("a <b>bold</b> word").contains("a &lt;b&gt;bold&lt;/b&gt; word"));
        assert_eq!(to_html("![a picture](x.png)").trim(), "<p>a picture</p>");
    }

    #[test]
    fn the_text_of_an_email_names_the_addresses_of_links() {
        let text = to_text("# News\n\nSee [our offers](https://a.np/offers).\n\n- rice\n- dal");

        assert_eq!(text, "News\n\nSee our offers (https://a.np/offers).\n\n- rice\n- dal");
    }

    #[test]
    fn a_value_is_shown_as_it_is() {
        for value in ["A*B* _c_", "<script>", "[x](javascript:1)", "# not a heading", "50% & more"] {
            let html = to_html(&format!("Name: {}", escape(value)));
            let shown = html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
            assert!(shown.contains(&format!("<p>Name: {value}</p>")), "{value}: {html}");
        }
    }
}
