//! One grant among all, in words: as a line of the file, and as a flag.

use std::{borrow::Cow, fmt};

use super::DirGrant;
use crate::{Capability, HttpGrant};

/// One grant among all. Values of variables and of the configuration are not in it,
/// because what is written here is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it opens.
    pub capability: Capability,
    /// What tells it from others of its kind: the name in the sandbox of a directory,
    /// the name of a variable or a value, the flag of a request, the text of everything
    /// else. Empty where there is only one.
    pub key: String,
    /// The grant as it is written.
    pub text: String,
    /// Whether it opens private addresses too.
    pub allow_private: bool,
}

impl Item {
    pub(crate) fn new(capability: Capability, key: impl Into<String>) -> Self {
        let key = key.into();
        let text = key.clone();
        Self {
            capability,
            key,
            text,
            allow_private: false,
        }
    }

    pub(crate) fn request(grant: &HttpGrant) -> Self {
        Self {
            allow_private: grant.allows_private(),
            ..Self::new(Capability::Http, grant.flag()).written(grant)
        }
    }

    pub(crate) fn dir(grant: &DirGrant) -> Self {
        Self::new(Capability::Dirs, &grant.guest).written(grant)
    }

    pub(crate) fn written(self, text: impl fmt::Display) -> Self {
        Self {
            text: text.to_string(),
            ..self
        }
    }

    /// The flag that grants the same, as one types it in a shell. The value of a
    /// variable is left out.
    #[must_use]
    pub fn flag(&self) -> String {
        let flag = match self.capability {
            Capability::Dirs => "--dir",
            Capability::Env => "--env",
            Capability::Messages => return "--allow-messages".into(),
            Capability::Http => return self.key.clone(),
            Capability::Tools => "--allow-tool",
            Capability::Storage => "--storage",
            Capability::Config => "--config-value",
            Capability::Secrets => "--secret",
        };
        format!("{flag} {}", shell_word(&self.text))
    }
}

/// As a line under `[grants]` reads.
impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            capability, text, ..
        } = self;
        match capability {
            Capability::Messages => write!(f, "{capability} = true"),
            Capability::Http if self.allow_private => {
                write!(f, "http = {{ allow = {text:?}, allow-private = true }}")
            }
            Capability::Env | Capability::Config => write!(f, "{capability}.{text}"),
            _ => write!(f, "{capability} = {text:?}"),
        }
    }
}

/// A word that a shell takes as it is, in quotes where it needs them.
pub(crate) fn shell_word(word: &str) -> Cow<'_, str> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return Cow::Borrowed(word);
    }
    let mut quoted = String::from("\"");
    for letter in word.chars() {
        if matches!(letter, '"' | '\\' | '$' | '`') {
            quoted.push('\\');
        }
        quoted.push(letter);
    }
    quoted.push('"');
    Cow::Owned(quoted)
}
