//! What the server says to people, in the language they read.
//!
//! The code speaks English, and the English sentence is the key: `translations.json` holds its Nepali beside it, by room.
//! Parts in braces are what a sentence is about; they are found in the English text and put into the Nepali one. So a
//! sentence that was written down by a job, before anybody knew who would read it, is translated when it is read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::Serializer;
use tokio::task::futures::TaskLocalFuture;

use super::numerals::localize_digits;
use super::web::Language;

tokio::task_local! {
    static LANGUAGE: Language;
}

/// Does `work` for somebody who reads this language.
pub fn with_language<F: Future>(language: Language, work: F) -> TaskLocalFuture<Language, F> {
    LANGUAGE.scope(language, work)
}

/// A sentence in the language of whoever this request is for.
pub fn translate(sentence: &str) -> Cow<'_, str> {
    match LANGUAGE.try_with(|language| *language).unwrap_or(Language::English) {
        Language::English => Cow::Borrowed(sentence),
        Language::Nepali => translate_to_nepali(sentence).map_or(Cow::Borrowed(sentence), Cow::Owned),
    }
}

/// For the fields of answers that people read.
pub fn serialize_translated<S: Serializer>(sentence: &impl AsRef<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&translate(sentence.as_ref()))
}

struct Pattern {
    /// The texts around the parts: one more than there are parts.
    literals: Vec<String>,
    placeholders: Vec<String>,
    nepali: String,
}

struct Translations {
    exact: HashMap<String, String>,
    patterns: Vec<Pattern>,
}

static TRANSLATIONS: LazyLock<Translations> = LazyLock::new(|| {
    let modules: BTreeMap<String, BTreeMap<String, String>> =
        serde_json::from_str(include_str!("translations.json")).unwrap_or_default();
    let mut sentences = Translations { exact: HashMap::new(), patterns: Vec::new() };
    for (english, nepali) in modules.into_values().flatten() {
        let (literals, placeholders) = split_template(&english);
        if placeholders.is_empty() {
            sentences.exact.insert(english, nepali);
        } else {
            sentences.patterns.push(Pattern { literals, placeholders, nepali });
        }
    }
    sentences
});

/// `Only {left} left of {product}.`: the texts around the parts, and the parts.
fn split_template(template: &str) -> (Vec<String>, Vec<String>) {
    let (mut literals, mut placeholders) = (Vec::new(), Vec::new());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((part, after)) = after.split_once('}') else { break };
        literals.push(before.to_owned());
        placeholders.push(part.to_owned());
        rest = after;
    }
    literals.push(rest.to_owned());
    (literals, placeholders)
}

/// What is longer, or of more sentences, is not ours alone: somebody's own words are quoted in it, and they may be chosen
/// so that trying to understand them takes for ever.
const MAX_LENGTH: usize = 4096;
const MAX_SENTENCES: usize = 24;

fn translate_to_nepali(text: &str) -> Option<String> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    // Several sentences in a row, each of which may be about something, also about a thing with a full stop in its name.
    let begins: Vec<usize> = std::iter::once(0).chain(text.match_indices(". ").map(|(dot, _)| dot + 2)).collect();
    if begins.len() > MAX_SENTENCES {
        return None;
    }
    // From the last to the first: how a rest reads is found out once, however many ways lead to it.
    let mut rests: Vec<(usize, Option<String>)> = Vec::with_capacity(begins.len());
    for &begin in begins.iter().rev() {
        let rest = text[begin..].trim_start();
        let several = || {
            let mut nearest_first = rests.iter().rev();
            nearest_first.find_map(|(next, read)| {
                read.as_ref()
                    .and_then(|read| Some(format!("{} {read}", translate_sentence(text[begin..*next].trim())?)))
            })
        };
        let read = TRANSLATIONS.exact.get(rest).cloned().or_else(several).or_else(|| translate_sentence(rest));
        rests.push((begin, read));
    }
    rests.pop().and_then(|(_, read)| read)
}

fn translate_sentence(sentence: &str) -> Option<String> {
    let exact = TRANSLATIONS.exact.get(sentence).cloned();
    exact.or_else(|| TRANSLATIONS.patterns.iter().find_map(|pattern| pattern.fill(sentence)))
}

impl Pattern {
    fn fill(&self, sentence: &str) -> Option<String> {
        let (first, between) = self.literals.split_first()?;
        let (last, between) = between.split_last()?;
        let mut rest = sentence.strip_prefix(first.as_str())?.strip_suffix(last.as_str())?;
        let mut nepali = self.nepali.clone();
        let mut put = |part: &str, value: &str| nepali = nepali.replace(&format!("{{{part}}}"), &localize_value(value));
        let mut parts = self.placeholders.iter();
        for text in between {
            let (value, after) = rest.split_once(text.as_str())?;
            put(parts.next()?, value);
            rest = after;
        }
        put(parts.next()?, rest);
        Some(nepali)
    }
}

/// Numbers in the reader's digits; names as they are.
fn localize_value(value: &str) -> String {
    if value.chars().all(|c| c.is_ascii_digit()) { localize_digits(Language::Nepali, value) } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Not sentences for people: the contract's own words, what only programs and operators read, and names.
    const NOT_TRANSLATED: [&str; 17] = [
        "Order Placed",
        "Order Confirmed",
        "Order Shipped",
        "Out for Delivery",
        "Payment Pending",
        "Payment Failed",
        "A product",
        "Mac OS X",
        "Samsung Internet",
        "Made by the client, stored before sending",
        "As it was sent",
        "To the provider",
        "To the page that was left, with ?google=verified or ?google=failed",
        "Key {}",
        "Ward {}",
        "VP8 ",
        "The contract of the shop. Every answer is {}; a failed one adds `code`.",
    ];
    /// Where nobody but programs and operators is spoken to.
    const FILES_WITHOUT_MESSAGES: [&str; 8] =
        ["main.rs", "manage.rs", "config.rs", "store.rs", "demo.rs", "telemetry.rs", "jobs.rs", "head.rs"];

    #[test]
    fn words_of_others_that_fit_a_sentence_again_and_again_are_given_up_at_once() {
        let bait = "a is sold out. ".repeat(23) + "z";

        assert_eq!(translate_to_nepali(&bait), None);
        assert_eq!(translate_to_nepali(&"a is sold out. ".repeat(10_000)), None);
        assert_eq!(translate_to_nepali(&". ".repeat(2_000)), None);
        let few = translate_to_nepali("a is sold out. ".repeat(3).trim_end());
        assert_eq!(few.map(|text| text.matches('a').count()), Some(3));
    }

    #[test]
    fn every_sentence_of_the_server_has_its_nepali() {
        let known: Vec<String> = all().map(|(english, _)| without_names(&english)).collect();
        let mut missing = Vec::new();
        let mut seen = 0;
        for file in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
            let text = fs::read_to_string(&file).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for literal in literals(text).filter(|literal| is_sentence(literal)) {
                let plain = without_names(&literal);
                seen += 1;
                if !NOT_TRANSLATED.contains(&plain.as_str()) && !known.contains(&plain) {
                    missing.push(format!("{}: {literal}", file.display()));
                }
            }
        }
        assert_eq!(missing, Vec::<String>::new());
        assert!(seen > 150, "only {seen} sentences were found: is the search still right?");
    }

    #[test]
    fn nepali_sentences_are_nepali_and_about_the_same_things() {
        for (english, nepali) in all() {
            assert!(nepali.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c)), "{english}: {nepali}");
            let sorted = |text: &str| {
                let mut parts = split_template(text).1;
                parts.sort();
                parts
            };
            assert_eq!(sorted(&english), sorted(&nepali), "{english}");
        }
    }

    #[test]
    fn what_a_sentence_is_about_is_put_into_the_nepali_one() {
        let told = |text: &str| translate_to_nepali(text).unwrap();

        assert_eq!(told("Product not found"), "सामान भेटिएन");
        assert_eq!(told("The column 'colour' is not known."), "‘colour’ स्तम्भ चिनिएन।");
        assert_eq!(told("Row 12 has the same slug."), "पङ्क्ति १२ को slug पनि यही छ।");
        assert_eq!(told("Only 3 left of Mustard Oil 1 L."), "Mustard Oil 1 L ३ मात्र बाँकी छ।");
        assert_eq!(told("Only 1 left of Tea. Rice is sold out."), "Tea १ मात्र बाँकी छ। Rice सकियो।");
        assert_eq!(
            told("Too many attempts. Please try again in 40 seconds."),
            "धेरै पटक प्रयास भयो। ४० सेकेन्डपछि फेरि प्रयास गर्नुहोस्।"
        );
        assert_eq!(translate_to_nepali("A sentence that nobody has translated."), None);
    }

    #[tokio::test]
    async fn english_is_never_touched() {
        assert_eq!(translate("Product not found"), "Product not found");
        let english = with_language(Language::English, async { translate("Product not found").into_owned() }).await;
        let nepali = with_language(Language::Nepali, async { translate("Product not found").into_owned() }).await;

        assert_eq!(english, "Product not found");
        assert_eq!(nepali, "सामान भेटिएन");
    }

    fn all() -> impl Iterator<Item = (String, String)> {
        let modules: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_str(include_str!("translations.json")).unwrap();
        modules.into_values().flatten()
    }

    /// `{products} left` and `{} left` are the same sentence.
    fn without_names(text: &str) -> String {
        split_template(text).0.join("{}")
    }

    fn is_sentence(literal: &str) -> bool {
        let without = literal.trim_start_matches(['{', '}']);
        let begins =
            without.starts_with(|c: char| c.is_ascii_uppercase()) || literal.starts_with('{') && literal.ends_with('.');
        let sql = ["SELECT ", "INSERT ", "UPDATE ", "WHERE ", "ORDER BY ", "GRANT ", "SET "];
        begins
            && literal.contains(' ')
            && !sql.iter().any(|word| literal.starts_with(word))
            && !literal.contains(['<', '=', '\\'])
    }

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(sources(&path));
            } else if path.extension().is_some_and(|kind| kind == "rs")
                && !path.file_name().is_some_and(|name| FILES_WITHOUT_MESSAGES.iter().any(|silent| name == *silent))
            {
                found.push(path);
            }
        }
        found
    }

    /// The texts between quotation marks, outside of comments.
    fn literals(source: &str) -> impl Iterator<Item = String> {
        source.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|line| {
            let line = line.replace("\\\"", "'");
            line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        })
    }
}
