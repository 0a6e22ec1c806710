//! Where a grant was written. It decides nothing; it is kept so that an operator who
//! asks why something is allowed gets a line of a file and not a guess.

use std::{collections::BTreeMap, fmt, path::PathBuf};

/// Something outside the sandbox that a plugin may ask for. Its text is the key under
/// `[grants]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Directories of the host.
    Dirs,
    /// Environment variables.
    Env,
    /// The transcript before the call.
    Messages,
    /// Requests over HTTP.
    Http,
    /// Tools that the plugin calls itself.
    Tools,
    /// Keys and values that stay from call to call.
    Storage,
    /// Values of the configuration.
    Config,
    /// Secrets that the host puts into requests.
    Secrets,
}

impl Capability {
    /// The key under `[grants]`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dirs => "dirs",
            Self::Env => "env",
            Self::Messages => "allow-messages",
            Self::Http => "http",
            Self::Tools => "tools",
            Self::Storage => "storage",
            Self::Config => "config",
            Self::Secrets => "secrets",
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a grant was written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// In a file: `host.toml:12`.
    Line {
        /// The file, as its path was given.
        file: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Whether it is meant for every plugin, and so not for one that never asked.
        every_plugin: bool,
    },
    /// On the command line: the flag with its value.
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line, .. } => write!(f, "{}:{line}", file.display()),
            Self::Flag(flag) => write!(f, "flag {flag}"),
        }
    }
}

/// Where each grant was written, as far as that is known: what a program grants by
/// itself has no place.
///
/// Any two are equal: grants are the same wherever they were written.
#[derive(Clone, Debug, Default)]
pub struct Origins(BTreeMap<(Capability, String), Origin>);

impl Origins {
    /// Remembers where a grant was written. `key` is what
    /// [`Grants::items`](crate::Grants::items) calls it.
    pub fn note(&mut self, capability: Capability, key: impl Into<String>, origin: Origin) {
        self.0.insert((capability, key.into()), origin);
    }

    /// Where a grant was written.
    #[must_use]
    pub fn of(&self, capability: Capability, key: &str) -> Option<&Origin> {
        self.0.get(&(capability, key.to_owned()))
    }

    /// Adds what others know; they win.
    pub(crate) fn extend(&mut self, more: Self) {
        self.0.extend(more.0);
    }
}

impl PartialEq for Origins {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origins {}
