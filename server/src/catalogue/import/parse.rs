//! Parsing a CSV file of products.

use crate::catalogue::seller::product_field::{ProductField, RawProduct};
use crate::platform::csv_format::{BOM, unescape_formula};
use crate::platform::messages::{Message, message};

pub const MAX_ROWS: usize = 20_000;
/// Added after the last line: it comes back as a row of its own unless an unclosed quote has swallowed it.
const END_MARKER: &str = "\u{e000}end";

#[derive(Debug)]
pub struct CsvRow {
    /// The row number in a spreadsheet; the header is row 1.
    pub number: i32,
    pub slug: String,
    pub raw: RawProduct,
    /// Set when the row does not have as many cells as the header.
    pub length_error: Option<Message>,
}

/// Why a file as a whole cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CsvError {
    #[error("the file is empty")]
    Empty,
    #[error("the file is not UTF-8")]
    NotUtf8,
    #[error("the file contains a NUL character")]
    NulCharacter,
    #[error("unknown column")]
    UnknownColumn(String),
    #[error("duplicate column")]
    DuplicateColumn(String),
    #[error("missing name column")]
    MissingNameColumn,
    #[error("too many rows")]
    TooManyRows,
    #[error("unclosed quote")]
    UnclosedQuote,
}

impl From<CsvError> for Message {
    fn from(error: CsvError) -> Self {
        match error {
            CsvError::Empty => message!("imports.empty"),
            CsvError::NotUtf8 => message!("imports.not_utf8"),
            CsvError::NulCharacter => message!("imports.invalid_character"),
            CsvError::UnknownColumn(column) => message!("imports.unknown_column", column = column),
            CsvError::DuplicateColumn(column) => message!("imports.duplicate_column", column = column),
            CsvError::MissingNameColumn => message!("imports.name_column_missing"),
            CsvError::TooManyRows => message!("imports.too_many_rows", most = MAX_ROWS),
            CsvError::UnclosedQuote => message!("imports.unclosed_quote"),
        }
    }
}

/// Whether the table says how many units there are.
pub fn has_stock_column(file: &[u8]) -> bool {
    let header = file.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header = String::from_utf8_lossy(header).to_lowercase();
    let mut cells = header.split([',', ';', '\t']).map(|cell| cell.trim_matches(['"', ' ', '\r', '\u{feff}']));
    cells.any(|cell| cell == ProductField::Stock.column())
}

pub fn parse_csv(file: &[u8]) -> Result<Vec<CsvRow>, CsvError> {
    let text = std::str::from_utf8(file).map_err(|_| CsvError::NotUtf8)?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.contains('\0') {
        return Err(CsvError::NulCharacter);
    }
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: char| first.matches(separator).count();
    // In some countries spreadsheet programs write semicolons.
    let delimiter = [(count(','), b','), (count(';'), b';'), (count('\t'), b'\t')];
    let delimiter = delimiter.into_iter().max_by_key(|(count, _)| *count).map_or(b',', |(_, delimiter)| delimiter);
    let marked = format!("{text}\n{END_MARKER}\n");
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(marked.as_bytes());
    let mut columns: Option<Vec<ProductField>> = None;
    let mut rows = Vec::new();
    let mut number = 0_i32;
    let mut record = csv::StringRecord::new();
    loop {
        let starts = reader.position().line();
        if !reader.read_record(&mut record).map_err(|_| CsvError::UnclosedQuote)? {
            return Err(CsvError::UnclosedQuote);
        }
        if record.len() == 1 && record.get(0) == Some(END_MARKER) {
            break;
        }
        // A spreadsheet counts empty lines as rows, but the CSV reader skips them.
        let within: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let own = 1 + u64::try_from(within).unwrap_or(0);
        let skipped = (reader.position().line() - starts).saturating_sub(own);
        number += 1 + i32::try_from(skipped).unwrap_or(0);
        let Some(columns) = &columns else {
            columns = Some(parse_header(&record)?);
            continue;
        };
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == MAX_ROWS {
            return Err(CsvError::TooManyRows);
        }
        rows.push(parse_row(number, columns, &record));
    }
    match columns {
        None => Err(CsvError::Empty),
        Some(_) if rows.is_empty() => Err(CsvError::Empty),
        Some(_) => Ok(rows),
    }
}

fn parse_header(record: &csv::StringRecord) -> Result<Vec<ProductField>, CsvError> {
    let mut columns: Vec<ProductField> = Vec::new();
    for name in record {
        let name = name.trim();
        let found = ProductField::ALL.into_iter().find(|field| field.column().eq_ignore_ascii_case(name));
        let shown = || name.chars().take(40).collect::<String>();
        let field = found.ok_or_else(|| CsvError::UnknownColumn(shown()))?;
        if columns.contains(&field) {
            return Err(CsvError::DuplicateColumn(shown()));
        }
        columns.push(field);
    }
    if columns.contains(&ProductField::Slug) || columns.contains(&ProductField::Name) {
        Ok(columns)
    } else {
        Err(CsvError::MissingNameColumn)
    }
}

fn parse_row(number: i32, columns: &[ProductField], record: &csv::StringRecord) -> CsvRow {
    let mut raw = RawProduct::default();
    let mut slug = String::new();
    for (field, cell) in columns.iter().zip(record) {
        let text = unescape_formula(cell);
        if *field == ProductField::Slug {
            text.trim().clone_into(&mut slug);
        } else {
            raw.set(*field, text);
        }
    }
    let length_error = match record.len().cmp(&columns.len()) {
        std::cmp::Ordering::Less => Some(message!("imports.too_few_cells")),
        std::cmp::Ordering::Greater => Some(message!("imports.too_many_cells")),
        std::cmp::Ordering::Equal => None,
    };
    CsvRow { number, slug, raw, length_error }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(i32, String)> {
        let rows = parse_csv(text.as_bytes()).unwrap();
        rows.iter().map(|row| (row.number, row.raw.get(ProductField::Name).unwrap_or_default().to_owned())).collect()
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_does() {
        let file = "\u{feff}name,description\r\nRice,\"two\nlines\"\r\n\r\nSalt,\r\n,\r\nOil,\r\n";
        assert_eq!(names(file), vec![(2, "Rice".into()), (4, "Salt".into()), (6, "Oil".into())]);
    }

    #[test]
    fn semicolons_and_tabs_are_understood() {
        assert_eq!(names("slug;name\r\n;Rice\r\n"), vec![(2, "Rice".into())]);
        assert_eq!(names("slug\tname\n\tRice\n"), vec![(2, "Rice".into())]);
    }

    #[test]
    fn a_file_that_cannot_be_read_says_why() {
        let of = |file: &[u8]| parse_csv(file).unwrap_err();
        assert_eq!(of(b""), CsvError::Empty);
        assert_eq!(of(b"slug,name\r\n"), CsvError::Empty);
        assert_eq!(of(b"slug,n\xffme\r\n"), CsvError::NotUtf8);
        assert_eq!(of(b"slug,colour\r\na,b"), CsvError::UnknownColumn("colour".into()));
        assert_eq!(of(b"name,name\r\na,b"), CsvError::DuplicateColumn("name".into()));
        assert_eq!(of(b"price\r\n5"), CsvError::MissingNameColumn);
        assert_eq!(of(b"name\r\n\0"), CsvError::NulCharacter);
        assert_eq!(of(b"name,description\r\nRice,\"long\r\nSalt,short\r\n"), CsvError::UnclosedQuote);
        let many = format!("name\r\n{}", "x\r\n".repeat(MAX_ROWS + 1));
        assert_eq!(of(many.as_bytes()), CsvError::TooManyRows);
    }

    #[test]
    fn a_column_for_stock_is_seen() {
        assert!(has_stock_column("\u{feff}slug,\"Stock\"\r\nrice,5".as_bytes()));
        assert!(has_stock_column(b"slug; stock \n"));
        assert!(!has_stock_column(b"slug,stock_was,image\r\nstock,,\r\n"));
    }

    #[test]
    fn a_row_of_another_length_is_named() {
        let rows = parse_csv(b"slug,name\r\na\r\nb,c,d\r\n").unwrap();
        assert!(rows.iter().all(|row| row.length_error.is_some()));
    }
}
