//! Directories of the host, under names of the sandbox.

use std::{fmt, path::PathBuf, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::GrantError;

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

/// What may be done in a directory, from less to more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Access {
    /// Reading and listing. The default.
    #[default]
    #[serde(rename = "ro")]
    ReadOnly,
    /// Writing, creating and deleting as well.
    #[serde(rename = "rw")]
    ReadWrite,
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

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReadOnly => "ro",
            Self::ReadWrite => "rw",
        })
    }
}

impl fmt::Display for DirGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}:{}", self.host.display(), self.guest, self.access)
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

/// Whether a path of the sandbox lies in the directory `dir` or is it. Both are
/// absolute and without `.` and `..`.
pub(crate) fn is_inside(path: &str, dir: &str) -> bool {
    let dir = dir.trim_end_matches('/');
    path.strip_prefix(dir)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(crate) fn check_guest(guest: &str) -> Result<(), GrantError> {
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
