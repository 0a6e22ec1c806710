//! A search from beginning to end: the files of each place, scanned until all
//! are seen or a bound is met.

use toolhost_sdk::ToolError;

use crate::budget::{Budget, Stop};
use crate::findings::{Findings, Report};
use crate::grants::Place;
use crate::hit::FileHits;
use crate::path_filter::PathFilter;
use crate::query::Query;
use crate::scan::{Room, Scanned, Scanner};
use crate::walk::{Files, WalkOptions};

/// Bytes of JSON in one result. A model reads it all; the host takes 1 MiB at
/// most, and 256 KiB of a partial result.
const MAX_RESULT_BYTES: usize = 160 << 10;

/// How many unreadable files are named one by one.
const MAX_UNREADABLE_NOTES: usize = 5;

/// What to search, where and how much to report.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// What to look for.
    pub query: Query,
    /// Globs of the files to search; all when empty.
    pub include: Vec<String>,
    /// Globs of files and directories to leave out.
    pub exclude: Vec<String>,
    /// Which files besides ordinary ones.
    pub walk: WalkOptions,
    /// What to report.
    pub report: Report,
    /// Lines of context on each side of a match.
    pub context: usize,
    /// Most results: lines for `Report::Matches`, else files.
    pub max_results: usize,
}

impl Search {
    /// Looks through `places` within `budget`.
    ///
    /// # Errors
    /// When the pattern or a glob cannot be read. What happens to single files
    /// is a note in the result.
    pub fn run(&self, places: Vec<Place>, budget: &Budget<'_>) -> Result<Findings, ToolError> {
        let mut run = Run {
            scanner: Scanner::new(self.query.compile()?, self.report, self.context),
            room: Room {
                results: self.max_results,
                bytes: MAX_RESULT_BYTES,
            },
            unreadable: 0,
            findings: Findings::new(self.report),
        };
        for place in places {
            let filter = PathFilter::new(&self.include, &self.exclude, &place.path)?;
            let files = Files::new(place, self.walk, filter, budget);
            if let Some(stop) = run.place(files, budget) {
                run.findings.cut(stop, self.max_results);
                break;
            }
        }
        Ok(run.finish())
    }
}

/// A search under way.
struct Run {
    scanner: Scanner,
    room: Room,
    unreadable: usize,
    findings: Findings,
}

impl Run {
    fn place(&mut self, mut files: Files<'_>, budget: &Budget<'_>) -> Option<Stop> {
        for file in files.by_ref() {
            let scanned = match file {
                Ok(path) => match self.scanner.scan(&path, self.room, budget) {
                    Ok(scanned) => self.add(&path.to_string_lossy(), scanned),
                    Err(error) => {
                        self.unreadable(&format!("{}: {error}", path.display()));
                        None
                    }
                },
                Err(unreadable) => {
                    self.unreadable(&unreadable.reason);
                    None
                }
            };
            if scanned.is_some() {
                return scanned;
            }
            budget.show(&self.findings);
        }
        files.stopped()
    }

    /// Adds what a file gave; returns why to stop, if there is a reason.
    fn add(&mut self, path: &str, scanned: Scanned) -> Option<Stop> {
        if scanned.is_binary {
            self.findings.binary_files += 1;
            return scanned.stop;
        }
        self.findings.searched_files += 1;
        if scanned.matches == 0 {
            return scanned.stop;
        }
        self.findings.matched_files += 1;
        if let Some(matches) = &mut self.findings.matches {
            let context = scanned.hits.iter().map(crate::hit::Hit::weight).sum();
            self.room.results = self.room.results.saturating_sub(scanned.hits.len());
            self.room.bytes = self.room.bytes.saturating_sub(context);
            matches.extend(scanned.hits);
        }
        if let Some(files) = &mut self.findings.files {
            let counted = self.scanner.counts().then_some(scanned.matches);
            let file = FileHits {
                path: path.to_owned(),
                matches: counted,
            };
            self.room.results = self.room.results.saturating_sub(1);
            self.room.bytes = self.room.bytes.saturating_sub(file.weight());
            files.push(file);
        }
        scanned.stop
    }

    fn unreadable(&mut self, reason: &str) {
        self.unreadable += 1;
        if self.unreadable <= MAX_UNREADABLE_NOTES {
            self.findings
                .notes
                .push(crate::walk::unreadable_note(reason));
        }
    }

    fn finish(mut self) -> Findings {
        if self.unreadable > MAX_UNREADABLE_NOTES {
            let more = self.unreadable - MAX_UNREADABLE_NOTES;
            self.findings
                .notes
                .push(format!("could not read {more} more files"));
        }
        let findings = &self.findings;
        if findings.searched_files + findings.binary_files == 0
            && !findings.truncated
            && self.unreadable == 0
        {
            self.findings.notes.push(
                "there was no file to search: check `path`, `include` and `exclude`, or set `ignored` or `hidden` to \
                 true to see files that are left out by default"
                    .to_owned(),
            );
        }
        self.findings
    }
}

#[cfg(test)]
mod tests;
