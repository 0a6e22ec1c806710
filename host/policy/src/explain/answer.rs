//! An answer: yes or no, who decides, and what would change it.

use std::fmt;

use crate::{Capability, Grants, Item, Origin};

/// Whether something is allowed, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it is allowed.
    pub allowed: bool,
    /// Who decides.
    pub decider: Decider,
    /// What else has a say, a sentence each. Some hold words of the plugin.
    pub notes: Vec<String>,
    /// What would allow it; absent when it is allowed, or no grant can.
    pub allow_with: Option<AllowWith>,
}

/// Who decides.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decider {
    /// A grant of the operator.
    Grant {
        /// As much of it as the plugin gets.
        item: Item,
        /// Where it was written, when that is known.
        origin: Option<Origin>,
    },
    /// The plugin's manifest, which does not ask for it.
    Manifest {
        /// The name of the plugin.
        plugin: String,
    },
    /// Nothing grants it.
    Nothing,
    /// A rule that no grant changes.
    Rule(String),
}

/// The grant that would allow something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowWith {
    /// As a flag, or two; what the operator has to choose is in capitals.
    pub flag: String,
    /// As a line of the configuration file, or two.
    pub line: String,
    /// The section of the file that the line belongs to.
    pub section: String,
}

impl Answer {
    pub(super) fn allowed(decider: Decider) -> Self {
        Self {
            allowed: true,
            ..Self::denied(decider)
        }
    }

    pub(super) fn denied(decider: Decider) -> Self {
        Self {
            allowed: false,
            decider,
            notes: Vec::new(),
            allow_with: None,
        }
    }

    pub(super) fn noting(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

impl fmt::Display for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grant {
                item,
                origin: Some(origin @ Origin::Line { .. }),
            } => write!(f, "{origin}: {item}"),
            // The flag is the grant.
            Self::Grant {
                origin: Some(origin @ Origin::Flag(_)),
                ..
            } => origin.fmt(f),
            Self::Grant { item, origin: None } => item.fmt(f),
            Self::Manifest { plugin } => {
                write!(f, "manifest of `{plugin}`: does not want it")
            }
            Self::Nothing => f.write_str("nothing grants it"),
            Self::Rule(rule) => f.write_str(rule),
        }
    }
}

impl AllowWith {
    /// What gives the first of these grants to a plugin; without a name, to all.
    pub(super) fn of(grants: &Grants, plugin: Option<&str>) -> Option<Self> {
        let item = grants.items().into_iter().next()?;
        let text = &item.text;
        let valued = matches!(item.capability, Capability::Env | Capability::Config);
        let line = match item.capability {
            Capability::Messages | Capability::Storage => item.to_string(),
            Capability::Http if item.allow_private => {
                format!("http = [{{ allow = {text:?}, allow-private = true }}]")
            }
            capability if valued => format!("{capability} = {{ {} = \"VALUE\" }}", key(text)),
            capability => format!("{capability} = [{text:?}]"),
        };
        let value = if valued { "=VALUE" } else { "" };
        // `--secret` asks in the command that this is printed by; the other name of the
        // flag grants in all of them.
        let flag = match item.capability {
            Capability::Secrets => item.flag().replacen("--secret", "--allow-secret", 1),
            _ => item.flag(),
        };
        Some(Self {
            flag: format!("{flag}{value}"),
            line,
            section: plugin.map_or_else(
                || "[grants]".to_owned(),
                |plugin| format!("[plugins.{}.grants]", key(plugin)),
            ),
        })
    }

    /// Both.
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            flag: format!("{} {}", self.flag, other.flag),
            line: format!("{}\n{}", self.line, other.line),
            section: self.section,
        }
    }
}

/// A key of TOML, in quotes where it needs them.
fn key(name: &str) -> String {
    let bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        format!("{name:?}")
    }
}
