//! What the statements for products have in common.

use uuid::Uuid;

use crate::catalogue::model::{Cursor, CursorKey, ProductSort};

/// Selects products with their categories: the columns that every query for products needs. Aliases are needed only for
/// ranking and for the seller, so each query says where they come from.
macro_rules! select_products {
    ($aliases:literal, [$($rest:literal),+], $($argument:expr),+) => {
        sqlx::query_as!(
            Product,
            r#"SELECT p.id, p.position, p.slug, p.name, p.name_key AS "name_key!", p.name_ne, p.description,
                      p.description_ne, p.tags, p.tags_ne, p.price_paisa AS "price: Paisa",
                      p.regular_price_paisa AS "regular_price: Paisa", p.was_price_paisa AS "was_price: Paisa",
                      CASE WHEN p.was_price_paisa IS NOT NULL THEN
                          (SELECT s.ends_at FROM sale_prices s
                           WHERE s.product_id = p.id AND s.started_at IS NOT NULL AND s.ended_at IS NULL) END AS sale_ends_at,
                      p.tax_class, p.stock, p.rating_tenths,
                      p.reviews, p.rank AS "rank!", p.pack_milli, p.pack_measure, p.pack_label, p.pack_label_ne, p.sold_by_weight, p.barcode,
                      p.picture_key, p.more_picture_keys, p.category_id AS "category_id!", p.updated_at, c.name AS category, c.name_ne AS category_ne,
                      c.slug AS category_slug, "#
                + $aliases
                + r#" AS "aliases!"
               FROM products p JOIN categories c ON c.id = p.category_id
               WHERE p.archived_at IS NULL AND "#
                $(+ $rest)+,
            $($argument),+
        )
    };
}
pub(super) use select_products;

/// The place in a sort order after which a page begins. A first page begins before the first product.
pub struct SeekStart<'a> {
    pub number: i64,
    pub text: &'a str,
    pub id: Uuid,
}

impl<'a> SeekStart<'a> {
    pub fn new(sort: ProductSort, cursor: Option<&'a Cursor>) -> Self {
        let falling = matches!(sort, ProductSort::Newest | ProductSort::PriceDesc | ProductSort::Rating);
        let mut start = Self {
            number: if falling { i64::MAX } else { i64::MIN },
            text: "",
            id: if falling { Uuid::max() } else { Uuid::nil() },
        };
        if let Some(cursor) = cursor {
            start.id = cursor.id.0;
            match &cursor.key {
                CursorKey::Number(number) => start.number = *number,
                CursorKey::Text(text) => start.text = text,
            }
        }
        start
    }
}
