//! Why a host cannot be built, or a tool not be added to it. Calls never end in
//! one of these: what goes wrong there is a [`CallError`](crate::CallError).

use toolhost_policy::LimitsError;
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
            Self::Load { source, .. } => source.hint(),
            Self::DuplicateTool { .. } => Some(
                "load only one of the two; a program can give one another name with a `Toolset`"
                    .into(),
            ),
            Self::NotInToolset { suggestion, .. } => suggestion
                .as_ref()
                .map(|name| format!("did you mean `{name}`?")),
            Self::Definition { .. } | Self::Setup(_) | Self::Limits(_) => None,
        }
    }
}
