//! What is wrong with a configuration file, with the place in the form that
//! editors and terminals can follow.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::lines::Lines;
use crate::keys;

/// A configuration file that cannot be used: `FILE:LINE:COLUMN: what is wrong`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    file: PathBuf,
    place: Option<(usize, usize)>,
    message: String,
}

impl ConfigError {
    /// The file, as its path was given.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The line, counted from 1, when there is a place.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// The character in the line, counted from 1, when there is a place.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.map(|(_, column)| column)
    }

    pub(super) fn new(file: &Path, place: Option<(usize, usize)>, message: String) -> Self {
        Self {
            file: file.to_owned(),
            place,
            message,
        }
    }

    pub(super) fn from_toml(file: &Path, lines: &Lines<'_>, error: &toml::de::Error) -> Self {
        let place = error.span().map(|span| lines.place(&span));
        Self::new(file, place, keys::reword(error.message(), &FLAGS))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

/// Flags of a call whose key has another name.
const FLAGS: [(&str, &str); 8] = [
    ("timeout", "wall-clock"),
    ("dir", "dirs"),
    ("deadline", "wall-clock"),
    ("allow-host", "http"),
    ("hosts", "http"),
    ("allow-tool", "tools"),
    ("config-value", "config"),
    ("secret", "secrets"),
];
