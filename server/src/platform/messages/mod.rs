//! What the server says to people: a message is an id with arguments until it is written for a reader.
//!
//! The texts are in `data/messages/server`, in ICU `MessageFormat`. Errors, replies and stored import problems carry a
//! [`Message`]; it is rendered once, when the response, the page or the email is written (decision 063).

mod argument;
mod icu;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize, Serializer};
use tokio::task::futures::TaskLocalFuture;

pub use self::argument::{Argument, Arguments};
use self::icu::Pattern;
use super::language::Language;

tokio::task_local! {
    static LANGUAGE: Language;
}

/// Runs `work` for a reader of this language.
pub fn with_language<F: Future>(language: Language, work: F) -> TaskLocalFuture<Language, F> {
    LANGUAGE.scope(language, work)
}

/// The language of the reader that this request is for; English outside of a request.
fn reader_language() -> Language {
    LANGUAGE.try_with(|language| *language).unwrap_or(Language::English)
}

/// A message: `message!("api.orders.few_left", left = 3, product = name)`. A test compares the id and the names of the arguments
/// with the catalogue.
macro_rules! message {
    ($id:literal $(,)?) => { $crate::platform::messages::Message::new($id) };
    ($id:literal, $($name:ident = $value:expr),+ $(,)?) => {
        $crate::platform::messages::Message::new($id)$(.with(stringify!($name), $value))+
    };
}
pub(crate) use message;

/// Serialized, as a job stores it, it is `{id, args}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    id: Cow<'static, str>,
    #[serde(rename = "args", default, skip_serializing_if = "BTreeMap::is_empty")]
    arguments: Arguments,
}

impl Message {
    /// Use the macro `message!`, so that the test finds the id.
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), arguments: BTreeMap::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Argument>) -> Self {
        self.arguments.insert(Cow::Borrowed(name), value.into());
        self
    }
}

/// What can be shown to a reader.
pub trait Render {
    fn render(&self, language: Language) -> String;
}

impl Render for Message {
    fn render(&self, language: Language) -> String {
        render_by_id(language, &self.id, &self.arguments)
    }
}

impl<T: Render> Render for &T {
    fn render(&self, language: Language) -> String {
        T::render(self, language)
    }
}

/// No message is an empty text.
impl<T: Render> Render for Option<T> {
    fn render(&self, language: Language) -> String {
        self.as_ref().map(|message| message.render(language)).unwrap_or_default()
    }
}

/// Several messages are sentences that follow each other.
impl Render for Vec<Message> {
    fn render(&self, language: Language) -> String {
        self.iter().map(|message| message.render(language)).collect::<Vec<_>>().join(" ")
    }
}

impl From<Message> for Vec<Message> {
    fn from(message: Message) -> Self {
        vec![message]
    }
}

/// A message that a job stored. Before decision 063 jobs stored the finished English text; it is shown as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredMessage {
    Message(Message),
    Text(String),
}

impl From<Message> for StoredMessage {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl Render for StoredMessage {
    fn render(&self, language: Language) -> String {
        match self {
            Self::Message(message) => message.render(language),
            Self::Text(text) => text.clone(),
        }
    }
}

/// For the fields of responses that people read: `#[serde(serialize_with = "messages::serialize_rendered")]`.
pub fn serialize_rendered<S: Serializer>(message: &impl Render, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&message.render(reader_language()))
}

/// The texts of a language: the server's own, and those of the web app, which the first HTML needs.
struct Catalogue(HashMap<String, Pattern>);

/// The messages of the web app: one file for each part and language.
#[derive(RustEmbed)]
#[folder = "../data/messages/web"]
struct WebFiles;

static ENGLISH: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::load(Language::English));
static NEPALI: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::load(Language::Nepali));

impl Catalogue {
    fn load(language: Language) -> Self {
        let texts = server_texts(language).into_iter().chain(web_texts(language));
        Self(texts.map(|(id, text)| (id, Pattern::parse(&text).unwrap_or_else(|_| Pattern::literal(&text)))).collect())
    }

    fn of(language: Language) -> &'static Self {
        match language {
            Language::English => &ENGLISH,
            Language::Nepali => &NEPALI,
        }
    }
}

const fn server_file(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("../../../../data/messages/server/en.json"),
        Language::Nepali => include_str!("../../../../data/messages/server/ne.json"),
    }
}

fn server_texts(language: Language) -> BTreeMap<String, String> {
    serde_json::from_str(server_file(language)).unwrap_or_default()
}

fn web_texts(language: Language) -> BTreeMap<String, String> {
    let suffix = format!(".{}.json", language.code());
    let files = WebFiles::iter().filter(|name| name.ends_with(&suffix)).filter_map(|name| WebFiles::get(&name));
    files.flat_map(|file| serde_json::from_slice::<BTreeMap<String, String>>(&file.data).unwrap_or_default()).collect()
}

/// For the templates of the first HTML, whose ids are not in the code. An unknown id is shown as it is.
pub fn render_by_id(language: Language, id: &str, arguments: &Arguments) -> String {
    let pattern = Catalogue::of(language).0.get(id);
    pattern.map_or_else(|| id.to_owned(), |pattern| pattern.format(language, arguments))
}

/// For the pages' titles: the text of a message without arguments. An unknown id is shown as it is.
pub fn text_by_id(language: Language, id: &'static str) -> &'static str {
    Catalogue::of(language).0.get(id).and_then(Pattern::as_text).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::platform::money::Paisa;

    const LANGUAGES: [Language; 2] = [Language::English, Language::Nepali];

    fn few_left() -> Message {
        message!("api.orders.few_left", left = 3, product = "Mustard Oil 1 L")
    }

    #[test]
    fn a_message_is_rendered_in_either_language() {
        assert_eq!(few_left().render(Language::English), "Only 3 left of Mustard Oil 1 L.");
        assert_eq!(few_left().render(Language::Nepali), "Mustard Oil 1 L ३ मात्र बाँकी छ।");
        let two = vec![few_left(), message!("api.orders.sold_out", product = "Rice")];
        assert_eq!(two.render(Language::English), "Only 3 left of Mustard Oil 1 L. Rice is sold out.");
        assert_eq!(None::<Message>.render(Language::Nepali), "");
        assert_eq!(Message::new("no.such.id").render(Language::English), "no.such.id");
    }

    #[test]
    fn an_amount_is_a_number_of_rupees() {
        let limit = |paisa| message!("api.orders.too_large", most = Paisa(paisa));

        assert_eq!(
            limit(2_500_000).render(Language::English),
            "An order can total at most 25,000 rupees. Please order less."
        );
        assert!(limit(113_110).render(Language::English).contains("1131.10 rupees"));
        assert!(limit(113_110).render(Language::Nepali).contains("११३१.१०"));
    }

    #[test]
    fn a_stored_message_is_read_again_and_an_old_text_is_shown_as_it_is() {
        let stored = json!({ "id": "api.orders.few_left", "args": { "left": 3, "product": "Mustard Oil 1 L" } });
        assert_eq!(serde_json::to_value(few_left()).unwrap(), stored);
        assert_eq!(serde_json::to_value(message!("imports.empty")).unwrap(), json!({ "id": "imports.empty" }));

        let read: StoredMessage = serde_json::from_value(stored).unwrap();
        assert_eq!(read, few_left().into());
        let old: StoredMessage = serde_json::from_value(json!("Unknown column 'colour'.")).unwrap();
        assert_eq!(old.render(Language::Nepali), "Unknown column 'colour'.");
    }

    #[tokio::test]
    async fn a_response_is_written_in_the_language_of_its_reader() {
        #[derive(Serialize)]
        struct Body {
            #[serde(serialize_with = "serialize_rendered")]
            message: Message,
        }
        let written = || serde_json::to_value(Body { message: message!("api.products.not_found") }).unwrap();

        assert_eq!(written(), json!({ "message": "Product not found" }));
        let nepali = with_language(Language::Nepali, async { written() }).await;
        assert_eq!(nepali, json!({ "message": "सामान भेटिएन" }));
    }

    #[test]
    fn both_catalogues_have_the_same_sorted_ids_and_arguments() {
        let [english, nepali] = LANGUAGES.map(server_texts);
        assert!(english.len() > 150);
        assert_eq!(english.keys().collect::<Vec<_>>(), nepali.keys().collect::<Vec<_>>());
        for (id, text) in &english {
            let names = |text: &str| {
                let pattern = Pattern::parse(text).unwrap_or_else(|error| panic!("{id}: {error}"));
                pattern.argument_names().into_iter().map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(names(text), names(&nepali[id]), "{id}");
        }
        for language in LANGUAGES {
            let ids: Vec<&str> =
                server_file(language).lines().filter_map(|line| line.trim().split('"').nth(1)).collect();
            assert!(ids.is_sorted(), "the ids are not sorted");
        }
    }

    #[test]
    fn nepali_is_nepali() {
        for (id, text) in server_texts(Language::Nepali) {
            assert!(text.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c)), "{id}: {text}");
        }
    }

    #[test]
    fn the_messages_of_the_web_app_are_understood_and_have_other_ids() {
        for language in LANGUAGES {
            let (server, web) = (server_texts(language), web_texts(language));
            assert!(web.len() > 1000, "only {} messages of the web app were found", web.len());
            for (id, text) in web {
                assert!(!server.contains_key(&id), "{id} is in both catalogues");
                assert!(Pattern::parse(&text).is_ok(), "{id}: {text}");
            }
        }
    }

    /// A use of the macro in the code: the id and the names of its arguments.
    struct Use {
        place: String,
        id: String,
        arguments: BTreeSet<String>,
    }

    #[test]
    fn every_id_in_the_code_is_in_the_catalogue_and_every_id_is_used() {
        let mut uses = Vec::new();
        find_uses(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut uses);
        assert!(uses.len() > 150, "only {} messages were found: is the search still right?", uses.len());
        for found in &uses {
            let pattern = ENGLISH.0.get(&found.id);
            let pattern = pattern.unwrap_or_else(|| panic!("{}: there is no message '{}'", found.place, found.id));
            let names: BTreeSet<String> = pattern.argument_names().into_iter().map(str::to_owned).collect();
            assert_eq!(found.arguments, names, "{}: {}", found.place, found.id);
        }
        let used: BTreeSet<&str> = uses.iter().map(|found| found.id.as_str()).collect();
        let unused: Vec<String> =
            server_texts(Language::English).into_keys().filter(|id| !used.contains(id.as_str())).collect();
        assert_eq!(unused, Vec::<String>::new(), "nothing uses these messages");
    }

    fn find_uses(folder: &Path, uses: &mut Vec<Use>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                find_uses(&path, uses);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                let code = code.join("\n");
                let calls = code.split("message!(").skip(1).filter(|call| call.trim_start().starts_with('"'));
                uses.extend(calls.map(|call| parse_use(&path, call)));
            }
        }
    }

    /// `"id", name = value, …)`
    fn parse_use(path: &Path, call: &str) -> Use {
        let (mut depth, mut quoted, mut part) = (0_i32, false, String::new());
        let mut parts = Vec::new();
        for c in call.chars() {
            match c {
                '"' => quoted = !quoted,
                '(' | '[' | '{' if !quoted => depth += 1,
                ')' if !quoted && depth == 0 => break,
                ')' | ']' | '}' if !quoted => depth -= 1,
                ',' if !quoted && depth == 0 => {
                    parts.push(std::mem::take(&mut part));
                    continue;
                }
                _ => {}
            }
            part.push(c);
        }
        parts.push(part);
        let mut parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
        let id = parts.next().unwrap_or_default().trim_matches('"').to_owned();
        let names = parts.map(|part| part.split('=').next().unwrap_or_default().trim().to_owned());
        Use { place: path.display().to_string(), id, arguments: names.collect() }
    }
}
