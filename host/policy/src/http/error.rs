//! What is wrong with a grant for the network.

use crate::Special;

/// A grant for the network that cannot be meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpGrantError {
    /// It is longer than any grant.
    #[error("the grant is longer than {most} bytes: write a shorter one")]
    TooLong {
        /// The most that is read.
        most: usize,
    },
    /// It holds a byte that no URL holds.
    #[error("`{text}` holds {what}: leave it out")]
    BadCharacter {
        /// What was written, with what cannot be seen made visible.
        text: String,
        /// What must go.
        what: &'static str,
    },
    /// It is not a request over HTTP.
    #[error("the scheme `{scheme}` cannot be granted: write `https://` or `http://`")]
    BadScheme {
        /// What was written.
        scheme: String,
    },
    /// A method cannot be one.
    #[error("`{method}` cannot be granted as a method: {problem}")]
    BadMethod {
        /// What was written.
        method: String,
        /// What is wrong, and what to write.
        problem: &'static str,
    },
    /// There is no host, or it cannot be one.
    #[error("`{host}` cannot be a host: {problem}")]
    BadHost {
        /// What was written.
        host: String,
        /// What is wrong, and what to write.
        problem: &'static str,
    },
    /// It names a user.
    #[error(
        "a grant names no user: leave out what stands before `@`, and give passwords as secrets"
    )]
    Userinfo,
    /// The port is none.
    #[error("`{port}` cannot be a port: write a number from 1 to 65535, or `*` for any")]
    BadPort {
        /// What was written.
        port: String,
    },
    /// The path cannot be a prefix.
    #[error("`{path}` cannot be the path of a grant: {problem}")]
    BadPath {
        /// What was written.
        path: String,
        /// What is wrong, and what to write.
        problem: &'static str,
    },
    /// A pattern shall reach private addresses.
    #[error(
        "`allow-private` needs one host, not `{host}`: name each host that may have a private address"
    )]
    PrivatePattern {
        /// The pattern.
        host: String,
    },
    /// An address shall be opened that no grant opens.
    #[error("no grant opens `{host}` ({special}){}", write_instead(mapped.as_deref()))]
    NeverOpens {
        /// The address.
        host: String,
        /// Why it is closed.
        special: Special,
        /// The IPv4 address in it, when it only dresses one up.
        mapped: Option<String>,
    },
}

fn write_instead(mapped: Option<&str>) -> String {
    match mapped {
        Some(address) => format!(": write `{address}`"),
        None => ": leave the grant out".into(),
    }
}
