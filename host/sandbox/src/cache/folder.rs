//! The folder of the cache, checked before anything in it is trusted: compiled
//! code is run as it lies there.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::CacheError;

/// Permission bits that let somebody else write.
const OTHERS_WRITE: u32 = 0o022;

/// Anybody may write, and with the sticky bit only their own.
const ANYBODY_WRITES: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Makes `dir` when it is not there, checks it, and returns its real path: a link
/// on the way could point elsewhere later.
pub(super) fn open(dir: &Path) -> Result<PathBuf, CacheError> {
    let io = |source| CacheError::Io {
        path: dir.into(),
        source,
    };
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .map_err(|source| {
            if dir.exists() {
                CacheError::NotAFolder { path: dir.into() }
            } else {
                io(source)
            }
        })?;
    let real = fs::canonicalize(dir).map_err(io)?;
    let metadata = fs::symlink_metadata(&real).map_err(io)?;
    if !is_ours(&metadata) {
        return Err(CacheError::Owner { path: dir.into() });
    }
    let mode = metadata.permissions().mode() & 0o777;
    if mode & OTHERS_WRITE != 0 {
        return Err(CacheError::Mode {
            path: dir.into(),
            mode,
        });
    }
    for parent in real.ancestors().skip(1) {
        check_parent(parent, &fs::symlink_metadata(parent).map_err(io)?)?;
    }
    Ok(real)
}

/// Whoever can write to a folder above can put another folder in the place of
/// this one.
fn check_parent(path: &Path, metadata: &fs::Metadata) -> Result<(), CacheError> {
    let mode = metadata.permissions().mode();
    let by_root = metadata.uid() == 0;
    if !by_root && !is_ours(metadata) {
        return Err(CacheError::Owner { path: path.into() });
    }
    if mode & ANYBODY_WRITES != 0 && mode & STICKY == 0 {
        return Err(CacheError::Mode {
            path: path.into(),
            mode: mode & 0o7777,
        });
    }
    Ok(())
}

/// Whether a file is one that only this user can have written.
pub(super) fn is_sound(metadata: &fs::Metadata) -> bool {
    metadata.is_file() && is_ours(metadata) && metadata.permissions().mode() & OTHERS_WRITE == 0
}

fn is_ours(metadata: &fs::Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// A file that is being written; it is gone unless it is finished.
pub(super) fn part(dir: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .suffix(PART_SUFFIX)
        .tempfile_in(dir)
}

/// Gives a file its name: it is there whole or not at all. It is on the disk first:
/// after a power cut a file may otherwise have its length and not its bytes.
pub(super) fn finish(part: NamedTempFile, path: &Path) -> io::Result<()> {
    part.as_file().sync_data()?;
    part.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Ends the names of files that are being written.
const PART_SUFFIX: &str = ".part";

/// Files that are still being written after so long never will be.
const PART_LIFETIME_SECS: u64 = 3_600;

/// Removes what processes left behind that were killed while they wrote.
pub(super) fn sweep(dir: &Path) {
    let Ok(files) = fs::read_dir(dir) else { return };
    for file in files.flatten() {
        let is_part = file
            .file_name()
            .to_str()
            .is_some_and(|name| name.ends_with(PART_SUFFIX));
        let is_old = || {
            let modified = file.metadata().and_then(|metadata| metadata.modified());
            modified.is_ok_and(|time| {
                time.elapsed()
                    .is_ok_and(|age| age.as_secs() > PART_LIFETIME_SECS)
            })
        };
        if is_part && is_old() {
            let _ = fs::remove_file(file.path());
        }
    }
}
