//! What is wrong with a configuration file, with the place in the form that
//! editors and terminals can follow.

use std::{
    fmt,
    ops::Range,
    path::{Path, PathBuf},
};

use toolhost_tool::{reword as plain, suggest};

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

    pub(super) fn new(
        file: &Path,
        text: &str,
        span: Option<Range<usize>>,
        message: String,
    ) -> Self {
        let place = span.map(|span| {
            let before = &text[..text.floor_char_boundary(span.start)];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            (
                before.matches('\n').count() + 1,
                before[line_start..].chars().count() + 1,
            )
        });
        Self {
            file: file.to_owned(),
            place,
            message,
        }
    }

    pub(super) fn from_toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        Self::new(file, text, error.span(), reword(error.message()))
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
const FLAGS: [(&str, &str); 3] = [
    ("timeout", "wall-clock"),
    ("dir", "dirs"),
    ("deadline", "wall-clock"),
];

/// What the reader says of an unknown key, with the key that was probably meant.
fn reword(message: &str) -> String {
    let message = message.trim_end();
    let Some(rest) = message.strip_prefix("unknown field ") else {
        return plain(message);
    };
    let mut names = rest.split('`').skip(1).step_by(2);
    let unknown = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    let flag = FLAGS
        .iter()
        .find(|(flag, _)| *flag == unknown)
        .map(|(_, key)| *key);
    let flag = flag.filter(|key| known.contains(key));
    let help = match flag.or_else(|| suggest(unknown, known.iter().copied())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("the keys here are `{}`", known.join("`, `")),
    };
    format!("the key `{unknown}` is not known: {help}")
}
