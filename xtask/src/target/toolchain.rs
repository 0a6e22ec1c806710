//! The Rust toolchain in use, and what it has of the guest target.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::{files, process};

use super::TRIPLE;

/// Names the compiler that a library was compiled by; only in libraries that
/// this program installed, since rustup replaces its own by itself.
const STAMP: &str = "compiled-by.txt";

/// A compiler and the folder of its libraries.
pub(crate) struct Toolchain {
    /// What `rustc -vV` prints: the identity of the compiler.
    pub(crate) version: String,
    /// The folder that holds `lib/rustlib`.
    pub(crate) sysroot: PathBuf,
}

/// What a toolchain has of the guest target.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// It can be used.
    Ready,
    /// It was compiled by another compiler, which this one refuses to link with.
    Outdated,
    /// There is none.
    Absent,
}

impl Toolchain {
    /// The toolchain of the `rustc` that cargo uses.
    pub(crate) fn current() -> Result<Self> {
        let sysroot = process::output_of(process::rustc().args(["--print", "sysroot"]))?;
        Self::with_sysroot(Path::new(sysroot.trim()))
    }

    /// The compiler that cargo uses with the libraries of another folder.
    pub(crate) fn with_sysroot(sysroot: &Path) -> Result<Self> {
        let sysroot = std::path::absolute(sysroot)
            .with_context(|| format!("`{}` is no usable path", sysroot.display()))?;
        let version = process::output_of(process::rustc().arg("-vV"))?;
        Ok(Self { version, sysroot })
    }

    /// A line of `rustc -vV`, such as `release` or `host`.
    pub(crate) fn field(&self, name: &str) -> Result<&str> {
        self.version
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
            .with_context(|| format!("`rustc -vV` does not print a `{name}`"))
    }

    /// The folder of the targets' libraries.
    pub(crate) fn rustlib(&self) -> PathBuf {
        self.sysroot.join("lib").join("rustlib")
    }

    /// The folder of the guest target.
    pub(crate) fn guest_folder(&self) -> PathBuf {
        self.rustlib().join(TRIPLE)
    }

    /// The program that turns a module into a component, which rustc calls as its
    /// linker and which not every distribution's Rust has.
    pub(crate) fn component_linker(&self) -> Result<PathBuf> {
        let folder = self.rustlib().join(self.field("host")?).join("bin");
        Ok(folder.join(format!("wasm-component-ld{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Looks for a standard library that this compiler can use.
    pub(crate) fn presence(&self) -> Presence {
        let folder = self.guest_folder();
        let has_std = files::list(&folder.join("lib"))
            .is_ok_and(|files| files.iter().any(|file| is_std(file)));
        if !has_std {
            return Presence::Absent;
        }
        match std::fs::read_to_string(folder.join(STAMP)) {
            Ok(compiler) if compiler != self.version => Presence::Outdated,
            _ => Presence::Ready,
        }
    }

    /// Notes in a library folder which compiler it is for.
    pub(crate) fn stamp(&self, folder: &Path) -> Result<()> {
        files::write(&folder.join(STAMP), &self.version)
    }
}

/// Whether the file is the compiled `std`, as in `libstd-1a2b.rlib`.
fn is_std(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("libstd-") && name.ends_with(".rlib")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty toolchain in a folder of its own.
    fn toolchain(name: &str) -> Result<Toolchain> {
        let sysroot = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        files::remove_folder(&sysroot)?;
        files::create_folder(&sysroot)?;
        Ok(Toolchain {
            version: "rustc 1.95.0\nhost: x\nrelease: 1.95.0\n".into(),
            sysroot,
        })
    }

    /// Puts a file where the standard library belongs.
    fn install(toolchain: &Toolchain, name: &str) -> Result<()> {
        let folder = toolchain.guest_folder().join("lib");
        files::create_folder(&folder)?;
        files::write(&folder.join(name), "")
    }

    #[test]
    fn a_toolchain_without_the_library_is_seen() -> Result<()> {
        let toolchain = toolchain("absent")?;
        assert_eq!(toolchain.presence(), Presence::Absent);
        // Detection is not a separate library, and metadata alone cannot be linked.
        install(&toolchain, "libstd_detect-1.rlib")?;
        install(&toolchain, "libstd-1.rmeta")?;
        assert_eq!(toolchain.presence(), Presence::Absent);
        files::remove_folder(&toolchain.sysroot)
    }

    #[test]
    fn rustups_library_is_taken_as_it_is_and_ours_only_for_its_compiler() -> Result<()> {
        let mut toolchain = toolchain("stamp")?;
        install(&toolchain, "libstd-1.rlib")?;
        assert_eq!(toolchain.presence(), Presence::Ready);
        toolchain.stamp(&toolchain.guest_folder())?;
        assert_eq!(toolchain.presence(), Presence::Ready);
        toolchain.version = "rustc 1.96.0\n".into();
        assert_eq!(toolchain.presence(), Presence::Outdated);
        files::remove_folder(&toolchain.sysroot)
    }

    #[test]
    fn a_field_of_the_version_is_found_by_its_whole_name() -> Result<()> {
        let toolchain = toolchain("field")?;
        assert_eq!(toolchain.field("release")?, "1.95.0");
        let error = toolchain.field("rel").expect_err("no such line");
        assert_eq!(error.to_string(), "`rustc -vV` does not print a `rel`");
        files::remove_folder(&toolchain.sysroot)
    }
}
