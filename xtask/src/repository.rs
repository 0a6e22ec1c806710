//! Where things are: the clone, its workspaces and its target folder.
//!
//! The target folder is asked of cargo and never assumed, so that
//! `CARGO_TARGET_DIR` and a cargo configuration outside the clone work.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::process;

/// How a user moves cargo's target folder.
pub(crate) const TARGET_VARIABLE: &str = "CARGO_TARGET_DIR";

/// A clone of this repository.
pub(crate) struct Repository {
    /// The folder with the host's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder of the host workspace.
    pub(crate) target: PathBuf,
}

impl Repository {
    /// Finds the clone that this program was built from.
    pub(crate) fn open() -> Result<Self> {
        // `cargo run` sets the variable; without it the program was started by hand.
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .parent()
            .context("`xtask` has no parent folder")?
            .to_path_buf();
        let mut repository = Self {
            target: root.join("target"),
            root,
        };
        let metadata = repository.metadata(Workspace::Host)?;
        let target = metadata["target_directory"]
            .as_str()
            .context("`cargo metadata` names no target folder")?;
        repository.target = PathBuf::from(target);
        Ok(repository)
    }

    /// `cargo <subcommand>` for a workspace, to be run in the root of the clone.
    ///
    /// Guest workspaces share one target folder below the host's, given by
    /// environment so that a cargo started by their tests uses it too.
    pub(crate) fn cargo(&self, workspace: Workspace, subcommand: &str) -> Command {
        let mut command = process::cargo();
        command.current_dir(&self.root).arg(subcommand);
        if workspace == Workspace::Host {
            // A relative folder is meant from where the user is, not from the root.
            if std::env::var_os(TARGET_VARIABLE).is_some() {
                command.env(TARGET_VARIABLE, &self.target);
            }
        } else {
            command.args(["--manifest-path", workspace.manifest()]);
            command.env(TARGET_VARIABLE, self.target_of(workspace));
        }
        command
    }

    /// The target folder of a workspace: what differs in how it is compiled would
    /// otherwise push out each other's files.
    pub(crate) fn target_of(&self, workspace: Workspace) -> PathBuf {
        match workspace {
            Workspace::Host => self.target.clone(),
            Workspace::Sdk | Workspace::Plugins | Workspace::Guests => {
                self.target.join("guest-build")
            }
            Workspace::Fuzz => self.target.join("fuzz"),
        }
    }

    /// Whether the workspace exists in this clone.
    pub(crate) fn has(&self, workspace: Workspace) -> bool {
        self.root.join(workspace.manifest()).is_file()
    }

    /// Whether the workspace has a lock file that a build must keep to.
    pub(crate) fn is_locked(&self, workspace: Workspace) -> bool {
        self.folder(workspace).join("Cargo.lock").is_file()
    }

    /// The folder of the workspace's `Cargo.toml`.
    pub(crate) fn folder(&self, workspace: Workspace) -> PathBuf {
        let manifest = self.root.join(workspace.manifest());
        manifest.parent().unwrap_or(&self.root).to_path_buf()
    }

    /// What `cargo metadata` says of the workspace's own crates.
    pub(crate) fn metadata(&self, workspace: Workspace) -> Result<Value> {
        let mut command = process::cargo();
        command
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .arg("--manifest-path")
            .arg(self.root.join(workspace.manifest()));
        let text = process::output_of(&mut command)?;
        serde_json::from_str(&text).context("`cargo metadata` printed something that is no JSON")
    }

    /// The path as a user in the root of the clone would write it.
    pub(crate) fn shown<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}

/// The cargo workspaces of the repository, each with a lock file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workspace {
    /// The host's crates, their tests and this program.
    Host,
    /// What plugins are written with.
    Sdk,
    /// The tools that come with the host.
    Plugins,
    /// The guests that the integration tests run.
    Guests,
    /// The programs that try very many texts.
    Fuzz,
}

impl Workspace {
    /// All of them, the one with the quickest checks first.
    pub(crate) const ALL: [Self; 5] = [
        Self::Sdk,
        Self::Plugins,
        Self::Guests,
        Self::Fuzz,
        Self::Host,
    ];

    /// The name used in what is printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Sdk => "sdk",
            Self::Plugins => "plugins",
            Self::Guests => "guests",
            Self::Fuzz => "fuzz",
        }
    }

    /// Its `Cargo.toml`, relative to the root of the clone.
    pub(crate) fn manifest(self) -> &'static str {
        match self {
            Self::Host => "Cargo.toml",
            Self::Sdk => "sdk/Cargo.toml",
            Self::Plugins => "plugins/Cargo.toml",
            Self::Guests => "tests/guests/Cargo.toml",
            Self::Fuzz => "fuzz/Cargo.toml",
        }
    }
}
