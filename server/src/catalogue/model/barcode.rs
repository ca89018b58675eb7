//! Barcodes of retail goods: EAN-8, UPC-A with 12 digits and EAN-13, whose last digit checks the others.

/// Returns whether the text is a barcode with a correct check digit.
pub fn is_valid_barcode(text: &str) -> bool {
    if !matches!(text.len(), 8 | 12 | 13) || !text.bytes().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    // From the right, every second digit counts three times, and the sum is a multiple of ten.
    let sum: u32 = text
        .bytes()
        .rev()
        .zip([1, 3].into_iter().cycle())
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barcode_has_the_right_length_and_check_digit() {
        for valid in ["4006381333931", "5901234123457", "96385074", "036000291452"] {
            assert!(is_valid_barcode(valid), "{valid}");
        }
        for wrong in
            ["4006381333930", "96385075", "036000291453", "400638133393", "", "4006381333931 ", "40063813339a1"]
        {
            assert!(!is_valid_barcode(wrong), "{wrong}");
        }
    }
}
