//! Where in a text something is, as editors count.

use std::ops::Range;

/// The starts of a text's lines.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// The line and the character in it where a span starts, both counted from 1.
    pub(super) fn place(&self, span: &Range<usize>) -> (usize, usize) {
        let at = self.text.floor_char_boundary(span.start);
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (line, self.text[start..at].chars().count() + 1)
    }
}
