//! Reads a zip file with a spreadsheet and pictures. Its directory is checked as a whole before anything is unpacked, and
//! a file is never unpacked further than the directory says. Nothing is written under a name from the zip file.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use flate2::read::DeflateDecoder;
use rawzip::extra_fields::ExtraFieldId;
use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord};
use unicode_normalization::UnicodeNormalization;

use crate::platform::form::MAX_FILE;
use crate::platform::messages::{Message, message};

/// The largest zip file: as much as all permits for large files together stand for.
pub const MAX_ARCHIVE: usize = 4 * MAX_FILE;
/// The most pictures in a zip file.
pub const MAX_PICTURES: usize = 500;
/// Folders, and what operating systems add, count here only.
const MAX_RECORDS: usize = 4 * MAX_PICTURES;
/// Photos hardly become smaller in a zip file, so twice its size is plenty.
const MAX_UNPACKED: usize = 2 * MAX_ARCHIVE;
/// How much of a name is shown.
const MAX_NAME_LENGTH: usize = 120;

const SIGNATURE: [u8; 4] = *b"PK\x03\x04";
/// How a zip file without files begins.
const EMPTY_SIGNATURE: [u8; 4] = *b"PK\x05\x06";
const ZIP64_LOCATOR_SIGNATURE: [u8; 4] = *b"PK\x06\x07";
const ZIP64_LOCATOR_LENGTH: usize = 20;

/// Why a zip file as a whole cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    #[error("not a zip file")]
    Malformed,
    #[error("too many files")]
    TooManyFiles,
    #[error("too large when unpacked")]
    TooLarge,
    #[error("encrypted")]
    Encrypted,
    #[error("zip64")]
    Zip64,
    #[error("a name that leaves the folder")]
    UnsafeName(String),
    #[error("no CSV file")]
    NoTable,
    #[error("several CSV files")]
    SeveralTables,
    #[error("the CSV file is too large")]
    TableTooLarge,
}

impl From<ArchiveError> for Message {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::Malformed => message!("imports.zip_malformed"),
            ArchiveError::TooManyFiles => message!("imports.zip_too_many_files", most = MAX_PICTURES),
            ArchiveError::TooLarge => message!("imports.zip_too_large", most = MAX_UNPACKED >> 20),
            ArchiveError::Encrypted => message!("imports.zip_encrypted"),
            ArchiveError::Zip64 => message!("imports.zip_zip64"),
            ArchiveError::UnsafeName(name) => message!("imports.zip_unsafe_name", name = name),
            ArchiveError::NoTable => message!("imports.zip_no_csv"),
            ArchiveError::SeveralTables => message!("imports.zip_several_csv"),
            ArchiveError::TableTooLarge => message!("imports.zip_csv_too_large", most = MAX_FILE >> 20),
        }
    }
}

/// Why a single picture cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    #[error("two files have this name")]
    Ambiguous,
    #[error("the file cannot be unpacked")]
    Unreadable,
    #[error("the file is too large")]
    TooLarge,
}

impl From<EntryError> for Message {
    fn from(error: EntryError) -> Self {
        match error {
            EntryError::Ambiguous => message!("imports.picture_ambiguous"),
            EntryError::Unreadable => message!("imports.picture_unreadable"),
            EntryError::TooLarge => message!("imports.picture_too_large", most = MAX_FILE >> 20),
        }
    }
}

/// Where a file is in the zip file, and what the directory says about it.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    end: usize,
    method: CompressionMethod,
    size: usize,
    crc: u32,
}

struct ArchivedPicture {
    name_key: String,
    file_name: String,
    entry: Result<Entry, EntryError>,
}

/// A picture that was taken out of a zip file.
pub struct UnpackedPicture {
    pub name_key: String,
    pub file_name: String,
    pub content: Result<Vec<u8>, EntryError>,
}

/// A zip file whose directory has been checked.
pub struct Archive {
    file: Bytes,
    table: Entry,
    pictures: Vec<ArchivedPicture>,
}

/// Whether the file says that it is a zip file.
pub fn is_zip(file: &[u8]) -> bool {
    file.starts_with(&SIGNATURE) || file.starts_with(&EMPTY_SIGNATURE)
}

/// The name by which a cell and a file are compared: without folders, in lower case, because Windows does not distinguish
/// it, and composed, because macOS decomposes it.
pub fn picture_name(path: &str) -> String {
    base_name(path).nfc().collect::<String>().to_lowercase()
}

fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or_default().trim()
}

impl Archive {
    pub fn open(file: Bytes) -> Result<Self, ArchiveError> {
        let zip = ZipArchive::from_slice(&file[..]).map_err(|_| ArchiveError::Malformed)?;
        if has_zip64_locator(&file, zip.eocd_offset()) {
            return Err(ArchiveError::Zip64);
        }
        let mut listed = Listing::default();
        let mut records = zip.entries();
        let mut count = 0;
        while let Some(record) = records.next_entry().map_err(|_| ArchiveError::Malformed)? {
            count += 1;
            if count > MAX_RECORDS {
                return Err(ArchiveError::TooManyFiles);
            }
            let path = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
            refuse_record(&record, &path)?;
            if record.is_dir() || is_added_by_system(&path) {
                continue;
            }
            let (start, end) =
                zip.get_entry(record.wayfinder()).map_err(|_| ArchiveError::Malformed)?.compressed_data_range();
            let as_size = |number: u64| usize::try_from(number).map_err(|_| ArchiveError::Malformed);
            let entry = Entry {
                start: as_size(start)?,
                end: as_size(end)?,
                method: record.compression_method(),
                size: as_size(record.uncompressed_size_hint())?,
                crc: record.crc32(),
            };
            listed.add(&path, entry)?;
        }
        if u64::try_from(count).ok() != Some(zip.entries_hint()) || listed.has_overlaps() {
            return Err(ArchiveError::Malformed);
        }
        let (table, pictures) = (listed.table.ok_or(ArchiveError::NoTable)?, listed.pictures);
        Ok(Self { file, table, pictures })
    }

    /// Unpacks the spreadsheet.
    pub fn unpack_table(&self) -> Result<Vec<u8>, ArchiveError> {
        self.unpack(self.table).map_err(|error| match error {
            EntryError::TooLarge => ArchiveError::TableTooLarge,
            EntryError::Ambiguous | EntryError::Unreadable => ArchiveError::Malformed,
        })
    }

    /// Unpacks the picture at this place in the zip file; `None` after the last one.
    pub fn unpack_picture(&self, at: usize) -> Option<UnpackedPicture> {
        let picture = self.pictures.get(at)?;
        let content = picture.entry.and_then(|entry| self.unpack(entry));
        Some(UnpackedPicture { name_key: picture.name_key.clone(), file_name: picture.file_name.clone(), content })
    }

    fn unpack(&self, entry: Entry) -> Result<Vec<u8>, EntryError> {
        if entry.size > MAX_FILE {
            return Err(EntryError::TooLarge);
        }
        let packed = self.file.get(entry.start..entry.end).ok_or(EntryError::Unreadable)?;
        // One byte more than announced shows that the directory is wrong.
        let most = u64::try_from(entry.size + 1).unwrap_or(u64::MAX);
        let mut content = Vec::with_capacity(entry.size);
        let read = match entry.method {
            CompressionMethod::STORE => packed.take(most).read_to_end(&mut content),
            CompressionMethod::DEFLATE => DeflateDecoder::new(packed).take(most).read_to_end(&mut content),
            _ => return Err(EntryError::Unreadable),
        };
        let is_whole = read.is_ok() && content.len() == entry.size && rawzip::crc32(&content) == entry.crc;
        if is_whole { Ok(content) } else { Err(EntryError::Unreadable) }
    }
}

/// What has been read of a directory.
#[derive(Default)]
struct Listing {
    table: Option<Entry>,
    pictures: Vec<ArchivedPicture>,
    places: HashMap<String, usize>,
    ranges: Vec<(usize, usize)>,
    unpacked: usize,
}

impl Listing {
    fn add(&mut self, path: &str, entry: Entry) -> Result<(), ArchiveError> {
        self.ranges.push((entry.start, entry.end));
        // What is larger is not unpacked at all.
        if entry.size <= MAX_FILE {
            self.unpacked += entry.size;
        }
        if self.unpacked > MAX_UNPACKED {
            return Err(ArchiveError::TooLarge);
        }
        let name_key = picture_name(path);
        if Path::new(&name_key).extension().is_some_and(|extension| extension == "csv") {
            return match self.table.replace(entry) {
                None => Ok(()),
                Some(_) => Err(ArchiveError::SeveralTables),
            };
        }
        if let Some(known) = self.places.get(&name_key).and_then(|at| self.pictures.get_mut(*at)) {
            known.entry = Err(EntryError::Ambiguous);
            return Ok(());
        }
        if self.pictures.len() == MAX_PICTURES {
            return Err(ArchiveError::TooManyFiles);
        }
        self.places.insert(name_key.clone(), self.pictures.len());
        self.pictures.push(ArchivedPicture { name_key, file_name: shorten(base_name(path)), entry: Ok(entry) });
        Ok(())
    }

    /// Files that share their bytes are how a small zip file becomes a huge one.
    fn has_overlaps(&mut self) -> bool {
        self.ranges.sort_unstable();
        self.ranges.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if end > start))
    }
}

fn refuse_record(record: &ZipFileHeaderRecord<'_>, path: &str) -> Result<(), ArchiveError> {
    let flags = record.flags();
    if flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked() {
        return Err(ArchiveError::Encrypted);
    }
    if record.extra_fields().any(|(id, _)| id == ExtraFieldId::ZIP64) {
        return Err(ArchiveError::Zip64);
    }
    let is_absolute = path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    let leaves = path.split(['/', '\\']).any(|part| part == "..");
    if is_absolute || leaves || path.chars().any(char::is_control) {
        return Err(ArchiveError::UnsafeName(shorten(path)));
    }
    Ok(())
}

/// A zip64 file has another record before the end of its directory.
fn has_zip64_locator(file: &[u8], end: u64) -> bool {
    let locator = usize::try_from(end).ok().and_then(|end| end.checked_sub(ZIP64_LOCATOR_LENGTH));
    locator.and_then(|at| file.get(at..)).is_some_and(|bytes| bytes.starts_with(&ZIP64_LOCATOR_SIGNATURE))
}

/// macOS and Windows add files that no one has chosen.
fn is_added_by_system(path: &str) -> bool {
    let name = base_name(path).to_lowercase();
    path.starts_with("__MACOSX/") || name.starts_with('.') || ["", "thumbs.db", "desktop.ini"].contains(&name.as_str())
}

fn shorten(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use proptest::prelude::*;
    use rawzip::ZipArchiveWriter;
    use rawzip::path::EntryPath;

    use super::*;

    const TABLE: (&str, &[u8]) = ("products.csv", b"name\r\nRice\r\n");
    /// With this, a record of the directory begins.
    const RECORD: [u8; 4] = *b"PK\x01\x02";

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut output = Vec::new();
        let mut archive = ZipArchiveWriter::new(&mut output);
        for (name, content) in files {
            let file = archive.new_file(EntryPath::verbatim(name.as_bytes()));
            let (mut entry, config) = file.compression_method(CompressionMethod::DEFLATE).start().unwrap();
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
        archive.finish().unwrap();
        output
    }

    /// Changes bytes of the directory's record with this number.
    fn change(file: &mut [u8], number: usize, at: usize, bytes: &[u8]) {
        let starts: Vec<usize> = (0..file.len() - 4).filter(|start| file[*start..].starts_with(&RECORD)).collect();
        let start = starts[number] + at;
        file[start..start + bytes.len()].copy_from_slice(bytes);
    }

    fn open(file: Vec<u8>) -> Result<Archive, ArchiveError> {
        Archive::open(file.into())
    }

    fn refusal(file: Vec<u8>) -> ArchiveError {
        open(file).err().unwrap()
    }

    fn names(archive: &Archive) -> Vec<String> {
        (0..).map_while(|at| archive.unpack_picture(at)).map(|picture| picture.name_key).collect()
    }

    #[test]
    fn the_table_and_the_pictures_are_found_in_any_folder() {
        let files: [(&str, &[u8]); 6] = [
            ("shop/Products.CSV", b"name\r\nRice\r\n"),
            ("shop/photos/Rice.JPG", b"rice"),
            ("shop/photos/", b""),
            ("__MACOSX/shop/._Rice.JPG", b"x"),
            ("shop/.DS_Store", b"x"),
            ("shop/Thumbs.db", b"x"),
        ];
        let archive = open(zip(&files)).unwrap();

        assert_eq!(archive.unpack_table().unwrap(), b"name\r\nRice\r\n");
        assert_eq!(names(&archive), ["rice.jpg"]);
        let rice = archive.unpack_picture(0).unwrap();
        assert_eq!((rice.file_name.as_str(), rice.content.unwrap().as_slice()), ("Rice.JPG", &b"rice"[..]));
        assert_eq!(picture_name(r" Photos\Rice.JPG "), "rice.jpg");
        assert_eq!(picture_name("Cafe\u{301}.jpg"), "caf\u{e9}.jpg");
    }

    #[test]
    fn two_pictures_with_the_same_name_are_ambiguous() {
        let archive = open(zip(&[TABLE, ("a/rice.jpg", b"1"), ("b/Rice.jpg", b"2")])).unwrap();

        assert_eq!(names(&archive), ["rice.jpg"]);
        assert_eq!(archive.unpack_picture(0).unwrap().content, Err(EntryError::Ambiguous));
    }

    #[test]
    fn a_file_that_is_no_zip_file_is_refused() {
        for file in [&b""[..], b"name,price\r\n", b"PK\x03\x04", b"PK\x05\x06"] {
            assert_eq!(refusal(file.to_vec()), ArchiveError::Malformed);
        }
        let whole = zip(&[TABLE, ("rice.jpg", &[7; 1000])]);
        assert_eq!(refusal(whole[..whole.len() - 30].to_vec()), ArchiveError::Malformed, "it was cut off");
    }

    #[test]
    fn exactly_one_csv_file_is_needed() {
        assert_eq!(refusal(zip(&[("rice.jpg", b"x")])), ArchiveError::NoTable);
        assert_eq!(refusal(zip(&[])), ArchiveError::NoTable);
        assert_eq!(refusal(zip(&[TABLE, ("b.csv", b"x")])), ArchiveError::SeveralTables);
        let zeros = vec![b' '; MAX_FILE + 1];
        let large = open(zip(&[("products.csv", &zeros)])).unwrap();
        assert_eq!(large.unpack_table(), Err(ArchiveError::TableTooLarge));
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in
            ["../rice.jpg", "a/../../rice.jpg", "/etc/rice.jpg", r"..\rice.jpg", r"C:\rice.jpg", "ri\u{7}ce.jpg"]
        {
            assert!(matches!(refusal(zip(&[TABLE, (name, b"x")])), ArchiveError::UnsafeName(_)), "{name}");
        }
        assert!(open(zip(&[TABLE, ("a..b/rice..jpg", b"x")])).is_ok(), "dots alone are harmless");
    }

    #[test]
    fn encrypted_and_zip64_files_are_refused() {
        let mut encrypted = zip(&[TABLE, ("rice.jpg", b"x")]);
        change(&mut encrypted, 1, 8, &[1]);
        assert_eq!(refusal(encrypted), ArchiveError::Encrypted);
        let mut zip64 = zip(&[TABLE]);
        let end = zip64.len() - 22;
        zip64.splice(end..end, ZIP64_LOCATOR_SIGNATURE.into_iter().chain([0; 16]));
        assert!(matches!(refusal(zip64), ArchiveError::Zip64 | ArchiveError::Malformed));
    }

    #[test]
    fn too_many_files_and_too_many_bytes_are_refused() {
        let numbered: Vec<String> = (0..=MAX_PICTURES).map(|number| format!("{number}.png")).collect();
        let many: Vec<(&str, &[u8])> = numbered.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
        assert_eq!(refusal(zip(&many)), ArchiveError::TooManyFiles);
        let folders: Vec<String> = (0..=MAX_RECORDS).map(|number| format!("{number}/")).collect();
        let folders: Vec<(&str, &[u8])> = folders.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert_eq!(refusal(zip(&folders)), ArchiveError::TooManyFiles);
        let zeros = vec![0; MAX_FILE];
        let bomb: Vec<(&str, &[u8])> = numbered.iter().take(9).map(|name| (name.as_str(), &zeros[..])).collect();
        assert_eq!(refusal(zip(&bomb)), ArchiveError::TooLarge);
    }

    #[test]
    fn files_that_share_their_bytes_are_refused() {
        let mut file = zip(&[TABLE, ("a.jpg", &[1; 100]), ("b.jpg", &[1; 100])]);
        assert!(open(file.clone()).is_ok());
        let first: Vec<u8> = {
            let starts: Vec<usize> = (0..file.len() - 4).filter(|at| file[*at..].starts_with(&RECORD)).collect();
            file[starts[1] + 42..starts[1] + 46].to_vec()
        };
        change(&mut file, 2, 42, &first);
        assert_eq!(refusal(file), ArchiveError::Malformed);
    }

    #[test]
    fn a_file_is_unpacked_no_further_than_the_directory_says() {
        let zeros = vec![0; 1 << 20];
        let mut file = zip(&[TABLE, ("bomb.png", &zeros), ("large.png", b"x"), ("unknown.png", b"x")]);
        change(&mut file, 1, 24, &10_u32.to_le_bytes());
        change(&mut file, 2, 24, &u32::MAX.checked_sub(1).unwrap().to_le_bytes());
        change(&mut file, 3, 10, &[14]);
        let archive = open(file).unwrap();

        let problems: Vec<_> = (0..3).map(|at| archive.unpack_picture(at).unwrap().content.unwrap_err()).collect();
        assert_eq!(problems, [EntryError::Unreadable, EntryError::TooLarge, EntryError::Unreadable]);
    }

    proptest! {
        #[test]
        fn a_damaged_zip_file_never_panics(
            changes in prop::collection::vec((0_usize..600, any::<u8>()), 1..4),
            cut in 0_usize..600,
        ) {
            let mut file = zip(&[TABLE, ("rice.jpg", b"rice rice rice rice"), ("photos/salt.png", &[7; 100])]);
            let length = file.len();
            for (at, byte) in changes {
                file[at % length] = byte;
            }
            for file in [file.clone(), file[..length.saturating_sub(cut)].to_vec()] {
                if let Ok(archive) = open(file) {
                    let _ = archive.unpack_table();
                    for picture in (0..).map_while(|at| archive.unpack_picture(at)) {
                        prop_assert!(picture.content.map_or(0, |content| content.len()) <= MAX_FILE);
                    }
                }
            }
        }
    }
}
