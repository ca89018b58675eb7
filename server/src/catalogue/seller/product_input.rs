//! Parsing and validation of a product that a seller enters in a form or in a row of a spreadsheet.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::decimal::{format_decimal, parse_decimal};
use super::product_field::{FieldError, ProductField, RawProduct};
use super::stock_edit::{MAX_STOCK, StockEdit};
use crate::catalogue::model::{Category, Pack, ProductDetails, TaxClass, is_valid_barcode};
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;
use crate::platform::numerals;
use crate::platform::row_version;

const MAX_NAME_LENGTH: usize = 120;
const MAX_DESCRIPTION_LENGTH: usize = 5_000;
const MAX_TAG_LENGTH: usize = 80;
const MAX_TAGS: usize = 30;
const MAX_LABEL_LENGTH: usize = 40;
const MAX_SLUG_LENGTH: usize = 150;
/// Ten million rupees.
const MAX_PRICE_PAISA: i64 = 1_000_000_000;
const MAX_REVIEWS: i64 = 100_000_000;
/// In thousandths of the measure.
const MAX_PACK_MILLI: i64 = 1_000_000_000;
const MEASURES: [&str; 8] = ["kg", "g", "l", "ml", "piece", "dozen", "bunch", "box"];

/// Where the input comes from, which decides what may be left out and how lists are separated.
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

/// The parsed fields.
#[derive(Debug, Clone)]
pub struct ProductDraft {
    pub details: ProductDetails,
    pub stock: Option<StockEdit>,
    /// The version that the form showed.
    pub version: Option<DateTime<Utc>>,
}

/// Parses the fields given for `before`, or for a new product.
pub fn parse_product(
    raw: &RawProduct,
    before: Option<&ProductDetails>,
    categories: &[Category],
    source: Source,
) -> Result<ProductDraft, Vec<FieldError>> {
    let mut parser = ProductParser { raw, source, errors: Vec::new() };
    let mut details = before.cloned().unwrap_or_default();
    let is_new = before.is_none();

    if let Some(name) =
        parser.required(ProductField::Name, is_new, message!("api.products.name_required"), MAX_NAME_LENGTH)
    {
        details.name = name;
    }
    let described = is_new && source == Source::AddForm;
    if described {
        parser.required(ProductField::Description, true, message!("api.description_required"), MAX_DESCRIPTION_LENGTH);
    }
    if let Some(text) = parser.text(ProductField::Description, MAX_DESCRIPTION_LENGTH) {
        details.description = text;
    }
    parser.optional(ProductField::NameNe, MAX_NAME_LENGTH, &mut details.name_ne);
    parser.optional(ProductField::DescriptionNe, MAX_DESCRIPTION_LENGTH, &mut details.description_ne);
    if let Some(category) = parser.category(is_new, categories) {
        details.category = category;
    }
    let price = message!("api.products.price_invalid");
    if raw.get(ProductField::Price).map_or(is_new, str::is_empty) {
        parser.add_error(ProductField::Price, message!("api.products.price_required"));
    } else if let Some(paisa) = parser.number(ProductField::Price, 2, 0..=MAX_PRICE_PAISA, price) {
        details.price = Paisa(paisa);
        if let Some(sale) = details.sale_price.filter(|sale| *sale >= details.price) {
            let message = message!("api.products.price_not_above_sale", price = sale.two_decimals());
            parser.add_error(ProductField::Price, message);
        }
    }
    let lowest = if source == Source::AddForm { 10 } else { 0 };
    let stars = if source == Source::AddForm {
        message!("api.products.rating_invalid_new")
    } else {
        message!("api.products.rating_invalid")
    };
    if let Some(tenths) = parser.number_or_zero(ProductField::Rating, 1, lowest..=50, stars) {
        details.rating_tenths = i16::try_from(tenths).unwrap_or_default();
    }
    let reviews = message!("api.products.reviews_invalid");
    if let Some(count) = parser.number_or_zero(ProductField::Reviews, 0, 0..=MAX_REVIEWS, reviews) {
        details.reviews = i32::try_from(count).unwrap_or(i32::MAX);
    }
    parser.list(ProductField::Tags, &mut details.tags);
    parser.list(ProductField::TagsNe, &mut details.tags_ne);
    parser.list(ProductField::Aliases, &mut details.aliases);
    parser.pack(&mut details.pack);
    match raw.get(ProductField::TaxClass).map(str::to_lowercase).as_deref() {
        None | Some("") => {}
        Some("standard") => details.tax_class = TaxClass::Standard,
        Some("exempt") => details.tax_class = TaxClass::Exempt,
        Some(_) => parser.add_error(ProductField::TaxClass, message!("api.products.tax_class_invalid")),
    }
    parser.barcode(&mut details.barcode);
    parser.sold_by_weight(&mut details);
    let stock = parser.stock();
    let version = match raw.filled(ProductField::Version) {
        None => None,
        Some(text) => {
            let read = row_version::decode(text);
            if read.is_none() {
                parser.add_error(ProductField::Version, message!("api.products.version_invalid"));
            }
            read
        }
    };
    if parser.errors.is_empty() { Ok(ProductDraft { details, stock, version }) } else { Err(parser.errors) }
}

struct ProductParser<'a> {
    raw: &'a RawProduct,
    source: Source,
    errors: Vec<FieldError>,
}

impl ProductParser<'_> {
    fn add_error(&mut self, field: ProductField, message: Message) {
        self.errors.push(FieldError { field, message });
    }

    fn text(&mut self, field: ProductField, longest: usize) -> Option<String> {
        let text = self.raw.get(field)?;
        if text.chars().count() > longest {
            self.add_error(field, message!("api.products.text_too_long", longest = longest));
            return None;
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            self.add_error(field, message!("api.invalid_character"));
            return None;
        }
        Some(text.to_owned())
    }

    /// Parses a text that may be absent in an edit, but never empty.
    fn required(&mut self, field: ProductField, is_new: bool, missing: Message, longest: usize) -> Option<String> {
        match self.raw.get(field) {
            None if !is_new => None,
            None | Some("") => {
                self.add_error(field, missing);
                None
            }
            Some(_) => self.text(field, longest),
        }
    }

    fn optional(&mut self, field: ProductField, longest: usize, value: &mut Option<String>) {
        if let Some(text) = self.text(field, longest) {
            *value = Some(text).filter(|text| !text.is_empty());
        }
    }

    fn category(&mut self, is_new: bool, categories: &[Category]) -> Option<Uuid> {
        match self.raw.get(ProductField::Category) {
            None if !is_new => None,
            None | Some("") => {
                self.add_error(ProductField::Category, message!("api.products.category_required"));
                None
            }
            Some(name) => {
                let found = Category::find_by_name_or_slug(categories, name).map(|category| category.id);
                if found.is_none() {
                    let shown: String = name.chars().take(MAX_LABEL_LENGTH).collect();
                    self.add_error(ProductField::Category, message!("api.products.category_unknown", category = shown));
                }
                found
            }
        }
    }

    /// Parses a number with at most this many decimals to a whole number of its smallest units. Returns `None` for an
    /// empty field.
    fn number(
        &mut self,
        field: ProductField,
        decimals: u32,
        range: std::ops::RangeInclusive<i64>,
        message: Message,
    ) -> Option<i64> {
        let text = self.raw.filled(field)?;
        let number = parse_decimal(&numerals::to_latin_digits(text), decimals).filter(|number| range.contains(number));
        if number.is_none() {
            self.add_error(field, message);
        }
        number
    }

    /// Parses like `number`, but an empty field is 0.
    fn number_or_zero(
        &mut self,
        field: ProductField,
        decimals: u32,
        range: std::ops::RangeInclusive<i64>,
        message: Message,
    ) -> Option<i64> {
        if self.raw.get(field) == Some("") { Some(0) } else { self.number(field, decimals, range, message) }
    }

    fn list(&mut self, field: ProductField, value: &mut Vec<String>) {
        let Some(text) = self.raw.get(field) else { return };
        let mut items: Vec<String> = Vec::new();
        for item in text.split(self.source.separator()).map(str::trim).filter(|item| !item.is_empty()) {
            if item.chars().count() > MAX_TAG_LENGTH || item.chars().any(char::is_control) {
                return self.add_error(field, message!("api.products.tag_too_long", longest = MAX_TAG_LENGTH));
            }
            // A comma would split the item in a form, and a '|' in a spreadsheet. An item that the product already has
            // may stay.
            if item.contains([',', '|']) && !value.iter().any(|known| known == item) {
                return self.add_error(field, message!("api.products.tag_separator"));
            }
            if !items.iter().any(|known| known == item) {
                items.push(item.to_owned());
            }
        }
        if items.len() > MAX_TAGS {
            return self.add_error(field, message!("api.products.too_many_tags", most = MAX_TAGS));
        }
        *value = items;
    }

    /// Spaces and hyphens, as they are printed under the bars, are left out.
    fn barcode(&mut self, value: &mut Option<String>) {
        let Some(text) = self.raw.get(ProductField::Barcode) else { return };
        let digits: String =
            numerals::to_latin_digits(text).chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        if !digits.is_empty() && !is_valid_barcode(&digits) {
            return self.add_error(ProductField::Barcode, message!("api.products.barcode_invalid"));
        }
        *value = Some(digits).filter(|digits| !digits.is_empty());
    }

    /// Must run after `pack`, because the pack is the step.
    fn sold_by_weight(&mut self, details: &mut ProductDetails) {
        match self.raw.get(ProductField::SoldByWeight).map(str::to_lowercase).as_deref() {
            None => {}
            Some("" | "no" | "false") => details.sold_by_weight = false,
            Some("yes" | "true") => details.sold_by_weight = true,
            Some(_) => return self.add_error(ProductField::SoldByWeight, message!("api.products.yes_or_no")),
        }
        if details.sold_by_weight && !details.pack.as_ref().is_some_and(Pack::is_weight_step) {
            self.add_error(ProductField::SoldByWeight, message!("api.products.weight_step_invalid"));
        }
    }

    fn pack(&mut self, pack: &mut Option<Pack>) {
        let fields =
            [ProductField::UnitAmount, ProductField::UnitMeasure, ProductField::UnitLabel, ProductField::UnitLabelNe];
        if fields.iter().all(|field| self.raw.get(*field).is_none()) {
            return;
        }
        let before = pack.take();
        let milli = match self.raw.get(ProductField::UnitAmount) {
            None => before.as_ref().map(|pack| pack.milli),
            Some("") => None,
            Some(_) => {
                let message = message!("api.products.pack_amount_invalid");
                match self.number(ProductField::UnitAmount, 3, 1..=MAX_PACK_MILLI, message) {
                    Some(milli) => i32::try_from(milli).ok(),
                    None => return,
                }
            }
        };
        let measure = match self.raw.get(ProductField::UnitMeasure) {
            None => before.as_ref().map(|pack| pack.measure.clone()),
            Some("") => None,
            // The previous measure may stay, even if it can no longer be chosen.
            Some(text) if before.as_ref().is_some_and(|pack| pack.measure == text) => Some(text.to_owned()),
            Some(text) => match MEASURES.iter().find(|measure| measure.eq_ignore_ascii_case(text)) {
                Some(measure) => Some((*measure).to_owned()),
                None => {
                    return self.add_error(ProductField::UnitMeasure, message!("api.products.pack_unit_invalid"));
                }
            },
        };
        let (milli, measure) = match (milli, measure) {
            (Some(milli), Some(measure)) => (milli, measure),
            (None, None) => {
                if self.raw.filled(ProductField::UnitLabel).is_some() {
                    self.add_error(ProductField::UnitAmount, message!("api.products.pack_incomplete"));
                }
                return;
            }
            (None, Some(_)) => {
                return self.add_error(ProductField::UnitAmount, message!("api.products.pack_incomplete"));
            }
            (Some(_), None) => {
                return self.add_error(ProductField::UnitMeasure, message!("api.products.pack_incomplete"));
            }
        };
        let Some(label) = self.raw.get(ProductField::UnitLabel).map_or_else(
            || Some(before.as_ref().map(|pack| pack.label.clone()).unwrap_or_default()),
            |_| self.text(ProductField::UnitLabel, MAX_LABEL_LENGTH),
        ) else {
            return;
        };
        let mut label_ne = before.as_ref().and_then(|pack| pack.label_ne.clone());
        self.optional(ProductField::UnitLabelNe, MAX_LABEL_LENGTH, &mut label_ne);
        // A label that only repeats the amount follows it; a label that the seller wrote stays.
        let follows = before.is_some_and(|pack| label == default_pack_label(pack.milli, &pack.measure));
        let label = if label.is_empty() || follows { default_pack_label(milli, &measure) } else { label };
        *pack = Some(Pack { milli, measure, label, label_ne });
    }

    fn stock(&mut self) -> Option<StockEdit> {
        const INVALID: Message = message!("api.products.stock_invalid");
        let requested = self.number(ProductField::Stock, 0, 0..=MAX_STOCK, INVALID);
        let last_seen = self.number(ProductField::StockWas, 0, 0..=MAX_STOCK, INVALID);
        let whole = |number: i64| i32::try_from(number).unwrap_or_default();
        Some(StockEdit { requested: whole(requested?), last_seen: last_seen.map(whole) })
    }
}

fn default_pack_label(milli: i32, measure: &str) -> String {
    format!("{} {measure}", format_decimal(i64::from(milli), 3))
}

/// Returns whether the seller may choose this slug for a new product.
pub fn is_slug(text: &str) -> bool {
    text.len() <= MAX_SLUG_LENGTH
        && text
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
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

    fn raw(fields: &[(ProductField, &str)]) -> RawProduct {
        let mut raw = RawProduct::default();
        for (field, text) in fields {
            raw.set(*field, text);
        }
        raw
    }

    fn rice() -> RawProduct {
        raw(&[
            (ProductField::Name, "Rice"),
            (ProductField::Description, "Long grain"),
            (ProductField::Category, "STAPLES"),
            (ProductField::Price, "120.50"),
        ])
    }

    fn errors(changed: &[(ProductField, &str)], source: Source) -> Vec<(ProductField, Message)> {
        let mut form = rice();
        for (field, text) in changed {
            form.set(*field, text);
        }
        let read = parse_product(&form, None, &[staples()], source);
        read.err().unwrap_or_default().into_iter().map(|error| (error.field, error.message)).collect()
    }

    #[test]
    fn a_new_product_needs_the_contracts_fields_and_nothing_else() {
        let draft = parse_product(&rice(), None, &[staples()], Source::AddForm).unwrap();

        assert_eq!(
            (draft.details.price, draft.details.category, draft.stock),
            (Paisa(12_050), Uuid::from_u128(7), None)
        );
        for (field, message) in [
            (ProductField::Name, message!("api.products.name_required")),
            (ProductField::Description, message!("api.description_required")),
            (ProductField::Category, message!("api.products.category_required")),
            (ProductField::Price, message!("api.products.price_required")),
        ] {
            assert_eq!(errors(&[(field, " ")], Source::AddForm), vec![(field, message)]);
        }
        assert_eq!(errors(&[(ProductField::Description, "")], Source::Spreadsheet), vec![]);
    }

    #[test]
    fn stars_begin_at_one_for_a_new_product_and_go_by_tenths() {
        for fine in ["1", "5", "4.6", "4.60", "४.६", ""] {
            assert_eq!(errors(&[(ProductField::Rating, fine)], Source::AddForm), vec![], "{fine}");
        }
        for wrong in ["0.9", "5.1", "4.65", "-1", "many", "4.", ".5", "1e1", "NaN"] {
            assert_eq!(errors(&[(ProductField::Rating, wrong)], Source::AddForm).len(), 1, "{wrong}");
        }
        assert_eq!(errors(&[(ProductField::Rating, "0")], Source::Spreadsheet), vec![]);
    }

    #[test]
    fn numbers_may_be_written_in_nepali_digits() {
        let typed = raw(&[(ProductField::Price, "१२०.५०"), (ProductField::Stock, "४०")]);
        let draft = parse_product(&typed, Some(&ProductDetails::default()), &[], Source::EditForm).unwrap();

        assert_eq!(draft.details.price, Paisa(12_050));
        assert!(errors(&[(ProductField::Rating, "४.५")], Source::Spreadsheet).is_empty());
    }

    #[test]
    fn every_kind_of_mistake_names_its_field() {
        for (field, wrong) in [
            (ProductField::Name, "x".repeat(121)),
            (ProductField::Category, "Shoes".into()),
            (ProductField::Price, "12.345".into()),
            (ProductField::Price, "-1".into()),
            (ProductField::Price, "1,200".into()),
            (ProductField::Stock, "2.5".into()),
            (ProductField::Stock, "-3".into()),
            (ProductField::Reviews, "few".into()),
            (ProductField::Tags, "x".repeat(81)),
            (ProductField::TaxClass, "none".into()),
            (ProductField::UnitMeasure, "stone".into()),
            (ProductField::UnitAmount, "0".into()),
            (ProductField::UnitAmount, "5".into()),
            (ProductField::Version, "yesterday".into()),
        ] {
            let found = errors(&[(field, &wrong)], Source::Spreadsheet);
            let named =
                if field == ProductField::UnitAmount && wrong == "5" { ProductField::UnitMeasure } else { field };
            assert_eq!(found.iter().map(|error| error.0).collect::<Vec<_>>(), vec![named], "{wrong}");
        }
    }

    #[test]
    fn what_is_not_said_stays_and_what_is_emptied_goes() {
        let before = ProductDetails {
            name: "Rice".into(),
            name_ne: Some("चामल".into()),
            tags: vec!["grain".into()],
            pack: Some(Pack { milli: 5_000, measure: "kg".into(), label: "5 kg".into(), label_ne: None }),
            ..ProductDetails::default()
        };
        let changed =
            parse_product(&raw(&[(ProductField::Price, "5")]), Some(&before), &[], Source::EditForm).unwrap().details;
        assert_eq!(changed, ProductDetails { price: Paisa(500), ..before.clone() });

        let larger = parse_product(&raw(&[(ProductField::UnitAmount, "10")]), Some(&before), &[], Source::EditForm)
            .unwrap()
            .details;
        assert_eq!(larger.pack.unwrap().label, "10 kg", "a label that repeats the amount follows it");
        let no_price =
            parse_product(&raw(&[(ProductField::Price, "")]), Some(&before), &[], Source::EditForm).unwrap_err();
        assert_eq!(no_price[0].message, message!("api.products.price_required"));
        let rated = ProductDetails { rating_tenths: 40, reviews: 3, ..before.clone() };
        let unrated = [(ProductField::Rating, ""), (ProductField::Reviews, "")];
        let unrated = parse_product(&raw(&unrated), Some(&rated), &[], Source::EditForm).unwrap().details;
        assert_eq!((unrated.rating_tenths, unrated.reviews), (0, 0));

        let emptied = [
            (ProductField::NameNe, ""),
            (ProductField::Tags, ""),
            (ProductField::UnitAmount, ""),
            (ProductField::UnitMeasure, ""),
        ];
        let emptied = parse_product(&raw(&emptied), Some(&before), &[], Source::EditForm).unwrap().details;
        assert_eq!(emptied, ProductDetails { name: "Rice".into(), ..ProductDetails::default() });
    }

    proptest! {
        #[test]
        fn no_text_stops_the_reader(text in "\\PC{0,30}", field in 0_usize..20) {
            let mut form = rice();
            form.set(ProductField::ALL[field], &text);
            let _ = parse_product(&form, None, &[staples()], Source::Spreadsheet);
        }
    }
}
