//! Where the tests find what was built: the program `host`, plugins, guests. A
//! test names them through these functions and never by a path.
//!
//! All of them panic when something is missing, with the command that builds it.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The program `host`, of the same profile as the tests.
///
/// # Panics
///
/// When it is not built.
#[must_use]
pub fn host_program() -> PathBuf {
    let name = format!("host{}", std::env::consts::EXE_SUFFIX);
    built(
        &profile_dir().join(name),
        "cargo build --package toolhost-cli",
    )
}

/// The plugin `name` of `plugins/`.
///
/// # Panics
///
/// When it is not built.
#[must_use]
pub fn plugin(name: &str) -> PathBuf {
    let path = target_dir().join("plugins").join(format!("{name}.wasm"));
    built(&path, &format!("cargo xtask plugins {name}"))
}

/// The guest `name` of `tests/guests/`.
///
/// # Panics
///
/// When it is not built.
#[must_use]
pub fn guest(name: &str) -> PathBuf {
    let path = target_dir().join("guests").join(format!("{name}.wasm"));
    built(&path, &format!("cargo xtask guests {name}"))
}

/// A folder under the target folder that stays from one run of the tests to the
/// next; nobody else can write to it.
///
/// # Panics
///
/// When it cannot be made.
#[must_use]
pub fn scratch_dir(name: &str) -> PathBuf {
    let path = target_dir().join("tests").join(name);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&path)
        .unwrap_or_else(|error| panic!("cannot make `{}`: {error}", path.display()));
    path
}

fn built(path: &Path, command: &str) -> PathBuf {
    assert!(
        path.is_file(),
        "`{}` is not built: run `{command}`",
        path.display()
    );
    path.to_owned()
}

fn target_dir() -> PathBuf {
    profile_dir()
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default()
}

/// The folder of the profile the tests are built in, such as `target/debug`: the
/// test program is in `deps` below it.
fn profile_dir() -> PathBuf {
    let program = std::env::current_exe().expect("a process knows its program");
    let dir = program.ancestors().nth(2).unwrap_or_else(|| Path::new("."));
    dir.to_owned()
}
