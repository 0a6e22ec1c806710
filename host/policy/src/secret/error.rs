//! What can be wrong with a secret, and with a request that wants one.

use super::{MAX_SECRET_BYTES, MIN_SECRET_BYTES};

/// A secret that cannot be used. No variant holds anything of its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The value is too short.
    #[error(
        "its value has {bytes} bytes, and shorter than {MIN_SECRET_BYTES} it cannot be told from \
         ordinary text: use a longer one"
    )]
    TooShort {
        /// Bytes of the value.
        bytes: usize,
    },
    /// The value is too long.
    #[error("its value is longer than {MAX_SECRET_BYTES} bytes: it should be a key, not a file")]
    TooLong,
    /// The value holds a zero byte.
    #[error("its value holds a zero byte: check that the source is a text")]
    ZeroByte,
    /// The value is white space.
    #[error("its value is nothing but white space: check its source")]
    Blank,
    /// The name cannot be one.
    #[error(
        "`{name}` cannot be the name of a secret: use 1 to 64 letters, digits, `-`, `_` or `.`"
    )]
    BadName {
        /// What was written.
        name: String,
    },
    /// There is no source, or more than one.
    #[error("give it exactly one of `env`, `file` and `keyring`")]
    Source,
    /// The source is named but cannot be one.
    #[error("`{text}` cannot be its source: {problem}")]
    BadSource {
        /// What was written.
        text: String,
        /// What is wrong, and what to write.
        problem: &'static str,
    },
    /// A list is empty.
    #[error("`{key}` is empty, which would allow nothing: {help}")]
    EmptyList {
        /// The key of the list.
        key: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// A host is none, or none that a secret can be bound to.
    #[error("a secret cannot be bound to the host `{host}`: {problem}")]
    BadHost {
        /// What was written.
        host: String,
        /// What is wrong, and what to write.
        problem: String,
    },
    /// A header cannot carry it.
    #[error("`{header}` cannot be a header that carries it: {problem}")]
    BadHeader {
        /// What was written.
        header: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// A flag cannot be read.
    #[error("`{text}` {problem}: write `NAME`, or `NAME=env:VARIABLE@HOST`")]
    BadFlag {
        /// What was written, up to its source.
        text: String,
        /// What is wrong.
        problem: &'static str,
    },
}

/// Why a request that has to do with a secret is not sent, or a value not
/// revealed. No variant holds anything of a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretRefusal {
    /// The plugin was not given the secret.
    #[error("the secret `{name}` is not granted to this plugin")]
    NotGranted {
        /// The secret.
        name: String,
    },
    /// The secret is bound to other plugins.
    // Guests read it: who the plugin is may tell the path of its file.
    #[error("the secret `{name}` is bound to other plugins (`plugins`)")]
    Plugin {
        /// The secret.
        name: String,
        /// The name that the operator knows the plugin by, if it has one.
        plugin: String,
    },
    /// The secret is bound to other principals.
    #[error(
        "the secret `{name}` is bound to other principals than that of this call (`principals`)"
    )]
    Principal {
        /// The secret.
        name: String,
    },
    /// The secret is bound to principals, and nobody vouches for the one of the call.
    #[error(
        "the secret `{name}` is bound to principals (`principals`), and that of this call is not \
         verified"
    )]
    Unverified {
        /// The secret.
        name: String,
    },
    /// The secret is bound to other hosts.
    #[error("the secret `{name}` may not be sent to `{host}` (`hosts`)")]
    Host {
        /// The secret.
        name: String,
        /// Where the request goes.
        host: String,
    },
    /// The request can be read on its way.
    #[error("the secret `{name}` is sent over TLS only: use `https://`")]
    Insecure {
        /// The secret.
        name: String,
    },
    /// The secret is bound to other headers.
    #[error("the secret `{name}` may not be sent in the header `{header}` (`headers`)")]
    Header {
        /// The secret.
        name: String,
        /// The header.
        header: String,
    },
    /// A placeholder stands where none may.
    #[error(
        "a placeholder of a secret stands in {place}; it may stand in the value of a header only"
    )]
    Misplaced {
        /// Where.
        place: &'static str,
    },
    /// What starts as a placeholder is none.
    #[error("the header `{header}` holds `{{{{secret:` and no name with `}}}}` after it")]
    Malformed {
        /// The header.
        header: String,
    },
    /// The answer would come in pieces, and so would the echo of a secret.
    #[error(
        "the header `{header}` asks a host that secrets may be sent to for a part of its answer, \
         in which the echo of one is not found: ask for the whole"
    )]
    Part {
        /// The header.
        header: String,
    },
    /// There are more placeholders than anybody needs.
    #[error("a request may hold {allowed} placeholders of secrets")]
    TooMany {
        /// How many it may hold.
        allowed: usize,
    },
    /// The value cannot be sent in a header.
    #[error("the secret `{name}` cannot be sent in a header: its value holds a control character")]
    Unsendable {
        /// The secret.
        name: String,
    },
    /// The request holds a value that the host did not put there.
    #[error("{place} of the request holds the value of the secret `{name}`")]
    Leak {
        /// The secret.
        name: String,
        /// Where.
        place: &'static str,
    },
    /// The value is not to be revealed.
    #[error("the secret `{name}` is not revealed to plugins (`reveal`)")]
    NotRevealed {
        /// The secret.
        name: String,
    },
}

impl SecretRefusal {
    /// The secret that is meant, when one is.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::NotGranted { name }
            | Self::Plugin { name, .. }
            | Self::Principal { name }
            | Self::Unverified { name }
            | Self::Host { name, .. }
            | Self::Insecure { name }
            | Self::Header { name, .. }
            | Self::Unsendable { name }
            | Self::Leak { name, .. }
            | Self::NotRevealed { name } => Some(name),
            Self::Misplaced { .. }
            | Self::Malformed { .. }
            | Self::Part { .. }
            | Self::TooMany { .. } => None,
        }
    }

    /// The flag or the line of the configuration file that would allow it. `None`
    /// when nothing does.
    #[must_use]
    pub fn allow_with(&self) -> Option<String> {
        let in_spec = |name: &str, line: String| Some(format!("{line} in [secrets.{name}]"));
        match self {
            Self::NotGranted { name } => Some(format!("--secret {name}")),
            // A file that goes by no name of the configuration, whatever it is called.
            Self::Plugin { name, plugin } if plugin.contains([':', '/']) => in_spec(
                name,
                "--plugin NAME, a name under [plugins] and in plugins".into(),
            ),
            Self::Plugin { name, plugin } => in_spec(name, format!("plugins = [\"{plugin}\"]")),
            Self::Principal { name } => in_spec(name, "principals = [\"ID\"]".into()),
            Self::Unverified { .. } => {
                Some("`verified` in the principal of the call, once it is".into())
            }
            Self::Host { name, host } => in_spec(name, format!("hosts = [\"{host}\"]")),
            Self::Insecure { name } => in_spec(name, "insecure = true".into()),
            Self::Header { name, header } => in_spec(name, format!("headers = [\"{header}\"]")),
            Self::NotRevealed { name } => in_spec(name, "reveal = true".into()),
            Self::Misplaced { .. }
            | Self::Malformed { .. }
            | Self::Part { .. }
            | Self::TooMany { .. }
            | Self::Unsendable { .. }
            | Self::Leak { .. } => None,
        }
    }
}
