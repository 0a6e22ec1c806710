//! The result of a search, complete or so far.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::budget::{Stop, USED_UP};
use crate::hit::{FileHits, Hit};

/// What a search reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Report {
    /// Each matching line.
    #[default]
    Matches,
    /// The files that have a match.
    Files,
    /// The files that have a match, with the number of matching lines.
    Counts,
}

/// The result of `search`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// Matching lines by path and line number; with `output` `matches`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<Vec<Hit>>,
    /// Files with a match by path; with `output` `files` and `counts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileHits>>,
    /// Files that have a match.
    pub matched_files: u64,
    /// Text files that were searched.
    pub searched_files: u64,
    /// Binary files that were left out.
    pub binary_files: u64,
    /// Whether there may be more than is shown.
    pub truncated: bool,
    /// What to know about the result: why it was cut, what could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Findings {
    /// Nothing found yet.
    pub(crate) fn new(report: Report) -> Self {
        let lines = report == Report::Matches;
        Self {
            matches: lines.then(Vec::new),
            files: (!lines).then(Vec::new),
            ..Self::default()
        }
    }

    /// Marks the result as cut, and says what to do about it.
    pub(crate) fn cut(&mut self, stop: Stop, limit: usize) {
        self.truncated = true;
        let note = match stop {
            Stop::Cancelled => "the call was cancelled; this is what was found until then".to_owned(),
            Stop::Time => "the time of the call ran out; narrow `path` or `include` to see the rest".to_owned(),
            Stop::Bytes => USED_UP.to_owned(),
            Stop::Count => format!(
                "stopped at {limit} results; narrow `pattern`, `path` or `include`, or raise `maxResults`"
            ),
            Stop::Size => {
                "the result is as large as it may be; narrow `pattern` or `path`, or take less `context`".to_owned()
            }
        };
        self.notes.push(note);
    }
}
