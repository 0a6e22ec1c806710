//! An empty crate whose build compiles the standard library along with it.
//!
//! Cargo finds the library's source in the sysroot. Rather than put it into the
//! real one, a second sysroot of links is made that has it, and a small script
//! stands in for rustc and points it there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::{files, process};

use super::TRIPLE;
use super::toolchain::Toolchain;

/// The crate's name; its own library is not part of what is installed.
const NAME: &str = "guest_target_seed";

/// How long the compiler may take; one minute is normal on two cores.
const LIMIT: Duration = Duration::from_mins(30);

/// The crate, ready to be built.
pub(crate) struct Seed {
    folder: PathBuf,
    rustc: PathBuf,
}

impl Seed {
    /// Writes the crate, the second sysroot and the stand-in for rustc to `folder`.
    pub(crate) fn plant(toolchain: &Toolchain, source: &Path, folder: &Path) -> Result<Self> {
        let sysroot = folder.join("sysroot");
        let rustlib = sysroot.join("lib").join("rustlib");
        files::create_folder(&rustlib.join("src"))?;
        for entry in files::list(&toolchain.rustlib())? {
            match entry.file_name() {
                Some(name) if name != "src" => link(&entry, &rustlib.join(name))?,
                _ => {}
            }
        }
        link(source, &rustlib.join("src").join("rust"))?;

        let manifest = format!("[package]\nname = \"{NAME}\"\nedition = \"2024\"\n\n[workspace]\n");
        files::create_folder(&folder.join("src"))?;
        files::write(&folder.join("Cargo.toml"), manifest)?;
        files::write(&folder.join("src").join("lib.rs"), "#![no_std]\n")?;

        let rustc = folder.join("rustc");
        files::write(&rustc, stand_in(&sysroot)?)?;
        make_executable(&rustc)?;
        Ok(Self {
            folder: folder.to_path_buf(),
            rustc,
        })
    }

    /// Compiles, and gives the paths of the libraries.
    pub(crate) fn build(&self) -> Result<Vec<PathBuf>> {
        let mut command = process::cargo();
        command
            .current_dir(&self.folder)
            .args(["build", "--release", "--target", TRIPLE])
            .args(["-Zbuild-std=std,panic_abort", "--target-dir", "target"])
            .env("RUSTC", &self.rustc)
            // The one flag that lets a stable compiler build its own library.
            .env("RUSTC_BOOTSTRAP", "1")
            // Guests are linked with LTO, which needs the bitcode.
            .env("RUSTFLAGS", "-Cembed-bitcode=yes");
        for foreign in [
            "CARGO_ENCODED_RUSTFLAGS",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
        ] {
            command.env_remove(foreign);
        }
        eprintln!("compiling the standard library, which takes about a minute");
        process::run(&mut command, LIMIT)?;

        let built = self.folder.join("target").join(TRIPLE).join("release/deps");
        let mut libraries = files::list(&built)?;
        libraries.retain(|path| is_library(path));
        Ok(libraries)
    }
}

/// Whether the path is a compiled library other than the crate's own.
fn is_library(path: &Path) -> bool {
    let own = format!("lib{NAME}-");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".rlib") && !name.starts_with(&own)
}

/// The script that calls the real rustc with the second sysroot.
fn stand_in(sysroot: &Path) -> Result<String> {
    let rustc = process::rustc();
    let call = process::shell_line(
        Command::new("exec")
            .arg(rustc.get_program())
            .arg("--sysroot"),
    );
    let sysroot = sysroot
        .to_str()
        .context("the target folder's path is no UTF-8")?;
    Ok(format!(
        "#!/bin/sh\n{call} '{}' \"$@\"\n",
        sysroot.replace('\'', r"'\''")
    ))
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> Result<()> {
    std::os::unix::fs::symlink(from, to)
        .with_context(|| format!("cannot create the link `{}`", to.display()))
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("this system is not Debian")
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    set_permissions(path, Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make `{}` executable", path.display()))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_own_library_is_left_out() {
        assert!(is_library(Path::new("/t/deps/libstd-1a2b.rlib")));
        assert!(!is_library(Path::new("/t/deps/libstd-1a2b.rmeta")));
        assert!(!is_library(Path::new(
            "/t/deps/libguest_target_seed-1a2b.rlib"
        )));
    }

    #[test]
    fn the_stand_in_survives_a_space_in_the_path() -> Result<()> {
        let script = stand_in(Path::new("/my clone/it's"))?;
        assert!(
            script.ends_with("rustc --sysroot '/my clone/it'\\''s' \"$@\"\n"),
            "{script}"
        );
        Ok(())
    }
}
