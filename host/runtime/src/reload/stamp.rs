//! What the system says of a file without reading it: enough to see that it was
//! written to, not enough to say what it holds.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// A file at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stamp {
    /// It is not there, or nothing can be said of it.
    Gone,
    /// It is there.
    There {
        length: u64,
        modified: Option<SystemTime>,
        /// A file that was moved into place may be as long and as old as the one
        /// before.
        identity: [i64; 3],
    },
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let Ok(metadata) = fs::metadata(path) else {
            return Self::Gone;
        };
        Self::There {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            identity: identity(&metadata),
        }
    }
}

#[cfg(unix)]
fn identity(metadata: &fs::Metadata) -> [i64; 3] {
    use std::os::unix::fs::MetadataExt;
    // The time of the last change of any kind, which no program can set.
    let (seconds, rest) = (metadata.ctime(), metadata.ctime_nsec());
    [metadata.ino().cast_signed(), seconds, rest]
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> [i64; 3] {
    [0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_moved_into_place_is_another() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("a"), dir.path().join("b"));
        assert_eq!(Stamp::of(&path), Stamp::Gone);
        fs::write(&path, "one").unwrap();
        let first = Stamp::of(&path);
        assert_eq!(Stamp::of(&path), first);
        fs::write(&other, "two").unwrap();
        let modified = fs::metadata(&path).unwrap().modified().unwrap();
        fs::File::options()
            .write(true)
            .open(&other)
            .unwrap()
            .set_modified(modified)
            .unwrap();
        fs::rename(&other, &path).unwrap();
        assert_ne!(Stamp::of(&path), first);
    }
}
