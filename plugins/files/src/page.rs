//! A part of a text file, bounded, with the way to the next part.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use toolhost_sdk::ToolError;

/// Bytes of a page unless asked otherwise.
pub const DEFAULT_BYTES: usize = 64 * 1024;

/// Most bytes of a page. The host takes 1 MiB of result, and JSON grows text.
pub const MAX_BYTES: usize = 256 * 1024;

/// Lines of a page unless asked otherwise.
pub const DEFAULT_LINES: u64 = 2000;

/// How far a page may begin from the start of the file, when lines have to be
/// counted on the way, and how long a file may be for all its lines to be
/// counted.
const MAX_COUNTED_BYTES: u64 = 32 << 20;

/// How many bytes are passed over before it is asked again whether to go on.
const ASK_EVERY: u64 = 256 << 10;

/// Where a page begins and how long it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Where it begins.
    pub start: Start,
    /// Most lines.
    pub lines: u64,
    /// Most bytes.
    pub bytes: usize,
}

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With a line, counted from 1.
    Line(u64),
    /// With a byte, counted from 0.
    Byte(u64),
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The text, as it stands in the file.
    pub text: String,
    /// The first and the last line, when lines were counted and there are any.
    pub lines: Option<(u64, u64)>,
    /// How many lines the file has, when that is known.
    pub total_lines: Option<u64>,
    /// The first byte and the one after the last.
    pub bytes: (u64, u64),
    /// Where the next page begins; none at the end of the file.
    pub next: Option<Start>,
    /// Whether bytes that are no UTF-8 were replaced.
    pub lossy: bool,
}

/// Why there is no page.
#[derive(Debug)]
pub enum NoPage {
    /// The system said no.
    Io(io::Error),
    /// The page cannot be had; the message says what can.
    Refused(ToolError),
}

impl From<io::Error> for NoPage {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads a page of a file that has `size` bytes.
///
/// # Errors
/// When the page begins beyond the end or too far from the start, when the file
/// cannot be read, or when `keep_going` says no.
pub fn read<R: Read + Seek>(
    file: R,
    size: u64,
    wanted: Wanted,
    keep_going: &dyn Fn() -> bool,
) -> Result<Page, NoPage> {
    let reader = BufReader::with_capacity(64 * 1024, file);
    match wanted.start {
        Start::Byte(start) => by_bytes(reader, size, start, wanted),
        Start::Line(first) => {
            let mut lines = Lines {
                reader,
                position: 0,
                asked: 0,
                keep_going,
            };
            lines.page(size, first.max(1), wanted)
        }
    }
}

fn by_bytes<R: Read + Seek>(
    mut reader: BufReader<R>,
    size: u64,
    start: u64,
    wanted: Wanted,
) -> Result<Page, NoPage> {
    if start > size {
        let message = format!("`byteOffset` is {start}, and the file has {size} bytes");
        return Err(beyond(message));
    }
    reader.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    reader.take(wanted.bytes as u64).read_to_end(&mut bytes)?;
    let end = start + bytes.len() as u64;
    let bytes = if end < size { whole(&bytes) } else { &bytes };
    let end = start + bytes.len() as u64;
    let (text, lossy) = decode(bytes);
    Ok(Page {
        text,
        lines: None,
        total_lines: None,
        bytes: (start, end),
        next: (end < size && !bytes.is_empty()).then_some(Start::Byte(end)),
        lossy,
    })
}

/// A file, read line by line.
struct Lines<'a, R> {
    reader: BufReader<R>,
    position: u64,
    /// Where it was asked last whether to go on.
    asked: u64,
    keep_going: &'a dyn Fn() -> bool,
}

impl<R: Read> Lines<'_, R> {
    fn page(&mut self, size: u64, first: u64, wanted: Wanted) -> Result<Page, NoPage> {
        for line in 1..first {
            if self.position > MAX_COUNTED_BYTES {
                return Err(beyond(format!(
                    "line {first} is more than 32 MiB into the file: use `byteOffset` to get there \
                     (line {line} begins at {})",
                    self.position
                )));
            }
            if self.skip()? == 0 {
                let has = line - 1;
                return Err(beyond(format!(
                    "`offset` is {first}, and the file has {has} lines"
                )));
            }
        }
        let start = self.position;
        let (bytes, count, stop) = self.take(size, wanted)?;
        if count == 0 && first > 1 {
            let has = first - 1;
            return Err(beyond(format!(
                "`offset` is {first}, and the file has {has} lines"
            )));
        }
        let end = start + bytes.len() as u64;
        let next = match stop {
            Stop::End => None,
            Stop::Full => Some(Start::Line(first + count)),
            Stop::Inside => Some(Start::Byte(end)),
        };
        let total_lines = self.total(size, first + count - 1, stop)?;
        let (text, lossy) = decode(&bytes);
        Ok(Page {
            text,
            lines: (count > 0).then_some((first, first + count - 1)),
            total_lines,
            bytes: (start, end),
            next,
            lossy,
        })
    }

    /// The bytes of a page that begins here, how many lines they are, and why
    /// they end.
    fn take(&mut self, size: u64, wanted: Wanted) -> Result<(Vec<u8>, u64, Stop), NoPage> {
        let mut bytes = Vec::new();
        let mut count = 0;
        while count < wanted.lines {
            let before = bytes.len();
            let room = wanted.bytes.saturating_sub(before) as u64;
            let read = (&mut self.reader)
                .take(room)
                .read_until(b'\n', &mut bytes)?;
            self.position += read as u64;
            if read == 0 && room > 0 {
                return Ok((bytes, count, Stop::End));
            }
            if read > 0 && (bytes.ends_with(b"\n") || self.position >= size) {
                count += 1;
                continue;
            }
            // There is no room for the whole line: it begins the next page,
            // unless it is all of this one.
            if count > 0 {
                bytes.truncate(before);
                return Ok((bytes, count, Stop::Full));
            }
            bytes.truncate(whole(&bytes).len());
            return Ok((bytes, 1, Stop::Inside));
        }
        let is_end = self.position >= size;
        Ok((bytes, count, if is_end { Stop::End } else { Stop::Full }))
    }

    /// Passes over one line; gives its length.
    fn skip(&mut self) -> Result<usize, NoPage> {
        let is_due = self.asked == 0 || self.position - self.asked > ASK_EVERY;
        if is_due && !(self.keep_going)() {
            let message = "the call was cancelled before the page was found";
            return Err(NoPage::Refused(ToolError::new("ReadAbortedError", message)));
        }
        if is_due {
            self.asked = self.position.max(1);
        }
        let skipped = self.reader.skip_until(b'\n')?;
        self.position += skipped as u64;
        Ok(skipped)
    }

    /// How many lines there are, if they can be counted at a fair price: `seen`
    /// of them are in the page. What was begun and is not in the page counts as
    /// a line with what is left of it.
    fn total(&mut self, size: u64, seen: u64, stop: Stop) -> Result<Option<u64>, NoPage> {
        if stop == Stop::End {
            return Ok(Some(seen));
        }
        if size > MAX_COUNTED_BYTES {
            return Ok(None);
        }
        if stop == Stop::Inside {
            self.skip()?;
        }
        let mut total = seen;
        while self.skip()? > 0 {
            total += 1;
        }
        Ok(Some(total))
    }
}

/// Why a page ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The file does.
    End,
    /// It has as many lines or bytes as it may; the next page begins with a line.
    Full,
    /// Not even its first line fits; the next page begins inside of it.
    Inside,
}

/// The bytes without a character at the end that is not all there.
fn whole(bytes: &[u8]) -> &[u8] {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let needed = match bytes[at] {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            // The middle of a character: its start is further back.
            0x80..=0xbf => continue,
            _ => return bytes,
        };
        // A page is never empty: one that is would never end.
        return if needed > back && at > 0 {
            &bytes[..at]
        } else {
            bytes
        };
    }
    bytes
}

fn decode(bytes: &[u8]) -> (String, bool) {
    match String::from_utf8_lossy(bytes) {
        std::borrow::Cow::Borrowed(text) => (text.to_owned(), false),
        std::borrow::Cow::Owned(text) => (text, true),
    }
}

fn beyond(message: String) -> NoPage {
    NoPage::Refused(ToolError::new("OffsetError", message))
}

#[cfg(test)]
mod tests;
