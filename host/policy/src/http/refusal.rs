//! Why a request may not be sent, and which grant would let it through.

use std::{fmt, net::IpAddr};

use url::Url;

use super::{HttpGrant, parse::shown};
use crate::Special;

/// A request that is not allowed. Its text is for the operator: it may tell which
/// address a name has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    why: Why,
    target: String,
    pub(super) nearest: Option<usize>,
    pub(super) grant: Option<HttpGrant>,
}

impl Refusal {
    pub(super) fn new(why: Why, target: String) -> Self {
        Self {
            why,
            target,
            nearest: None,
            grant: None,
        }
    }

    /// What is in the way.
    #[must_use]
    pub fn why(&self) -> &Why {
        &self.why
    }

    /// What was asked for, bounded and without user, password and query: those may hold
    /// what nobody shall read.
    #[must_use]
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The place of the grant that comes closest, if one is for that host.
    #[must_use]
    pub fn nearest(&self) -> Option<usize> {
        self.nearest
    }

    /// The narrowest sensible grant that would allow the request. There is none when
    /// nothing can, and none is offered for a path that hides `..`.
    #[must_use]
    pub fn grant(&self) -> Option<&HttpGrant> {
        self.grant.as_ref()
    }

    /// The flag that would allow it, as in `--allow-host "POST https://api.example.com/"`.
    #[must_use]
    pub fn allow_with(&self) -> Option<String> {
        self.grant.as_ref().map(HttpGrant::flag)
    }
}

/// What is in the way of a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// Its URL is longer than any that is read.
    #[error("the URL is longer than {most} bytes")]
    TooLong {
        /// The most that is read.
        most: usize,
    },
    /// Its URL is none.
    #[error("the URL cannot be read: {problem}")]
    NoUrl {
        /// What the parser says.
        problem: String,
    },
    /// Its URL is not for HTTP.
    #[error("only `https://` and `http://` can be granted")]
    NotHttp,
    /// Its URL holds `user:password@`, which would travel to whatever host follows.
    #[error("a URL with a user or a password is not sent: use a header")]
    Userinfo,
    /// No grant can name its host.
    #[error("the host of the URL cannot be one: {problem}")]
    BadHost {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// No grant can name its method.
    #[error("the method `{method}` is never sent: {problem}")]
    BadMethod {
        /// The method, bounded.
        method: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Its path is below that of a grant only until somebody decodes it once more.
    #[error("the path hides `.` or `..`, and a server may read it as another path")]
    HiddenDots,
    /// No grant allows all of it.
    #[error("{part} `{value}`")]
    NotGranted {
        /// The first part that the closest grant does not allow.
        part: Part,
        /// That part of the request.
        value: String,
    },
    /// It goes to an address that is not globally reachable.
    #[error("{address} is not a public address ({special})")]
    Special {
        /// The address, from the URL or from the name's resolution.
        address: IpAddr,
        /// What it is.
        special: Special,
    },
}

/// A part of a request, in the order in which a grant looks at them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Its host: no grant is for it.
    Host,
    /// Its scheme.
    Scheme,
    /// Its port.
    Port,
    /// Its method.
    Method,
    /// Its path.
    Path,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Host => "no grant allows the host",
            Self::Scheme => "the grants for this host do not allow",
            Self::Port => "the grants for this host do not allow the port",
            Self::Method => "the grants for this host do not allow the method",
            Self::Path => "the grants for this host do not allow the path",
        })
    }
}

/// A URL for a reader: bounded, without what may be secret.
pub(super) fn outline(url: &Url) -> String {
    if url.cannot_be_a_base() {
        return shown(&format!("{}:…", url.scheme()));
    }
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| format!(":{port}"));
    let port = port.unwrap_or_default();
    let slashes = if host.is_empty() { "" } else { "//" };
    shown(&format!(
        "{}:{slashes}{host}{port}{}",
        url.scheme(),
        url.path()
    ))
}

/// The same for a text that is no URL, so that nobody knows where in it a password
/// would be: all of it is left out if there could be one.
pub(super) fn outline_text(text: &str) -> String {
    if text.contains('@') {
        return "…".into();
    }
    let end = text.find(['?', '#']).unwrap_or(text.len());
    shown(&text[..end])
}
