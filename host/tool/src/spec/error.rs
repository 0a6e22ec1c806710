//! What is wrong with a spec, and where.

use std::fmt;

/// What is wrong with a spec, and where. Written as `line 2, column 7: …`; the line
/// is left out when the spec has only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong and what to write instead.
    pub message: String,
    /// Where it starts, in bytes from the start of the spec.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    source: String,
    one_line: bool,
}

impl SpecError {
    pub(super) fn new(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let source = text[start..].split('\n').next().unwrap_or_default();
        Self {
            message: message.into(),
            offset,
            line: before.matches('\n').count() + 1,
            column: text[start..offset].chars().count() + 1,
            source: source.trim_end().to_owned(),
            one_line: !text.trim_end().contains('\n'),
        }
    }

    /// The line at fault with a caret below the place, for a terminal.
    #[must_use]
    pub fn excerpt(&self) -> String {
        let source = self.source.replace('\t', " ");
        format!("{source}\n{}^", " ".repeat(self.column - 1))
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.one_line {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for SpecError {}
