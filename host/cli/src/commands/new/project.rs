//! A project on disk: there whole, or not at all.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::failure::Failure;

/// Permissions of the folder, before the user's umask.
const FOLDER_MODE: u32 = 0o777;

/// Writes `files`, given by their path in the project, to the folder `dir`.
///
/// # Errors
///
/// When `dir` has something in it or is not a folder, and when it cannot be
/// written.
pub(super) fn write(dir: &Path, files: &[(String, String)]) -> Result<(), Failure> {
    if !is_free(dir) {
        return Err(
            Failure::usage(format!("`{}` is there already", dir.display()))
                .hint("choose another name, or another folder with `--dir`"),
        );
    }
    put(dir, files).map_err(|error| {
        Failure::usage(format!("cannot write the project to `{}`", dir.display()))
            .because(&error)
            .hint("choose a folder that you may write to with `--dir`")
    })
}

/// Whether nothing is there, or an empty folder.
fn is_free(dir: &Path) -> bool {
    match dir.symlink_metadata() {
        // What is behind another error is told when the folder is made.
        Err(_) => true,
        Ok(metadata) if metadata.is_dir() => {
            fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_none())
        }
        Ok(_) => false,
    }
}

/// Writes to a folder beside it first, so that a full disk leaves no half of a
/// project behind.
fn put(dir: &Path, files: &[(String, String)]) -> io::Result<()> {
    let parent = match dir.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(parent)?;
    let folder = tempfile::Builder::new()
        .prefix(".host-new-")
        .permissions(Permissions::from_mode(FOLDER_MODE))
        .tempdir_in(parent)?;
    for (name, content) in files {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    fs::rename(folder.path(), dir)?;
    // It is no longer where it would be removed from.
    let _ = folder.keep();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<(String, String)> {
        vec![
            ("src/lib.rs".into(), "//! x".into()),
            ("Cargo.toml".into(), String::new()),
        ]
    }

    #[test]
    fn a_project_is_written_to_a_new_or_an_empty_folder() {
        let root = tempfile::tempdir().unwrap();
        let new = root.path().join("some/where/new");
        write(&new, &files()).unwrap();
        assert_eq!(fs::read_to_string(new.join("src/lib.rs")).unwrap(), "//! x");
        let empty = root.path().join("empty");
        fs::create_dir(&empty).unwrap();
        write(&empty, &files()).unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);
    }

    #[test]
    fn nothing_is_overwritten() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("mine.txt"), "mine").unwrap();
        let failure = write(root.path(), &files()).unwrap_err();
        assert!(failure.message.ends_with("is there already"));
        assert!(write(&root.path().join("mine.txt"), &files()).is_err());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
