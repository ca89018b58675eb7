//! The bodies of the responses, with the contract's names (`_id`, `totalproducts`).

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::catalogue::browse::{ProductPage, ProductWithRelated};
use crate::catalogue::model::{Category, Product, TaxClass};
use crate::media;
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Product)]
pub struct ProductResponse {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    pub id: ProductId,
    /// The same as `_id`.
    #[serde(rename = "id")]
    #[schema(value_type = String, format = Uuid)]
    pub same_id: ProductId,
    pub slug: String,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    pub description: String,
    #[schema(required)]
    pub description_ne: Option<String>,
    /// The name of its category.
    pub category: String,
    #[schema(required)]
    pub category_ne: Option<String>,
    pub category_slug: String,
    /// Rupees, at most two decimals.
    #[schema(value_type = f64)]
    pub price: Paisa,
    /// The price before the sale that runs now; absent without a sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64, required = false)]
    pub was_price: Option<Paisa>,
    /// When the sale ends; absent without a sale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    pub sale_ends_at: Option<DateTime<Utc>>,
    #[schema(inline)]
    pub tax_class: TaxClassResponse,
    #[schema(required)]
    pub image: Option<String>,
    /// The value of the attribute `srcset`.
    #[schema(required)]
    pub image_set: Option<String>,
    /// The further pictures, in their order; absent in lists for shoppers and if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub more_images: Vec<PictureResponse>,
    pub tags: Vec<String>,
    pub tags_ne: Vec<String>,
    pub rating: Tenths,
    pub reviews: i32,
    pub stock: i32,
    /// Whether a unit is a step, such as 500 g, that is weighed when the order is packed; the price is an estimate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub sold_by_weight: bool,
    #[schema(required)]
    pub unit: Option<UnitResponse>,
    #[schema(required)]
    pub unit_price: Option<UnitPriceResponse>,
}

/// A picture in all its widths.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Picture)]
pub struct PictureResponse {
    /// By which a form names the picture.
    pub key: String,
    /// The widest one.
    pub image: String,
    /// The value of the attribute `srcset`.
    pub image_set: String,
}

impl PictureResponse {
    pub fn new(key: &str) -> Option<Self> {
        let urls = media::picture_urls(key)?;
        Some(Self { key: key.to_owned(), image: urls.widest, image_set: urls.srcset })
    }

    pub fn list(keys: &[String]) -> Vec<Self> {
        keys.iter().filter_map(|key| Self::new(key)).collect()
    }
}

/// Whether a product is taxed.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaxClassResponse {
    Standard,
    Exempt,
}

impl From<TaxClass> for TaxClassResponse {
    fn from(tax_class: TaxClass) -> Self {
        match tax_class {
            TaxClass::Standard => Self::Standard,
            TaxClass::Exempt => Self::Exempt,
        }
    }
}

/// A number with one decimal.
#[derive(Debug, Clone, Copy, utoipa::ToSchema)]
#[schema(value_type = f64)]
pub struct Tenths(i16);

impl Serialize for Tenths {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Unit)]
pub struct UnitResponse {
    pub amount: f64,
    pub measure: String,
    pub label: String,
    #[schema(required)]
    pub label_ne: Option<String>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = UnitPrice)]
pub struct UnitPriceResponse {
    #[schema(value_type = f64)]
    pub price: Paisa,
    /// `kg`, `l` or `piece`.
    pub per: &'static str,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Category)]
pub struct CategoryResponse {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    pub slug: String,
    pub description: String,
    #[schema(required)]
    pub description_ne: Option<String>,
    #[schema(required)]
    pub image: Option<String>,
    #[schema(required)]
    pub image_set: Option<String>,
    #[schema(required)]
    pub icon: Option<String>,
    #[serde(rename = "totalproducts")]
    pub total_products: i64,
}

/// The envelope of public responses.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Envelope<T> {
    pub success: bool,
    pub message: &'static str,
    pub data: T,
}

impl<T> Envelope<T> {
    pub fn of(data: T) -> Self {
        Self { success: true, message: "", data }
    }
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductList {
    pub success: bool,
    pub message: &'static str,
    /// The products on sale; with `search`, exactly those whose name contains the text, regardless of case.
    pub data: Vec<ProductResponse>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// The number of products in `data` and `matches` over all pages.
    pub total: i64,
    /// True when counting stopped because there are more than `total`.
    pub total_capped: bool,
    /// In a search, after the last of `data`: products found by their Nepali name, an alias, a tag or a Romanised
    /// spelling.
    pub matches: Vec<ProductResponse>,
    /// Products that a typing error may have meant; only on the first page of a search, if it holds all of `data`.
    pub similar: Vec<ProductResponse>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ProductWithRelated)]
pub struct ProductWithRelatedResponse {
    pub product: ProductResponse,
    pub related: Vec<ProductResponse>,
}

impl From<Product> for ProductResponse {
    fn from(product: Product) -> Self {
        let picture = product.picture_key.as_deref().and_then(media::picture_urls);
        let unit_price = product.unit_price().map(|(price, per)| UnitPriceResponse { price, per });
        let unit = match (product.pack_milli, product.pack_measure, product.pack_label) {
            (Some(milli), Some(measure), Some(label)) => Some(UnitResponse {
                amount: f64::from(milli) / 1000.0,
                measure,
                label,
                label_ne: product.pack_label_ne,
            }),
            _ => None,
        };
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: product.id,
            same_id: product.id,
            slug: product.slug,
            name: product.name,
            name_ne: product.name_ne,
            description: product.description,
            description_ne: product.description_ne,
            category: product.category,
            category_ne: product.category_ne,
            category_slug: product.category_slug,
            price: product.price,
            was_price: product.was_price,
            sale_ends_at: product.sale_ends_at,
            tax_class: product.tax_class.into(),
            image,
            image_set,
            more_images: Vec::new(),
            tags: product.tags,
            tags_ne: product.tags_ne,
            rating: Tenths(product.rating_tenths),
            reviews: product.reviews,
            stock: product.stock,
            sold_by_weight: product.sold_by_weight,
            unit,
            unit_price,
        }
    }
}

impl From<&Category> for CategoryResponse {
    fn from(category: &Category) -> Self {
        let picture = category.picture_key.as_deref().and_then(media::picture_urls);
        let icon = category.icon_key.as_deref().and_then(media::picture_urls);
        let (image, image_set) = picture.map(|picture| (picture.widest, picture.srcset)).unzip();
        Self {
            id: category.id,
            name: category.name.clone(),
            name_ne: category.name_ne.clone(),
            slug: category.slug.clone(),
            description: category.description.clone(),
            description_ne: category.description_ne.clone(),
            image,
            image_set,
            icon: icon.map(|icon| icon.widest),
            total_products: category.products,
        }
    }
}

impl From<ProductPage> for ProductList {
    fn from(page: ProductPage) -> Self {
        Self {
            success: true,
            message: "",
            data: page.products.into_iter().map(ProductResponse::from).collect(),
            next_cursor: page.next_cursor,
            total: page.total,
            total_capped: page.total_capped,
            matches: page.matches.into_iter().map(ProductResponse::from).collect(),
            similar: page.similar.into_iter().map(ProductResponse::from).collect(),
        }
    }
}

impl From<ProductWithRelated> for ProductWithRelatedResponse {
    fn from(detail: ProductWithRelated) -> Self {
        let more_images = PictureResponse::list(&detail.product.more_picture_keys);
        Self {
            product: ProductResponse { more_images, ..detail.product.into() },
            related: detail.related.into_iter().map(ProductResponse::from).collect(),
        }
    }
}
