//! Searches for products by name, and how well a product matches.

use super::product::Product;
use crate::catalogue::search_words;
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

/// The text that a name must contain.
pub struct NameQuery {
    /// The pattern for LIKE: the text with anything around it.
    pub pattern: String,
    /// The text itself when it is too short for trigrams: one or two letters.
    pub short: Option<String>,
}

/// What a shopper wants of a product's price and stock.
#[derive(Debug, Clone, Default)]
pub struct OfferFilter {
    /// In rupees.
    pub min_price: Option<u32>,
    /// In rupees.
    pub max_price: Option<u32>,
    pub in_stock: bool,
    /// Only products whose price is lower than before, because a sale runs.
    pub discounted: bool,
}

impl OfferFilter {
    pub const fn is_set(&self) -> bool {
        self.in_stock || self.discounted || self.min_price.is_some() || self.max_price.is_some()
    }

    /// The lowest and the highest price.
    pub fn prices(&self) -> (Paisa, Paisa) {
        let paisa = |rupees: u32| Paisa(i64::from(rupees) * 100);
        (self.min_price.map_or(Paisa::ZERO, paisa), self.max_price.map_or(Paisa(i64::MAX), paisa))
    }

    pub fn allows(&self, product: &Product) -> bool {
        let (min, max) = self.prices();
        (min..=max).contains(&product.price)
            && (product.stock > 0 || !self.in_stock)
            && (product.was_price.is_some() || !self.discounted)
    }
}

/// The products whose name contains a text.
pub struct NameMatches {
    /// The number of matches, up to the requested maximum.
    pub total: i64,
    pub ids: Vec<ProductId>,
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
