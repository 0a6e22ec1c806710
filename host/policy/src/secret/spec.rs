//! What an operator says of a secret: where its value is, and where it may go.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::SecretError;
use crate::HostPattern;

/// Headers that decide where a request goes or where it ends, never who sends it.
const NOT_FOR_SECRETS: [&str; 5] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "upgrade",
];

/// Where the value of a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretOrigin {
    /// In an environment variable of the host.
    Env(String),
    /// In a file; one line break at its end is not part of the value.
    File(PathBuf),
    /// In the system's keyring.
    Keyring {
        /// The service it belongs to.
        service: String,
        /// The user it belongs to.
        user: String,
    },
}

impl SecretOrigin {
    pub(super) fn env(name: &str) -> Result<Self, SecretError> {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(SecretError::BadSource {
                text: name.to_owned(),
                problem: "write the name of an environment variable",
            });
        }
        Ok(Self::Env(name.to_owned()))
    }

    pub(super) fn file(path: &Path) -> Result<Self, SecretError> {
        if path.as_os_str().is_empty() {
            return Err(SecretError::BadSource {
                text: String::new(),
                problem: "write the path of a file",
            });
        }
        Ok(Self::File(path.to_owned()))
    }

    pub(super) fn keyring(text: &str) -> Result<Self, SecretError> {
        match text.split_once('/') {
            Some((service, user)) if !service.is_empty() && !user.is_empty() => Ok(Self::Keyring {
                service: service.to_owned(),
                user: user.to_owned(),
            }),
            _ => Err(SecretError::BadSource {
                text: text.to_owned(),
                problem: "write `SERVICE/USER`, as the keyring shows them",
            }),
        }
    }
}

impl fmt::Display for SecretOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "the environment variable `{name}`"),
            Self::File(path) => write!(f, "the file `{}`", path.display()),
            Self::Keyring { service, user } => write!(f, "`{service}/{user}` in the keyring"),
        }
    }
}

/// What an operator says of a secret, a section `[secrets.NAME]` of `host.toml`.
///
/// ```toml
/// [secrets.github-token]
/// env = "GITHUB_TOKEN"        # or file = "…", or keyring = "service/user"
/// hosts = ["api.github.com"]  # where it may go
/// headers = ["authorization"] # optional, as are `plugins` and `principals`
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct SecretSpec {
    /// Where its value is.
    pub origin: SecretOrigin,
    /// The hosts it may be sent to. Empty only when it is revealed and never sent.
    pub hosts: Vec<HostPattern>,
    /// The plugins that may use it; `None` when every one that is granted it may.
    pub plugins: Option<Vec<String>>,
    /// The principals on whose behalf it may be used; `None` when on any's.
    pub principals: Option<Vec<String>>,
    /// The headers it may be sent in, in lower case; `None` when in any.
    pub headers: Option<Vec<String>>,
    /// Whether it may be sent without TLS.
    pub insecure: bool,
    /// Whether the plugin may read the value itself.
    pub reveal: bool,
}

impl SecretSpec {
    /// A secret that may be sent to these hosts, over TLS, in any header, by every
    /// plugin that is granted it, and is not revealed.
    ///
    /// # Errors
    ///
    /// When there is no host, or one is a pattern for every host.
    pub fn new(origin: SecretOrigin, hosts: Vec<HostPattern>) -> Result<Self, SecretError> {
        let spec = Self {
            origin,
            hosts,
            plugins: None,
            principals: None,
            headers: None,
            insecure: false,
            reveal: false,
        };
        spec.check()?;
        Ok(spec)
    }

    /// The same with the path of its file counted from `folder`.
    #[must_use]
    pub fn in_folder(mut self, folder: &Path) -> Self {
        if let SecretOrigin::File(path) = &mut self.origin {
            *path = folder.join(&path);
        }
        self
    }

    pub(super) fn check(&self) -> Result<(), SecretError> {
        if self.hosts.is_empty() && !self.reveal {
            return Err(SecretError::EmptyList {
                key: "hosts",
                help: "name the hosts that it may be sent to",
            });
        }
        if self.hosts.contains(&HostPattern::Any) {
            return Err(SecretError::BadHost {
                host: "*".into(),
                problem: "it would be sent to whoever asks; name the hosts".into(),
            });
        }
        let lists = [
            ("plugins", &self.plugins),
            ("principals", &self.principals),
            ("headers", &self.headers),
        ];
        for (key, list) in lists {
            if list.as_ref().is_some_and(Vec::is_empty) {
                return Err(SecretError::EmptyList {
                    key,
                    help: "leave the key out, or name who may",
                });
            }
        }
        self.headers
            .iter()
            .flatten()
            .try_for_each(|header| check_header(header))
    }
}

fn check_header(header: &str) -> Result<(), SecretError> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let problem = if header.is_empty() || !header.bytes().all(is_token) {
        "it is not the name of a header"
    } else if NOT_FOR_SECRETS.contains(&header) {
        "it decides where the request goes, not who sends it"
    } else {
        return Ok(());
    };
    Err(SecretError::BadHeader {
        header: header.to_owned(),
        problem,
    })
}

/// Whether a header decides where a request goes or ends.
pub(super) fn steers(header: &str) -> bool {
    NOT_FOR_SECRETS
        .iter()
        .any(|name| header.eq_ignore_ascii_case(name))
}

/// The section as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Written {
    env: Option<String>,
    file: Option<PathBuf>,
    keyring: Option<String>,
    hosts: Vec<String>,
    plugins: Option<Vec<String>>,
    principals: Option<Vec<String>>,
    headers: Option<Vec<String>>,
    #[serde(default)]
    insecure: bool,
    #[serde(default)]
    reveal: bool,
}

impl TryFrom<Written> for SecretSpec {
    type Error = SecretError;

    fn try_from(written: Written) -> Result<Self, SecretError> {
        let Written {
            env,
            file,
            keyring,
            hosts,
            plugins,
            principals,
            headers,
            insecure,
            reveal,
        } = written;
        let origin = match (env, file, keyring) {
            (Some(name), None, None) => SecretOrigin::env(&name)?,
            (None, Some(path), None) => SecretOrigin::file(&path)?,
            (None, None, Some(entry)) => SecretOrigin::keyring(&entry)?,
            _ => return Err(SecretError::Source),
        };
        let hosts = hosts.iter().map(|host| parse_host(host));
        let lower =
            |names: Vec<String>| names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let spec = Self {
            origin,
            hosts: hosts.collect::<Result<_, _>>()?,
            plugins,
            principals,
            headers: headers.map(lower),
            insecure,
            reveal,
        };
        spec.check()?;
        Ok(spec)
    }
}

pub(super) fn parse_host(host: &str) -> Result<HostPattern, SecretError> {
    host.parse()
        .map_err(|error: crate::HttpGrantError| SecretError::BadHost {
            host: host.to_owned(),
            problem: error.to_string(),
        })
}
