//! ICU `MessageFormat`: parsing a text of the catalogue, and formatting it with arguments.
//!
//! Supported are `{name}`, `{name, number}`, `{name, plural, …}` with `=1`, `one` and `other`, `{name, select, …}`, `#` and the
//! apostrophe rules. Other formats are an error, which a test finds in the catalogue (decision 063 says why this is not a crate).

use std::fmt::Write;

use super::argument::{Argument, Arguments};
use crate::platform::language::Language;
use crate::platform::numerals::{format_count, localize_digits};

/// A parsed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Argument(String),
    Number(String),
    Plural {
        argument: String,
        branches: Vec<Branch>,
    },
    Select {
        argument: String,
        branches: Vec<Branch>,
    },
    /// `#`, the number of the plural around it.
    Count,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Branch {
    key: String,
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {position}")]
pub struct ParseError {
    reason: &'static str,
    position: usize,
}

impl Pattern {
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut parser = Parser { text, position: 0 };
        let parts = parser.parts(false)?;
        if parser.peek().is_some() { Err(parser.error("unmatched '}'")) } else { Ok(Self(parts)) }
    }

    /// A text that is shown as it is.
    pub fn literal(text: &str) -> Self {
        Self(vec![Part::Text(text.to_owned())])
    }

    /// The text of a message without arguments.
    pub fn as_text(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub fn format(&self, language: Language, arguments: &Arguments) -> String {
        let mut out = String::new();
        write_parts(&mut out, &self.0, language, arguments, None);
        out
    }

    /// The names of its arguments, sorted.
    #[cfg(test)]
    pub fn argument_names(&self) -> std::collections::BTreeSet<&str> {
        fn collect<'a>(parts: &'a [Part], names: &mut std::collections::BTreeSet<&'a str>) {
            for part in parts {
                match part {
                    Part::Text(_) | Part::Count => {}
                    Part::Argument(name) | Part::Number(name) => {
                        names.insert(name);
                    }
                    Part::Plural { argument, branches } | Part::Select { argument, branches } => {
                        names.insert(argument);
                        for branch in branches {
                            collect(&branch.parts, names);
                        }
                    }
                }
            }
        }
        let mut names = std::collections::BTreeSet::new();
        collect(&self.0, &mut names);
        names
    }
}

fn write_parts(out: &mut String, parts: &[Part], language: Language, arguments: &Arguments, count: Option<&str>) {
    let value = |name: &str| arguments.get(name);
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Count => out.push_str(count.unwrap_or("#")),
            Part::Argument(name) => match value(name) {
                Some(Argument::Text(text)) => out.push_str(text),
                Some(Argument::Number(number)) => out.push_str(&format_count(language, *number)),
                None => write_missing(out, name),
            },
            Part::Number(name) => match value(name) {
                Some(value) => out.push_str(&format_number(language, value)),
                None => write_missing(out, name),
            },
            Part::Plural { argument, branches } => match value(argument) {
                Some(value) => {
                    let count = format_number(language, value);
                    let parts = choose_plural(branches, value);
                    write_parts(out, parts, language, arguments, Some(&count));
                }
                None => write_missing(out, argument),
            },
            Part::Select { argument, branches } => {
                let key = match value(argument) {
                    Some(Argument::Text(text)) => text.clone(),
                    Some(Argument::Number(number)) => number.to_string(),
                    None => String::new(),
                };
                let chosen = find_branch(branches, &key).or_else(|| find_branch(branches, OTHER));
                write_parts(out, chosen.unwrap_or_default(), language, arguments, count);
            }
        }
    }
}

/// A missing argument stays visible.
fn write_missing(out: &mut String, name: &str) {
    // Writing to a String does not fail.
    let _ = write!(out, "{{{name}}}");
}

fn format_number(language: Language, value: &Argument) -> String {
    match value {
        Argument::Number(number) => format_count(language, *number),
        // A decimal number that was written with Latin digits.
        Argument::Text(text) => localize_digits(language, text),
    }
}

const OTHER: &str = "other";

/// An exact number first. English and Nepali both have `one`, for 1, and `other`.
fn choose_plural<'a>(branches: &'a [Branch], value: &Argument) -> &'a [Part] {
    let chosen = match value {
        Argument::Number(number) => {
            let category = if *number == 1 { "one" } else { OTHER };
            find_branch(branches, &format!("={number}")).or_else(|| find_branch(branches, category))
        }
        Argument::Text(_) => None,
    };
    chosen.or_else(|| find_branch(branches, OTHER)).unwrap_or_default()
}

fn find_branch<'a>(branches: &'a [Branch], key: &str) -> Option<&'a [Part]> {
    branches.iter().find(|branch| branch.key == key).map(|branch| branch.parts.as_slice())
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, reason: &'static str) -> ParseError {
        ParseError { reason, position: self.position }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self, character: char) {
        self.position += character.len_utf8();
    }

    /// Up to the end of the text, or to the brace that closes this branch.
    fn parts(&mut self, in_plural: bool) -> Result<Vec<Part>, ParseError> {
        let mut parts = Vec::new();
        let mut text = String::new();
        while let Some(character) = self.peek() {
            match character {
                '}' => break,
                '{' => {
                    push_text(&mut parts, &mut text);
                    parts.push(self.argument(in_plural)?);
                }
                '#' if in_plural => {
                    self.advance(character);
                    push_text(&mut parts, &mut text);
                    parts.push(Part::Count);
                }
                '\'' => self.apostrophe(&mut text, in_plural),
                _ => {
                    self.advance(character);
                    text.push(character);
                }
            }
        }
        push_text(&mut parts, &mut text);
        Ok(parts)
    }

    /// Two apostrophes are one. One before a brace (in a plural also before `#`) quotes the text up to the next one; any other
    /// is itself.
    fn apostrophe(&mut self, text: &mut String, in_plural: bool) {
        self.advance('\'');
        match self.peek() {
            Some('\'') => {
                self.advance('\'');
                text.push('\'');
            }
            Some(next) if matches!(next, '{' | '}') || (next == '#' && in_plural) => {
                while let Some(character) = self.peek() {
                    self.advance(character);
                    if character != '\'' {
                        text.push(character);
                    } else if self.peek() == Some('\'') {
                        self.advance('\'');
                        text.push('\'');
                    } else {
                        break;
                    }
                }
            }
            _ => text.push('\''),
        }
    }

    fn argument(&mut self, in_plural: bool) -> Result<Part, ParseError> {
        self.expect('{', "expected '{'")?;
        let name = self.word()?.to_owned();
        if self.take('}') {
            return Ok(Part::Argument(name));
        }
        self.expect(',', "expected ',' or '}'")?;
        match self.word()? {
            "number" => {
                self.expect('}', "expected '}'")?;
                Ok(Part::Number(name))
            }
            "plural" => Ok(Part::Plural { argument: name, branches: self.branches(true)? }),
            "select" => Ok(Part::Select { argument: name, branches: self.branches(in_plural)? }),
            _ => Err(self.error("unsupported format")),
        }
    }

    /// `, one {…} other {…}}`
    fn branches(&mut self, in_plural: bool) -> Result<Vec<Branch>, ParseError> {
        self.expect(',', "expected ','")?;
        let mut branches = Vec::new();
        while !self.take('}') {
            let key = self.word()?.to_owned();
            self.expect('{', "expected '{'")?;
            let parts = self.parts(in_plural)?;
            self.expect('}', "expected '}'")?;
            branches.push(Branch { key, parts });
        }
        if find_branch(&branches, OTHER).is_none() {
            return Err(self.error("there is no 'other'"));
        }
        Ok(branches)
    }

    /// A name, a keyword or a branch's key, without the white space around it.
    fn word(&mut self) -> Result<&'a str, ParseError> {
        self.skip_whitespace();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '='))).unwrap_or(rest.len());
        let word = rest.get(..end).unwrap_or_default();
        if word.is_empty() {
            return Err(self.error("expected a name"));
        }
        self.position += end;
        self.skip_whitespace();
        Ok(word)
    }

    fn take(&mut self, character: char) -> bool {
        self.skip_whitespace();
        let found = self.peek() == Some(character);
        if found {
            self.advance(character);
        }
        found
    }

    /// White space after a closing brace belongs to the text.
    fn expect(&mut self, character: char, reason: &'static str) -> Result<(), ParseError> {
        if self.peek() != Some(character) {
            return Err(self.error(reason));
        }
        self.advance(character);
        Ok(())
    }

    fn skip_whitespace(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }
}

fn push_text(parts: &mut Vec<Part>, text: &mut String) {
    if !text.is_empty() {
        parts.push(Part::Text(std::mem::take(text)));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn format_in(language: Language, text: &str, arguments: &[(&'static str, Argument)]) -> String {
        let arguments: Arguments = arguments.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        Pattern::parse(text).unwrap().format(language, &arguments)
    }

    fn format(text: &str, arguments: &[(&'static str, Argument)]) -> String {
        format_in(Language::English, text, arguments)
    }

    #[test]
    fn arguments_take_the_place_of_their_names() {
        let arguments = [("left", Argument::Number(3)), ("product", "Oil {1 L}".into())];

        assert_eq!(format("Only {left} left of { product }.", &arguments), "Only 3 left of Oil {1 L}.");
        assert_eq!(format("Welcome to {brand}, {n, number}", &[]), "Welcome to {brand}, {n}");
        assert_eq!(format("{n, plural, other {#}}", &[]), "{n}");
    }

    #[test]
    fn numbers_are_written_as_the_language_writes_them() {
        let arguments = [("rows", Argument::Number(123_456)), ("rupees", "1500.50".into())];
        let text = "{rows} {rows, number} {rupees} {rupees, number}";

        assert_eq!(format(text, &arguments), "1,23,456 1,23,456 1500.50 1500.50");
        assert_eq!(format_in(Language::Nepali, text, &arguments), "१,२३,४५६ १,२३,४५६ 1500.50 १५००.५०");
    }

    #[test]
    fn a_plural_chooses_an_exact_number_then_one_then_other() {
        let text = "{n, plural, =0 {no items} one {# item} other {# items in {place}}}!";
        let of = |number| format(text, &[("n", Argument::Number(number)), ("place", "cart".into())]);

        assert_eq!(of(0), "no items!");
        assert_eq!(of(1), "1 item!");
        assert_eq!(of(12_000), "12,000 items in cart!");
        let nepali = format_in(Language::Nepali, "{n, plural, one{# a} other{# b}}", &[("n", Argument::Number(1))]);
        assert_eq!(nepali, "१ a");
        assert_eq!(format("{n, plural, one {one} other {#}}", &[("n", "2.5".into())]), "2.5");
    }

    #[test]
    fn a_select_chooses_its_key_or_other() {
        let text = "{month, select, 9 {Sept} other {Month}} {n, plural, other {{kind, select, a {# A} other {# O}}}}";
        let of = |month: i64, kind: &str| {
            format(text, &[("month", Argument::Number(month)), ("n", Argument::Number(2)), ("kind", kind.into())])
        };

        assert_eq!(of(9, "a"), "Sept 2 A");
        assert_eq!(of(10, "b"), "Month 2 O");
    }

    #[test]
    fn apostrophes_quote_only_syntax() {
        let arguments = [("column", "colour".into()), ("n", Argument::Number(2))];

        assert_eq!(format("{column}'s ''{column}'' '{column}' '|' #", &arguments), "colour's 'colour' {column} '|' #");
        assert_eq!(format("{n, plural, other {'#' # '{''}'}}", &arguments), "# 2 {'}");
        assert_eq!(format("don't '", &arguments), "don't '");
    }

    #[test]
    fn a_mistake_is_named() {
        for (text, reason) in [
            ("a } b", "unmatched '}'"),
            ("a { b", "expected ',' or '}'"),
            ("{}", "expected a name"),
            ("{n, date}", "unsupported format"),
            ("{n, plural, one {#}}", "there is no 'other'"),
            ("{n, plural, other {#}", "expected a name"),
            ("{n, plural, other #}", "expected '{'"),
            ("{n, number, integer}", "expected '}'"),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err().reason, reason, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_stops_the_parser(text in "[a-z{},'#= \\PC]{0,40}") {
            if let Ok(pattern) = Pattern::parse(&text) {
                pattern.format(Language::Nepali, &Arguments::new());
            }
        }

        #[test]
        fn an_argument_is_never_parsed(value in "\\PC{0,40}") {
            prop_assert_eq!(format("<{value}>", &[("value", value.as_str().into())]), format!("<{value}>"));
        }
    }
}
