//! The way without rustup's downloads: compile the library from Debian packages.
//!
//! Debian ships the source of the standard library for each version of the
//! compiler, and a C library for WASI. What comes of them is put in place by one
//! rename at the very end, so that an interrupted run leaves nothing half done.

use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::files;

use super::apt::Apt;
use super::install;
use super::seed::Seed;
use super::toolchain::Toolchain;
use super::{TRIPLE, sources};

/// The suite that has the sources of many compiler versions.
const SUITE: &str = "trixie-backports";

/// The parts of the C library that rustc links into every component.
const C_LIBRARY: [&str; 3] = ["libc.a", "crt1-command.o", "crt1-reactor.o"];

/// Compiles the library in the folder `setup`, which is emptied first, and
/// installs it.
pub(crate) fn install(toolchain: &Toolchain, setup: &Path) -> Result<()> {
    let linker = toolchain.component_linker()?;
    if !linker.is_file() {
        bail!(
            "this Rust cannot link components, `{}` is missing: use a Rust installed by rustup",
            linker.display()
        );
    }
    files::remove_folder(setup)?;
    let unpacked = setup.join("unpacked");
    unpack(toolchain, &setup.join("apt"), &unpacked)?;

    let release = toolchain.field("release")?;
    let source = unpacked.join("usr/src").join(format!("rustc-{release}"));
    let seed = Seed::plant(toolchain, &source, &setup.join("seed"))?;
    let libraries = seed.build()?;

    let staged = setup.join(TRIPLE);
    let own = staged.join("lib").join("self-contained");
    files::create_folder(&own)?;
    for library in &libraries {
        let name = library.file_name().context("a library without a name")?;
        files::copy(library, &staged.join("lib").join(name))?;
    }
    for part in C_LIBRARY {
        let from = unpacked.join("usr/lib").join(TRIPLE).join(part);
        files::copy(&from, &own.join(part))?;
    }
    toolchain.stamp(&staged)?;
    install::place(&staged, &toolchain.guest_folder())
}

/// Downloads and unpacks the two packages.
fn unpack(toolchain: &Toolchain, apt: &Path, into: &Path) -> Result<()> {
    let archive = sources::debian_archive()?;
    let apt = Apt::open(apt, &archive, SUITE)?;
    let source = format!("rust-src={}*", toolchain.field("release")?);
    apt.unpack(&[&source, "wasi-libc"], into)
}
