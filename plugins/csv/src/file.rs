//! Opens a file in a directory that the operator granted, and says what to do
//! when there is none.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::failure::Failure;

/// How many names of a directory are looked at for a suggestion.
const MAX_LISTED: usize = 1000;

/// Opens the file at `path`.
///
/// # Errors
/// Names files with similar names, or the missing grant.
pub fn open(path: &str) -> Result<Box<dyn BufRead>, Failure> {
    let is_directory = std::fs::metadata(path).is_ok_and(|meta| meta.is_dir());
    if is_directory {
        let inside = names(Path::new(path)).join("`, `");
        return Err(Failure::table(format!(
            "`{path}` is a directory: name a file in it, such as `{inside}`"
        )));
    }
    match File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::with_capacity(64 * 1024, file))),
        Err(error) => Err(Failure::table(explain(path, &error))),
    }
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
    if near.is_empty() {
        return format!(
            "no file `{}`: the tool sees only directories that were granted to it; use a path below one of them, or ask the user to grant one (`--dir HOST::GUEST:ro`)",
            path.display()
        );
    }
    near.sort_by(|a, b| strsim::jaro_winkler(b, &name).total_cmp(&strsim::jaro_winkler(a, &name)));
    near.truncate(3);
    format!(
        "no file `{}`: there are `{}`",
        path.display(),
        near.join("`, `")
    )
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

    #[test]
    fn a_missing_file_names_its_neighbours() {
        let error = open("src/fille.rs").err().expect("no such file");
        assert!(
            error
                .message
                .starts_with("no file `src/fille.rs`: there are `file.rs`"),
            "{error}"
        );
    }

    #[test]
    fn an_unknown_place_names_the_grant() {
        let error = open("/nowhere/file.rs").err().expect("no such directory");
        assert!(error.message.contains("`--dir HOST::GUEST:ro`"), "{error}");
    }

    #[test]
    fn a_directory_is_no_file() {
        let error = open("src").err().expect("a directory");
        assert!(error.message.contains("is a directory"), "{error}");
    }
}
