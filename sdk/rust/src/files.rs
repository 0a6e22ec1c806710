//! Files in directories that the operator granted, with errors that a model can
//! act on: names that are close, or the grant that is missing.
//!
//! ```no_run
//! use std::io::Read;
//!
//! let mut text = String::new();
//! toolhost_sdk::files::open("/data/table.csv")?.read_to_string(&mut text)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

/// How many names of a directory are looked at for a suggestion.
const MAX_LISTED: usize = 1000;

/// How many names a message lists.
const MAX_NAMED: usize = 3;

/// Why a file cannot be opened and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError(String);

impl fmt::Display for OpenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}

/// Opens the file at `path` for reading.
///
/// # Errors
///
/// Names files with similar names, or the missing grant.
pub fn open(path: &str) -> Result<File, OpenError> {
    if std::fs::metadata(path).is_ok_and(|meta| meta.is_dir()) {
        let mut inside = names(Path::new(path));
        inside.truncate(MAX_NAMED);
        return Err(OpenError(format!(
            "`{path}` is a directory: name a file in it, such as `{}`",
            inside.join("`, `")
        )));
    }
    File::open(path).map_err(|error| OpenError(explain(path, &error)))
}

fn explain(path: &str, error: &io::Error) -> String {
    // Words of the standard library for a path outside all granted directories.
    let is_outside = error.to_string().contains("pre-opened");
    if error.kind() != io::ErrorKind::NotFound && !is_outside {
        return format!("cannot open `{path}`: {error}");
    }
    let path = Path::new(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let mut near = names(folder.unwrap_or(Path::new(".")));
    let shown = path.display();
    if near.is_empty() {
        return format!(
            "no file `{shown}`: the tool sees only directories that were granted to it; use a path \
             below one of them, or ask the user to grant one (`--dir HOST::GUEST:ro`)"
        );
    }
    near.sort_by(|a, b| strsim::jaro_winkler(b, &name).total_cmp(&strsim::jaro_winkler(a, &name)));
    near.truncate(MAX_NAMED);
    format!("no file `{shown}`: there are `{}`", near.join("`, `"))
}

/// Names in a folder; none when it cannot be read.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .take(MAX_LISTED)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &str) -> String {
        open(path).expect_err("it cannot be opened").to_string()
    }

    #[test]
    fn a_missing_file_names_its_neighbours() {
        let said = refusal("src/fille.rs");
        assert!(
            said.starts_with("no file `src/fille.rs`: there are `files.rs`"),
            "{said}"
        );
    }

    #[test]
    fn an_unknown_place_names_the_grant() {
        assert!(refusal("/nowhere/file.rs").contains("`--dir HOST::GUEST:ro`"));
    }

    #[test]
    fn a_directory_is_no_file() {
        assert!(refusal("src").contains("is a directory"));
    }
}
