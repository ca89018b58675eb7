//! A product as somebody writes it down, in a form or in a row of a spreadsheet: reading it, and what is wrong with it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use super::model::{Category, Product, TaxClass};
use super::search_words;
use crate::platform::money::Paisa;
use crate::platform::numerals;
use crate::platform::version;

const LONGEST_NAME: usize = 120;
const LONGEST_DESCRIPTION: usize = 5_000;
const LONGEST_TAG: usize = 80;
const MOST_TAGS: usize = 30;
const LONGEST_LABEL: usize = 40;
const LONGEST_SLUG: usize = 150;
/// Ten million rupees.
const HIGHEST_PRICE: i64 = 1_000_000_000;
const MOST_STOCK: i64 = 1_000_000;
const MOST_REVIEWS: i64 = 100_000_000;
/// Thousandths.
const LARGEST_PACK: i64 = 1_000_000_000;
const MEASURES: [&str; 8] = ["kg", "g", "l", "ml", "piece", "dozen", "bunch", "box"];

/// What can be said of a product, in the order of a spreadsheet's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    Slug,
    Name,
    NameNe,
    Category,
    Description,
    DescriptionNe,
    Price,
    Stock,
    StockWas,
    Rating,
    Reviews,
    Tags,
    TagsNe,
    Aliases,
    UnitAmount,
    UnitMeasure,
    UnitLabel,
    UnitLabelNe,
    TaxClass,
    Version,
}

impl Field {
    pub const ALL: [Self; 20] = [
        Self::Slug,
        Self::Name,
        Self::NameNe,
        Self::Category,
        Self::Description,
        Self::DescriptionNe,
        Self::Price,
        Self::Stock,
        Self::StockWas,
        Self::Rating,
        Self::Reviews,
        Self::Tags,
        Self::TagsNe,
        Self::Aliases,
        Self::UnitAmount,
        Self::UnitMeasure,
        Self::UnitLabel,
        Self::UnitLabelNe,
        Self::TaxClass,
        Self::Version,
    ];

    pub const fn column(self) -> &'static str {
        match self {
            Self::Slug => "slug",
            Self::Name => "name",
            Self::NameNe => "name_ne",
            Self::Category => "category",
            Self::Description => "description",
            Self::DescriptionNe => "description_ne",
            Self::Price => "price",
            Self::Stock => "stock",
            Self::StockWas => "stock_was",
            Self::Rating => "rating",
            Self::Reviews => "reviews",
            Self::Tags => "tags",
            Self::TagsNe => "tags_ne",
            Self::Aliases => "aliases",
            Self::UnitAmount => "unit_amount",
            Self::UnitMeasure => "unit_measure",
            Self::UnitLabel => "unit_label",
            Self::UnitLabelNe => "unit_label_ne",
            Self::TaxClass => "tax_class",
            Self::Version => "version",
        }
    }

    /// As the contract's forms call it.
    pub const fn form(self) -> &'static str {
        match self {
            Self::NameNe => "nameNe",
            Self::DescriptionNe => "descriptionNe",
            Self::StockWas => "stockWas",
            Self::TagsNe => "tagsNe",
            Self::UnitAmount => "unitAmount",
            Self::UnitMeasure => "unitMeasure",
            Self::UnitLabel => "unitLabel",
            Self::UnitLabelNe => "unitLabelNe",
            Self::TaxClass => "taxClass",
            plain => plain.column(),
        }
    }
}

/// What was written; a field that is absent is not spoken of.
#[derive(Debug, Clone, Default)]
pub struct Written {
    fields: BTreeMap<Field, String>,
}

impl Written {
    pub fn set(&mut self, field: Field, text: &str) {
        self.fields.insert(field, text.trim().to_owned());
    }

    pub fn get(&self, field: Field) -> Option<&str> {
        self.fields.get(&field).map(String::as_str)
    }

    /// Said, and not merely left empty.
    fn filled(&self, field: Field) -> Option<&str> {
        self.get(field).filter(|text| !text.is_empty())
    }
}

/// Where something is wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub field: Field,
    pub message: String,
}

/// What somebody is allowed to leave out, and how lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    AddForm,
    EditForm,
    Spreadsheet,
}

impl Source {
    const fn separator(self) -> char {
        match self {
            Self::AddForm | Self::EditForm => ',',
            Self::Spreadsheet => '|',
        }
    }
}

/// Everything about a product but its stock and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    pub category: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub description: String,
    pub description_ne: Option<String>,
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    pub tags_ne: Vec<String>,
    pub price: Paisa,
    pub tax_class: TaxClass,
    pub rating_tenths: i16,
    pub reviews: i32,
    pub pack: Option<Pack>,
    pub picture_key: Option<String>,
}

/// How much of it one buys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    pub milli: i32,
    pub measure: String,
    pub label: String,
    pub label_ne: Option<String>,
}

impl Entry {
    pub fn of(product: &Product) -> Self {
        let pack = match (product.pack_milli, &product.pack_measure, &product.pack_label) {
            (Some(milli), Some(measure), Some(label)) => Some(Pack {
                milli,
                measure: measure.clone(),
                label: label.clone(),
                label_ne: product.pack_label_ne.clone(),
            }),
            _ => None,
        };
        Self {
            category: product.category_id,
            name: product.name.clone(),
            name_ne: product.name_ne.clone(),
            description: product.description.clone(),
            description_ne: product.description_ne.clone(),
            aliases: product.aliases.clone(),
            tags: product.tags.clone(),
            tags_ne: product.tags_ne.clone(),
            price: product.price,
            tax_class: product.tax_class,
            rating_tenths: product.rating_tenths,
            reviews: product.reviews,
            pack,
            picture_key: product.picture_key.clone(),
        }
    }

    /// By which search finds it.
    pub fn search_words(&self) -> Vec<String> {
        let names = [Some(self.name.as_str()), self.name_ne.as_deref()];
        let lists = self.aliases.iter().chain(&self.tags).chain(&self.tags_ne).map(String::as_str);
        search_words::index_words(names.into_iter().flatten().chain(lists))
    }
}

/// The stock that was asked for, and the one that was seen when it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockWish {
    pub wanted: i32,
    pub seen: Option<i32>,
}

/// The shelf does not have what the difference would take away, or has no room for what it would bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoesNotFit;

impl StockWish {
    /// What changes on a shelf that has `stock` now: the difference that was meant, so that an edit never undoes sales.
    pub fn difference(self, stock: i32) -> Result<i32, DoesNotFit> {
        let meant = self.wanted - self.seen.unwrap_or(stock);
        // 'There is none' is true however many were sold or came back meanwhile.
        if self.wanted == 0 && meant != 0 {
            return Ok(-stock);
        }
        if (0..=MOST_STOCK).contains(&(i64::from(stock) + i64::from(meant))) { Ok(meant) } else { Err(DoesNotFit) }
    }
}

/// What was written, read.
#[derive(Debug, Clone)]
pub struct Wish {
    pub entry: Entry,
    pub stock: Option<StockWish>,
    /// The version that was seen when it was written.
    pub version: Option<DateTime<Utc>>,
}

/// Reads what was written about `before`, or about a new product.
pub fn read(
    written: &Written,
    before: Option<&Entry>,
    categories: &[Category],
    source: Source,
) -> Result<Wish, Vec<Fault>> {
    let mut reading = Reading { written, source, faults: Vec::new() };
    let mut entry = before.cloned().unwrap_or_default();
    let is_new = before.is_none();

    if let Some(name) = reading.needed(Field::Name, is_new, "Product name is required", LONGEST_NAME) {
        entry.name = name;
    }
    let described = is_new && source == Source::AddForm;
    if described {
        reading.needed(Field::Description, true, "Description is required", LONGEST_DESCRIPTION);
    }
    if let Some(text) = reading.text(Field::Description, LONGEST_DESCRIPTION) {
        entry.description = text;
    }
    reading.optional(Field::NameNe, LONGEST_NAME, &mut entry.name_ne);
    reading.optional(Field::DescriptionNe, LONGEST_DESCRIPTION, &mut entry.description_ne);
    if let Some(category) = reading.category(is_new, categories) {
        entry.category = category;
    }
    let price = "The price must be a number of rupees like 120 or 120.50.";
    if written.get(Field::Price).map_or(is_new, str::is_empty) {
        reading.fault(Field::Price, "Price is required");
    } else if let Some(paisa) = reading.number(Field::Price, 2, 0..=HIGHEST_PRICE, price) {
        entry.price = Paisa(paisa);
    }
    let lowest = if source == Source::AddForm { 10 } else { 0 };
    let stars = if source == Source::AddForm {
        "The rating must be between 1 and 5, in steps of 0.1."
    } else {
        "The rating must be between 0 and 5, in steps of 0.1."
    };
    if let Some(tenths) = reading.number_or_none(Field::Rating, 1, lowest..=50, stars) {
        entry.rating_tenths = i16::try_from(tenths).unwrap_or_default();
    }
    let reviews = "The number of reviews must be a whole number.";
    if let Some(count) = reading.number_or_none(Field::Reviews, 0, 0..=MOST_REVIEWS, reviews) {
        entry.reviews = i32::try_from(count).unwrap_or(i32::MAX);
    }
    reading.list(Field::Tags, &mut entry.tags);
    reading.list(Field::TagsNe, &mut entry.tags_ne);
    reading.list(Field::Aliases, &mut entry.aliases);
    reading.pack(&mut entry.pack);
    match written.get(Field::TaxClass).map(str::to_lowercase).as_deref() {
        None | Some("") => {}
        Some("standard") => entry.tax_class = TaxClass::Standard,
        Some("exempt") => entry.tax_class = TaxClass::Exempt,
        Some(_) => reading.fault(Field::TaxClass, "The tax class must be standard or exempt."),
    }
    let stock = reading.stock();
    let version = match written.filled(Field::Version) {
        None => None,
        Some(text) => {
            let read = version::read(text);
            if read.is_none() {
                reading.fault(Field::Version, "This is not a version of ours. Leave it empty to overwrite.");
            }
            read
        }
    };
    if reading.faults.is_empty() { Ok(Wish { entry, stock, version }) } else { Err(reading.faults) }
}

struct Reading<'a> {
    written: &'a Written,
    source: Source,
    faults: Vec<Fault>,
}

impl Reading<'_> {
    fn fault(&mut self, field: Field, message: impl Into<String>) {
        self.faults.push(Fault { field, message: message.into() });
    }

    fn text(&mut self, field: Field, longest: usize) -> Option<String> {
        let text = self.written.get(field)?;
        if text.chars().count() > longest {
            self.fault(field, format!("This is too long: {longest} characters at most."));
            return None;
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            self.fault(field, "This holds a character that is no text.");
            return None;
        }
        Some(text.to_owned())
    }

    /// A text that may be absent when there is one already, but never empty.
    fn needed(&mut self, field: Field, is_new: bool, missing: &str, longest: usize) -> Option<String> {
        match self.written.get(field) {
            None if !is_new => None,
            None | Some("") => {
                self.fault(field, missing);
                None
            }
            Some(_) => self.text(field, longest),
        }
    }

    fn optional(&mut self, field: Field, longest: usize, value: &mut Option<String>) {
        if let Some(text) = self.text(field, longest) {
            *value = Some(text).filter(|text| !text.is_empty());
        }
    }

    fn category(&mut self, is_new: bool, categories: &[Category]) -> Option<Uuid> {
        match self.written.get(Field::Category) {
            None if !is_new => None,
            None | Some("") => {
                self.fault(Field::Category, "Category is required");
                None
            }
            Some(name) => {
                let found = Category::written(categories, name).map(|category| category.id);
                if found.is_none() {
                    let shown: String = name.chars().take(LONGEST_LABEL).collect();
                    self.fault(Field::Category, format!("There is no category '{shown}'."));
                }
                found
            }
        }
    }

    /// A number with at most this many decimals, as a whole number of its smallest parts. Nothing written is nothing said.
    fn number(
        &mut self,
        field: Field,
        decimals: u32,
        range: std::ops::RangeInclusive<i64>,
        message: &str,
    ) -> Option<i64> {
        let text = self.written.filled(field)?;
        let number = decimal(&numerals::latin(text), decimals).filter(|number| range.contains(number));
        if number.is_none() {
            self.fault(field, message);
        }
        number
    }

    /// The same for what may be left empty: then it is 0.
    fn number_or_none(
        &mut self,
        field: Field,
        decimals: u32,
        range: std::ops::RangeInclusive<i64>,
        message: &str,
    ) -> Option<i64> {
        if self.written.get(field) == Some("") { Some(0) } else { self.number(field, decimals, range, message) }
    }

    fn list(&mut self, field: Field, value: &mut Vec<String>) {
        let Some(text) = self.written.get(field) else { return };
        let mut items: Vec<String> = Vec::new();
        for item in text.split(self.source.separator()).map(str::trim).filter(|item| !item.is_empty()) {
            if item.chars().count() > LONGEST_TAG || item.chars().any(char::is_control) {
                return self.fault(field, format!("Each of these may have {LONGEST_TAG} characters at most."));
            }
            // A comma would be two of them in a form, a '|' in a spreadsheet. What is there already may stay.
            if item.contains([',', '|']) && !value.iter().any(|known| known == item) {
                return self.fault(field, "These may not hold a comma or a '|'.");
            }
            if !items.iter().any(|known| known == item) {
                items.push(item.to_owned());
            }
        }
        if items.len() > MOST_TAGS {
            return self.fault(field, format!("These are too many: {MOST_TAGS} at most."));
        }
        *value = items;
    }

    fn pack(&mut self, pack: &mut Option<Pack>) {
        let fields = [Field::UnitAmount, Field::UnitMeasure, Field::UnitLabel, Field::UnitLabelNe];
        if fields.iter().all(|field| self.written.get(*field).is_none()) {
            return;
        }
        let before = pack.take();
        let milli = match self.written.get(Field::UnitAmount) {
            None => before.as_ref().map(|pack| pack.milli),
            Some("") => None,
            Some(_) => {
                let message = "The amount must be a number above 0 like 5 or 0.5.";
                match self.number(Field::UnitAmount, 3, 1..=LARGEST_PACK, message) {
                    Some(milli) => i32::try_from(milli).ok(),
                    None => return,
                }
            }
        };
        let measure = match self.written.get(Field::UnitMeasure) {
            None => before.as_ref().map(|pack| pack.measure.clone()),
            Some("") => None,
            // What it was may stay, also where nobody could choose it today.
            Some(text) if before.as_ref().is_some_and(|pack| pack.measure == text) => Some(text.to_owned()),
            Some(text) => match MEASURES.iter().find(|measure| measure.eq_ignore_ascii_case(text)) {
                Some(measure) => Some((*measure).to_owned()),
                None => {
                    return self
                        .fault(Field::UnitMeasure, "The measure must be kg, g, l, ml, piece, dozen, bunch or box.");
                }
            },
        };
        let (milli, measure) = match (milli, measure) {
            (Some(milli), Some(measure)) => (milli, measure),
            (None, None) => {
                if self.written.filled(Field::UnitLabel).is_some() {
                    self.fault(Field::UnitAmount, "A unit needs an amount and a measure.");
                }
                return;
            }
            (None, Some(_)) => return self.fault(Field::UnitAmount, "A unit needs an amount and a measure."),
            (Some(_), None) => return self.fault(Field::UnitMeasure, "A unit needs an amount and a measure."),
        };
        let Some(label) = self.written.get(Field::UnitLabel).map_or_else(
            || Some(before.as_ref().map(|pack| pack.label.clone()).unwrap_or_default()),
            |_| self.text(Field::UnitLabel, LONGEST_LABEL),
        ) else {
            return;
        };
        let mut label_ne = before.as_ref().and_then(|pack| pack.label_ne.clone());
        self.optional(Field::UnitLabelNe, LONGEST_LABEL, &mut label_ne);
        // A label that only repeats the amount follows it; one that somebody thought of stays.
        let follows = before.is_some_and(|pack| label == plain_label(pack.milli, &pack.measure));
        let label = if label.is_empty() || follows { plain_label(milli, &measure) } else { label };
        *pack = Some(Pack { milli, measure, label, label_ne });
    }

    fn stock(&mut self) -> Option<StockWish> {
        let message = "The stock must be a whole number, 0 or more.";
        let wanted = self.number(Field::Stock, 0, 0..=MOST_STOCK, message);
        let seen = self.number(Field::StockWas, 0, 0..=MOST_STOCK, message);
        let whole = |number: i64| i32::try_from(number).unwrap_or_default();
        Some(StockWish { wanted: whole(wanted?), seen: seen.map(whole) })
    }
}

fn plain_label(milli: i32, measure: &str) -> String {
    format!("{} {measure}", plain(i64::from(milli), 3))
}

/// `12.5` with two decimals is 1250. Digits may be Nepali; zeros beyond the decimals are fine, anything else is not.
fn decimal(text: &str, decimals: u32) -> Option<i64> {
    let digits: String = text
        .chars()
        .map(|c| match c {
            '०'..='९' => char::from_digit(u32::from(c) - u32::from('०'), 10).unwrap_or(c),
            other => other,
        })
        .collect();
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    if whole.is_empty() || whole.len() > 12 || !(whole.bytes().chain(part.bytes())).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = usize::try_from(decimals).ok()?;
    if digits.ends_with('.') || part.bytes().skip(kept).any(|byte| byte != b'0') {
        return None;
    }
    let part: String = part.chars().chain(std::iter::repeat('0')).take(kept).collect();
    format!("{whole}{part}").parse().ok()
}

/// The other way round: 1250 with two decimals is `12.5`.
pub fn plain(number: i64, decimals: u32) -> String {
    let scale = 10_i64.pow(decimals);
    let (whole, part) = (number / scale, number % scale);
    if part == 0 {
        return whole.to_string();
    }
    let width = usize::try_from(decimals).unwrap_or_default();
    format!("{whole}.{part:0width$}").trim_end_matches('0').to_owned()
}

/// A slug that somebody chose for a new product.
pub fn is_slug(text: &str) -> bool {
    text.len() <= LONGEST_SLUG
        && text
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// One difference between two states of a product, in words that a spreadsheet uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize, utoipa::ToSchema)]
#[schema(as = CellChange)]
pub struct Difference {
    pub column: String,
    pub before: String,
    pub after: String,
}

/// What a spreadsheet's row says, without what only helps to keep rows and products together.
pub fn cells(entry: &Entry, category: &str, stock: i32) -> Vec<(Field, String)> {
    let list = |items: &[String]| items.join(" | ");
    let pack = entry.pack.as_ref();
    vec![
        (Field::Name, entry.name.clone()),
        (Field::NameNe, entry.name_ne.clone().unwrap_or_default()),
        (Field::Category, category.to_owned()),
        (Field::Description, entry.description.clone()),
        (Field::DescriptionNe, entry.description_ne.clone().unwrap_or_default()),
        (Field::Price, entry.price.two_decimals()),
        (Field::Stock, stock.to_string()),
        (Field::Rating, plain(i64::from(entry.rating_tenths), 1)),
        (Field::Reviews, entry.reviews.to_string()),
        (Field::Tags, list(&entry.tags)),
        (Field::TagsNe, list(&entry.tags_ne)),
        (Field::Aliases, list(&entry.aliases)),
        (Field::UnitAmount, pack.map(|pack| plain(i64::from(pack.milli), 3)).unwrap_or_default()),
        (Field::UnitMeasure, pack.map(|pack| pack.measure.clone()).unwrap_or_default()),
        (Field::UnitLabel, pack.map(|pack| pack.label.clone()).unwrap_or_default()),
        (Field::UnitLabelNe, pack.and_then(|pack| pack.label_ne.clone()).unwrap_or_default()),
        (Field::TaxClass, entry.tax_class.name().to_owned()),
    ]
}

pub fn differences(before: &[(Field, String)], after: &[(Field, String)]) -> Vec<Difference> {
    let changed = before.iter().zip(after).filter(|(before, after)| before.1 != after.1);
    changed
        .map(|((field, before), (_, after))| Difference {
            column: field.column().to_owned(),
            before: before.clone(),
            after: after.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn staples() -> Category {
        Category {
            id: Uuid::from_u128(7),
            slug: "staples".into(),
            name: "Staples".into(),
            name_ne: None,
            description: String::new(),
            description_ne: None,
            picture_key: None,
            icon_key: None,
            products: 0,
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    fn written(fields: &[(Field, &str)]) -> Written {
        let mut written = Written::default();
        for (field, text) in fields {
            written.set(*field, text);
        }
        written
    }

    fn rice() -> Written {
        written(&[
            (Field::Name, "Rice"),
            (Field::Description, "Long grain"),
            (Field::Category, "STAPLES"),
            (Field::Price, "120.50"),
        ])
    }

    fn faults(changed: &[(Field, &str)], source: Source) -> Vec<(Field, String)> {
        let mut form = rice();
        for (field, text) in changed {
            form.set(*field, text);
        }
        let read = read(&form, None, &[staples()], source);
        read.err().unwrap_or_default().into_iter().map(|fault| (fault.field, fault.message)).collect()
    }

    #[test]
    fn a_new_product_needs_the_contracts_fields_and_nothing_else() {
        let wish = read(&rice(), None, &[staples()], Source::AddForm).unwrap();

        assert_eq!((wish.entry.price, wish.entry.category, wish.stock), (Paisa(12_050), Uuid::from_u128(7), None));
        for (field, message) in [
            (Field::Name, "Product name is required"),
            (Field::Description, "Description is required"),
            (Field::Category, "Category is required"),
            (Field::Price, "Price is required"),
        ] {
            assert_eq!(faults(&[(field, " ")], Source::AddForm), vec![(field, message.to_owned())]);
        }
        assert_eq!(faults(&[(Field::Description, "")], Source::Spreadsheet), vec![]);
    }

    #[test]
    fn stars_begin_at_one_for_a_new_product_and_go_by_tenths() {
        for fine in ["1", "5", "4.6", "4.60", "४.६", ""] {
            assert_eq!(faults(&[(Field::Rating, fine)], Source::AddForm), vec![], "{fine}");
        }
        for wrong in ["0.9", "5.1", "4.65", "-1", "many", "4.", ".5", "1e1", "NaN"] {
            assert_eq!(faults(&[(Field::Rating, wrong)], Source::AddForm).len(), 1, "{wrong}");
        }
        assert_eq!(faults(&[(Field::Rating, "0")], Source::Spreadsheet), vec![]);
    }

    #[test]
    fn numbers_may_be_written_in_nepali_digits() {
        let typed = written(&[(Field::Price, "१२०.५०"), (Field::Stock, "४०")]);
        let wish = read(&typed, Some(&Entry::default()), &[], Source::EditForm).unwrap();

        assert_eq!(wish.entry.price, Paisa(12_050));
        assert!(faults(&[(Field::Rating, "४.५")], Source::Spreadsheet).is_empty());
    }

    #[test]
    fn every_kind_of_mistake_names_its_field() {
        for (field, wrong) in [
            (Field::Name, "x".repeat(121)),
            (Field::Category, "Shoes".into()),
            (Field::Price, "12.345".into()),
            (Field::Price, "-1".into()),
            (Field::Price, "1,200".into()),
            (Field::Stock, "2.5".into()),
            (Field::Stock, "-3".into()),
            (Field::Reviews, "few".into()),
            (Field::Tags, "x".repeat(81)),
            (Field::TaxClass, "none".into()),
            (Field::UnitMeasure, "stone".into()),
            (Field::UnitAmount, "0".into()),
            (Field::UnitAmount, "5".into()),
            (Field::Version, "yesterday".into()),
        ] {
            let found = faults(&[(field, &wrong)], Source::Spreadsheet);
            let named = if field == Field::UnitAmount && wrong == "5" { Field::UnitMeasure } else { field };
            assert_eq!(found.iter().map(|fault| fault.0).collect::<Vec<_>>(), vec![named], "{wrong}");
        }
    }

    #[test]
    fn what_is_not_said_stays_and_what_is_emptied_goes() {
        let before = Entry {
            name: "Rice".into(),
            name_ne: Some("चामल".into()),
            tags: vec!["grain".into()],
            pack: Some(Pack { milli: 5_000, measure: "kg".into(), label: "5 kg".into(), label_ne: None }),
            ..Entry::default()
        };
        let kept = read(&written(&[(Field::Price, "5")]), Some(&before), &[], Source::EditForm).unwrap().entry;
        assert_eq!(kept, Entry { price: Paisa(500), ..before.clone() });

        let larger = read(&written(&[(Field::UnitAmount, "10")]), Some(&before), &[], Source::EditForm).unwrap().entry;
        assert_eq!(larger.pack.unwrap().label, "10 kg", "a label that repeats the amount follows it");
        let no_price = read(&written(&[(Field::Price, "")]), Some(&before), &[], Source::EditForm).unwrap_err();
        assert_eq!(no_price[0].message, "Price is required");
        let rated = Entry { rating_tenths: 40, reviews: 3, ..before.clone() };
        let unrated = [(Field::Rating, ""), (Field::Reviews, "")];
        let unrated = read(&written(&unrated), Some(&rated), &[], Source::EditForm).unwrap().entry;
        assert_eq!((unrated.rating_tenths, unrated.reviews), (0, 0));

        let emptied = [(Field::NameNe, ""), (Field::Tags, ""), (Field::UnitAmount, ""), (Field::UnitMeasure, "")];
        let emptied = read(&written(&emptied), Some(&before), &[], Source::EditForm).unwrap().entry;
        assert_eq!(emptied, Entry { name: "Rice".into(), ..Entry::default() });
    }

    #[test]
    fn a_difference_of_stock_never_undoes_sales() {
        let wish = |wanted, seen| StockWish { wanted, seen };
        assert_eq!(wish(15, Some(10)).difference(7), Ok(5));
        assert_eq!(wish(15, None).difference(7), Ok(8));
        assert_eq!(wish(2, Some(10)).difference(5), Err(DoesNotFit));
        assert_eq!(wish(1_000_000, Some(0)).difference(1), Err(DoesNotFit));
        assert_eq!(wish(0, Some(10)).difference(5), Ok(-5));
        assert_eq!(wish(0, Some(5)).difference(7), Ok(-7));
        assert_eq!(wish(0, Some(0)).difference(3), Ok(0), "nobody said anything about those three");
    }

    proptest! {
        #[test]
        fn numbers_survive_being_written(number in 0_i64..1_000_000_000, decimals in 0_u32..4) {
            prop_assert_eq!(decimal(&plain(number, decimals), decimals), Some(number));
        }

        #[test]
        fn no_text_stops_the_reader(text in "\\PC{0,30}", field in 0_usize..20) {
            let mut form = rice();
            form.set(Field::ALL[field], &text);
            let _ = read(&form, None, &[staples()], Source::Spreadsheet);
        }
    }
}
