//! What is in a directory, by name and in pages.

use std::fs::{self, FileType};
use std::io;
use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kind::size;

/// Most entries that are looked at. A directory may have any number.
const MAX_ENTRIES: usize = 50_000;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A link to something.
    Link,
    /// A device, a pipe.
    Other,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its name, or for a granted directory its path.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its size; files only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// A page of a directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryPage {
    /// The directory; left out for the list of granted directories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The entries by name.
    pub entries: Vec<Entry>,
    /// How many there are, also those of other pages.
    pub total: usize,
    /// The `offset` of the next page; left out at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// What to know about the list: why it is not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Reads a page of the directory at `path`.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path, offset: usize, limit: usize) -> io::Result<DirectoryPage> {
    let mut found: Vec<(String, Option<FileType>)> = Vec::new();
    let mut note = None;
    for entry in fs::read_dir(path)? {
        match entry {
            Ok(_) if found.len() == MAX_ENTRIES => {
                note = Some(format!(
                    "only the first {MAX_ENTRIES} entries were looked at"
                ));
                break;
            }
            Ok(entry) => {
                let name = entry.file_name().to_string_lossy().into_owned();
                found.push((name, entry.file_type().ok()));
            }
            Err(error) => {
                note = Some(format!(
                    "the list ends early, entries may be missing: {error}"
                ));
                break;
            }
        }
    }
    found.sort_by(|(left, _), (right, _)| left.cmp(right));
    let total = found.len();
    let page = found.into_iter().skip(offset).take(limit);
    let entries: Vec<_> = page.map(|(name, kind)| entry(path, name, kind)).collect();
    let end = offset.saturating_add(entries.len());
    Ok(DirectoryPage {
        path: Some(path.to_string_lossy().into_owned()),
        next_offset: (end < total).then_some(end),
        entries,
        total,
        note,
    })
}

fn entry(folder: &Path, name: String, kind: Option<FileType>) -> Entry {
    let kind = match kind {
        Some(kind) if kind.is_file() => EntryKind::File,
        Some(kind) if kind.is_dir() => EntryKind::Directory,
        Some(kind) if kind.is_symlink() => EntryKind::Link,
        _ => EntryKind::Other,
    };
    let bytes = match kind {
        EntryKind::File => fs::symlink_metadata(folder.join(&name)).ok(),
        _ => None,
    };
    let bytes = bytes.map(|metadata| metadata.len());
    Entry { name, kind, bytes }
}

impl DirectoryPage {
    /// The list of granted directories.
    #[must_use]
    pub fn of_grants(grants: &[std::path::PathBuf]) -> Self {
        let entries = grants.iter().map(|grant| Entry {
            name: grant.to_string_lossy().into_owned(),
            kind: EntryKind::Directory,
            bytes: None,
        });
        Self {
            entries: entries.collect(),
            total: grants.len(),
            ..Self::default()
        }
    }

    /// The list as a model reads it.
    #[must_use]
    pub fn text(&self) -> String {
        let line = |entry: &Entry| match (entry.kind, entry.bytes) {
            (EntryKind::Directory, _) => format!("{}/", entry.name.trim_end_matches('/')),
            (EntryKind::Link, _) => format!("{} (link)", entry.name),
            (EntryKind::Other, _) => format!("{} (no file)", entry.name),
            (EntryKind::File, Some(bytes)) => format!("{} ({})", entry.name, size(bytes)),
            (EntryKind::File, None) => entry.name.clone(),
        };
        let mut lines: Vec<String> = self.entries.iter().map(line).collect();
        let path = self.path.as_deref().unwrap_or("the grants");
        match (self.next_offset, lines.len()) {
            (Some(next), shown) => lines.push(format!(
                "[{shown} of {} entries of `{path}`; go on with `offset` {next}]",
                self.total
            )),
            (None, 0) if self.total == 0 => lines.push(format!("[`{path}` is empty]")),
            (None, 0) => lines.push(format!("[`{path}` has only {} entries]", self.total)),
            (None, _) => {}
        }
        lines.extend(self.note.iter().map(|note| format!("[{note}]")));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_read_in_pages() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b.txt", "a.txt", ".hidden"] {
            fs::write(root.path().join(name), "12345").unwrap();
        }
        fs::create_dir(root.path().join("sub")).unwrap();
        let first = read(root.path(), 0, 3).unwrap();
        assert_eq!((first.total, first.next_offset), (4, Some(3)));
        let text = first.text();
        assert!(
            text.starts_with(
                ".hidden (5 bytes)\na.txt (5 bytes)\nb.txt (5 bytes)\n[3 of 4 entries"
            ),
            "{text}"
        );
        assert!(text.ends_with("go on with `offset` 3]"), "{text}");
        let rest = read(root.path(), 3, 3).unwrap();
        assert_eq!((rest.text().as_str(), rest.next_offset), ("sub/", None));
        assert!(
            read(root.path(), 9, 3)
                .unwrap()
                .text()
                .contains("has only 4 entries")
        );
    }

    #[test]
    fn an_empty_directory_is_told() {
        let root = tempfile::tempdir().unwrap();
        assert!(
            read(root.path(), 0, 3)
                .unwrap()
                .text()
                .ends_with("is empty]")
        );
        assert!(read(&root.path().join("none"), 0, 3).is_err());
    }

    #[test]
    fn granted_directories_are_a_list_too() {
        let grants = ["/repo".into(), "/data".into()];
        assert_eq!(DirectoryPage::of_grants(&grants).text(), "/repo/\n/data/");
    }
}
