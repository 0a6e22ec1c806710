//! The file of a suspended turn. One process at a time goes on with it.
//!
//! It is replaced, or removed, only when the turn has come to its next rest: a
//! process that is killed before that leaves it as it was. What had run by then
//! runs again, unless a journal remembers it.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use toolhost::{StateError, SuspendedTurn};

use crate::failure::Failure;
use crate::input;

/// Most bytes of a state that are read.
const MAX_BYTES: u64 = 1 << 30;

/// The file of a suspended turn.
pub(crate) struct StateFile {
    path: PathBuf,
    /// The lock, on a file that was there before.
    locked: Option<File>,
}

impl StateFile {
    /// A file for a turn that begins.
    ///
    /// # Errors
    ///
    /// When it is there already: a turn in it would be lost.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        if path.symlink_metadata().is_ok() {
            let shown = path.display();
            return Err(Failure::usage(format!("`{shown}` is there already"))
                .hint("go on with its turn by a decision such as `--approve ID`, or name another file")
                .hint(format!("`rm {shown}` gives the turn in it up")));
        }
        Ok(Self {
            path: path.to_owned(),
            locked: None,
        })
    }

    /// The turn in the file at `path`.
    ///
    /// # Errors
    ///
    /// When there is none that can be gone on with, or another process does.
    pub(crate) fn open(path: &Path) -> Result<(Self, SuspendedTurn), Failure> {
        let cannot = || Failure::usage(format!("cannot read the state `{}`", path.display()));
        let opened = input::check_kind(path).and_then(|()| File::open(path));
        let file = opened.map_err(|error| cannot().because(&error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy(path)),
            Err(TryLockError::Error(error)) => return Err(cannot().because(&error)),
        }
        // Another process may have replaced the file between the two steps.
        let same = |now: fs::Metadata| file.metadata().is_ok_and(|own| own.ino() == now.ino());
        if !fs::metadata(path).is_ok_and(same) {
            return Err(busy(path));
        }
        let text = input::file(path, MAX_BYTES).map_err(|error| cannot().because(&error))?;
        let turn = SuspendedTurn::from_json(&text).map_err(|error| unusable(path, &error))?;
        let state = Self {
            path: path.to_owned(),
            locked: Some(file),
        };
        Ok((state, turn))
    }

    /// Writes the turn, in one step: a reader sees the old one or the new one.
    ///
    /// # Errors
    ///
    /// When it cannot be written; the old file is then as it was.
    pub(crate) fn write(&self, turn: &SuspendedTurn) -> Result<(), Failure> {
        let cannot = |error: &std::io::Error| {
            Failure::usage(format!("cannot write the state `{}`", self.path.display()))
                .because(error)
        };
        let folder = match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        // Readable by its owner only, as it holds the transcript.
        let mut file = NamedTempFile::new_in(folder).map_err(|error| cannot(&error))?;
        file.write_all(turn.to_json().as_bytes())
            .and_then(|()| file.write_all(b"\n"))
            .and_then(|()| file.as_file().sync_all())
            .map_err(|error| cannot(&error))?;
        file.persist(&self.path)
            .map_err(|error| cannot(&error.error))?;
        Ok(())
    }

    /// Removes the file of a turn that is done.
    ///
    /// # Errors
    ///
    /// When it cannot be removed.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        if self.locked.is_none() {
            return Ok(());
        }
        fs::remove_file(&self.path).map_err(|error| {
            Failure::usage(format!("cannot remove the state `{}`", self.path.display()))
                .because(&error)
        })
    }

    /// Its path, for hints.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn busy(path: &Path) -> Failure {
    let shown = path.display();
    Failure::usage(format!(
        "another process goes on with the turn in `{shown}`"
    ))
    .hint("wait for it, and look at what the turn waits for then")
}

fn unusable(path: &Path, error: &StateError) -> Failure {
    let failure = Failure::usage(format!(
        "cannot go on with the turn in `{}`",
        path.display()
    ))
    .because(error);
    match error {
        StateError::Version { .. } => failure.hint("use the `host` that wrote it"),
        StateError::Edited | StateError::Json(_) => {
            failure.hint("take the file as `host turn` wrote it; nothing of it has run again")
        }
        _ => failure,
    }
}
