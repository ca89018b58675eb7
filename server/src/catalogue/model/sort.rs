//! The orders of product lists, and where their pages begin.

use super::product::Product;
use crate::platform::hex;
use crate::platform::ids::ProductId;

/// The order of a product list. Each order has its own indexes, for the whole shop and within a category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
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
    const ALL: [Self; 6] = [Self::Featured, Self::Newest, Self::Name, Self::PriceAsc, Self::PriceDesc, Self::Rating];

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.name() == name)
    }

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
    pub id: ProductId,
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

/// The order of the seller's product list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cursor_survives_the_journey(name in "\\PC{1,20}", price in 0_i64..1_000_000) {
            let product = Product::sample(&name, price, None);
            for sort in [ProductSort::Featured, ProductSort::Name, ProductSort::PriceAsc, ProductSort::PriceDesc, ProductSort::Rating] {
                let cursor = Cursor::after(sort, &product);
                prop_assert_eq!(Cursor::decode(&cursor.encode(), sort), Some(cursor));
            }
        }
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        let cursor = Cursor::after(ProductSort::Name, &Product::sample("Rice", 1, None)).encode();

        assert_eq!(Cursor::decode(&cursor, ProductSort::Featured), None);
        assert_eq!(Cursor::decode("zz", ProductSort::Name), None);
        assert_eq!(Cursor::decode("é", ProductSort::Name), None);
    }
}
