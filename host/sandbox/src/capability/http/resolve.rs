//! Names to addresses: looked up once, by the system, each address checked before
//! any is used. No second lookup, so nothing can be another address then.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};
use toolhost_policy::{Allowed, Host};
use wasmtime_wasi_http::Error;

use super::tally::{Place, Tally};

/// Most lookups at a time in the whole process. The system's lookup cannot be
/// stopped, so each holds a thread until it is through.
const MAX_LOOKUPS: usize = 32;

/// Most addresses that a name may have. All are checked.
const MAX_ADDRESSES: usize = 256;

/// Looks up names.
pub(super) struct Resolver {
    threads: Arc<Semaphore>,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Self {
            threads: Arc::new(Semaphore::new(MAX_LOOKUPS)),
        }
    }

    /// The addresses of the host of a request, all of them allowed. A name that has
    /// one forbidden address among others has none.
    pub(super) async fn addresses(
        &self,
        allowed: &Allowed<'_>,
        place: &Place,
        tally: &Tally,
    ) -> Result<Vec<SocketAddr>, Error> {
        let url = &allowed.url;
        let port = url
            .port_or_known_default()
            .ok_or(Error::HttpRequestUriInvalid)?;
        let found = match url.host().ok_or(Error::HttpRequestUriInvalid)? {
            Host::Ipv4(address) => vec![SocketAddr::from((address, port))],
            Host::Ipv6(address) => vec![SocketAddr::from((address, port))],
            Host::Domain(name) => self.look_up(name.to_owned(), port, place.clone()).await?,
        };
        check(&found, allowed, tally)?;
        Ok(found)
    }

    /// A lookup that nobody waits for any more still takes the `place` of its request:
    /// a guest cannot start one after the other and give each up.
    async fn look_up(
        &self,
        name: String,
        port: u16,
        place: Place,
    ) -> Result<Vec<SocketAddr>, Error> {
        let threads = Arc::clone(&self.threads);
        // Never closed.
        let thread = threads.acquire_owned().await;
        let held = (thread.map_err(|_| Error::DnsTimeout)?, place);
        let (answer, answered) = oneshot::channel();
        // A thread of its own, not one of the runtime's: a lookup that hangs must
        // neither hold up the files of other calls nor the end of the process.
        let thread = std::thread::Builder::new().name("lookup".into());
        let look_up = move || {
            let found = (name.as_str(), port).to_socket_addrs();
            let found = found.map(|found| found.take(MAX_ADDRESSES + 1).collect());
            drop(held);
            // Nobody listens any more once the call is over.
            let _: Result<(), _> = answer.send(found);
        };
        thread.spawn(look_up).map_err(|error| failed(&error))?;
        let found = answered.await.map_err(|_| no_address("lookup failed"))?;
        found.map_err(|error| failed(&error))
    }
}

fn check(found: &[SocketAddr], allowed: &Allowed<'_>, tally: &Tally) -> Result<(), Error> {
    if found.is_empty() || found.len() > MAX_ADDRESSES {
        return Err(no_address("address not available"));
    }
    let refused = found
        .iter()
        .find_map(|address| allowed.check_address(address.ip()).err());
    match refused {
        None => Ok(()),
        Some(refusal) => {
            tally.refuse(&refusal);
            Err(Error::DestinationIpProhibited)
        }
    }
}

fn failed(error: &io::Error) -> Error {
    tracing::debug!("a name cannot be looked up: {error}");
    no_address("address not available")
}

fn no_address(rcode: &str) -> Error {
    Error::DnsError {
        rcode: Some(rcode.into()),
        info_code: None,
    }
}

#[cfg(test)]
mod tests {
    use toolhost_policy::{HttpGrant, Limits, Redactor, judge};

    use super::*;

    #[test]
    fn one_private_address_among_public_ones_refuses_all() {
        let url = "https://example.com/";
        let grant: HttpGrant = url.parse().unwrap();
        let named = grant.clone().allow_private().unwrap();
        let public: SocketAddr = "9.9.9.9:443".parse().unwrap();
        let also: SocketAddr = "[2620:fe::fe]:443".parse().unwrap();
        let private: SocketAddr = "10.0.0.1:443".parse().unwrap();
        let metadata: SocketAddr = "169.254.169.254:443".parse().unwrap();
        for (grant, found, fine) in [
            (&grant, vec![public, also], true),
            (&grant, vec![public, also, private], false),
            (&grant, vec![], false),
            (&grant, vec![public; MAX_ADDRESSES + 1], false),
            (&named, vec![public, private], true),
            (&named, vec![public, metadata], false),
        ] {
            let grants = [grant.clone()];
            let allowed = judge(&grants, "GET", url).unwrap();
            let tally = Tally::new(&Limits::default(), Redactor::default());
            let checked = check(&found, &allowed, &tally);
            assert_eq!(checked.is_ok(), fine, "{found:?}");
        }
    }
}
