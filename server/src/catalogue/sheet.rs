//! Products as a spreadsheet: writing a file that every office program opens, and reading what comes back from one.

use super::entry::{self, Entry, Field, Written};
use super::model::Product;
use crate::platform::spreadsheet::{BOM, line, unmarked};

pub const MOST_ROWS: usize = 20_000;
/// Put after the last line: it comes back as a line of its own unless a quotation swallowed it.
const END: &str = "\u{e000}end";

pub fn header() -> String {
    line(Field::ALL.map(Field::column))
}

pub fn row(product: &Product) -> String {
    let mut cells = entry::cells(&Entry::of(product), &product.category, product.stock);
    cells.push((Field::Slug, product.slug.clone()));
    cells.push((Field::StockWas, product.stock.to_string()));
    cells.push((Field::Version, product.version()));
    cells.sort_by_key(|(field, _)| *field);
    line(cells.iter().map(|(_, text)| text.as_str()))
}

#[derive(Debug)]
pub struct Row {
    /// As a spreadsheet counts: the header is row 1.
    pub number: i32,
    pub slug: String,
    pub written: Written,
    /// The row does not have as many cells as the header.
    pub misshapen: Option<&'static str>,
}

/// Why a file as a whole cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("The file is empty.")]
    Empty,
    #[error("The file is not UTF-8. Save it as 'CSV UTF-8'.")]
    NotUtf8,
    #[error("The file holds a character that is no text.")]
    NoText,
    #[error("The column '{0}' is not known.")]
    UnknownColumn(String),
    #[error("The column '{0}' is there twice.")]
    ColumnTwice(String),
    #[error("The file needs a column 'slug' or 'name'.")]
    NoName,
    #[error("The file has more than {MOST_ROWS} rows. Please split it.")]
    TooManyRows,
    #[error("A quoted cell has no end.")]
    Broken,
}

pub fn read(file: &[u8]) -> Result<Vec<Row>, Unreadable> {
    let text = std::str::from_utf8(file).map_err(|_| Unreadable::NotUtf8)?;
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.contains('\0') {
        return Err(Unreadable::NoText);
    }
    let first = text.lines().next().unwrap_or_default();
    let count = |separator: char| first.matches(separator).count();
    // Office programs of some countries write semicolons.
    let delimiter = [(count(','), b','), (count(';'), b';'), (count('\t'), b'\t')];
    let delimiter = delimiter.into_iter().max_by_key(|(count, _)| *count).map_or(b',', |(_, delimiter)| delimiter);
    let marked = format!("{text}\n{END}\n");
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(marked.as_bytes());
    let mut columns: Option<Vec<Field>> = None;
    let mut rows = Vec::new();
    let mut number = 0_i32;
    let mut record = csv::StringRecord::new();
    loop {
        let starts = reader.position().line();
        if !reader.read_record(&mut record).map_err(|_| Unreadable::Broken)? {
            return Err(Unreadable::Broken);
        }
        if record.len() == 1 && record.get(0) == Some(END) {
            break;
        }
        // Empty lines are rows to a spreadsheet, and none to the reader of lines.
        let within: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let own = 1 + u64::try_from(within).unwrap_or(0);
        let skipped = (reader.position().line() - starts).saturating_sub(own);
        number += 1 + i32::try_from(skipped).unwrap_or(0);
        let Some(columns) = &columns else {
            columns = Some(header_fields(&record)?);
            continue;
        };
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if rows.len() == MOST_ROWS {
            return Err(Unreadable::TooManyRows);
        }
        rows.push(read_row(number, columns, &record));
    }
    match columns {
        None => Err(Unreadable::Empty),
        Some(_) if rows.is_empty() => Err(Unreadable::Empty),
        Some(_) => Ok(rows),
    }
}

fn header_fields(record: &csv::StringRecord) -> Result<Vec<Field>, Unreadable> {
    let mut columns: Vec<Field> = Vec::new();
    for name in record {
        let name = name.trim();
        let found = Field::ALL.into_iter().find(|field| field.column().eq_ignore_ascii_case(name));
        let shown = || name.chars().take(40).collect::<String>();
        let field = found.ok_or_else(|| Unreadable::UnknownColumn(shown()))?;
        if columns.contains(&field) {
            return Err(Unreadable::ColumnTwice(shown()));
        }
        columns.push(field);
    }
    if columns.contains(&Field::Slug) || columns.contains(&Field::Name) { Ok(columns) } else { Err(Unreadable::NoName) }
}

fn read_row(number: i32, columns: &[Field], record: &csv::StringRecord) -> Row {
    let mut written = Written::default();
    let mut slug = String::new();
    for (field, cell) in columns.iter().zip(record) {
        let text = unmarked(cell);
        if *field == Field::Slug {
            text.trim().clone_into(&mut slug);
        } else {
            written.set(*field, text);
        }
    }
    let misshapen = match record.len().cmp(&columns.len()) {
        std::cmp::Ordering::Less => Some("This row has fewer cells than the header."),
        std::cmp::Ordering::Greater => Some("This row has more cells than the header."),
        std::cmp::Ordering::Equal => None,
    };
    Row { number, slug, written, misshapen }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(i32, String)> {
        let rows = read(text.as_bytes()).unwrap();
        rows.iter().map(|row| (row.number, row.written.get(Field::Name).unwrap_or_default().to_owned())).collect()
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
        let of = |file: &[u8]| read(file).unwrap_err();
        assert_eq!(of(b""), Unreadable::Empty);
        assert_eq!(of(b"slug,name\r\n"), Unreadable::Empty);
        assert_eq!(of(b"slug,n\xffme\r\n"), Unreadable::NotUtf8);
        assert_eq!(of(b"slug,colour\r\na,b"), Unreadable::UnknownColumn("colour".into()));
        assert_eq!(of(b"name,name\r\na,b"), Unreadable::ColumnTwice("name".into()));
        assert_eq!(of(b"price\r\n5"), Unreadable::NoName);
        assert_eq!(of(b"name\r\n\0"), Unreadable::NoText);
        assert_eq!(of(b"name,description\r\nRice,\"long\r\nSalt,short\r\n"), Unreadable::Broken);
        let many = format!("name\r\n{}", "x\r\n".repeat(MOST_ROWS + 1));
        assert_eq!(of(many.as_bytes()), Unreadable::TooManyRows);
    }

    #[test]
    fn a_row_of_another_length_is_named() {
        let rows = read(b"slug,name\r\na\r\nb,c,d\r\n").unwrap();
        assert!(rows.iter().all(|row| row.misshapen.is_some()));
    }
}
