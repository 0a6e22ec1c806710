//! Small things one does to files, with the path in every error.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// Creates the folder and all above it.
pub(crate) fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create `{}`", path.display()))
}

/// Removes a folder with all in it, or the link at its place; nothing there is fine.
pub(crate) fn remove_folder(path: &Path) -> Result<()> {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    if metadata.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
    .with_context(|| format!("cannot remove `{}`", path.display()))
}

/// Writes a file.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    fs::write(path, content).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Reads a file of text.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Copies a file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to)
        .with_context(|| format!("cannot copy `{}` to `{}`", from.display(), to.display()))?;
    Ok(())
}

/// The paths in a folder, sorted; an absent folder has none.
pub(crate) fn list(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?
    {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Writes a file unless it already has this content, so that its time stays;
/// says whether it wrote. A reader sees the old file or the new one, never a part.
pub(crate) fn write_if_changed(path: &Path, content: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(false);
    }
    let partial = path.with_extension("partial");
    write(&partial, content)?;
    fs::rename(&partial, path).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_content_is_not_written_again() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-files-{}", std::process::id()));
        create_folder(&folder)?;
        let file = folder.join("a.wasm");
        assert!(write_if_changed(&file, b"one")?);
        let time = fs::metadata(&file)?.modified()?;
        assert!(!write_if_changed(&file, b"one")?);
        assert_eq!(fs::metadata(&file)?.modified()?, time);
        assert!(write_if_changed(&file, b"two")?);
        assert_eq!(list(&folder)?, [file], "no partial file stays behind");
        remove_folder(&folder)
    }
}
