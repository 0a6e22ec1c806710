//! What a search finds: a line, or a file.

use schemars::JsonSchema;
use serde::Serialize;

/// A line that matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Hit {
    /// The file, as the plugin sees it.
    pub path: String,
    /// Line number, from 1.
    pub line: u64,
    /// Where the first match begins, in characters from 1.
    pub column: u64,
    /// The line, cut if it is long.
    pub text: String,
    /// Lines before it, oldest first, if context was asked for. A line between
    /// two matches is given once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Lines after it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// A file with matching lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileHits {
    /// The file, as the plugin sees it.
    pub path: String,
    /// How many lines match; left out when only the files were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<u64>,
}

impl Hit {
    /// About how many bytes it takes as JSON.
    pub(crate) fn weight(&self) -> usize {
        let lines = self.before.iter().chain(&self.after);
        // Quotes, backslashes and tabs double in JSON; most lines have few.
        let context: usize = lines.map(|line| json_bytes(line)).sum();
        json_bytes(&self.path) + json_bytes(&self.text) + context + 80
    }
}

impl FileHits {
    /// About how many bytes it takes as JSON.
    pub(crate) fn weight(&self) -> usize {
        json_bytes(&self.path) + 30
    }
}

/// The bytes of `text` as a JSON string, with its comma.
pub(crate) fn json_bytes(text: &str) -> usize {
    let escaped = text
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\\' | b'\t'))
        .count();
    text.len() + escaped + 3
}
