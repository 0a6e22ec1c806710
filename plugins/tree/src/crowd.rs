//! Directories with so many entries that a call could not get through one: a walk in
//! order reads all of a directory before it gives the first entry, and a call that
//! runs out of fuel there has no result at all. So they are counted first, which
//! costs a fraction, and left out with a note.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A directory of this size, in bytes, has a few thousand entries at most, on any
/// file system that tells one. It is not counted.
const SMALL: u64 = 4096;

/// A directory with so many entries is let in even where the call will not get
/// through it: reading it costs little enough. In tests it is fewer.
const ALWAYS: u64 = if cfg!(test) { 1_000 } else { 10_000 };

/// So many entries are counted at the price of one that is looked at: counting one
/// takes about 1,300 units of fuel.
const COUNTED_FOR_ONE: u64 = 32;

/// Keeps a walk out of directories that are too large.
#[derive(Debug)]
pub(crate) struct Crowd {
    /// How many entries the call may still look at.
    room: AtomicU64,
    left_out: Mutex<Vec<PathBuf>>,
}

impl Crowd {
    pub(crate) fn new(room: u64) -> Self {
        Self {
            room: AtomicU64::new(room),
            left_out: Mutex::default(),
        }
    }

    /// How many entries the call may still look at, after what was counted.
    pub(crate) fn room(&self) -> u64 {
        self.room.load(Ordering::Relaxed)
    }

    pub(crate) fn set_room(&self, room: u64) {
        self.room.store(room, Ordering::Relaxed);
    }

    /// Whether a walk gets through the directory. Anything but a directory has no
    /// entries.
    pub(crate) fn lets_in(&self, directory: &Path) -> bool {
        let size = fs::metadata(directory).map_or(0, |metadata| metadata.len());
        // Some systems tell no size.
        if (1..=SMALL).contains(&size) {
            return true;
        }
        let room = self.room();
        let allowed = room.max(ALWAYS);
        let most = usize::try_from(allowed).unwrap_or(usize::MAX);
        let count = fs::read_dir(directory).map_or(0, |entries| {
            entries.take(most.saturating_add(1)).count() as u64
        });
        self.set_room(room.saturating_sub(count.div_ceil(COUNTED_FOR_ONE)));
        count <= allowed
    }

    /// Remembers that a directory is left out.
    pub(crate) fn leave_out(&self, directory: &Path) {
        let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.push(directory.to_path_buf());
    }

    /// Whether a directory was left out and not told yet.
    pub(crate) fn has_left_out(&self) -> bool {
        let left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        !left_out.is_empty()
    }

    /// A directory that was left out and not told yet.
    pub(crate) fn next_left_out(&self) -> Option<PathBuf> {
        let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_let_in_as_long_as_there_is_room_for_it() {
        let root = tempfile::tempdir().unwrap();
        for number in 0..5_000 {
            fs::write(root.path().join(number.to_string()), "").unwrap();
        }
        let small = root.path().join("small");
        fs::create_dir(&small).unwrap();
        let crowd = Crowd::new(6_300);
        assert!(crowd.lets_in(root.path()));
        // Counting has its price.
        assert_eq!(crowd.room(), 6_300 - 157);
        crowd.set_room(4_000);
        assert!(!crowd.lets_in(root.path()));
        assert_eq!(crowd.room(), 4_000 - 126);
        assert!(crowd.lets_in(&small));
        assert!(crowd.lets_in(&root.path().join("0")));
        assert!(crowd.lets_in(&root.path().join("none")));
    }
}
