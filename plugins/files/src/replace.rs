//! A file gets new content, or keeps its old.
//!
//! A new file is written beside its place and then takes its name. One that is
//! there already stays the same file, with its permissions and its other names
//! (hard links): the content is written beside it first, so that there is room
//! for it, and then over what is there.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// How many names are tried for the new content: others may be left over from
/// calls that were ended while they wrote.
const MAX_TRIES: u32 = 100;

/// How many links are followed to the file itself.
const MAX_LINKS: u32 = 16;

/// Why a file was not written.
#[derive(Debug)]
pub struct NotReplaced {
    /// What the system said.
    pub error: io::Error,
    /// The file that holds all of the new content. The one to be written may hold
    /// a part of it; without this it is as it was.
    pub kept: Option<PathBuf>,
}

impl From<io::Error> for NotReplaced {
    fn from(error: io::Error) -> Self {
        Self { error, kept: None }
    }
}

impl fmt::Display for NotReplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for NotReplaced {}

/// Writes a file as a whole, and the directories it is in.
///
/// A link stays a link: what it leads to is written.
///
/// # Errors
/// When it cannot be written.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), NotReplaced> {
    let path = behind_links(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    // Opened before anything is written: one that may not be written is told now.
    let there = match OpenOptions::new().write(true).open(&path) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    fs::create_dir_all(folder)?;
    let (file, beside) = create_beside(folder)?;
    let written = fill(file, content).and_then(|()| match there {
        Some(_) => Ok(()),
        None => fs::rename(&beside, &path),
    });
    match (written, there) {
        (Ok(()), None) => return Ok(()),
        (Ok(()), Some(there)) => {
            if let Err(error) = fill(there, content) {
                let kept = Some(beside);
                return Err(NotReplaced { error, kept });
            }
        }
        (Err(error), _) => {
            // The error that counts is this one.
            let _ = fs::remove_file(&beside);
            return Err(error.into());
        }
    }
    // It has done its work; that a copy stays is no reason to say that it failed.
    let _ = fs::remove_file(&beside);
    Ok(())
}

/// Makes `content` all that is in an open file, which was not read or written yet.
fn fill(mut file: File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

/// What the path leads to. The sandbox decides whether it may be opened.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("the link leads in a circle"))
}

fn create_beside(folder: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0..MAX_TRIES {
        let path = folder.join(format!(".toolhost-{number}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(
        "the directory is full of files `.toolhost-*.tmp` that were left over: delete them",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn content_is_replaced_and_nothing_is_left_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("deep/er/a.txt");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
    }

    #[test]
    fn what_a_call_left_over_is_in_nobodys_way() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(".toolhost-0.tmp"), "half").unwrap();
        replace(&root.path().join("a"), b"whole").unwrap();
        assert_eq!(names(root.path()), [".toolhost-0.tmp", "a"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_circle_is_an_error() {
        use std::os::unix::fs::symlink;

        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("d")).unwrap();
        fs::write(root.path().join("d/real"), "old").unwrap();
        symlink("d/real", root.path().join("link")).unwrap();
        replace(&root.path().join("link"), b"new").unwrap();
        assert!(root.path().join("link").is_symlink());
        assert_eq!(fs::read(root.path().join("d/real")).unwrap(), b"new");

        symlink("b", root.path().join("a")).unwrap();
        symlink("a", root.path().join("b")).unwrap();
        assert!(replace(&root.path().join("a"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_its_other_names() {
        use std::os::unix::fs::PermissionsExt;

        let root = tempfile::tempdir().unwrap();
        let (path, other) = (root.path().join("run.sh"), root.path().join("other"));
        fs::write(&path, "a script that is long").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
        fs::hard_link(&path, &other).unwrap();
        replace(&path, b"short").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
        assert_eq!(fs::read(&other).unwrap(), b"short");
        replace(&path, b"and longer again").unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"and longer again");
        assert_eq!(names(root.path()), ["other", "run.sh"]);
    }

    #[test]
    fn a_failure_leaves_the_old_content() {
        let root = tempfile::tempdir().unwrap();
        // A directory of that name cannot be replaced by a file.
        fs::create_dir_all(root.path().join("taken/inside")).unwrap();
        assert!(replace(&root.path().join("taken"), b"x").is_err());
        assert_eq!(names(root.path()), ["taken"]);
    }
}
