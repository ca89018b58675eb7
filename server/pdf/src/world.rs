//! What a template can see: the fonts, its own text and one file of data.

use std::sync::LazyLock;

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};

use crate::Paper;

const FONT_FILES: [&[u8]; 4] = [
    include_bytes!("../fonts/Mukta-Regular.ttf"),
    include_bytes!("../fonts/Mukta-Bold.ttf"),
    include_bytes!("../fonts/NotoSansDevanagari-Regular.ttf"),
    include_bytes!("../fonts/NotoSansDevanagari-Bold.ttf"),
];

struct Shared {
    library: LazyHash<Library>,
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    a4: Option<Source>,
    roll: Option<Source>,
    data: Option<FileId>,
}

static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let fonts: Vec<Font> = FONT_FILES.into_iter().flat_map(|file| Font::iter(Bytes::new(file))).collect();
    let source = |name: &str, text: &str| file_id(name).map(|id| Source::new(id, text.to_owned()));
    Shared {
        library: LazyHash::new(Library::builder().build()),
        book: LazyHash::new(FontBook::from_fonts(&fonts)),
        fonts,
        a4: source("a4.typ", include_str!("../templates/a4.typ")),
        roll: source("roll.typ", include_str!("../templates/roll.typ")),
        data: file_id("data.json"),
    }
});

/// Every name is interned for ever, so there are only the few that are named here.
fn file_id(name: &str) -> Option<FileId> {
    Some(RootedPath::new(VirtualRoot::Project, VirtualPath::new(name).ok()?).intern())
}

pub struct PrintWorld {
    paper: Paper,
    data: Bytes,
}

impl PrintWorld {
    pub fn new(paper: Paper, data: Vec<u8>) -> Self {
        Self { paper, data: Bytes::new(data) }
    }

    fn template(&self) -> Option<&'static Source> {
        match self.paper {
            Paper::A4 => SHARED.a4.as_ref(),
            Paper::Roll => SHARED.roll.as_ref(),
        }
    }
}

impl World for PrintWorld {
    fn library(&self) -> &LazyHash<Library> {
        &SHARED.library
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &SHARED.book
    }

    fn main(&self) -> FileId {
        self.template().map_or_else(|| Source::detached("").id(), Source::id)
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.template().filter(|template| template.id() == id).cloned().ok_or(FileError::AccessDenied)
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        if SHARED.data == Some(id) { Ok(self.data.clone()) } else { Err(FileError::AccessDenied) }
    }

    fn font(&self, index: usize) -> Option<Font> {
        SHARED.fonts.get(index).cloned()
    }

    fn today(&self, _offset: Option<Duration>) -> Option<Datetime> {
        None
    }
}
