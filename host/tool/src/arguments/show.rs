//! Values in messages: short enough for a model's context, on one line.

use std::fmt::{self, Write};

use serde_json::Value;

/// Characters of a value that a message repeats.
const SHOWN: usize = 100;

/// A value as JSON, cut when it is long. Never writes more of it than is shown.
pub(crate) fn show(value: &Value) -> String {
    struct Cut {
        text: String,
        left: usize,
    }
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for letter in text.chars() {
                self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
                self.text.push(letter);
            }
            Ok(())
        }
    }
    let mut cut = Cut {
        text: String::new(),
        left: SHOWN,
    };
    // `Value` writes itself piece by piece, so the error stops it at the cut.
    if write!(cut, "{value}").is_err() {
        cut.text.push('…');
    }
    cut.text
}

/// A text, cut to a number of characters.
pub(crate) fn shorten(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// What kind of JSON value it is.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A kind and the value itself: `string "abc"`.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        _ => format!("{} {}", kind_of(value), show(value)),
    }
}

/// Words that a list has at most.
const MAX_LISTED: usize = 12;

/// A list of words: `a`, `a or b`, `a, b or c`; the rest is counted when there are
/// many.
pub(super) fn either(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        _ if words.len() > MAX_LISTED => {
            let shown = words[..MAX_LISTED].join(", ");
            format!("{shown} or one of {} others", words.len() - MAX_LISTED)
        }
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
