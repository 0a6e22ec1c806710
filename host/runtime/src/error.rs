//! Why a host cannot be built, or a tool not be added to it. Calls never end in
//! one of these: what goes wrong there is a [`CallError`](crate::CallError).

use std::io;
use std::path::PathBuf;

use toolhost_policy::{GrantError, LimitsError};
use toolhost_sandbox::{LoadError, SetupError};

/// Why a host cannot be built, or a tool not be added to it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The sandbox engine cannot be set up.
    #[error("cannot build the host")]
    Setup(#[from] SetupError),
    /// A plugin cannot be loaded.
    #[error("cannot load the plugin `{plugin}`")]
    Load {
        /// Its path or name.
        plugin: String,
        /// Why.
        #[source]
        source: Box<LoadError>,
    },
    /// A plugin that was loaded from memory is to be loaded again.
    #[error("the plugin `{plugin}` was loaded from memory and has no file to load it from again")]
    NoFile {
        /// Its name.
        plugin: String,
    },
    /// Grants cannot be meant, or contradict each other.
    #[error("a grant cannot be used")]
    Grants(#[from] GrantError),
    /// A directory that was granted cannot be opened.
    #[error("cannot open the granted directory `{}`", path.display())]
    Directory {
        /// The directory, as it was granted.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A secret that a plugin is granted cannot be used.
    #[error(
        "the secret `{secret}` of the plugin `{plugin}` ({granted_by}) cannot be used: {reason}"
    )]
    Secret {
        /// Its name.
        secret: String,
        /// The plugin that is granted it.
        plugin: String,
        /// The line or flag that grants it.
        granted_by: String,
        /// Why, and how to mend it.
        reason: String,
    },
    /// A secret cannot be read again.
    #[error("the secret `{secret}` cannot be read again: {reason}")]
    SecretReload {
        /// Its name.
        secret: String,
        /// Why, and how to mend it.
        reason: String,
    },
    /// Two tools have the same name.
    #[error("the tool `{tool}` of `{second}` is already there from `{first}`")]
    DuplicateTool {
        /// The name.
        tool: String,
        /// Where the tool that was there first comes from.
        first: String,
        /// Where the tool that is refused comes from.
        second: String,
    },
    /// The definition of a tool cannot be used.
    #[error("the tool `{tool}` of `{source_name}` cannot be used: {reason}")]
    Definition {
        /// Its name.
        tool: String,
        /// Where it comes from.
        source_name: String,
        /// Why, and how to mend it.
        reason: String,
    },
    /// A tool is to be renamed that its toolset does not have.
    #[error("there is no tool `{tool}` in the toolset")]
    NotInToolset {
        /// The name.
        tool: String,
        /// A name that is close to it.
        suggestion: Option<String>,
    },
    /// A limit cannot be what it was set to.
    #[error("a limit cannot be used")]
    Limits(#[from] LimitsError),
}

impl Error {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoFile { .. } => Some(
                "load the new bytes, and put their tools in its place with `Host::replace`".into(),
            ),
            Self::Load { source, .. } => source.hint(),
            Self::Directory { .. } => Some(
                "a directory to grant has to be there; `HOST` of `--dir HOST::GUEST` counts from \
                 the current folder, and `~` is not expanded"
                    .into(),
            ),
            Self::DuplicateTool { .. } => Some(
                "load only one of the two; a program can give one another name with a `Toolset`"
                    .into(),
            ),
            Self::NotInToolset { suggestion, .. } => suggestion
                .as_ref()
                .map(|name| format!("did you mean `{name}`?")),
            Self::Secret { .. }
            | Self::SecretReload { .. }
            | Self::Definition { .. }
            | Self::Setup(_)
            | Self::Limits(_)
            | Self::Grants(_) => None,
        }
    }
}
