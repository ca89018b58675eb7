//! The project's own catalogue file with its pictures, which are embedded in the binary.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use object_store::ObjectStore;
use rust_embed::RustEmbed;
use serde::Deserialize;
use uuid::Uuid;

use crate::catalogue::{Pack, ProductDetails, TaxClass};
use crate::media;
use crate::platform::money::Paisa;

#[derive(RustEmbed)]
#[folder = "seed"]
struct Seed;

const PICTURE_WIDTHS: [u32; 2] = [144, 384];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DemoCategory {
    pub slug: String,
    pub name: String,
    pub name_ne: String,
    pub description: String,
    pub description_ne: Option<String>,
    pub picture: Option<String>,
    pub products: Vec<DemoProduct>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DemoProduct {
    pub slug: String,
    name: String,
    name_ne: String,
    description: String,
    description_ne: Option<String>,
    aliases: Vec<String>,
    tags: Vec<String>,
    #[serde(default)]
    tags_ne: Vec<String>,
    unit: DemoUnit,
    pub price: i64,
    pub stock: i32,
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
    pub fn to_details(&self, category: Uuid, keys: &BTreeMap<String, String>) -> ProductDetails {
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
            sale_price: None,
            tax_class: TaxClass::Standard,
            rating_tenths: tenths(self.rating),
            reviews: self.reviews,
            pack: Some(Pack {
                milli: thousandths(self.unit.amount),
                measure: self.unit.measure.clone(),
                label: self.unit.label.clone(),
                label_ne: self.unit.label_ne.clone(),
            }),
            sold_by_weight: false,
            barcode: None,
            picture_key: self.picture.as_ref().and_then(|name| keys.get(name)).cloned(),
            more_picture_keys: Vec::new(),
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

pub fn read_catalogue_file() -> anyhow::Result<Vec<DemoCategory>> {
    let file = Seed::get("catalogue.json").context("the catalogue file is not embedded in the binary")?;
    Ok(serde_json::from_slice(&file.data)?)
}

/// Stores the pictures that the file names and returns their keys by name.
pub async fn store_pictures(
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
