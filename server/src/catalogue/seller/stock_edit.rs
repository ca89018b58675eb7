//! A change of stock by a seller.

pub const MAX_STOCK: i64 = 1_000_000;

/// The stock that the seller entered, and the stock that the form showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockEdit {
    pub requested: i32,
    pub last_seen: Option<i32>,
}

/// The change would make the stock negative or larger than the maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StockOutOfRange;

impl StockEdit {
    /// Returns the change to a current `stock`: the difference that the seller meant, so that an edit never undoes
    /// sales.
    pub fn difference(self, stock: i32) -> Result<i32, StockOutOfRange> {
        let meant = self.requested - self.last_seen.unwrap_or(stock);
        // A seller who enters 0 means that none is left, however many were sold or returned in the meantime.
        if self.requested == 0 && meant != 0 {
            return Ok(-stock);
        }
        if (0..=MAX_STOCK).contains(&(i64::from(stock) + i64::from(meant))) { Ok(meant) } else { Err(StockOutOfRange) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_stock_never_undoes_sales() {
        let edit = |requested, last_seen| StockEdit { requested, last_seen };
        assert_eq!(edit(15, Some(10)).difference(7), Ok(5));
        assert_eq!(edit(15, None).difference(7), Ok(8));
        assert_eq!(edit(2, Some(10)).difference(5), Err(StockOutOfRange));
        assert_eq!(edit(1_000_000, Some(0)).difference(1), Err(StockOutOfRange));
        assert_eq!(edit(0, Some(10)).difference(5), Ok(-5));
        assert_eq!(edit(0, Some(5)).difference(7), Ok(-7));
        assert_eq!(edit(0, Some(0)).difference(3), Ok(0), "nobody said anything about those three");
    }
}
