//! Whether a request may be sent, and which grant says so.

use std::net::IpAddr;

use url::{Host, Url};

use super::{HostPattern, HttpGrant, Refusal, Why, host, refusal::outline, request::Request};
use crate::{Opens, check_address};

/// A request that may be sent, so far as its method and its URL show. The addresses of
/// its host are still to be checked: [`Allowed::check_address`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowed<'a> {
    /// The grant that decides.
    pub grant: &'a HttpGrant,
    /// Its place among the grants.
    pub index: usize,
    /// The URL as it was understood, without a fragment. This one must be sent: a
    /// server may understand the text it came from in another way.
    pub url: Url,
    /// Whether private addresses are open to it: those of [`Opens::Named`].
    pub allow_private: bool,
}

impl Allowed<'_> {
    /// Checks an address of the host before a socket connects to it, and to no other.
    ///
    /// # Errors
    /// When it is not globally reachable and the grant does not open it.
    pub fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        let Err(special) = check_address(address) else {
            return Ok(());
        };
        let literal = self.literal() == Some(address);
        let opens = match special.opens {
            Opens::Never => false,
            Opens::Named => true,
            Opens::Literal => literal,
        };
        if opens && self.allow_private {
            return Ok(());
        }
        let mut refusal = Refusal::new(Why::Special { address, special }, outline(&self.url));
        if opens && let Some(host) = self.url.host() {
            refusal.grant = host::canonical(&host).ok().map(|host| HttpGrant {
                host: HostPattern::Exact(host),
                // One port, also when the grant is for any: they are those of a
                // private network now.
                port: self.url.port_or_known_default(),
                allow_private: true,
                ..self.grant.clone()
            });
        }
        Err(refusal)
    }

    /// The address in the URL, if there is one and not a name.
    fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        }
    }
}

/// Judges a request by its method and its URL. No grants, no requests.
///
/// When several grants allow it, one with `allow-private` decides, or else the first.
/// A redirect is a request of its own: each hop is judged again.
///
/// ```
/// use toolhost_policy::{HttpGrant, judge};
///
/// let grants: [HttpGrant; 1] = ["https://api.example.com/v1".parse()?];
/// assert!(judge(&grants, "GET", "https://api.example.com/v1/users?page=2").is_ok());
///
/// let refusal = judge(&grants, "POST", "https://api.example.com/v1/users").unwrap_err();
/// assert_eq!(
///     refusal.allow_with().as_deref(),
///     Some(r#"--allow-host "POST https://api.example.com/v1""#)
/// );
/// # Ok::<(), toolhost_policy::HttpGrantError>(())
/// ```
///
/// # Errors
/// When no grant allows it, or nothing could: it names a user, is no request over
/// HTTP, has no method or host that can be granted, or goes to an address that is
/// special. See [`Why`].
pub fn judge<'a>(grants: &'a [HttpGrant], method: &str, url: &str) -> Result<Allowed<'a>, Refusal> {
    let request = Request::read(method, url)?;
    let stages = grants.iter().enumerate();
    let matching = || {
        let all = stages.clone();
        all.filter(|(_, grant)| grant.reached(&request).is_none())
    };
    let decides = matching()
        .find(|(_, grant)| grant.allow_private)
        .or_else(|| matching().next());
    let Some((index, grant)) = decides else {
        return Err(request.refused(grants));
    };
    let allowed = Allowed {
        grant,
        index,
        allow_private: grant.allow_private,
        url: request.url,
    };
    if let Some(address) = allowed.literal() {
        allowed.check_address(address)?;
    }
    Ok(allowed)
}
