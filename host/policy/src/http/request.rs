//! A request as it is understood, and why no grant allows it.

use url::{Host, Url};

use super::{
    HostPattern, HttpGrant, Methods, Part, PathPrefix, Refusal, Scheme, Why, host, method,
    parse::shown,
    path,
    refusal::{outline, outline_text},
};
use crate::{Opens, Special, check_address};

/// The longest URL that is read, in bytes. Guest-controlled; reading one can make it
/// three times as long.
const MAX_URL: usize = 8192;

/// A request that could be granted.
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) url: Url,
    pub(super) scheme: Scheme,
    pub(super) host: Host<String>,
    pub(super) port: u16,
}

impl<'a> Request<'a> {
    /// Reads a request.
    ///
    /// # Errors
    /// When no grant could allow it.
    pub(super) fn read(method: &'a str, text: &str) -> Result<Self, Refusal> {
        let mut url = read_url(text)?;
        let target = format!("{} {}", shown(method), outline(&url));
        let refuse = |why| Refusal::new(why, target.clone());
        let bad_host = |problem| refuse(Why::BadHost { problem });
        let scheme = match url.scheme() {
            "https" => Scheme::Https,
            "http" => Scheme::Http,
            _ => return Err(refuse(Why::NotHttp)),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refuse(Why::Userinfo));
        }
        let host = url.host().ok_or_else(|| bad_host("it is empty"))?;
        let host = host::canonical(&host).map_err(bad_host)?;
        let port = url.port().unwrap_or(scheme.default_port());
        if port == 0 {
            return Err(bad_host("nothing listens on port 0"));
        }
        if let Some(problem) = method::problem(method) {
            let method = shown(method);
            return Err(refuse(Why::BadMethod { method, problem }));
        }
        // The same name without its trailing dot, as certificates and grants have it.
        if let Host::Domain(name) = &host {
            url.set_host(Some(name))
                .map_err(|_| bad_host("it cannot be written without its trailing dot"))?;
        }
        url.set_fragment(None);
        Ok(Self {
            method,
            url,
            scheme,
            host,
            port,
        })
    }

    /// Why no grant allows it, by the grant that comes closest.
    pub(super) fn refused(&self, grants: &[HttpGrant]) -> Refusal {
        let refuse = |why| Refusal::new(why, self.target());
        let special = host::address(&self.host)
            .and_then(|address| Some((address, check_address(address).err()?)));
        if let Some((
            address,
            special @ Special {
                opens: Opens::Never,
                ..
            },
        )) = special
        {
            return refuse(Why::Special { address, special });
        }
        let reached = grants.iter().enumerate().rev();
        let nearest = reached
            .filter_map(|(index, grant)| Some((grant.reached(self)?, index, grant)))
            .max_by_key(|(part, ..)| *part);
        let part = nearest.map_or(Part::Host, |(part, ..)| part);
        let near = nearest.filter(|_| part > Part::Host);
        if part == Part::Path && path::hides_dots(self.url.path()) {
            let mut refusal = refuse(Why::HiddenDots);
            refusal.nearest = near.map(|(_, index, _)| index);
            return refusal;
        }
        let path = match near {
            Some((Part::Path, ..)) => PathPrefix::suggested(self.url.path()),
            Some((Part::Method, _, grant)) if grant.path.allows(self.url.path()) => {
                grant.path.clone()
            }
            _ => PathPrefix::default(),
        };
        let grant = HttpGrant {
            methods: Methods::suggested(self.method),
            scheme: self.scheme,
            host: HostPattern::Exact(self.host.clone()),
            port: Some(self.port),
            path,
            // Without it, the next refusal would be for the address.
            allow_private: special.is_some() || is_private(&self.host, grants),
        };
        let mut refusal = refuse(Why::NotGranted {
            part,
            value: self.part(part),
        });
        refusal.nearest = near.map(|(_, index, _)| index);
        refusal.grant = grant.reached(self).is_none().then_some(grant);
        refusal
    }

    fn target(&self) -> String {
        format!("{} {}", self.method, outline(&self.url))
    }

    fn part(&self, part: Part) -> String {
        match part {
            Part::Host => self.host.to_string(),
            Part::Scheme => format!("{}://", self.scheme.name()),
            Part::Port => self.port.to_string(),
            Part::Method => self.method.to_owned(),
            Part::Path => shown(self.url.path()),
        }
    }
}

/// Whether a name is known to have a private address, before it is looked up: it is
/// this machine's own (RFC 6761, section 6.3), or the operator says so in a grant.
fn is_private(host: &Host<String>, grants: &[HttpGrant]) -> bool {
    let local =
        matches!(host, Host::Domain(name) if name == "localhost" || name.ends_with(".localhost"));
    let said = |grant: &HttpGrant| grant.allow_private && grant.host.holds(host);
    local || grants.iter().any(said)
}

fn read_url(text: &str) -> Result<Url, Refusal> {
    let why = if text.len() > MAX_URL {
        Why::TooLong { most: MAX_URL }
    } else {
        match Url::parse(text) {
            Ok(url) => return Ok(url),
            Err(error) => Why::NoUrl {
                problem: error.to_string(),
            },
        }
    };
    Err(Refusal::new(why, outline_text(text)))
}

impl HttpGrant {
    /// The first part of the request that this grant does not allow, if there is one.
    pub(super) fn reached(&self, request: &Request<'_>) -> Option<Part> {
        let parts = [
            (Part::Host, self.host.holds(&request.host)),
            (Part::Scheme, self.scheme == request.scheme),
            (
                Part::Port,
                self.port.is_none_or(|port| port == request.port),
            ),
            (Part::Method, self.methods.allow(request.method)),
            (Part::Path, self.path.allows(request.url.path())),
        ];
        parts
            .into_iter()
            .find_map(|(part, allowed)| (!allowed).then_some(part))
    }
}
