//! Whose keys and values a plugin sees.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::GrantError;

/// Whose keys and values a plugin sees. No scope reaches into that of another plugin.
///
/// ```
/// use toolhost_policy::StorageScope;
///
/// let scope: StorageScope = "session".parse()?;
/// assert_eq!(scope, StorageScope::Session);
/// assert!("sesion".parse::<StorageScope>().is_err());
/// # Ok::<(), toolhost_policy::GrantError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[serde(rename_all = "lowercase")]
pub enum StorageScope {
    /// One store for all calls of the plugin.
    Plugin,
    /// One for each principal that calls are made for.
    Principal,
    /// One for each session.
    Session,
}

impl FromStr for StorageScope {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, GrantError> {
        match text {
            "plugin" => Ok(Self::Plugin),
            "principal" => Ok(Self::Principal),
            "session" => Ok(Self::Session),
            _ => Err(GrantError::BadScope { scope: text.into() }),
        }
    }
}

impl fmt::Display for StorageScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plugin => "plugin",
            Self::Principal => "principal",
            Self::Session => "session",
        })
    }
}
