//! The files of a directory, as a list.

use std::fs;

use schemars::JsonSchema;
use serde::Serialize;
use toolhost_sdk::ToolError;

use crate::budget::{Budget, Stop, USED_UP};
use crate::grants::Place;
use crate::hit::json_bytes;
use crate::path_filter::PathFilter;
use crate::walk::{Files, WalkOptions, unreadable_note};

/// Bytes of JSON in one list.
const MAX_RESULT_BYTES: usize = 160 << 10;

/// How many files are counted after the list is full.
const MAX_COUNTED: u64 = 100_000;

/// Which files to list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Globs of the files to list; all when empty.
    pub include: Vec<String>,
    /// Globs of files and directories to leave out.
    pub exclude: Vec<String>,
    /// Which files besides ordinary ones, and how deep.
    pub walk: WalkOptions,
    /// Most files in the list.
    pub max_results: usize,
}

/// A file of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedFile {
    /// The file, as the plugin sees it.
    pub path: String,
    /// Its size in bytes; left out when it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A list of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileList {
    /// The files by path.
    pub files: Vec<ListedFile>,
    /// How many files there are, also those that are not shown.
    pub total: u64,
    /// Whether there are more files than are shown.
    pub truncated: bool,
    /// What to know about the list: why it was cut, what could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Listing {
    /// Lists the files of `places` within `budget`.
    ///
    /// # Errors
    /// When a glob cannot be read.
    pub fn run(&self, places: Vec<Place>, budget: &Budget<'_>) -> Result<FileList, ToolError> {
        let mut list = FileList::default();
        let mut room = MAX_RESULT_BYTES;
        let mut stop = None;
        for place in places {
            let filter = PathFilter::new(&self.include, &self.exclude, &place.path)?;
            let mut files = Files::new(place, self.walk, filter, budget);
            for file in files.by_ref() {
                if list.total >= MAX_COUNTED {
                    stop = Some(Stop::Count);
                    break;
                }
                match file {
                    Ok(path) => self.add(&mut list, &mut room, &path),
                    Err(unreadable) if list.notes.len() < 5 => {
                        list.notes.push(unreadable_note(&unreadable.reason));
                    }
                    Err(_) => {}
                }
            }
            stop = stop.or(files.stopped());
            if stop.is_some() {
                break;
            }
        }
        explain(&mut list, stop);
        Ok(list)
    }

    fn add(&self, list: &mut FileList, room: &mut usize, path: &std::path::Path) {
        list.total += 1;
        let name = path.to_string_lossy();
        let weight = json_bytes(&name) + 30;
        if list.files.len() >= self.max_results || *room < weight {
            list.truncated = true;
            return;
        }
        *room -= weight;
        let bytes = fs::metadata(path).ok().map(|metadata| metadata.len());
        list.files.push(ListedFile {
            path: name.into_owned(),
            bytes,
        });
    }
}

/// Says why the list is short.
fn explain(list: &mut FileList, stop: Option<Stop>) {
    list.truncated |= stop.is_some();
    match stop {
        Some(Stop::Cancelled) => list.notes.push("the call was cancelled; this is what was found until then".to_owned()),
        Some(Stop::Time) => list.notes.push("the time of the call ran out; narrow `path` or `include`".to_owned()),
        Some(Stop::Bytes) => list.notes.push(USED_UP.to_owned()),
        Some(_) => list.notes.push(format!("counting stopped at {} files; narrow `path` or `include`", list.total)),
        None if list.truncated => {
            let shown = list.files.len();
            let note = format!("{shown} of {} files are shown; narrow `path` or `include`, or raise `maxResults`", list.total);
            list.notes.push(note);
        }
        None if list.total == 0 && list.notes.is_empty() => list.notes.push(
            "no file: check `path`, `include` and `exclude`, or set `ignored` or `hidden` to true to see files \
             that are left out by default"
                .to_owned(),
        ),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::Context;

    use super::*;

    fn list(listing: &Listing) -> FileList {
        let root = tempfile::tempdir().unwrap();
        for name in ["a.rs", "b.rs", "c.txt"] {
            fs::write(root.path().join(name), "12345").unwrap();
        }
        let place = Place {
            grant: root.path().to_path_buf(),
            path: root.path().to_path_buf(),
        };
        listing
            .run(vec![place], &Budget::new(&Context::fake().build()))
            .unwrap()
    }

    #[test]
    fn lists_files_with_their_sizes() {
        let listed = list(&Listing {
            include: vec!["*.rs".to_owned()],
            max_results: 10,
            ..Listing::default()
        });
        assert!(listed.files[0].path.ends_with("a.rs"), "{listed:?}");
        assert_eq!(
            (listed.files[0].bytes, listed.total, listed.truncated),
            (Some(5), 2, false)
        );
    }

    #[test]
    fn what_is_not_shown_is_counted() {
        let listed = list(&Listing {
            max_results: 1,
            ..Listing::default()
        });
        assert_eq!(
            (listed.files.len(), listed.total, listed.truncated),
            (1, 3, true)
        );
        assert!(
            listed.notes[0].starts_with("1 of 3 files are shown"),
            "{:?}",
            listed.notes
        );
    }

    /// Nothing of it is wanted, and it costs all the same.
    #[test]
    fn a_tree_without_end_gives_what_was_found_until_then() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("0.so"), "").unwrap();
        fs::write(root.path().join("a.txt"), "").unwrap();
        fs::write(root.path().join("z.so"), "").unwrap();
        let place = Place {
            grant: root.path().to_path_buf(),
            path: root.path().to_path_buf(),
        };
        let listing = Listing {
            include: vec!["*.so".to_owned()],
            max_results: 10,
            ..Listing::default()
        };
        let ctx = Context::fake().build();
        let budget = Budget::new(&ctx);
        // There is room for the root and two entries.
        budget.spend((64 << 20) - (2 << 10));
        let listed = listing.run(vec![place], &budget).unwrap();
        assert_eq!((listed.files.len(), listed.truncated), (1, true));
        assert!(listed.notes[0].contains("is used up"), "{:?}", listed.notes);
    }

    #[test]
    fn an_empty_list_says_where_to_look() {
        let listed = list(&Listing {
            include: vec!["*.go".to_owned()],
            max_results: 1,
            ..Listing::default()
        });
        assert!(listed.notes[0].contains("`include`"), "{:?}", listed.notes);
    }
}
