//! The guest target: a Rust standard library compiled for `wasm32-wasip2`.
//!
//! Rust comes without it. The ordinary way to get it is `rustup target add`;
//! where that download cannot be had, it is compiled from the sources that Debian
//! packages. Whoever asks need not know which: [`ensure`] looks, and gets it once.

mod apt;
mod debian;
mod install;
mod rustup;
mod seed;
mod sources;
mod toolchain;

use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::files;
use crate::repository::Repository;

use self::toolchain::{Presence, Toolchain};

/// The target triple that guests are compiled for.
pub(crate) const TRIPLE: &str = "wasm32-wasip2";

/// `cargo xtask target`: makes sure of the guest target and says where it is.
pub(crate) fn command(repository: &Repository, sysroot: Option<&Path>) -> Result<()> {
    let toolchain = match sysroot {
        Some(sysroot) => Toolchain::with_sysroot(sysroot)?,
        None => Toolchain::current()?,
    };
    ensure_in(repository, &toolchain, sysroot.is_some())?;
    println!("{}", toolchain.guest_folder().display());
    Ok(())
}

/// Makes sure that guests can be compiled; quick and quiet when they can.
pub(crate) fn ensure(repository: &Repository) -> Result<()> {
    ensure_in(repository, &Toolchain::current()?, false)
}

/// Looks for the standard library in the toolchain and gets it when it is absent.
///
/// Rustup installs into its own toolchains only, so a `foreign` sysroot skips it.
fn ensure_in(repository: &Repository, toolchain: &Toolchain, foreign: bool) -> Result<()> {
    if toolchain.presence() == Presence::Ready {
        return Ok(());
    }
    // Two commands at once would install twice, and one would see half of it.
    let setup = repository.target.join("guest-target-setup");
    files::create_folder(&repository.target)?;
    let lock = File::create(setup.with_extension("lock")).context("cannot create a lock file")?;
    lock.lock()
        .context("cannot lock the set-up of the guest target")?;
    match toolchain.presence() {
        Presence::Ready => return Ok(()),
        Presence::Outdated => {
            eprintln!(
                "the `{TRIPLE}` target was compiled by another version of rustc: removing it"
            );
            files::remove_folder(&toolchain.guest_folder())?;
        }
        Presence::Absent => {}
    }
    eprintln!("the `{TRIPLE}` target is not installed: getting it, which is done once");
    get(toolchain, foreign, &setup)?;
    if toolchain.presence() != Presence::Ready {
        bail!("the `{TRIPLE}` target was installed but cannot be found; {ADVICE}");
    }
    eprintln!("installed `{}`", toolchain.guest_folder().display());
    Ok(())
}

/// What a user can do when neither way works.
const ADVICE: &str = "install it with `rustup target add wasm32-wasip2` and try again";

/// Tries rustup and then Debian.
fn get(toolchain: &Toolchain, foreign: bool, setup: &Path) -> Result<()> {
    let mut reasons = Vec::new();
    if !foreign {
        match rustup::add() {
            // The `rustc` in use may be another than rustup's.
            Ok(()) if toolchain.presence() == Presence::Ready => return Ok(()),
            Ok(()) => reasons
                .push("rustup installed it for another compiler than the one in use".to_owned()),
            Err(error) => reasons.push(format!("{error:#}")),
        }
        eprintln!("rustup cannot provide it: compiling it from Debian's sources instead");
    }
    let built = debian::install(toolchain, setup);
    files::remove_folder(setup)?;
    if let Err(error) = built {
        reasons.push(format!("{error:#}"));
        bail!(
            "cannot get the `{TRIPLE}` target; {ADVICE}\n  {}",
            reasons.join("\n  ")
        );
    }
    Ok(())
}
