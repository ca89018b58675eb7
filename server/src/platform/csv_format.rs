//! Formats CSV files for spreadsheet programs.

use std::borrow::Cow;

use bytes::Bytes;
use futures_util::{Stream, stream};

/// Without it Excel does not recognise UTF-8 and garbles Nepali text.
pub const BOM: &str = "\u{feff}";

/// A spreadsheet might read a cell that begins with one of these as a formula, so an apostrophe is put in front of it.
/// An apostrophe at the beginning is escaped too, so that reading returns exactly what was written.
const FORMULA_PREFIXES: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\''];

/// Quotes every cell: where semicolons separate columns, as in much of Europe, an unquoted `a;=1+1` would be two cells.
pub fn format_row<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    // Writing one record to memory does not fail.
    let _ = writer.write_record(cells.into_iter().map(|cell| escape_formula(cell).into_owned()));
    writer.into_inner().ok().and_then(|line| String::from_utf8(line).ok()).unwrap_or_default()
}

/// Streams a file of any length without holding it in memory: `read` returns the rows after a position, `place` returns
/// the position of a row, and `write` formats its line.
pub fn stream_file<Place, Row, Reading>(
    header: String,
    first: Place,
    read: impl Fn(Place) -> Reading,
    place: fn(&Row) -> Place,
    write: fn(&Row) -> String,
) -> impl Stream<Item = sqlx::Result<Bytes>>
where
    Reading: Future<Output = sqlx::Result<Vec<Row>>>,
{
    stream::unfold((Some(first), format!("{BOM}{header}"), read), move |(behind, opening, read)| async move {
        let rows = match read(behind?).await {
            Ok(rows) => rows,
            // An error breaks the download off visibly; a stream that merely ended would look complete.
            Err(error) => return Some((Err(error), (None, String::new(), read))),
        };
        let next = rows.last().map(place);
        let mut text = opening;
        text.extend(rows.iter().map(write));
        if text.is_empty() { None } else { Some((Ok(Bytes::from(text)), (next, String::new(), read))) }
    })
}

fn escape_formula(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(FORMULA_PREFIXES) && !is_negative_number(cell) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// A negative amount must stay a number, so that a spreadsheet can add it up.
fn is_negative_number(cell: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = cell.strip_prefix('-') else { return false };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    is_digits(whole) && is_digits(fraction)
}

/// Removes the apostrophe that `format_row` put in front of a cell, if there is one.
pub fn unescape_formula(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(FORMULA_PREFIXES) => rest,
        _ => cell,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_cell_is_quoted() {
        assert_eq!(
            format_row(["a;=cmd", "12.50", "", "say \"hi\"", "=1+1"]),
            "\"a;=cmd\",\"12.50\",\"\",\"say \"\"hi\"\"\",\"'=1+1\"\r\n"
        );
    }

    #[test]
    fn a_negative_number_stays_a_number_and_a_formula_does_not() {
        assert_eq!(format_row(["-60.00", "-7"]), "\"-60.00\",\"-7\"\r\n");
        for formula in ["-1+1", "-", "-1.", "--1", "-1.2.3", "-A1"] {
            assert_eq!(format_row([formula]), format!("\"'{formula}\"\r\n"));
        }
    }

    proptest! {
        /// The cells include formulas, quotation marks and apostrophes.
        #[test]
        fn a_cell_comes_back_as_it_was_and_is_no_formula(text in "[-=+@'\"\\t, |;a-zकख\n]{0,12}") {
            let line = format_row(["x", text.as_str()]);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            let record = reader.records().next().unwrap().unwrap();
            prop_assert_eq!(unescape_formula(record.get(1).unwrap()), text.as_str());
            prop_assert!(!record.get(1).unwrap().starts_with(['=', '+', '-', '@', '\t']));
        }
    }
}
