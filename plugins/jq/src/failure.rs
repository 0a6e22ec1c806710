//! How a filter fails: one type for everything the model has to be told.

use std::fmt;

/// The longest piece of the user's data that a message repeats, in bytes. A
/// value can be megabytes large, the message has to stay readable.
const EXCERPT: usize = 200;

/// A failure of the tool, in the words that the model reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Which step failed.
    pub kind: FailureKind,
    /// What went wrong and what to do next.
    pub message: String,
    /// More for programs: positions, suggestions, outputs so far.
    pub details: Option<serde_json::Value>,
}

/// The step that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The arguments do not go together.
    Arguments,
    /// The filter is not a jq program.
    Filter,
    /// The input is not JSON, or cannot be read.
    Input,
    /// The filter failed on the input.
    Run,
    /// The caller cancelled the call.
    Aborted,
}

impl FailureKind {
    /// The name under which the model sees the error.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arguments => "JqArgumentsError",
            Self::Filter => "JqFilterError",
            Self::Input => "JqInputError",
            Self::Run => "JqRuntimeError",
            Self::Aborted => "JqAbortedError",
        }
    }
}

impl Failure {
    /// A failure without details.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            kind,
            message,
            details: None,
        }
    }

    /// Adds what programs want to know.
    #[must_use]
    pub fn with_details(mut self, details: serde_json::Value) -> Self {
        self.details = Some(details);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Displays `value`, cut to a length that fits into a message.
#[must_use]
pub fn excerpt(value: &impl fmt::Display) -> String {
    let (mut text, full) = display_up_to(value, EXCERPT);
    if full {
        text.push('…');
    }
    text
}

/// Displays what a filter failed with. The middle is left out when it is long:
/// in `cannot index HUGE with "a"` both ends say something.
#[must_use]
pub fn excerpt_of_error(error: &impl fmt::Display) -> String {
    let (text, full) = display_up_to(error, MAX_DISPLAYED);
    // An error with a message is displayed as a JSON string.
    let text = serde_json::from_str(&text).unwrap_or(text);
    if text.len() <= 2 * EXCERPT && !full {
        return text;
    }
    let head = &text[..text.floor_char_boundary(EXCERPT)];
    let tail = if full {
        ""
    } else {
        &text[text.ceil_char_boundary(text.len() - EXCERPT / 2)..]
    };
    format!("{head}…{tail}")
}

/// What is displayed of an error before it is cut, in bytes.
const MAX_DISPLAYED: usize = 1 << 20;

/// Up to `limit` bytes of a value's text, and whether there is more. Writing
/// stops there: a huge value is never formatted as a whole.
fn display_up_to(value: &impl fmt::Display, limit: usize) -> (String, bool) {
    let mut cut = Cut {
        text: String::new(),
        limit,
        full: false,
    };
    // The only error is the one that `Cut` uses to stop the writer.
    let _ = fmt::write(&mut cut, format_args!("{value}"));
    (cut.text, cut.full)
}

struct Cut {
    text: String,
    limit: usize,
    full: bool,
}

impl fmt::Write for Cut {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        for c in piece.chars() {
            if self.text.len() + c.len_utf8() > self.limit {
                self.full = true;
                return Err(fmt::Error);
            }
            self.text.push(c);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_and_marked() {
        let text = excerpt(&"ä".repeat(10_000));
        assert!(text.len() <= EXCERPT + '…'.len_utf8(), "{}", text.len());
        assert!(text.ends_with('…'));
        assert_eq!(excerpt(&"short"), "short");
    }

    #[test]
    fn both_ends_of_a_long_error_are_kept() {
        let error = format!("cannot index {} with \"a\"", "x".repeat(5000));
        let text = excerpt_of_error(&error);
        assert!(
            text.starts_with("cannot index") && text.ends_with("with \"a\""),
            "{text}"
        );
        assert_eq!(excerpt_of_error(&"\"no luck\""), "no luck");
    }
}
