//! Why a JSON text was refused, and where in it.

use std::fmt;

use super::locate::Place;

/// A JSON text, or a value, that was refused. Its `Display` says what is wrong,
/// where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    kind: JsonErrorKind,
    place: Option<Place>,
}

/// What is wrong with a JSON text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// More bytes than the limit.
    #[error("the JSON text has {bytes} bytes, {limit} are allowed")]
    TooLong {
        /// Bytes of the text.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// Arrays and objects are nested deeper than the limit.
    #[error("arrays and objects are nested more than {limit} deep")]
    TooDeep {
        /// Levels allowed.
        limit: usize,
    },
    /// More values than the limit.
    #[error("the JSON text holds more than {limit} values")]
    TooManyValues {
        /// Values allowed.
        limit: usize,
    },
    /// An object has a key twice.
    #[error("the key `{key}` appears twice in one object")]
    DuplicateKey {
        /// The key, cut when it is long.
        key: String,
    },
    /// An integer that no 64-bit type holds.
    #[error("the integer `{digits}` does not fit into 64 bits: send it as a string")]
    IntegerOutOfRange {
        /// The integer as written, cut when it is long.
        digits: String,
    },
    /// A byte order mark before the value.
    #[error("the text starts with a byte order mark: leave it out")]
    ByteOrderMark,
    /// No value at all.
    #[error("the text is empty, a JSON value was expected")]
    Empty,
    /// The text breaks the rules of JSON.
    #[error("{0}")]
    Syntax(String),
}

impl JsonError {
    pub(super) fn new(kind: JsonErrorKind, place: Option<Place>) -> Self {
        Self { kind, place }
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &JsonErrorKind {
        &self.kind
    }

    /// The line, counted from 1, when there is a place.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// The character in the line, counted from 1, when there is a place.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }

    /// The JSON Pointer of the value that was being read, when there is a place.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.path.as_str())
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if let Some(Place { line, column, path }) = &self.place {
            write!(f, " (line {line}, column {column}")?;
            if !path.is_empty() {
                write!(f, ", at `{path}`")?;
            }
            write!(f, ")")?;
        }
        Ok(())
    }
}

impl std::error::Error for JsonError {}
