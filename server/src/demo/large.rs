//! A large catalogue of variations of the demo products, for load tests.

use object_store::ObjectStore;
use sqlx::PgPool;

use super::catalogue_file::{read_catalogue_file, store_pictures};
use super::load::{ensure_category, load_demo};
use crate::catalogue::{self, CopiedProduct, Pack, ProductDetails};
use crate::platform::db::disable_timeouts;
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

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

/// Fills the shop up to `count` products with variations of the demo products. It is used for load tests only.
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
        templates.extend(category.products.iter().map(|product| {
            let details = product.to_details(id, &keys);
            ProductTemplate { slug: &product.slug, rupees: product.price, words: details.search_words(), details }
        }));
    }
    let own: u64 = templates.len().try_into()?;
    let products = (0..count.saturating_sub(own)).filter_map(|number| make_product(&templates, number));
    let copied = catalogue::copy_products(&mut tx, products).await?;
    let words: Vec<String> = MAKERS.iter().chain(&ORIGINS).flat_map(|name| catalogue::fold_words(name)).collect();
    catalogue::add_search_words(&mut tx, &words).await?;
    tx.commit().await?;
    Ok(copied)
}

struct ProductTemplate<'a> {
    slug: &'a str,
    rupees: i64,
    words: Vec<String>,
    details: ProductDetails,
}

/// Makes a variation of a template. The numbers only have to look varied and be the same on every run.
fn make_product(templates: &[ProductTemplate<'_>], number: u64) -> Option<CopiedProduct> {
    let pick =
        |length: usize, step: u64| usize::try_from((number / step) % u64::try_from(length).unwrap_or(1)).unwrap_or(0);
    let step: u64 = templates.len().try_into().unwrap_or(1);
    let template = templates.get(pick(templates.len(), 1))?;
    let maker = MAKERS.get(pick(MAKERS.len(), step))?;
    let origin = ORIGINS.get(pick(ORIGINS.len(), step * 45))?;
    let (size, milli, measure, percent) = *PACKS.get(pick(PACKS.len(), step * 45 * 38))?;
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
    let up_to = |most: u64| i32::try_from(mixed % most).unwrap_or(0);
    let mut search_words = template.words.clone();
    search_words.extend(catalogue::fold_words(maker));
    search_words.extend(catalogue::fold_words(origin));
    let details = ProductDetails {
        name: format!("{maker} {} {origin} {size}", template.details.name),
        price: Paisa(template.rupees * percent + i64::from(up_to(40)) * 50),
        rating_tenths: 30 + i16::try_from(mixed % 21).unwrap_or(0),
        reviews: up_to(400),
        pack: Some(Pack { milli, measure: measure.to_owned(), label: size.to_owned(), label_ne: None }),
        ..template.details.clone()
    };
    Some(CopiedProduct {
        id: ProductId::generate(),
        slug: format!("{}-{number}", template.slug),
        details,
        stock: if mixed.is_multiple_of(50) { 0 } else { up_to(200) },
        search_words,
    })
}
