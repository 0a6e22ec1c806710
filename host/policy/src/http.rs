//! Which requests a plugin may send: none, unless a grant allows it.
//!
//! | part of a grant | example | left out |
//! |---|---|---|
//! | methods | `GET,POST` or `*` | GET and HEAD: reading |
//! | scheme | `https://` or `http://` | `https://` |
//! | host | `api.example.com`, `*.example.com`, `*` | an error |
//! | port | `:8443`, or `:*` for any | the port of the scheme, and no other |
//! | path | `/v1`: it and what is below it | every path |
//!
//! A grant and a URL are read by the same rules, those of browsers (the WHATWG URL
//! standard), before they are compared: `0x7f.1`, full-width digits, a trailing dot
//! and `\` mean one thing in both. What is judged is what must be sent: callers send
//! [`Allowed::url`](crate::Allowed::url) and never the text they were given.

mod error;
mod host;
mod judge;
mod method;
mod overlap;
mod parse;
mod path;
mod refusal;
mod request;
mod written;

use std::fmt;

pub use error::HttpGrantError;
pub use host::HostPattern;
pub use judge::{Allowed, judge};
pub use method::Methods;
pub use path::PathPrefix;
pub use refusal::{Part, Refusal, Why};

use crate::{Opens, check_address};

/// Permission to send some requests to a host, or to the hosts of a pattern.
///
/// As text it is `[METHODS ]SCHEME://HOST[:PORT][/PATH]`; a file may also say
/// `{ allow = TEXT, allow-private = true }`.
///
/// ```
/// use toolhost_policy::HttpGrant;
///
/// let grant: HttpGrant = "GET,POST https://API.example.com./v1/".parse()?;
/// assert_eq!(grant.to_string(), "GET,POST https://api.example.com/v1");
///
/// let grant: HttpGrant = "*.example.org".parse()?;
/// assert_eq!(grant.to_string(), "https://*.example.org/");
/// # Ok::<(), toolhost_policy::HttpGrantError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HttpGrant {
    methods: Methods,
    scheme: Scheme,
    host: HostPattern,
    /// `None` is any.
    port: Option<u16>,
    path: PathPrefix,
    allow_private: bool,
}

/// How a request travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Over TLS. The default.
    Https,
    /// In the clear.
    Http,
}

impl Scheme {
    /// Its name, as in a URL.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    /// The port that a URL of this scheme means when it names none.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

impl HttpGrant {
    /// The methods a request may have.
    #[must_use]
    pub fn methods(&self) -> &Methods {
        &self.methods
    }

    /// How a request must travel.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The hosts it may go to.
    #[must_use]
    pub fn host(&self) -> &HostPattern {
        &self.host
    }

    /// The port it must go to; `None` is any.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The paths it may ask for.
    #[must_use]
    pub fn path(&self) -> &PathPrefix {
        &self.path
    }

    /// Whether the host may have an address that is not globally reachable.
    #[must_use]
    pub fn allows_private(&self) -> bool {
        self.allow_private
    }

    /// This grant, for a host whose address may be one of a private network, of this
    /// machine or of the local link. A grant does not allow that by itself.
    ///
    /// The metadata addresses of clouds stay closed unless the host is that very
    /// address, and what is never a peer (multicast, the unspecified address,
    /// reserved ranges) stays closed for good: see [`Opens`].
    ///
    /// # Errors
    /// When the host is a pattern, for then the plugin or anyone with a name below it
    /// would choose the address, and when the host is an address that never opens.
    pub fn allow_private(self) -> Result<Self, HttpGrantError> {
        let HostPattern::Exact(host) = &self.host else {
            return Err(HttpGrantError::PrivatePattern {
                host: self.host.to_string(),
            });
        };
        if let Some(address) = host::address(host)
            && let Err(special) = check_address(address)
            && special.opens == Opens::Never
        {
            let host = host.to_string();
            let mapped = host::embedded(address).map(|address| address.to_string());
            return Err(HttpGrantError::NeverOpens {
                host,
                special,
                mapped,
            });
        }
        Ok(Self {
            allow_private: true,
            ..self
        })
    }

    /// The flag of a call that gives this grant.
    ///
    /// It can be pasted into a shell: no part of a grant holds a quote, or what a
    /// shell replaces between quotes.
    #[must_use]
    pub fn flag(&self) -> String {
        let flag = if self.allow_private {
            "--allow-private-host"
        } else {
            "--allow-host"
        };
        format!("{flag} \"{self}\"")
    }
}

impl fmt::Display for HttpGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            methods,
            scheme,
            host,
            port,
            path,
            // Another flag, and a key of its own in a file.
            allow_private: _,
        } = self;
        if *methods != Methods::default() {
            write!(f, "{methods} ")?;
        }
        write!(f, "{}://{host}", scheme.name())?;
        match port {
            None => f.write_str(":*")?,
            Some(port) if *port != scheme.default_port() => write!(f, ":{port}")?,
            Some(_) => {}
        }
        write!(f, "{path}")
    }
}

#[cfg(test)]
mod tests;
