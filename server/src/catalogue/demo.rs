//! The demo shop: the project's own catalogue file with its pictures, and a large catalogue made from it for load
//! tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Context;
use object_store::ObjectStore;
use rust_embed::RustEmbed;
use serde::Deserialize;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{Pack, ProductDetails, TaxClass};
use super::search_words;
use super::store::{self, NewCategory, NewProduct};
use crate::media;
use crate::platform::db::disable_timeouts;
use crate::platform::money::Paisa;

#[derive(RustEmbed)]
#[folder = "seed"]
struct Seed;

const PICTURE_WIDTHS: [u32; 2] = [128, 256];
/// Lines sent to the database at a time.
const COPY_CHUNK: usize = 2_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DemoCategory {
    slug: String,
    name: String,
    name_ne: String,
    description: String,
    description_ne: Option<String>,
    picture: Option<String>,
    products: Vec<DemoProduct>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DemoProduct {
    slug: String,
    name: String,
    name_ne: String,
    description: String,
    description_ne: Option<String>,
    aliases: Vec<String>,
    tags: Vec<String>,
    #[serde(default)]
    tags_ne: Vec<String>,
    unit: DemoUnit,
    price: i64,
    stock: i32,
    rating: f64,
    reviews: i32,
    picture: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DemoUnit {
    amount: f64,
    measure: String,
    label: String,
    label_ne: Option<String>,
}

impl DemoProduct {
    fn to_details(&self, category: Uuid, keys: &BTreeMap<String, String>) -> ProductDetails {
        ProductDetails {
            category,
            name: self.name.clone(),
            name_ne: Some(self.name_ne.clone()),
            description: self.description.clone(),
            description_ne: self.description_ne.clone(),
            aliases: self.aliases.clone(),
            tags: self.tags.clone(),
            tags_ne: self.tags_ne.clone(),
            price: Paisa::from_rupees(self.price),
            tax_class: TaxClass::Standard,
            rating_tenths: tenths(self.rating),
            reviews: self.reviews,
            pack: Some(Pack {
                milli: thousandths(self.unit.amount),
                measure: self.unit.measure.clone(),
                label: self.unit.label.clone(),
                label_ne: self.unit.label_ne.clone(),
            }),
            picture_key: self.picture.as_ref().and_then(|name| keys.get(name)).cloned(),
        }
    }
}

/// Converts a decimal number of the file to thousandths.
#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "our own file; amounts are small")]
fn thousandths(amount: f64) -> i32 {
    (amount * 1000.0).round() as i32
}

#[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "our own file; 0 to 5 stars")]
fn tenths(stars: f64) -> i16 {
    (stars * 10.0).round() as i16
}

fn read_catalogue_file() -> anyhow::Result<Vec<DemoCategory>> {
    let file = Seed::get("catalogue.json").context("the catalogue file is not embedded in the binary")?;
    Ok(serde_json::from_slice(&file.data)?)
}

/// Loads the demo catalogue and returns how many products were added; existing products stay as they are.
pub async fn load_demo(db: &PgPool, pictures: &dyn ObjectStore) -> anyhow::Result<u64> {
    let categories = read_catalogue_file()?;
    let keys = store_pictures(pictures, &categories).await?;
    let mut added = 0;
    let mut tx = db.begin().await?;
    let mut ids = Vec::with_capacity(categories.len());
    for category in &categories {
        ids.push(ensure_category(&mut tx, category, &keys).await?);
    }
    for (category, product) in interleave_categories(&categories) {
        let Some(id) = ids.get(category).copied() else { continue };
        let details = product.to_details(id, &keys);
        let new = NewProduct { id: Uuid::now_v7(), slug: &product.slug, details: &details, stock: product.stock };
        added += u64::try_from(store::insert_products(&mut tx, &[new]).await?.len())?;
    }
    tx.commit().await?;
    Ok(added)
}

/// Takes a product of each category in turn, with its category's index, so that the first page of the shop shows its
/// breadth.
fn interleave_categories(categories: &[DemoCategory]) -> impl Iterator<Item = (usize, &DemoProduct)> {
    let longest = categories.iter().map(|category| category.products.len()).max().unwrap_or(0);
    (0..longest).flat_map(move |row| {
        categories.iter().enumerate().filter_map(move |(number, category)| Some((number, category.products.get(row)?)))
    })
}

async fn ensure_category(
    conn: &mut PgConnection,
    category: &DemoCategory,
    keys: &BTreeMap<String, String>,
) -> sqlx::Result<Uuid> {
    let picture = category.picture.as_ref().and_then(|name| keys.get(name)).map(String::as_str);
    let new = NewCategory {
        name: &category.name,
        name_ne: Some(&category.name_ne),
        description: &category.description,
        description_ne: category.description_ne.as_deref(),
        picture_key: picture,
        icon_key: picture,
    };
    store::ensure_category(conn, &category.slug, &new).await
}

async fn store_pictures(
    pictures: &dyn ObjectStore,
    categories: &[DemoCategory],
) -> anyhow::Result<BTreeMap<String, String>> {
    let named: BTreeSet<&String> = categories
        .iter()
        .flat_map(|category| category.products.iter().map(|product| &product.picture).chain([&category.picture]))
        .flatten()
        .collect();
    let mut keys = BTreeMap::new();
    for name in named {
        let mut variants = Vec::new();
        for width in PICTURE_WIDTHS {
            let file = format!("pictures/{name}-{width}.webp");
            let webp =
                Seed::get(&file).with_context(|| format!("{file} is not embedded in the binary"))?.data.into_owned();
            variants.push(media::Variant { width, webp });
        }
        keys.insert(name.clone(), media::store_picture(pictures, variants).await?);
    }
    Ok(keys)
}

const MAKERS: [&str; 45] = [
    "Sagarmatha",
    "Annapurna",
    "Machhapuchhre",
    "Gaurishankar",
    "Langtang",
    "Manaslu",
    "Dhaulagiri",
    "Makalu",
    "Ganesh",
    "Himchuli",
    "Koshi",
    "Gandaki",
    "Karnali",
    "Bagmati",
    "Narayani",
    "Trishuli",
    "Rapti",
    "Mechi",
    "Mahakali",
    "Seti",
    "Phewa",
    "Rara",
    "Tilicho",
    "Gosaikunda",
    "Begnas",
    "Lali",
    "Gurans",
    "Danphe",
    "Chautari",
    "Pipal",
    "Bar",
    "Sayapatri",
    "Makhamali",
    "Doko",
    "Nanglo",
    "Dhiki",
    "Jaato",
    "Madani",
    "Pathi",
    "Mana",
    "Muri",
    "Khet",
    "Bari",
    "Kharka",
    "Tarai",
];
const ORIGINS: [&str; 38] = [
    "Ilam",
    "Jhapa",
    "Morang",
    "Sunsari",
    "Dhankuta",
    "Taplejung",
    "Panchthar",
    "Udayapur",
    "Siraha",
    "Saptari",
    "Dhanusha",
    "Sarlahi",
    "Bara",
    "Parsa",
    "Chitwan",
    "Makwanpur",
    "Kavre",
    "Bhaktapur",
    "Lalitpur",
    "Kathmandu",
    "Nuwakot",
    "Dhading",
    "Gorkha",
    "Lamjung",
    "Tanahun",
    "Kaski",
    "Syangja",
    "Palpa",
    "Gulmi",
    "Mustang",
    "Myagdi",
    "Dang",
    "Banke",
    "Bardiya",
    "Surkhet",
    "Jumla",
    "Kailali",
    "Doti",
];
const PACKS: [(&str, i32, &str, i64); 4] =
    [("250 g", 250_000, "g", 30), ("500 g", 500_000, "g", 55), ("1 kg", 1_000, "kg", 100), ("5 kg", 5_000, "kg", 470)];

/// Fills the shop up to `count` products with variations of the demo products, by COPY. It is used for load tests only.
pub async fn load_large_demo(db: &PgPool, pictures: &dyn ObjectStore, count: u64) -> anyhow::Result<u64> {
    load_demo(db, pictures).await?;
    let categories = read_catalogue_file()?;
    let keys = store_pictures(pictures, &categories).await?;
    let mut tx = db.begin().await?;
    // This is one long transaction on purpose: a large catalogue appears completely or not at all.
    disable_timeouts(&mut tx).await?;
    let mut templates = Vec::new();
    for category in &categories {
        let id = ensure_category(&mut tx, category, &keys).await?;
        templates.extend(category.products.iter().map(|product| ProductTemplate {
            category: id,
            words: product.to_details(id, &keys).search_words(),
            picture: product.picture.as_ref().and_then(|name| keys.get(name)).cloned(),
            product,
        }));
    }
    let own: u64 = templates.len().try_into()?;
    let mut number = 0;
    let total = count.saturating_sub(own);
    let copied = store::copy_products(&mut tx, || {
        if number == total {
            return None;
        }
        let mut lines = String::new();
        for _ in 0..COPY_CHUNK {
            if number == total {
                break;
            }
            write_copy_line(&mut lines, &templates, number);
            number += 1;
        }
        Some(lines)
    })
    .await?;
    store::insert_initial_movements(&mut tx).await?;
    let extra: Vec<String> = MAKERS.iter().chain(&ORIGINS).flat_map(|name| search_words::fold_words(name)).collect();
    store::add_search_words(&mut tx, &extra).await?;
    tx.commit().await?;
    Ok(copied)
}

struct ProductTemplate<'a> {
    category: Uuid,
    words: Vec<String>,
    picture: Option<String>,
    product: &'a DemoProduct,
}

/// Writes one product in PostgreSQL's text format. The numbers only have to look varied and be the same on every run.
fn write_copy_line(lines: &mut String, templates: &[ProductTemplate<'_>], number: u64) {
    let pick =
        |length: usize, step: u64| usize::try_from((number / step) % u64::try_from(length).unwrap_or(1)).unwrap_or(0);
    let step: u64 = templates.len().try_into().unwrap_or(1);
    let Some(template) = templates.get(pick(templates.len(), 1)) else { return };
    let maker = MAKERS.get(pick(MAKERS.len(), step)).copied().unwrap_or_default();
    let origin = ORIGINS.get(pick(ORIGINS.len(), step * 45)).copied().unwrap_or_default();
    let (size, milli, measure, percent) =
        PACKS.get(pick(PACKS.len(), step * 45 * 38)).copied().unwrap_or(("1 kg", 1_000, "kg", 100));
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    let product = template.product;
    let price = product.price * percent + i64::try_from(mixed % 40).unwrap_or(0) * 50;
    let stock = if mixed.is_multiple_of(50) { 0 } else { mixed % 200 };
    let mut words = template.words.clone();
    words.extend(search_words::fold_words(maker));
    words.extend(search_words::fold_words(origin));
    let null = "\\N";
    // Writing to a String does not fail.
    let _ = writeln!(
        lines,
        "{id}\t{category}\t{slug}-{number}\t{name}\t{name_ne}\t{description}\t{description_ne}\t{aliases}\t{tags}\t{tags_ne}\t\
         {price}\t{stock}\t{rating}\t{reviews}\t{milli}\t{measure}\t{size}\t{null}\t{picture}\t{words}",
        id = Uuid::now_v7(),
        category = template.category,
        slug = product.slug,
        name = escape_copy_text(&format!("{maker} {} {origin} {size}", product.name)),
        name_ne = escape_copy_text(&product.name_ne),
        description = escape_copy_text(&product.description),
        description_ne = product.description_ne.as_deref().map_or(null.to_owned(), escape_copy_text),
        aliases = format_copy_array(&product.aliases),
        tags = format_copy_array(&product.tags),
        tags_ne = format_copy_array(&product.tags_ne),
        rating = 30 + mixed % 21,
        reviews = mixed % 400,
        picture = template.picture.as_deref().unwrap_or(null),
        words = format_copy_array(&words),
    );
}

fn escape_copy_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n")
}

fn format_copy_array(items: &[String]) -> String {
    let quoted: Vec<String> =
        items.iter().map(|item| format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    escape_copy_text(&format!("{{{}}}", quoted.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_file_is_whole() {
        let categories = read_catalogue_file().unwrap();
        let products: Vec<&DemoProduct> = categories.iter().flat_map(|category| &category.products).collect();
        let slugs: BTreeSet<&str> = products.iter().map(|product| product.slug.as_str()).collect();

        assert_eq!((categories.len(), products.len(), slugs.len()), (16, 156, 156));
        assert!(products.iter().all(|product| product.price > 0 && product.description_ne.is_some()));
    }

    #[test]
    fn every_named_picture_is_in_the_binary() {
        for category in read_catalogue_file().unwrap() {
            let pictures = category.products.into_iter().map(|product| product.picture).chain([category.picture]);
            for name in pictures.flatten() {
                for width in PICTURE_WIDTHS {
                    assert!(Seed::get(&format!("pictures/{name}-{width}.webp")).is_some(), "{name} at {width}");
                }
            }
        }
    }
}
