//! Opens a table: text or a file, with a look at its first bytes.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::rc::Rc;

use toolhost_sdk::files;

use crate::dialect::Encoding;
use crate::failure::Failure;

/// Where a table is and how it is written down.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The table itself.
    pub text: Option<String>,
    /// A file in a granted directory.
    pub path: Option<String>,
    /// The delimiter; found out when absent.
    pub delimiter: Option<String>,
    /// The first record is data, not names.
    pub no_header: bool,
    /// How bytes become characters.
    pub encoding: Encoding,
    /// What stands for nothing; [`DEFAULT_NULLS`] when absent.
    pub nulls: Option<Vec<String>>,
}

/// What stands for nothing unless the caller says otherwise.
pub const DEFAULT_NULLS: [&str; 5] = ["", "NA", "N/A", "null", "NULL"];

impl Source {
    /// A table given as text, everything else by default.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// There is neither text nor path, or both; the file cannot be read.
    pub(crate) fn open(&self) -> Result<Box<dyn BufRead>, Failure> {
        match (&self.text, &self.path) {
            (Some(text), None) => Ok(Box::new(Cursor::new(text.clone().into_bytes()))),
            (None, Some(path)) => match files::open(path) {
                Ok(file) => Ok(Box::new(BufReader::with_capacity(64 * 1024, file))),
                Err(error) => Err(Failure::table(error.to_string())),
            },
            (None, None) => Err(Failure::arguments(
                "there is no table: give its content in `text`, or the `path` of a file in a granted directory",
            )),
            (Some(_), Some(_)) => Err(Failure::arguments(
                "give the table either in `text` or by `path`, not both",
            )),
        }
    }
}

/// Refuses what is no CSV at all; takes the mark of UTF-8 away. Returns a
/// sample of the beginning.
pub(crate) fn look_at(source: &mut dyn BufRead) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::table(format!("cannot read the table: {error}"));
    let start = source.fill_buf().map_err(unreadable)?;
    let starts = |mark: &[u8]| start.starts_with(mark);
    let complaint = if starts(&[0xff, 0xfe]) || starts(&[0xfe, 0xff]) {
        Some("the table is UTF-16: save it as UTF-8")
    } else if starts(b"PK\x03\x04") {
        Some("this is a zip archive or a spreadsheet file: export the sheet as CSV")
    } else if starts(&[0x1f, 0x8b]) {
        Some("the file is compressed with gzip: unpack it first")
    } else if start.contains(&0) {
        Some("this is a binary file, not CSV")
    } else if start.iter().all(u8::is_ascii_whitespace) && start.len() < 1024 {
        Some("the table is empty: there is not even a header")
    } else {
        None
    };
    if let Some(complaint) = complaint {
        return Err(Failure::table(complaint));
    }
    let mark = if starts("\u{feff}".as_bytes()) { 3 } else { 0 };
    let sample = start[mark..].to_vec();
    source.consume(mark);
    Ok(sample)
}

/// How much of the source may be read before the next record has to be
/// complete. A quote that is never closed makes all the rest one record.
#[derive(Clone, Default)]
pub(crate) struct Allowance(Rc<Cell<usize>>);

impl Allowance {
    pub(crate) fn set(&self, bytes: usize) {
        self.0.set(bytes);
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// A source that stops with an error when the allowance is spent.
pub(crate) struct Metered {
    pub(crate) source: Box<dyn BufRead>,
    pub(crate) allowance: Allowance,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.allowance.0.get();
        if left == 0 {
            return Err(io::Error::other("the record is too long"));
        }
        let read = self.source.read(buffer)?;
        self.allowance.0.set(left.saturating_sub(read));
        Ok(read)
    }
}
