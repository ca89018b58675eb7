//! Products: as shoppers see them, as orders copy them, and as sellers write them.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::catalogue::search_words;
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;
use crate::platform::row_version;

/// Whether a product is taxed. It is stored by name, and an unknown name counts as taxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    pub id: ProductId,
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

/// Where a packer finds a product.
#[derive(Debug, Clone)]
pub struct ProductPlace {
    pub id: ProductId,
    pub category: Option<String>,
    pub category_ne: Option<String>,
    pub category_position: Option<i64>,
    pub barcode: Option<String>,
}

/// A product as a shopper sees it, with its category's names.
#[derive(Debug, Clone)]
pub struct Product {
    pub id: ProductId,
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
    /// The price that is charged now.
    pub price: Paisa,
    /// While a sale runs: the price that comes back at its end.
    pub regular_price: Option<Paisa>,
    /// While a sale runs: the price before it, or a lower regular price since.
    pub was_price: Option<Paisa>,
    pub sale_ends_at: Option<DateTime<Utc>>,
    pub tax_class: TaxClass,
    pub stock: i32,
    pub rating_tenths: i16,
    pub reviews: i32,
    pub rank: i64,
    pub pack_milli: Option<i32>,
    pub pack_measure: Option<String>,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
    /// Whether a unit is a step that is weighed when the order is packed.
    pub sold_by_weight: bool,
    pub barcode: Option<String>,
    pub picture_key: Option<String>,
    /// The further pictures, in the order of the product's page.
    pub more_picture_keys: Vec<String>,
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

/// What the sitemap needs of a product.
pub struct SitemapProduct {
    pub id: ProductId,
    pub category_slug: String,
    pub updated_at: DateTime<Utc>,
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
    /// The regular price.
    pub price: Paisa,
    /// While a sale runs: its price, which an edit does not change.
    pub sale_price: Option<Paisa>,
    pub tax_class: TaxClass,
    pub rating_tenths: i16,
    pub reviews: i32,
    pub pack: Option<Pack>,
    pub sold_by_weight: bool,
    pub barcode: Option<String>,
    pub picture_key: Option<String>,
    pub more_picture_keys: Vec<String>,
}

/// The pack size in which a product is sold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    pub milli: i32,
    pub measure: String,
    pub label: String,
    pub label_ne: Option<String>,
}

impl Pack {
    /// The least and the greatest step, in grams, of goods that are sold by weight.
    const STEPS: std::ops::RangeInclusive<i32> = 50..=1_000;

    /// Whether goods can be sold by weight in steps of this pack.
    pub fn is_weight_step(&self) -> bool {
        match self.measure.as_str() {
            "kg" => Self::STEPS.contains(&self.milli),
            "g" => self.milli % 1_000 == 0 && Self::STEPS.contains(&(self.milli / 1_000)),
            _ => false,
        }
    }
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
            price: product.regular_price.unwrap_or(product.price),
            sale_price: product.regular_price.map(|_| product.price),
            tax_class: product.tax_class,
            rating_tenths: product.rating_tenths,
            reviews: product.reviews,
            pack,
            sold_by_weight: product.sold_by_weight,
            barcode: product.barcode.clone(),
            picture_key: product.picture_key.clone(),
            more_picture_keys: product.more_picture_keys.clone(),
        }
    }

    /// A product whose main picture was removed shows its first further one instead, and no picture twice.
    pub fn arrange_pictures(&mut self) {
        if self.picture_key.is_none() && !self.more_picture_keys.is_empty() {
            self.picture_key = Some(self.more_picture_keys.remove(0));
        }
        let main = self.picture_key.as_ref();
        self.more_picture_keys.retain(|key| Some(key) != main);
    }

    /// Returns the words by which search finds the product.
    pub fn search_words(&self) -> Vec<String> {
        let names = [Some(self.name.as_str()), self.name_ne.as_deref()];
        let lists = self.aliases.iter().chain(&self.tags).chain(&self.tags_ne).map(String::as_str);
        search_words::index_words(names.into_iter().flatten().chain(lists))
    }
}

/// A product to be added.
pub struct NewProduct<'a> {
    pub id: ProductId,
    pub slug: &'a str,
    pub details: &'a ProductDetails,
    pub stock: i32,
}

/// A product of a bulk load. Its search words are given, because computing them a million times would be slow.
pub struct CopiedProduct {
    pub id: ProductId,
    pub slug: String,
    pub details: ProductDetails,
    pub stock: i32,
    pub search_words: Vec<String>,
}

#[cfg(test)]
impl Product {
    /// A product for unit tests.
    pub fn sample(name: &str, price: i64, pack: Option<(i32, &str)>) -> Self {
        Self {
            id: ProductId(Uuid::nil()),
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
            regular_price: None,
            was_price: None,
            sale_ends_at: None,
            tax_class: TaxClass::Standard,
            stock: 1,
            rating_tenths: 0,
            reviews: 0,
            rank: 0,
            pack_milli: pack.map(|(milli, _)| milli),
            pack_measure: pack.map(|(_, measure)| measure.into()),
            pack_label: None,
            pack_label_ne: None,
            sold_by_weight: false,
            barcode: None,
            picture_key: None,
            more_picture_keys: vec![],
            category_id: Uuid::nil(),
            category: String::new(),
            category_ne: None,
            category_slug: String::new(),
            updated_at: DateTime::UNIX_EPOCH,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn packs_of_different_sizes_compare_by_the_kilogram_and_litre() {
        assert_eq!(Product::sample("Rice", 525, Some((5_000, "kg"))).unit_price(), Some((Paisa(10_500), "kg")));
        assert_eq!(Product::sample("Spinach", 60, Some((500_000, "g"))).unit_price(), Some((Paisa(12_000), "kg")));
        assert_eq!(Product::sample("Milk", 50, Some((500_000, "ml"))).unit_price(), Some((Paisa(10_000), "l")));
        assert_eq!(Product::sample("Soap", 45, Some((1_000, "piece"))).unit_price(), None);
        assert_eq!(Product::sample("Gift", 45, None).unit_price(), None);
    }

    #[test]
    fn the_first_further_picture_replaces_a_removed_one() {
        let pictures = |main: Option<&str>, more: &[&str]| {
            let more_picture_keys = more.iter().map(|key| (*key).to_owned()).collect();
            let mut details =
                ProductDetails { picture_key: main.map(str::to_owned), more_picture_keys, ..ProductDetails::default() };
            details.arrange_pictures();
            (details.picture_key.unwrap_or_default(), details.more_picture_keys)
        };

        assert_eq!(pictures(Some("a"), &["b", "c"]), ("a".to_owned(), vec!["b".to_owned(), "c".to_owned()]));
        assert_eq!(pictures(None, &["b", "c"]), ("b".to_owned(), vec!["c".to_owned()]));
        assert_eq!(pictures(Some("b"), &["b", "c"]), ("b".to_owned(), vec!["c".to_owned()]), "twice");
        assert_eq!(pictures(None, &[]), (String::new(), vec![]));
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
    }
}
