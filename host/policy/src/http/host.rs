//! Hosts: how they are written alike, and which of them a pattern is for.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr},
    str::FromStr,
};

use url::Host;

use super::HttpGrantError;

/// The longest name and part of a name in the domain name system, in bytes.
const MAX_NAME: usize = 253;
const MAX_LABEL: usize = 63;

/// The hosts a grant or a secret is for: `api.example.com` or an address, every name
/// below one as in `*.example.com`, or `*`.
///
/// A pattern is read like the host of a URL: names are lower-case and ASCII (`bücher.de`
/// is `xn--bcher-kva.de`), a trailing dot is dropped, and every way to write an address
/// is that address (`0x7f.1` is `127.0.0.1`).
///
/// ```
/// use toolhost_policy::{HostPattern, Url};
///
/// let pattern: HostPattern = "*.Example.com".parse()?;
/// assert_eq!(pattern.to_string(), "*.example.com");
/// assert!(pattern.allows(&Url::parse("https://a.b.example.com/")?));
/// assert!(!pattern.allows(&Url::parse("https://example.com/")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HostPattern {
    /// One name or one address.
    Exact(Host<String>),
    /// Every name that ends with a dot and this one. Not this one, and no address.
    Below(String),
    /// Every host.
    Any,
}

impl HostPattern {
    /// Whether a URL goes to one of these hosts. One without a host does not, nor one
    /// with a host that no grant can name.
    #[must_use]
    pub fn allows(&self, url: &url::Url) -> bool {
        let host = url.host().map(|host| canonical(&host));
        matches!(host, Some(Ok(host)) if self.holds(&host))
    }

    /// Whether the host is one of these.
    pub(super) fn holds(&self, host: &Host<String>) -> bool {
        match self {
            Self::Exact(one) => one == host,
            Self::Below(parent) => matches!(host, Host::Domain(name) if is_below(name, parent)),
            Self::Any => true,
        }
    }

    /// Whether each host of `other` is one of these.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Exact(host)) => self.holds(host),
            (Self::Any, _) => true,
            (Self::Below(parent), Self::Below(name)) => name == parent || is_below(name, parent),
            _ => false,
        }
    }
}

fn is_below(name: &str, parent: &str) -> bool {
    name.strip_suffix(parent)
        .is_some_and(|rest| rest.len() > 1 && rest.ends_with('.'))
}

/// The one way to write a host, so that two that are the same compare as the same.
///
/// # Errors
/// When no such host can exist: what the domain name system cannot carry, and
/// characters that URLs allow but names of hosts do not have. A `$` or a `` ` `` would
/// also end up in flags that people paste into a shell.
pub(super) fn canonical(host: &Host<&str>) -> Result<Host<String>, &'static str> {
    let name = match host {
        Host::Domain(name) => name,
        Host::Ipv4(address) => return Ok(Host::Ipv4(*address)),
        Host::Ipv6(address) => return Ok(Host::Ipv6(*address)),
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.len() > MAX_NAME {
        return Err("a name has at most 253 bytes");
    }
    for label in name.split('.') {
        if label.is_empty() {
            return Err("a part of the name between dots is empty");
        }
        if label.len() > MAX_LABEL {
            return Err("a part of a name has at most 63 bytes");
        }
        // The underscore is no part of a host's name, but names with it are in use.
        let known = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        if !label.bytes().all(known) {
            return Err("a name has letters, digits, `-` and dots");
        }
    }
    Ok(Host::Domain(name.to_owned()))
}

/// The address that a host is, when it is one.
pub(super) fn address(host: &Host<String>) -> Option<IpAddr> {
    match *host {
        Host::Domain(_) => None,
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(address.into()),
    }
}

/// The IPv4 address that an IPv4-mapped one stands for.
pub(super) fn embedded(address: IpAddr) -> Option<Ipv4Addr> {
    match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => address.to_ipv4_mapped(),
    }
}

impl FromStr for HostPattern {
    type Err = HttpGrantError;

    fn from_str(text: &str) -> Result<Self, HttpGrantError> {
        let bad = |problem| HttpGrantError::BadHost {
            host: super::parse::shown(text),
            problem,
        };
        if text == "*" {
            return Ok(Self::Any);
        }
        let (name, below) = match text.strip_prefix("*.") {
            Some(parent) => (parent, true),
            None => (text, false),
        };
        if name.contains('*') {
            return Err(bad(
                "`*` stands alone or for the first part, as in `*.example.com`",
            ));
        }
        if name.is_empty() {
            return Err(bad("write a name such as `api.example.com`"));
        }
        // The parser of hosts would skip these, and read what is left.
        if name.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(bad("a name holds no spaces"));
        }
        let host = Host::parse(name).map_err(|_| {
            bad("write a name such as `api.example.com`, or an address, IPv6 in brackets")
        })?;
        let host = match &host {
            Host::Domain(name) => canonical(&Host::Domain(name)).map_err(bad)?,
            address => address.clone(),
        };
        match (below, host) {
            (false, host) => Ok(Self::Exact(host)),
            (true, Host::Domain(name)) => Ok(Self::Below(name)),
            (true, _) => Err(bad("nothing is below an address")),
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(host) => host.fmt(f),
            Self::Below(parent) => write!(f, "*.{parent}"),
            Self::Any => f.write_str("*"),
        }
    }
}
