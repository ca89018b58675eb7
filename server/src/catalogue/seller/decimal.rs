//! Decimal numbers as sellers write them.

/// Parses `12.5` with two decimals as 1250. Digits may be Nepali; only zeros may follow beyond the decimals.
pub fn parse_decimal(text: &str, decimals: u32) -> Option<i64> {
    let digits: String = text
        .chars()
        .map(|c| match c {
            '०'..='९' => char::from_digit(u32::from(c) - u32::from('०'), 10).unwrap_or(c),
            other => other,
        })
        .collect();
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    if whole.is_empty() || whole.len() > 12 || !(whole.bytes().chain(part.bytes())).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let places = usize::try_from(decimals).ok()?;
    if digits.ends_with('.') || part.bytes().skip(places).any(|byte| byte != b'0') {
        return None;
    }
    let part: String = part.chars().chain(std::iter::repeat('0')).take(places).collect();
    format!("{whole}{part}").parse().ok()
}

/// Formats 1250 with two decimals as `12.5`.
pub fn format_decimal(number: i64, decimals: u32) -> String {
    let scale = 10_i64.pow(decimals);
    let (whole, part) = (number / scale, number % scale);
    if part == 0 {
        return whole.to_string();
    }
    let width = usize::try_from(decimals).unwrap_or_default();
    format!("{whole}.{part:0width$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_survive_being_written(number in 0_i64..1_000_000_000, decimals in 0_u32..4) {
            prop_assert_eq!(parse_decimal(&format_decimal(number, decimals), decimals), Some(number));
        }
    }
}
