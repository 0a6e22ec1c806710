//! Why a host cannot be built or a plugin cannot be loaded. Calls never end in
//! one of these: what goes wrong there is a [`CallError`](crate::CallError).

use toolhost_policy::LimitsError;
use toolhost_sandbox::{LoadError, SetupError};

/// Why a host cannot be built or a plugin cannot be loaded.
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
    /// Two plugins have a tool of the same name.
    #[error("the tool `{tool}` of the plugin `{second}` is already there from `{first}`")]
    DuplicateTool {
        /// The name.
        tool: String,
        /// The plugin that was loaded first.
        first: String,
        /// The plugin that is refused.
        second: String,
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
            Self::DuplicateTool { .. } => Some("load only one of the two plugins".into()),
            Self::Setup(_) | Self::Limits(_) => None,
        }
    }
}
