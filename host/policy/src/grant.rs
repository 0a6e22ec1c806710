//! What a call may reach outside its sandbox. Nothing, unless it is granted.

use std::{collections::BTreeMap, fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What a call may reach. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Directories of the host.
    pub dirs: Vec<DirGrant>,
    /// Environment variables, by name. None is inherited.
    pub env: BTreeMap<String, String>,
    /// Whether the transcript before the call may be read.
    pub messages: bool,
}

impl Grants {
    /// These grants and more of them. A variable of `more` comes before one of the
    /// same name here.
    ///
    /// # Errors
    /// When the two give different directories the same name in the sandbox, or one
    /// of them cannot be granted at all.
    pub fn merge(mut self, more: Self) -> Result<Self, GrantError> {
        let Self {
            dirs,
            env,
            messages,
        } = more;
        for dir in dirs {
            if !self.dirs.contains(&dir) {
                self.dirs.push(dir);
            }
        }
        self.env.extend(env);
        self.messages |= messages;
        self.check()?;
        Ok(self)
    }

    /// Checks grants that were not parsed but put together.
    ///
    /// # Errors
    /// When two directories have one name in the sandbox, or a name or a value
    /// cannot be used.
    pub fn check(&self) -> Result<(), GrantError> {
        let mut names: BTreeMap<&str, &DirGrant> = BTreeMap::new();
        for dir in &self.dirs {
            check_guest(&dir.guest)?;
            if let Some(other) = names.insert(&dir.guest, dir) {
                return Err(GrantError::SameGuest {
                    guest: dir.guest.clone(),
                    first: other.to_string(),
                    second: dir.to_string(),
                });
            }
        }
        self.env
            .iter()
            .try_for_each(|(name, value)| check_variable(name, value))
    }
}

/// A directory of the host that a plugin may use.
///
/// As text it is `HOST::GUEST`, read-only, or `HOST::GUEST:rw`. `:ro` may be written
/// to say the default aloud: what is not asked for is not granted.
///
/// ```
/// use toolhost_policy::{Access, DirGrant};
///
/// let grant: DirGrant = "./data::/data".parse()?;
/// assert_eq!((grant.guest.as_str(), grant.access), ("/data", Access::ReadOnly));
///
/// let grant: DirGrant = "./out::/out:rw".parse()?;
/// assert_eq!(grant.access, Access::ReadWrite);
/// # Ok::<(), toolhost_policy::GrantError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirGrant {
    /// The directory of the host, as it was given.
    pub host: PathBuf,
    /// Its name in the sandbox: an absolute path without `.`, `..` or empty parts.
    pub guest: String,
    /// What may be done in it.
    pub access: Access,
}

/// What may be done in a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Reading and listing. The default.
    #[default]
    ReadOnly,
    /// Writing, creating and deleting as well.
    ReadWrite,
}

/// A grant that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrantError {
    /// A directory has no name for the sandbox.
    #[error("`{text}` does not say what the plugin shall call the directory: write `{example}`")]
    NoGuest {
        /// What was typed.
        text: String,
        /// How it could be meant.
        example: String,
    },
    /// A directory has no place on the host.
    #[error("`{text}` does not say which directory of the host is meant: write `HOST::GUEST`")]
    NoHost {
        /// What was typed.
        text: String,
    },
    /// The name in the sandbox cannot be one.
    #[error("`{guest}` cannot be the name of a directory in the sandbox: {problem}")]
    BadGuest {
        /// The name.
        guest: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// What stands behind the last colon is no access.
    #[error(
        "the access `{access}` is not known: write `:ro` to read, which is the default, or `:rw` to write as well"
    )]
    BadAccess {
        /// What was typed.
        access: String,
    },
    /// Two directories have one name.
    #[error(
        "`{first}` and `{second}` both give the plugin the directory `{guest}`: give one of them another name"
    )]
    SameGuest {
        /// The name in the sandbox.
        guest: String,
        /// One grant.
        first: String,
        /// The other.
        second: String,
    },
    /// A variable has no value.
    #[error(
        "`{text}` gives the variable no value: write `{text}=VALUE`; nothing is taken from the host's own environment"
    )]
    NoValue {
        /// What was typed.
        text: String,
    },
    /// A variable has a name or a value that it cannot have.
    #[error("the environment variable `{name}` cannot be set: {problem}")]
    BadVariable {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
}

impl FromStr for DirGrant {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, GrantError> {
        if text.is_empty() {
            return Err(GrantError::NoHost { text: text.into() });
        }
        let Some((host, target)) = text.split_once("::") else {
            let host = text.trim_end_matches(":ro").trim_end_matches(":rw");
            let name = host
                .rsplit(['/', '\\'])
                .find(|part| !matches!(*part, "" | "." | ".."));
            let example = format!("{host}::/{}", name.unwrap_or("data"));
            return Err(GrantError::NoGuest {
                text: text.into(),
                example,
            });
        };
        if host.is_empty() {
            return Err(GrantError::NoHost { text: text.into() });
        }
        let (guest, access) = match target.rsplit_once(':') {
            None => (target, Access::ReadOnly),
            Some((guest, access)) => (guest, access.parse()?),
        };
        check_guest(guest)?;
        Ok(Self {
            host: host.into(),
            guest: guest.into(),
            access,
        })
    }
}

impl FromStr for Access {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, GrantError> {
        match text {
            "ro" => Ok(Self::ReadOnly),
            "rw" => Ok(Self::ReadWrite),
            _ => Err(GrantError::BadAccess {
                access: text.into(),
            }),
        }
    }
}

impl fmt::Display for DirGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let access = match self.access {
            Access::ReadOnly => "ro",
            Access::ReadWrite => "rw",
        };
        write!(f, "{}::{}:{access}", self.host.display(), self.guest)
    }
}

impl Serialize for DirGrant {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DirGrant {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        // Parsed inside the visitor, so that an error gets the place of this value
        // and not of the list around it.
        reader.deserialize_str(Reader)
    }
}

struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = DirGrant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a directory: `HOST::GUEST` or `HOST::GUEST:rw`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<DirGrant, E> {
        text.parse().map_err(E::custom)
    }
}

/// Reads `NAME=VALUE`.
///
/// # Errors
/// When there is no `=`, or no variable can have such a name or value.
pub fn parse_env(text: &str) -> Result<(String, String), GrantError> {
    let (name, value) = match text.split_once('=') {
        Some(pair) => pair,
        // It has no name either, which is the first thing to say.
        None if text.is_empty() => ("", ""),
        None => return Err(GrantError::NoValue { text: text.into() }),
    };
    check_variable(name, value)?;
    Ok((name.into(), value.into()))
}

fn check_guest(guest: &str) -> Result<(), GrantError> {
    let bad = |problem| {
        Err(GrantError::BadGuest {
            guest: guest.into(),
            problem,
        })
    };
    let Some(parts) = guest.strip_prefix('/') else {
        return bad("it must start with `/`");
    };
    if guest.contains(['\0', ':']) {
        return bad("it cannot hold a colon or a zero byte");
    }
    if parts.split('/').any(|part| matches!(part, "." | "..")) {
        return bad("it cannot hold `.` or `..`");
    }
    if !parts.is_empty() && parts.split('/').any(str::is_empty) {
        return bad("it cannot hold `//` or end with `/`");
    }
    Ok(())
}

fn check_variable(name: &str, value: &str) -> Result<(), GrantError> {
    let problem = if name.is_empty() {
        "it has no name"
    } else if name.contains(['=', '\0']) {
        "its name holds `=` or a zero byte"
    } else if value.contains('\0') {
        "its value holds a zero byte"
    } else {
        return Ok(());
    };
    Err(GrantError::BadVariable {
        name: name.into(),
        problem,
    })
}

#[cfg(test)]
mod tests;
