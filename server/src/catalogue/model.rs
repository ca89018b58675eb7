//! Products and categories, and the rules that depend on nothing else.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use sqlx::types::Json;
use uuid::Uuid;

use super::search_words;
use crate::platform::hex;
use crate::platform::messages::{self, StoredMessage};
use crate::platform::money::Paisa;
use crate::platform::row_version;

#[derive(Debug, Clone)]
pub struct Category {
    pub id: Uuid,
    pub slug: String,
    pub name: String,
    pub name_ne: Option<String>,
    pub description: String,
    pub description_ne: Option<String>,
    pub picture_key: Option<String>,
    pub icon_key: Option<String>,
    /// The number of products on sale in it; counted, not stored.
    pub products: i64,
    /// When a seller last edited it.
    pub updated_at: DateTime<Utc>,
}

impl Category {
    pub fn version(&self) -> String {
        row_version::encode(self.updated_at)
    }

    /// Finds the category that a seller wrote: by name, which is unique regardless of case, or else by slug. The name
    /// comes first, because a slug outlives renaming, and another category may have taken that name since.
    pub fn find_by_name_or_slug<'a>(categories: &'a [Self], text: &str) -> Option<&'a Self> {
        let needle = text.to_lowercase();
        let by_slug = || categories.iter().find(|category| category.slug == needle);
        categories.iter().find(|category| category.name.to_lowercase() == needle).or_else(by_slug)
    }

    /// Finds the category in a URL: by slug, or else by name, regardless of case, as the contract says.
    pub fn find_by_slug_or_name<'a>(categories: &'a [Self], text: &str) -> Option<&'a Self> {
        let needle = text.to_lowercase();
        let by_name = || categories.iter().find(|category| category.name.to_lowercase() == needle);
        categories.iter().find(|category| category.slug == needle).or_else(by_name)
    }
}

/// Whether a product is taxed. It is stored by name, and an unknown name counts as taxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaxClass {
    #[default]
    Standard,
    Exempt,
}

impl TaxClass {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Exempt => "exempt",
        }
    }
}

impl From<String> for TaxClass {
    fn from(name: String) -> Self {
        if name == Self::Exempt.name() { Self::Exempt } else { Self::Standard }
    }
}

/// A product as an order copies it.
#[derive(Debug, Clone)]
pub struct Offer {
    pub id: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub picture_key: Option<String>,
    pub price: Paisa,
    pub tax_class: TaxClass,
    pub stock: i32,
    pub on_sale: bool,
    /// The pack size, for example '5 kg sack'.
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
}

/// A product as a shopper sees it, with its category's names.
#[derive(Debug, Clone)]
pub struct Product {
    pub id: Uuid,
    pub position: i64,
    pub slug: String,
    pub name: String,
    /// The name as the database lower-cases it, which is what it sorts and searches by.
    pub name_key: String,
    pub name_ne: Option<String>,
    pub description: String,
    pub description_ne: Option<String>,
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    pub tags_ne: Vec<String>,
    pub price: Paisa,
    pub tax_class: TaxClass,
    pub stock: i32,
    pub rating_tenths: i16,
    pub reviews: i32,
    pub rank: i64,
    pub pack_milli: Option<i32>,
    pub pack_measure: Option<String>,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
    pub picture_key: Option<String>,
    pub category_id: Uuid,
    pub category: String,
    pub category_ne: Option<String>,
    pub category_slug: String,
    /// When a seller last edited it; a sale is not an edit.
    pub updated_at: DateTime<Utc>,
}

impl Product {
    pub fn version(&self) -> String {
        row_version::encode(self.updated_at)
    }

    /// The price of one kilogram, litre or piece, so that packs of different sizes can be compared.
    pub fn unit_price(&self) -> Option<(Paisa, &'static str)> {
        let milli = i64::from(self.pack_milli?);
        let (per, milli_in_one) = match self.pack_measure.as_deref()? {
            "kg" => ("kg", 1_000),
            "g" => ("kg", 1_000_000),
            "l" => ("l", 1_000),
            "ml" => ("l", 1_000_000),
            // The unit price of a single piece is its price, so it says nothing new.
            "piece" if milli > 1_000 => ("piece", 1_000),
            _ => return None,
        };
        Some((self.price.scale(milli_in_one, milli), per))
    }
}

/// The order of a product list. Each order has its own indexes, for the whole shop and within a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProductSort {
    #[default]
    Featured,
    Newest,
    Name,
    PriceAsc,
    PriceDesc,
    Rating,
}

impl ProductSort {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Featured => "featured",
            Self::Newest => "newest",
            Self::Name => "name",
            Self::PriceAsc => "price_asc",
            Self::PriceDesc => "price_desc",
            Self::Rating => "rating",
        }
    }
}

/// Where the next page begins: after this product in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    pub sort: ProductSort,
    pub key: CursorKey,
    pub id: Uuid,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CursorKey {
    Number(i64),
    Text(String),
}

impl Cursor {
    pub fn after(sort: ProductSort, product: &Product) -> Self {
        let key = match sort {
            ProductSort::Featured | ProductSort::Newest => CursorKey::Number(product.position),
            ProductSort::Name => CursorKey::Text(product.name_key.clone()),
            ProductSort::PriceAsc | ProductSort::PriceDesc => CursorKey::Number(product.price.0),
            ProductSort::Rating => CursorKey::Number(product.rank),
        };
        Self { sort, key, id: product.id }
    }

    /// Opaque to clients: hexadecimal, so that it needs no escaping in a URL.
    pub fn encode(&self) -> String {
        let key = match &self.key {
            CursorKey::Number(number) => number.to_string(),
            CursorKey::Text(text) => text.clone(),
        };
        let plain = format!("{}\n{}\n{key}", self.sort.name(), self.id);
        hex::encode(plain.bytes())
    }

    /// Returns `None` when the cursor is not one of ours or belongs to another sort order.
    pub fn decode(text: &str, sort: ProductSort) -> Option<Self> {
        let plain = String::from_utf8(hex::decode(text)?).ok()?;
        let mut parts = plain.splitn(3, '\n');
        let (name, id, key) = (parts.next()?, parts.next()?, parts.next()?);
        if name != sort.name() || key.contains('\0') {
            return None;
        }
        let key = match sort {
            ProductSort::Name => CursorKey::Text(key.to_owned()),
            ProductSort::Featured
            | ProductSort::Newest
            | ProductSort::PriceAsc
            | ProductSort::PriceDesc
            | ProductSort::Rating => CursorKey::Number(key.parse().ok()?),
        };
        Some(Self { sort, key, id: id.parse().ok()? })
    }
}

/// Returns how well a product matches the folded words of a query, from 0 (not at all) to 1.5.
pub fn similarity(query: &[String], product: &Product) -> f64 {
    let fields = [
        (1.0, vec![product.name.as_str()]),
        (1.0, product.name_ne.as_deref().into_iter().collect()),
        (0.95, product.aliases.iter().map(String::as_str).collect()),
        (0.6, product.tags.iter().chain(&product.tags_ne).map(String::as_str).collect()),
    ];
    let mut per_word = vec![0.0_f64; query.len()];
    let mut whole = 0.0_f64;
    for (weight, texts) in fields {
        for text in texts {
            let words = search_words::fold_words(text);
            // A name or an alias that equals the query beats one that merely contains it.
            let lone = words == query;
            let share = if words.is_empty() { 0.0 } else { to_f64(query.len()) / to_f64(words.len().max(query.len())) };
            whole = whole.max(weight * if lone { 1.0 } else { share * 0.5 });
            for (best, needle) in per_word.iter_mut().zip(query) {
                let word = words.iter().map(|word| word_similarity(needle, word)).fold(0.0, f64::max);
                *best = best.max(weight * word);
            }
        }
    }
    let average = per_word.iter().sum::<f64>() / to_f64(query.len().max(1));
    if average == 0.0 { 0.0 } else { average + whole * average * 0.5 }
}

fn word_similarity(needle: &str, word: &str) -> f64 {
    if needle == word {
        return 1.0;
    }
    let (long, short) = (to_f64(word.chars().count()), to_f64(needle.chars().count()));
    if word.starts_with(needle) {
        return 0.7 + 0.2 * short / long;
    }
    if short >= 3.0 && word.contains(needle) {
        return 0.5 + 0.2 * short / long;
    }
    let edits = search_words::edit_distance(needle, word);
    if edits <= search_words::max_edits(needle) { 0.9 - 0.15 * to_f64(edits) } else { 0.0 }
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Makes a readable and stable slug that is never empty; `nth` above 1 makes the next one when a slug is taken.
pub fn make_slug(name: &str, id: Uuid, nth: u32) -> String {
    let latin = search_words::latin_slug(name);
    let base = if latin.is_empty() {
        // The name has nothing that can be written in Latin script, for example because it has only symbols.
        let text = id.simple().to_string();
        format!("item-{}", text.get(20..).unwrap_or(&text))
    } else {
        latin
    };
    if nth > 1 { format!("{base}-{nth}") } else { base }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SellerProductSort {
    #[default]
    Newest,
    Name,
    PriceAsc,
    PriceDesc,
    /// The lowest stock first; only with the filter `low` or `out`.
    Stock,
}

impl SellerProductSort {
    /// Returns the same order in the storefront, if there is one.
    pub const fn storefront_sort(self) -> Option<ProductSort> {
        match self {
            Self::Newest => Some(ProductSort::Newest),
            Self::Name => Some(ProductSort::Name),
            Self::PriceAsc => Some(ProductSort::PriceAsc),
            Self::PriceDesc => Some(ProductSort::PriceDesc),
            Self::Stock => None,
        }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ImportRow {
    /// The row number in a spreadsheet; the header is row 1.
    pub row: i32,
    pub slug: String,
    pub name: String,
    /// `add`, `update`, `same` or `error`.
    pub kind: String,
    #[schema(value_type = Vec<CellChange>)]
    pub changes: serde_json::Value,
    #[schema(value_type = Vec<CellError>)]
    #[serde(serialize_with = "serialize_rendered_errors")]
    pub errors: Json<Vec<CellError>>,
}

/// What is wrong with a cell, as it is stored and as the seller reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CellError {
    pub column: String,
    #[schema(value_type = String)]
    pub message: StoredMessage,
}

/// Translates the errors that the check stored into the language of the current reader.
fn serialize_rendered_errors<S: Serializer>(errors: &Json<Vec<CellError>>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct RenderedError<'a> {
        column: &'a str,
        #[serde(serialize_with = "messages::serialize_rendered")]
        message: &'a StoredMessage,
    }
    serializer.collect_seq(errors.iter().map(|error| RenderedError { column: &error.column, message: &error.message }))
}

/// Everything about a product except its slug, stock and position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductDetails {
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

/// The pack size in which a product is sold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    pub milli: i32,
    pub measure: String,
    pub label: String,
    pub label_ne: Option<String>,
}

impl ProductDetails {
    pub fn from_product(product: &Product) -> Self {
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

    /// Returns the words by which search finds the product.
    pub fn search_words(&self) -> Vec<String> {
        let names = [Some(self.name.as_str()), self.name_ne.as_deref()];
        let lists = self.aliases.iter().chain(&self.tags).chain(&self.tags_ne).map(String::as_str);
        search_words::index_words(names.into_iter().flatten().chain(lists))
    }
}

/// One difference between two states of a product, as a spreadsheet shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize, utoipa::ToSchema)]
#[schema(as = CellChange)]
pub struct CellChange {
    pub column: String,
    pub before: String,
    pub after: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn product(name: &str, price: i64, pack: Option<(i32, &str)>) -> Product {
        Product {
            id: Uuid::nil(),
            position: 1,
            slug: "x".into(),
            name: name.into(),
            name_key: name.to_lowercase(),
            name_ne: None,
            description: String::new(),
            description_ne: None,
            aliases: vec![],
            tags: vec![],
            tags_ne: vec![],
            price: Paisa::from_rupees(price),
            tax_class: TaxClass::Standard,
            stock: 1,
            rating_tenths: 0,
            reviews: 0,
            rank: 0,
            pack_milli: pack.map(|(milli, _)| milli),
            pack_measure: pack.map(|(_, measure)| measure.into()),
            pack_label: None,
            pack_label_ne: None,
            picture_key: None,
            category_id: Uuid::nil(),
            category: String::new(),
            category_ne: None,
            category_slug: String::new(),
            updated_at: DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn packs_of_different_sizes_compare_by_the_kilogram_and_litre() {
        assert_eq!(product("Rice", 525, Some((5_000, "kg"))).unit_price(), Some((Paisa(10_500), "kg")));
        assert_eq!(product("Spinach", 60, Some((500_000, "g"))).unit_price(), Some((Paisa(12_000), "kg")));
        assert_eq!(product("Milk", 50, Some((500_000, "ml"))).unit_price(), Some((Paisa(10_000), "l")));
        assert_eq!(product("Soap", 45, Some((1_000, "piece"))).unit_price(), None);
        assert_eq!(product("Gift", 45, None).unit_price(), None);
    }

    #[test]
    fn a_slug_is_never_empty() {
        let id = Uuid::from_u128(0xabcd);
        assert_eq!(make_slug("जुम्ली मार्सी", id, 1), "jumli-marsi");
        assert_eq!(make_slug("Rice", id, 3), "rice-3");
        assert_eq!(make_slug("🍚", id, 1), "item-00000000abcd");
    }

    proptest! {
        #[test]
        fn any_name_makes_a_slug_that_the_table_takes(name in "\\PC{0,40}") {
            let slug = make_slug(&name, Uuid::from_u128(7), 1);
            prop_assert!(!slug.is_empty());
            prop_assert!(slug.split('-').all(|part| !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())));
        }

        #[test]
        fn a_cursor_survives_the_journey(name in "\\PC{1,20}", price in 0_i64..1_000_000) {
            let product = product(&name, price, None);
            for sort in [ProductSort::Featured, ProductSort::Name, ProductSort::PriceAsc, ProductSort::PriceDesc, ProductSort::Rating] {
                let cursor = Cursor::after(sort, &product);
                prop_assert_eq!(Cursor::decode(&cursor.encode(), sort), Some(cursor));
            }
        }
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        let cursor = Cursor::after(ProductSort::Name, &product("Rice", 1, None)).encode();

        assert_eq!(Cursor::decode(&cursor, ProductSort::Featured), None);
        assert_eq!(Cursor::decode("zz", ProductSort::Name), None);
        assert_eq!(Cursor::decode("é", ProductSort::Name), None);
    }
}
