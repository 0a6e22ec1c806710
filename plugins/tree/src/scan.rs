//! The search of one file.

use std::fs::File;
use std::io;
use std::path::Path;

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{
    BinaryDetection, MmapChoice, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind,
    SinkMatch,
};

use crate::budget::{Budget, Stop};
use crate::findings::Report;
use crate::hit::{Hit, json_bytes};
use crate::line::{clip, column};

/// Most memory for one line of a file. A file with a longer one is skipped:
/// the buffer would grow with it.
const MAX_LINE_BYTES: usize = 16 << 20;

/// Searches files one after another with the same pattern.
pub(crate) struct Scanner {
    matcher: RegexMatcher,
    searcher: Searcher,
    report: Report,
}

/// What one file gave.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    /// Its matching lines; empty unless they were asked for.
    pub(crate) hits: Vec<Hit>,
    /// How many lines match.
    pub(crate) matches: u64,
    /// It is not a text file; then it has no matches.
    pub(crate) is_binary: bool,
    /// Why not all of it is here.
    pub(crate) stop: Option<Stop>,
}

/// How much of a result there is still room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Results.
    pub(crate) results: usize,
    /// Bytes of JSON.
    pub(crate) bytes: usize,
}

impl Scanner {
    /// A scanner that reports `context` lines on each side of a match.
    pub(crate) fn new(matcher: RegexMatcher, report: Report, context: usize) -> Self {
        let context = if report == Report::Matches {
            context
        } else {
            0
        };
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .line_number(report == Report::Matches)
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .memory_map(MmapChoice::never())
            .heap_limit(Some(MAX_LINE_BYTES))
            .build();
        Self {
            matcher,
            searcher,
            report,
        }
    }

    /// Whether the number of matching lines is reported.
    pub(crate) fn counts(&self) -> bool {
        self.report == Report::Counts
    }

    /// Searches the file at `path`.
    ///
    /// # Errors
    /// When the file cannot be read, or has a line too long to search.
    pub(crate) fn scan(
        &mut self,
        path: &Path,
        room: Room,
        budget: &Budget<'_>,
    ) -> io::Result<Scanned> {
        let file = File::open(path)?;
        let mut collector = Collector {
            matcher: &self.matcher,
            report: self.report,
            path: path.to_string_lossy().into_owned(),
            room,
            before: Vec::new(),
            scanned: Scanned::default(),
        };
        let searched =
            self.searcher
                .search_reader(&self.matcher, budget.reader(file), &mut collector);
        let mut scanned = collector.scanned;
        if let Err(error) = searched {
            scanned.stop = Some(budget.stop().ok_or(error)?);
        }
        if scanned.is_binary {
            scanned = Scanned {
                is_binary: true,
                stop: scanned.stop,
                ..Scanned::default()
            };
        }
        Ok(scanned)
    }
}

/// Takes the lines that the searcher finds.
struct Collector<'a> {
    matcher: &'a RegexMatcher,
    report: Report,
    path: String,
    room: Room,
    /// Lines before the next match.
    before: Vec<String>,
    scanned: Scanned,
}

impl Collector<'_> {
    fn hit(&mut self, found: &SinkMatch<'_>) -> io::Result<()> {
        let line = found.bytes();
        let start = self
            .matcher
            .find(line)
            .map_err(io::Error::other)?
            .map_or(0, |at| at.start());
        let hit = Hit {
            path: self.path.clone(),
            line: found.line_number().unwrap_or_default(),
            column: column(line, start),
            text: clip(line, start),
            before: std::mem::take(&mut self.before),
            after: Vec::new(),
        };
        self.room.bytes = self.room.bytes.saturating_sub(hit.weight());
        self.room.results = self.room.results.saturating_sub(1);
        self.scanned.hits.push(hit);
        Ok(())
    }
}

impl Sink for Collector<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        // A match without room for it is how one knows that there is more.
        if self.room.results == 0 || self.room.bytes == 0 {
            self.scanned.stop = Some(if self.room.results == 0 {
                Stop::Count
            } else {
                Stop::Size
            });
            return Ok(false);
        }
        self.scanned.matches += 1;
        match self.report {
            Report::Matches => self.hit(found)?,
            Report::Files => return Ok(false),
            Report::Counts => {}
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, line: &SinkContext<'_>) -> io::Result<bool> {
        let text = clip(line.bytes(), 0);
        match (line.kind(), self.scanned.hits.last_mut()) {
            (SinkContextKind::After, Some(hit)) => {
                self.room.bytes = self.room.bytes.saturating_sub(json_bytes(&text));
                hit.after.push(text);
            }
            _ => self.before.push(text),
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.scanned.is_binary = true;
        Ok(false)
    }
}
