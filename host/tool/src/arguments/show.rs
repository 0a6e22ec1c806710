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

/// Words of a list: `a`, `a or b`, `a, b or c`. Of many the first are shown, and the
/// rest, which may be tens of thousands, is only counted.
#[derive(Default)]
pub(super) struct Words {
    shown: Vec<String>,
    others: usize,
}

impl Words {
    pub(super) fn of<T>(
        items: impl ExactSizeIterator<Item = T>,
        show: impl Fn(T) -> String,
    ) -> Self {
        let mut words = Self::default();
        words.extend(items, show);
        words
    }

    pub(super) fn extend<T>(
        &mut self,
        items: impl ExactSizeIterator<Item = T>,
        show: impl Fn(T) -> String,
    ) {
        let room = MAX_LISTED - self.shown.len();
        self.others += items.len().saturating_sub(room);
        self.shown.extend(items.take(room).map(show));
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.shown[..] {
            shown if self.others > 0 => {
                write!(f, "{} or one of {} others", shown.join(", "), self.others)
            }
            [] => Ok(()),
            [word] => f.write_str(word),
            [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
        }
    }
}
