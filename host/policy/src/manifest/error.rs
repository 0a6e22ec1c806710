//! What is wrong with a manifest, in words for whoever built the plugin.

use toolhost_tool::{json::JsonError, truncate_chars};

use super::MAX_MANIFEST_BYTES;
use crate::keys;

/// Longest message of the reader that is repeated: it may quote the manifest.
const MAX_SAID: usize = 300;

/// Words for a key that people know from elsewhere.
const WORDS: [(&str, &str); 9] = [
    ("licence", "license"),
    ("repository", "source"),
    ("homepage", "source"),
    ("reason", "why"),
    ("url", "allow"),
    ("host", "allow"),
    ("path", "guest"),
    ("dir", "guest"),
    ("permissions", "wants"),
];

/// A manifest that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It has too many bytes.
    #[error("it has {used} bytes; at most {MAX_MANIFEST_BYTES} are allowed")]
    TooLarge {
        /// How many it has.
        used: usize,
    },
    /// It is no text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It is no JSON, or JSON that readers could understand in two ways.
    #[error("it cannot be read: {0}")]
    Json(JsonError),
    /// It is JSON of another kind.
    #[error("it is not an object")]
    NotAnObject,
    /// It has a key that is not known, or a value of another type.
    #[error("line {line}, column {column}: {problem}")]
    Shape {
        /// The line, counted from 1.
        line: usize,
        /// The character in the line, counted from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// A value is too long, or cannot be meant.
    #[error("`{path}` {problem}")]
    Value {
        /// Where it is, as `wants.http[0].why`.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The plugin has more than one.
    #[error("there are two that differ")]
    Two,
}

impl ManifestError {
    pub(super) fn shape(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let said = said
            .rsplit_once(" at line ")
            .map_or(&*said, |(said, _)| said);
        Self::Shape {
            line,
            column,
            problem: truncate_chars(keys::reword(said, &WORDS), MAX_SAID),
        }
    }
}
