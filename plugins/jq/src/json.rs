//! Writes jq values as JSON: real JSON, always, and never more than asked for.
//!
//! jaq's own writer keeps what JSON has no form for (`NaN`, byte strings, keys
//! that are no strings) and produces text that no JSON reader takes. Here such
//! numbers are written as jq writes them and the rest is an error.

use std::fmt::Write as _;

use jaq_json::{Num, Val};

/// How deep arrays and objects nest, both in what is read and in what is
/// written. Readers recurse, the common ones up to 128 levels.
pub const MAX_DEPTH: usize = 120;

/// Integers up to here are exact in a 64-bit float, which then prints as one.
const EXACT_FLOAT: f64 = 9_007_199_254_740_992.0;

/// Why a value was not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteError {
    /// The text would be longer than allowed; what fits has been written.
    Full,
    /// Arrays and objects nest deeper than [`MAX_DEPTH`].
    TooDeep,
    /// JSON has no form for the value; the text says for what and what to do.
    NoJson(&'static str),
}

/// Appends `value` to `out`, which grows to at most `limit` bytes.
///
/// # Errors
/// See [`WriteError`].
pub fn write(value: &Val, out: &mut String, limit: usize) -> Result<(), WriteError> {
    Writer { out, limit }.value(value, 0)
}

struct Writer<'a> {
    out: &'a mut String,
    limit: usize,
}

impl Writer<'_> {
    fn value(&mut self, value: &Val, depth: usize) -> Result<(), WriteError> {
        if depth > MAX_DEPTH {
            return Err(WriteError::TooDeep);
        }
        match value {
            Val::Null => self.push("null"),
            Val::Bool(true) => self.push("true"),
            Val::Bool(false) => self.push("false"),
            Val::Num(number) => self.number(number),
            Val::TStr(bytes) => self.string(&String::from_utf8_lossy(bytes)),
            Val::BStr(_) => Err(WriteError::NoJson(
                "a byte string: use `tostring` or `@base64`",
            )),
            Val::Arr(items) => {
                self.push("[")?;
                for (at, item) in items.iter().enumerate() {
                    self.push(if at == 0 { "" } else { "," })?;
                    self.value(item, depth + 1)?;
                }
                self.push("]")
            }
            Val::Obj(entries) => {
                self.push("{")?;
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.push(if at == 0 { "" } else { "," })?;
                    let Val::TStr(key) = key else {
                        let what =
                            "an object key that is no string: use `(… | tostring)` as the key";
                        return Err(WriteError::NoJson(what));
                    };
                    self.string(&String::from_utf8_lossy(key))?;
                    self.push(":")?;
                    self.value(value, depth + 1)?;
                }
                self.push("}")
            }
        }
    }

    fn number(&mut self, number: &Num) -> Result<(), WriteError> {
        match number {
            Num::Int(int) => self.push(&int.to_string()),
            Num::BigInt(int) => self.push(&int.to_string()),
            Num::Float(float) => self.float(*float),
            // The text a number was read from, kept as long as nobody
            // calculates with it. The reader is laxer than JSON.
            Num::Dec(text) if is_json_number(text) => self.push(text),
            Num::Dec(text) => self.float(text.parse().unwrap_or(f64::NAN)),
        }
    }

    /// As jq does it: what is not a number becomes `null`, infinity the
    /// largest number.
    fn float(&mut self, float: f64) -> Result<(), WriteError> {
        if float.is_nan() {
            return self.push("null");
        }
        let float = float.clamp(f64::MIN, f64::MAX);
        if float.fract() == 0.0 && float.abs() < EXACT_FLOAT {
            let text = if float == 0.0 && float.is_sign_negative() {
                "-0".into()
            } else {
                format!("{float:.0}")
            };
            return self.push(&text);
        }
        let text = serde_json::Number::from_f64(float).map_or("null".into(), |n| n.to_string());
        self.push(&text)
    }

    fn string(&mut self, text: &str) -> Result<(), WriteError> {
        self.push("\"")?;
        let mut start = 0;
        for (at, byte) in text.bytes().enumerate() {
            let short = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                0..0x20 | 0x7f => "",
                _ => continue,
            };
            self.push(&text[start..at])?;
            start = at + 1;
            if short.is_empty() {
                let mut long = String::new();
                // Writing to a string cannot fail.
                let _ = write!(long, "\\u{byte:04x}");
                self.push(&long)?;
            } else {
                self.push(short)?;
            }
        }
        self.push(&text[start..])?;
        self.push("\"")
    }

    fn push(&mut self, text: &str) -> Result<(), WriteError> {
        let room = self.limit.saturating_sub(self.out.len());
        if text.len() <= room {
            self.out.push_str(text);
            return Ok(());
        }
        self.out.push_str(&text[..text.floor_char_boundary(room)]);
        Err(WriteError::Full)
    }
}

/// Whether every number of the JSON `text` is one that readers keep: an integer of
/// 64 bits or a double. The host refuses structured results with any other, because
/// two readers of it would see two different values.
pub(crate) fn is_readable(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        rest = &rest[at..];
        if let Some(string) = rest.strip_prefix('"') {
            rest = after_string(string);
            continue;
        }
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
            .unwrap_or(rest.len());
        let number = &rest[..end];
        let is_kept = if number.contains(['.', 'e', 'E']) {
            number.parse().is_ok_and(f64::is_finite)
        } else {
            number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok()
        };
        if !is_kept {
            return false;
        }
        rest = &rest[end..];
    }
    true
}

/// What comes after the end of a string that has begun.
fn after_string(text: &str) -> &str {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

/// Whether `text` is a number in the sense of JSON.
fn is_json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let leading_zero =
        digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    digits.starts_with(|c: char| c.is_ascii_digit()) && !leading_zero
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<String, WriteError> {
        let value = jaq_json::read::parse_single(text.as_bytes()).expect("a value");
        let mut out = String::new();
        write(&value, &mut out, 1000).map(|()| out)
    }

    #[test]
    fn numbers_keep_every_digit_they_came_with() {
        for text in [
            "9007199254740993",
            "123456789012345678901234567890",
            "1e400",
            "1.10",
            "-0.0",
        ] {
            assert_eq!(written(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_json_has_no_number_for_becomes_one() {
        assert_eq!(written("NaN").as_deref(), Ok("null"));
        assert_eq!(
            written("Infinity").as_deref(),
            Ok("1.7976931348623157e+308")
        );
        assert_eq!(written("+1.5").as_deref(), Ok("1.5"));
        let mut out = String::new();
        assert_eq!(write(&Val::Num(Num::Float(2.0)), &mut out, 9), Ok(()));
        assert_eq!(out, "2");
    }

    #[test]
    fn only_numbers_that_readers_keep_are_readable() {
        for text in [
            "-0",
            "-9223372036854775808",
            "18446744073709551615",
            "0.1",
            "1e308",
        ] {
            assert!(is_readable(text), "{text}");
        }
        let strings = r#"{"1e999":"\"18446744073709551616\\","a":[1,-2.5e3]}"#;
        assert!(is_readable(strings));
        for text in [
            "1e309",
            "[18446744073709551616]",
            "{\"a\":-9223372036854775809}",
        ] {
            assert!(!is_readable(text), "{text}");
        }
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(
            written(r#""a\"\\\n\u0001é""#).as_deref(),
            Ok(r#""a\"\\\n\u0001é""#)
        );
    }

    #[test]
    fn what_has_no_form_in_json_is_refused() {
        assert!(matches!(written("{1: 2}"), Err(WriteError::NoJson(_))));
        assert!(matches!(written(r#"b"\xff""#), Err(WriteError::NoJson(_))));
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(written(&deep), Err(WriteError::TooDeep));
    }

    #[test]
    fn writing_stops_at_the_limit_between_characters() {
        let mut out = String::new();
        let value = Val::utf8_str("äää".to_owned());
        assert_eq!(write(&value, &mut out, 4), Err(WriteError::Full));
        assert_eq!(out, "\"ä");
    }
}
