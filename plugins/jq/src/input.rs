//! Reads JSON values one after the other, from text or from a file.
//!
//! A file may be larger than memory as long as its values are not: only the
//! lines of the value that is being read are held. A scan along the way counts
//! brackets, so that hostile nesting is refused before the recursive reader
//! sees it.

use std::collections::VecDeque;
use std::io::{BufRead, Read as _};

use jaq_json::{Val, read};

use crate::failure::excerpt;
use crate::json::MAX_DEPTH;
use crate::scan::Scan;

/// The largest single value, in bytes of text. In memory it takes several
/// times as much.
const MAX_VALUE: usize = 32 * 1024 * 1024;

/// How the text is cut into inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cut {
    /// Each line is a string, instead of JSON.
    pub lines: bool,
    /// All inputs become one: an array of values, or one string of all lines.
    pub slurp: bool,
}

/// The inputs in `source`, one after the other. An error ends them; its text says where it is.
#[must_use]
pub fn values<'a>(
    source: Box<dyn BufRead + 'a>,
    cut: Cut,
) -> Box<dyn Iterator<Item = Result<Val, String>> + 'a> {
    let mut values: Box<dyn Iterator<Item = Result<Val, String>> + 'a> = match cut {
        Cut {
            lines: true,
            slurp: true,
        } => Box::new(std::iter::once(whole(source))),
        Cut { lines: true, .. } => Box::new(Lines(Reader::new(source))),
        _ => Box::new(Values::new(source)),
    };
    if cut.slurp && !cut.lines {
        let array = values
            .collect::<Result<Vec<_>, _>>()
            .map(|all| all.into_iter().collect());
        values = Box::new(std::iter::once(array));
    }
    values
}

/// All of the text as one string.
fn whole(source: Box<dyn BufRead + '_>) -> Result<Val, String> {
    let mut bytes = Vec::new();
    source
        .take(MAX_VALUE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| unreadable(&e))?;
    if bytes.len() > MAX_VALUE {
        return Err(format!(
            "the text is longer than {MAX_VALUE} bytes: leave out `slurp` to get it line by line"
        ));
    }
    Ok(string(&bytes))
}

fn string(bytes: &[u8]) -> Val {
    Val::utf8_str(String::from_utf8_lossy(bytes).into_owned())
}

fn unreadable(error: &std::io::Error) -> String {
    format!("cannot read on: {error}")
}

/// Reads lines, with a limit to their length.
struct Reader<'a> {
    source: Box<dyn BufRead + 'a>,
    /// How many lines were read.
    line: usize,
}

impl<'a> Reader<'a> {
    fn new(source: Box<dyn BufRead + 'a>) -> Self {
        Self { source, line: 0 }
    }

    /// Appends the next line to `buffer`; the number of its bytes, 0 at the end.
    fn append(&mut self, buffer: &mut Vec<u8>) -> Result<usize, String> {
        let room = MAX_VALUE + 1 - buffer.len().min(MAX_VALUE);
        let read = self
            .source
            .by_ref()
            .take(room as u64)
            .read_until(b'\n', buffer);
        let read = read.map_err(|e| unreadable(&e))?;
        if buffer.len() > MAX_VALUE {
            return Err(format!(
                "one value is longer than {MAX_VALUE} bytes (line {}): split the file into one JSON value a line",
                self.line + 1
            ));
        }
        if self.line == 0 {
            strip_mark(buffer)?;
        }
        self.line += usize::from(read > 0);
        Ok(read)
    }
}

/// Takes the byte order mark of UTF-8 away; other encodings are refused.
fn strip_mark(buffer: &mut Vec<u8>) -> Result<(), String> {
    if buffer.starts_with(&[0xff, 0xfe]) || buffer.starts_with(&[0xfe, 0xff]) {
        return Err("the text is UTF-16: convert it to UTF-8 first".into());
    }
    if buffer.starts_with("\u{feff}".as_bytes()) {
        buffer.drain(..3);
    }
    Ok(())
}

/// Each line as a string.
struct Lines<'a>(Reader<'a>);

impl Iterator for Lines<'_> {
    type Item = Result<Val, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = Vec::new();
        match self.0.append(&mut line) {
            Err(error) => Some(Err(error)),
            Ok(0) => None,
            Ok(_) => {
                let text = line.strip_suffix(b"\n").unwrap_or(&line);
                Some(Ok(string(text.strip_suffix(b"\r").unwrap_or(text))))
            }
        }
    }
}

/// JSON values.
struct Values<'a> {
    reader: Reader<'a>,
    ready: VecDeque<Result<Val, String>>,
    /// Nothing follows any more: the end, or an error.
    ended: bool,
}

impl<'a> Values<'a> {
    fn new(source: Box<dyn BufRead + 'a>) -> Self {
        Self {
            reader: Reader::new(source),
            ready: VecDeque::new(),
            ended: false,
        }
    }

    /// Reads lines until the brackets are balanced, and parses them.
    fn fill(&mut self) -> Result<(), String> {
        let first_line = self.reader.line + 1;
        let mut scan = Scan::default();
        let mut chunk = Vec::new();
        loop {
            let from = chunk.len();
            let read = self.reader.append(&mut chunk)?;
            self.ended = read == 0;
            // A byte order mark makes the chunk shorter than what was read.
            scan.feed(chunk.get(from..).unwrap_or_default());
            if scan.is_too_deep() {
                let line = self.reader.line;
                return Err(format!(
                    "arrays and objects nest more than {MAX_DEPTH} deep (line {line})"
                ));
            }
            if self.ended || scan.is_balanced() {
                break;
            }
        }
        for value in read::parse_many(&chunk) {
            let failed = value.is_err();
            self.ready
                .push_back(value.map_err(|error| locate(&chunk, first_line, &error)));
            if failed {
                self.ended = true;
                break;
            }
        }
        Ok(())
    }
}

impl Iterator for Values<'_> {
    type Item = Result<Val, String>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            if let Err(error) = self.fill() {
                self.ended = true;
                self.ready.push_back(Err(error));
            }
        }
        self.ready.pop_front()
    }
}

/// `not JSON at line L, column C: …, near …`
fn locate(chunk: &[u8], first_line: usize, error: &read::Error) -> String {
    let text = error.to_string();
    // The offset is only to be had as text.
    let parts = text
        .strip_prefix("byte offset ")
        .and_then(|rest| rest.split_once(": "));
    let (offset, reason) = parts.unwrap_or(("0", &text));
    let offset = offset.parse::<usize>().unwrap_or(0).min(chunk.len());
    let before = &chunk[..offset];
    let line = first_line + before.split(|byte| *byte == b'\n').count() - 1;
    let start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let rest = chunk[offset..]
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let rest = String::from_utf8_lossy(&rest[..rest.len().min(40)]);
    let near = if rest.trim().is_empty() {
        String::new()
    } else {
        format!(", near `{}`", excerpt(&rest.trim()))
    };
    format!("not JSON at line {line}, column {column}: {reason}{near}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(text: &str, cut: Cut) -> Result<Vec<String>, String> {
        values(Box::new(text.as_bytes()), cut)
            .map(|value| value.map(|v| v.to_string()))
            .collect()
    }

    #[test]
    fn values_may_share_a_line_or_span_several() {
        let all = read_all("1 2\n{\"a\":\n [\"]\",\n3]}\n\n\"x\"", Cut::default());
        assert_eq!(all.unwrap(), ["1", "2", r#"{"a":["]",3]}"#, r#""x""#]);
        assert_eq!(
            read_all(" \n ", Cut::default()).unwrap(),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_mistake_is_located() {
        let error = read_all("{\"a\": 1}\n{\"b\": oops}\n{\"c\": 3}", Cut::default()).unwrap_err();
        assert!(
            error.starts_with("not JSON at line 2, column 7: "),
            "{error}"
        );
        assert!(error.ends_with("near `oops}`"), "{error}");
    }

    #[test]
    fn an_unfinished_value_is_a_mistake() {
        let error = read_all("[1, 2", Cut::default()).unwrap_err();
        assert!(error.starts_with("not JSON at line 1"), "{error}");
    }

    #[test]
    fn values_before_a_mistake_are_read() {
        let mut inputs = values(Box::new(&b"1\n2\n]\n3"[..]), Cut::default());
        assert!(inputs.next().unwrap().is_ok());
        assert!(inputs.next().unwrap().is_ok());
        assert!(inputs.next().unwrap().is_err());
        assert!(inputs.next().is_none());
    }

    #[test]
    fn lines_and_slurping() {
        let lines = Cut {
            lines: true,
            slurp: false,
        };
        assert_eq!(read_all("a\r\nb", lines).unwrap(), [r#""a""#, r#""b""#]);
        assert_eq!(
            read_all(
                "a\nb",
                Cut {
                    slurp: true,
                    ..lines
                }
            )
            .unwrap(),
            [r#""a\nb""#]
        );
        let slurp = Cut {
            slurp: true,
            lines: false,
        };
        assert_eq!(read_all("1\n2", slurp).unwrap(), ["[1,2]"]);
        assert_eq!(read_all("", slurp).unwrap(), ["[]"]);
    }

    #[test]
    fn hostile_nesting_is_refused_unparsed() {
        let error = read_all(&"[".repeat(1_000_000), Cut::default()).unwrap_err();
        assert!(error.contains("nest more than"), "{error}");
    }

    #[test]
    fn byte_order_marks() {
        assert_eq!(read_all("\u{feff}[1]", Cut::default()).unwrap(), ["[1]"]);
        let utf16 = values(Box::new(&b"\xff\xfe1\x00"[..]), Cut::default())
            .next()
            .unwrap();
        assert!(utf16.unwrap_err().contains("UTF-16"));
    }
}
