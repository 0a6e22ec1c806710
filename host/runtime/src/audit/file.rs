//! An audit log in a file, as lines of JSON.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::AuditLog;

/// Appends to a file, which is created when it is not there, readable for its
/// owner only. Several processes may share one.
///
/// A file that was moved away or deleted, as log rotation does, is created anew
/// with the next line.
pub struct AuditFile {
    path: PathBuf,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    file: Option<File>,
    /// The last write of this process was cut short; for a file that cannot be
    /// read.
    is_torn: bool,
}

impl AuditFile {
    /// Opens the file, so that one that cannot be written is told now and not at
    /// the first call.
    ///
    /// # Errors
    ///
    /// When it cannot be opened to be written.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let file = Some(create(&path)?);
        let is_torn = false;
        Ok(Self {
            path,
            open: Mutex::new(Open { file, is_torn }),
        })
    }
}

impl AuditLog for AuditFile {
    fn append(&self, lines: &str) -> io::Result<()> {
        // After a panic the file is still a file.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Open { file, is_torn } = &mut *open;
        if !file.as_ref().is_some_and(|file| is_at(file, &self.path)) {
            *file = Some(create(&self.path)?);
            *is_torn = false;
        }
        let Some(file) = file else { return Ok(()) };
        let text = if ends_torn(file).unwrap_or(*is_torn) {
            format!("\n{lines}")
        } else {
            lines.to_owned()
        };
        // One write for all: processes that share the file do not mix their lines.
        let written = file.write(text.as_bytes())?;
        if written == text.len() {
            *is_torn = false;
            return Ok(());
        }
        *is_torn = true;
        Err(io::Error::other(
            "only a part could be written; is the disk full?",
        ))
    }
}

fn create(path: &Path) -> io::Result<File> {
    // Opening a pipe waits for whoever holds its other end.
    #[cfg(unix)]
    if path
        .metadata()
        .is_ok_and(|found| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type()))
    {
        return Err(io::Error::other("it is a pipe: name a file"));
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Read for how it ends; one that may only be written is written all the same.
    match options.clone().read(true).open(path) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => options.open(path),
        opened => opened,
    }
}

/// Whether the last line has no end: who wrote it was cut off, in this process or
/// in another. What is added would be glued to it, and both could not be read.
fn ends_torn(mut file: &File) -> io::Result<bool> {
    if !file.metadata()?.is_file() || file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    // Appending goes to the end, wherever this leaves the file.
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Whether the open file is still the one of that name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    match (file.metadata(), path.metadata()) {
        (Ok(open), Ok(named)) => open.dev() == named.dev() && open.ino() == named.ino(),
        _ => false,
    }
}

/// Elsewhere an open file cannot be moved away.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_rotated_file_is_created_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        let log = AuditFile::open(&path).unwrap();
        log.append("1\n").unwrap();
        fs::rename(&path, folder.path().join("audit.jsonl.1")).unwrap();
        log.append("2\n").unwrap();
        fs::remove_file(&path).unwrap();
        log.append("3\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "3\n");
        let rotated = fs::read_to_string(folder.path().join("audit.jsonl.1"));
        assert_eq!(rotated.unwrap(), "1\n");
    }

    #[test]
    fn a_line_that_was_cut_off_is_not_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        fs::write(&path, "1\n{\"cut").unwrap();
        let log = AuditFile::open(&path).unwrap();
        log.append("2\n").unwrap();
        log.append("3\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n{\"cut\n2\n3\n");
        // Another process that shares the file is cut off.
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        other.write_all(b"{\"cut").unwrap();
        log.append("4\n").unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("3\n{\"cut\n4\n"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let log = AuditFile::open("/dev/full").unwrap();
        assert!(log.append("1\n").is_err());
    }
}
