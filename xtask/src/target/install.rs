//! Putting a finished folder in place so that it is there whole or not at all.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::files;

/// Copies the folder beside its destination, which may be on another disk, and
/// renames it. What an interrupted copy left behind is replaced.
pub(crate) fn place(from: &Path, to: &Path) -> Result<()> {
    let partial = to.with_extension("partial");
    files::remove_folder(&partial)?;
    copy_folder(from, &partial)?;
    fs::rename(&partial, to).with_context(|| format!("cannot create `{}`", to.display()))
}

/// Copies a folder of files and folders.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    files::create_folder(to)?;
    for path in files::list(from)? {
        let target = to.join(path.file_name().context("a file without a name")?);
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            files::copy(&path, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remains_of_an_interrupted_copy_are_not_installed() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-place-{}", std::process::id()));
        files::remove_folder(&folder)?;
        files::create_folder(&folder.join("new/lib"))?;
        files::write(&folder.join("new/lib/whole"), "")?;
        files::create_folder(&folder.join("there.partial"))?;
        files::write(&folder.join("there.partial/half"), "")?;

        place(&folder.join("new"), &folder.join("there"))?;

        assert_eq!(
            files::list(&folder.join("there"))?,
            [folder.join("there/lib")]
        );
        assert!(folder.join("there/lib/whole").is_file());
        assert!(!folder.join("there.partial").exists());
        files::remove_folder(&folder)
    }
}
