//! What the demo's tools work on: facts about this repository, as files and text.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::files;
use crate::repository::{Repository, Workspace};

/// Writes the files that the tools are given, and counts lines for the chart.
pub(crate) fn prepare(repository: &Repository, folder: &Path) -> Result<Vec<(String, usize)>> {
    files::create_folder(folder)?;
    let metadata = repository.metadata(Workspace::Host)?;
    files::write(&folder.join("metadata.json"), metadata.to_string())?;
    let lock = files::read_text(&repository.root.join("Cargo.lock"))?;
    files::write(&folder.join("crates.csv"), table_of(&lock))?;
    lines_of_code(&metadata)
}

/// A crate that the lock file names.
#[derive(Default)]
struct Locked<'a> {
    name: &'a str,
    version: &'a str,
    source: &'a str,
    dependencies: usize,
}

/// Makes a table of a lock file: a row for each crate.
///
/// Cargo writes the file itself and always in the same layout, of which only
/// the fields needed here are read.
fn table_of(lock: &str) -> String {
    let mut table = String::from("crate,version,source,dependencies\n");
    for package in lock.split("[[package]]").skip(1) {
        let Locked {
            name,
            version,
            source,
            dependencies,
        } = read_package(package);
        let row = format!("{name},{version},{source},{dependencies}\n");
        table.push_str(&row);
    }
    table
}

/// Reads one entry of a lock file. None of its values has a comma or a quote.
fn read_package(text: &str) -> Locked<'_> {
    let mut package = Locked {
        source: "workspace",
        ..Locked::default()
    };
    for line in text.lines() {
        match line.split_once(" = ") {
            Some(("name", value)) => package.name = value.trim_matches('"'),
            Some(("version", value)) => package.version = value.trim_matches('"'),
            Some(("source", value)) => {
                package.source = value
                    .trim_matches('"')
                    .split('+')
                    .next()
                    .unwrap_or_default();
            }
            None if line.starts_with(" \"") => package.dependencies += 1,
            _ => {}
        }
    }
    package
}

/// Counts the lines of each crate's Rust files, blank ones aside; the most first.
fn lines_of_code(metadata: &Value) -> Result<Vec<(String, usize)>> {
    let packages = metadata["packages"].as_array();
    let packages = packages.context("`cargo metadata` lists no packages")?;
    let mut counts = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().context("a manifest without a folder")?;
        // Only these: the crate with the tests has other workspaces below it.
        let mut lines = 0;
        for part in ["src", "tests", "benches", "all"] {
            lines += count_lines(&folder.join(part))?;
        }
        counts.push((name.to_owned(), lines));
    }
    counts.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
    Ok(counts)
}

/// Counts the lines of the Rust files in a folder, which need not exist.
fn count_lines(folder: &Path) -> Result<usize> {
    let mut lines = 0;
    for path in files::list(folder)? {
        if path.is_dir() {
            lines += count_lines(&path)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = files::read_text(&path)?;
            lines += text.lines().filter(|line| !line.trim().is_empty()).count();
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_becomes_a_table() {
        let lock = "# generated\nversion = 4\n\n\
            [[package]]\nname = \"host\"\nversion = \"0.1.0\"\n\
            dependencies = [\n \"anyhow\",\n \"serde 1.0.2\",\n]\n\n\
            [[package]]\nname = \"anyhow\"\nversion = \"1.0.3+x\"\n\
            source = \"registry+https://index.example/\"\nchecksum = \"00\"\n";
        assert_eq!(
            table_of(lock),
            "crate,version,source,dependencies\n\
             host,0.1.0,workspace,2\n\
             anyhow,1.0.3+x,registry,0\n"
        );
    }

    #[test]
    fn blank_lines_and_other_files_are_not_counted() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("xtask-lines-{}", std::process::id()));
        files::create_folder(&folder.join("deeper"))?;
        files::write(&folder.join("a.rs"), "one\n\n  \ntwo\n")?;
        files::write(&folder.join("deeper/b.rs"), "three")?;
        files::write(&folder.join("notes.md"), "no\n")?;
        assert_eq!(count_lines(&folder)?, 3);
        files::remove_folder(&folder)
    }
}
