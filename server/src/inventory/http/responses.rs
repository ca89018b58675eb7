//! What several responses of this module contain.

use std::collections::HashMap;

use serde::Serialize;

use crate::inventory::model::ProductName;
use crate::platform::ids::ProductId;

/// A product by its names.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockProduct)]
pub struct ProductReference {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    /// The pack size, such as `5 kg sack`.
    #[schema(required)]
    pack: Option<String>,
    #[schema(required)]
    pack_ne: Option<String>,
}

impl ProductReference {
    pub fn new(id: ProductId, names: &HashMap<ProductId, ProductName>) -> Self {
        let product = names.get(&id);
        Self {
            id,
            name: product.map(|product| product.name.clone()).unwrap_or_default(),
            name_ne: product.and_then(|product| product.name_ne.clone()),
            pack: product.and_then(|product| product.pack_label.clone()),
            pack_ne: product.and_then(|product| product.pack_label_ne.clone()),
        }
    }
}
