//! What takes long is done once for the same files.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files;

/// Does the work, unless its result is there and was made of files with the same
/// names and contents, as the file `mark` remembers. Inputs may be folders.
///
/// # Errors
///
/// When an input cannot be read, or the work fails; then it is done again next time.
pub(super) fn made_of(
    inputs: &[PathBuf],
    result: &Path,
    mark: &Path,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let mut hasher = DefaultHasher::new();
    for input in inputs {
        add(&mut hasher, input)?;
    }
    let found = format!("{:016x}\n", hasher.finish());
    if result.exists() && fs::read_to_string(mark).is_ok_and(|kept| kept == found) {
        return Ok(());
    }
    if mark.exists() {
        fs::remove_file(mark)?;
    }
    work()?;
    files::write(mark, found)
}

fn add(hasher: &mut DefaultHasher, input: &Path) -> Result<()> {
    input.hash(hasher);
    if input.is_dir() {
        for one in files::list(input)? {
            add(hasher, &one)?;
        }
    } else {
        files::read(input)?.hash(hasher);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn work_is_done_again_when_its_sources_change_or_it_failed() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-once-{}", std::process::id()));
        files::create_folder(&folder)?;
        let (source, result, mark) = (
            folder.join("tool.js"),
            folder.join("stats.wasm"),
            folder.join("made"),
        );
        files::write(&source, "one")?;
        let mut done = 0;
        let mut make = |fails: bool| {
            made_of(std::slice::from_ref(&source), &result, &mark, || {
                done += 1;
                if fails {
                    bail!("offline");
                }
                files::write(&result, "")
            })
        };
        make(false)?;
        make(false)?;
        files::write(&source, "two")?;
        assert!(make(true).is_err());
        make(false)?;
        fs::remove_file(&result)?;
        make(false)?;
        make(false)?;
        assert_eq!(done, 4);
        files::remove_folder(&folder)
    }
}
