//! How a table is written down: its delimiter and its encoding.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Delimiters that are tried, the likeliest first.
const CANDIDATES: [u8; 4] = *b",;\t|";
/// How many records of the sample are looked at.
const SAMPLE_RECORDS: usize = 20;

/// How bytes become characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Encoding {
    /// UTF-8; what is not becomes `�`, with a warning.
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    /// Western European, as older spreadsheets write it.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

impl Encoding {
    /// The text of a cell, and whether all bytes had a meaning.
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        match (self, std::str::from_utf8(bytes)) {
            (Self::Utf8, Ok(text)) => (Cow::Borrowed(text), true),
            (Self::Utf8, Err(_)) => (String::from_utf8_lossy(bytes), false),
            (Self::Windows1252, Ok(text)) if text.is_ascii() => (Cow::Borrowed(text), true),
            (Self::Windows1252, _) => (
                Cow::Owned(bytes.iter().map(|byte| windows_1252(*byte)).collect()),
                true,
            ),
        }
    }
}

/// One byte of windows-1252. It is Latin-1 except for these 32 places, of which
/// five are empty.
fn windows_1252(byte: u8) -> char {
    const SPECIAL: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => SPECIAL[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

/// The delimiter that the caller named.
///
/// # Errors
/// It is not one ASCII character.
pub fn delimiter(given: &str) -> Result<u8, Failure> {
    match given {
        "\\t" | "tab" => Ok(b'\t'),
        given => match given.as_bytes() {
            [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
            _ => Err(Failure::arguments(format!(
                "`delimiter` is one character such as `,`, `;`, `|` or `\\t`, not `{}`",
                crate::failure::excerpt(given)
            ))),
        },
    }
}

/// The delimiter that splits the first records of `sample` most evenly. Counts
/// outside quotes in one pass; a whole parser for each candidate would cost more
/// than reading a small table.
#[must_use]
pub fn sniff(sample: &[u8]) -> u8 {
    let mut widths: Vec<[usize; CANDIDATES.len()]> = Vec::new();
    let mut width = [1; CANDIDATES.len()];
    let mut in_quotes = false;
    for byte in sample {
        match byte {
            b'"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            b'\n' => widths.push(std::mem::replace(&mut width, [1; CANDIDATES.len()])),
            byte => {
                if let Some(at) = CANDIDATES.iter().position(|candidate| candidate == byte) {
                    width[at] += 1;
                }
            }
        }
        if widths.len() == SAMPLE_RECORDS {
            break;
        }
    }
    if widths.is_empty() {
        widths.push(width);
    }
    let score = |at: usize| {
        let first = widths[0][at];
        let even = widths.iter().filter(|width| width[at] == first).count();
        if first > 1 {
            even * 1000 / widths.len() + first.min(100)
        } else {
            0
        }
    };
    // The first of the best: `max_by_key` would take the last.
    let best = (0..CANDIDATES.len())
        .rev()
        .max_by_key(|at| score(*at))
        .unwrap_or(0);
    CANDIDATES[best]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_found() {
        assert_eq!(sniff(b"a,b\n1,2\n"), b',');
        assert_eq!(sniff(b"a;b\n1,5;2,5\n3,5;4,5\n"), b';');
        assert_eq!(sniff(b"a\tb c\n1\t2\n"), b'\t');
        assert_eq!(sniff(b"a|b\n\"x,y\"|2\n"), b'|');
        assert_eq!(sniff(b"just one column\nof text, with a comma\n"), b',');
        assert_eq!(sniff(b""), b',');
    }

    #[test]
    fn a_delimiter_is_one_character() {
        assert_eq!(delimiter("\\t"), Ok(b'\t'));
        assert_eq!(delimiter(";"), Ok(b';'));
        assert!(delimiter(", ").is_err());
        assert!(delimiter("\"").is_err());
    }

    #[test]
    fn encodings() {
        assert_eq!(Encoding::Utf8.decode("é".as_bytes()), ("é".into(), true));
        assert_eq!(
            Encoding::Utf8.decode(b"caf\xe9"),
            ("caf\u{fffd}".into(), false)
        );
        assert_eq!(
            Encoding::Windows1252.decode(b"caf\xe9 \x80"),
            ("café €".into(), true)
        );
    }
}
