//! Embeds the guest SDK, so that `host new` writes projects that build without a
//! registry that has it: the sources of both crates, their manifests, the lock
//! file they are tested with, and the WIT files they generate from.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What is embedded, relative to the root of the repository. Folders are taken
/// whole.
const SOURCES: [&str; 9] = [
    "sdk/Cargo.toml",
    "sdk/README.md",
    "sdk/rust/Cargo.toml",
    "sdk/rust/src",
    "sdk/rust-macros/Cargo.toml",
    "sdk/rust-macros/src",
    "sdk/Cargo.lock",
    "wit",
    "LICENSE",
];

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = manifest.join("../..").canonicalize()?;
    let mut files = Vec::new();
    for source in SOURCES {
        let path = root.join(source);
        // For cargo, a path that is not there has always just changed.
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
        collect(&root, Path::new(source), &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let path = root.join(file);
        // Cargo gives paths as text, so these are UTF-8.
        let _ = writeln!(
            table,
            "    ({:?}, include_str!({:?})),",
            file.display(),
            path.display()
        );
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("vendored.rs"), table)
}

fn collect(root: &Path, relative: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let path = root.join(relative);
    if path.is_dir() {
        for entry in fs::read_dir(&path)? {
            collect(root, &relative.join(entry?.file_name()), files)?;
        }
    } else if path.is_file() {
        files.push(relative.to_owned());
    }
    Ok(())
}
