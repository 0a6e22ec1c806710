//! How a question to a table fails: one type for everything the model reads.

use std::fmt;

/// The longest piece of the table that a message repeats, in bytes.
const EXCERPT: usize = 80;

/// A failure, in the words that the model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What it is about.
    pub kind: FailureKind,
    /// What went wrong and what to do next.
    pub message: String,
    /// Names that were probably meant.
    pub suggestions: Vec<String>,
}

/// What a failure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The arguments do not go together.
    Arguments,
    /// The table cannot be read.
    Table,
    /// There is no such column.
    Column,
    /// The answer would need more memory than there is.
    TooLarge,
    /// The caller cancelled the call.
    Aborted,
}

impl FailureKind {
    /// The name under which the model sees the error.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arguments => "CsvArgumentsError",
            Self::Table => "CsvTableError",
            Self::Column => "CsvColumnError",
            Self::TooLarge => "CsvTooLargeError",
            Self::Aborted => "CsvAbortedError",
        }
    }
}

impl Failure {
    /// A failure without suggestions.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            suggestions: Vec::new(),
        }
    }

    /// The arguments do not go together.
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Arguments, message)
    }

    /// The table cannot be read.
    pub fn table(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Table, message)
    }

    /// The answer would need more memory than there is.
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(FailureKind::TooLarge, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// The beginning of a cell or name, short enough for a message.
#[must_use]
pub fn excerpt(text: &str) -> String {
    if text.len() <= EXCERPT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(EXCERPT)])
}
