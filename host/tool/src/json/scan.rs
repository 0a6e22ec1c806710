//! The pass over the bytes that comes before parsing: limits, and integers that
//! would be rounded. It does not care whether the text is valid JSON; what it
//! counts in invalid text does not matter, as the parser refuses that text next.

use super::{
    JsonError, JsonErrorKind, JsonLimits, MAX_DEPTH,
    error::JsonErrorKind::{IntegerOutOfRange, TooDeep, TooLong, TooManyValues},
    locate::locate,
};

/// Integers with fewer characters than this always fit into 64 bits.
const SAFE_INTEGER_LENGTH: usize = 19;

/// Characters of a number that a message repeats.
const DIGITS_SHOWN: usize = 40;

pub(super) fn scan(text: &str, limits: &JsonLimits) -> Result<(), JsonError> {
    if text.len() > limits.bytes {
        let kind = TooLong {
            bytes: text.len(),
            limit: limits.bytes,
        };
        return Err(JsonError::new(kind, None));
    }
    if text.starts_with('\u{feff}') {
        return Err(JsonError::new(JsonErrorKind::ByteOrderMark, None));
    }
    if text.trim_ascii().is_empty() {
        return Err(JsonError::new(JsonErrorKind::Empty, None));
    }
    match find_problem(text.as_bytes(), limits) {
        None => Ok(()),
        Some((kind, offset)) => Err(JsonError::new(kind, Some(locate(text, offset)))),
    }
}

fn find_problem(text: &[u8], limits: &JsonLimits) -> Option<(JsonErrorKind, usize)> {
    let allowed_depth = limits.depth.min(MAX_DEPTH);
    let mut depth = 0_usize;
    // Every value but the first follows a comma or is the first of its container.
    let mut values = 1_usize;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => at = string_end(text, at + 1),
            b'{' | b'[' => {
                depth += 1;
                values += 1;
                if depth > allowed_depth {
                    return Some((
                        TooDeep {
                            limit: allowed_depth,
                        },
                        at,
                    ));
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            b'-' | b'0'..=b'9' => {
                let end = number_end(text, at);
                if end - at >= SAFE_INTEGER_LENGTH
                    && let Some(kind) = rounded_integer(&text[at..end])
                {
                    return Some((kind, at));
                }
                at = end;
                continue;
            }
            _ => {}
        }
        if values > limits.values {
            return Some((
                TooManyValues {
                    limit: limits.values,
                },
                at,
            ));
        }
        at += 1;
    }
    None
}

/// The position of the quote that ends the string whose content starts at `at`, or
/// one past the end of the text.
pub(super) fn string_end(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') | None => return at,
            Some(_) => at += 1,
        }
    }
}

/// The position after the characters that numbers are made of.
fn number_end(text: &[u8], start: usize) -> usize {
    let more = text[start..]
        .iter()
        .position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    more.map_or(text.len(), |length| start + length)
}

/// An integer that 64 bits do not hold: `serde_json` would make it a float and
/// so change it without a word.
fn rounded_integer(token: &[u8]) -> Option<JsonErrorKind> {
    let digits = std::str::from_utf8(token).ok()?;
    let fits = if digits.starts_with('-') {
        digits.parse::<i64>().is_ok()
    } else {
        digits.parse::<u64>().is_ok()
    };
    let integer = digits
        .trim_start_matches('-')
        .bytes()
        .all(|byte| byte.is_ascii_digit());
    (integer && !fits).then(|| {
        let cut = if digits.len() > DIGITS_SHOWN {
            "…"
        } else {
            ""
        };
        let shown = &digits[..digits.len().min(DIGITS_SHOWN)];
        IntegerOutOfRange {
            digits: format!("{shown}{cut}"),
        }
    })
}
