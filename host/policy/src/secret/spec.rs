//! What an operator says of a secret: where its value is, and where it may go.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::SecretError;
use crate::HostPattern;

mod written;

/// Headers that decide where a request goes, where it ends, or what is answered,
/// never who sends it.
const NOT_FOR_SECRETS: [&str; 15] = [
    "a-im",
    "connection",
    "date",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "max-forwards",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "x-rewrite-url",
];

/// How others of them begin, such as `content-length` and `x-original-url`.
const NOT_FOR_SECRETS_BEFORE: [&str; 6] = [
    "accept",
    "content-",
    "if-",
    "x-forwarded-",
    "x-http-method",
    "x-original-",
];

/// Where the value of a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecretOrigin {
    /// In an environment variable of the host.
    Env(String),
    /// In a file; line breaks at its end are not part of the value.
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
#[serde(try_from = "written::Written")]
pub struct SecretSpec {
    /// Where its value is.
    pub origin: SecretOrigin,
    /// The hosts it may be sent to. Empty only when it is revealed and never sent.
    pub hosts: Vec<HostPattern>,
    /// The plugins that may use it; `None` when every one that is granted it may.
    pub plugins: Option<Vec<String>>,
    /// The principals on whose behalf it may be used, by id, whatever their kind; one
    /// that is not verified is none of them. `None` when on anybody's behalf.
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
        self.hosts.iter().try_for_each(check_host)?;
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

fn check_host(host: &HostPattern) -> Result<(), SecretError> {
    if *host == HostPattern::Any {
        return Err(SecretError::BadHost {
            host: "*".into(),
            problem: "it would be sent to whoever asks; name the hosts".into(),
        });
    }
    Ok(())
}

fn check_header(header: &str) -> Result<(), SecretError> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let problem = if header.is_empty() || !header.bytes().all(is_token) {
        "it is not the name of a header"
    } else if steers(header) {
        "it says where a request goes or what is answered, not who sends it"
    } else {
        return Ok(());
    };
    Err(SecretError::BadHeader {
        header: header.to_owned(),
        problem,
    })
}

/// Whether a header decides where a request goes or ends, or what is answered.
pub(super) fn steers(header: &str) -> bool {
    let begins = |start: &&str| {
        let begun = header.as_bytes().get(..start.len());
        begun.is_some_and(|begun| begun.eq_ignore_ascii_case(start.as_bytes()))
    };
    is_among(&NOT_FOR_SECRETS, header) || NOT_FOR_SECRETS_BEFORE.iter().any(begins)
}

/// Whether a header has one of these names.
pub(super) fn is_among(names: &[&str], header: &str) -> bool {
    names.iter().any(|name| header.eq_ignore_ascii_case(name))
}

pub(super) fn parse_host(host: &str) -> Result<HostPattern, SecretError> {
    host.parse()
        .map_err(|error: crate::HttpGrantError| SecretError::BadHost {
            host: host.to_owned(),
            problem: error.to_string(),
        })
}
