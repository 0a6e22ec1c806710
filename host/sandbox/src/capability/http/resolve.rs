//! Names to addresses: looked up once, by the system, each address checked before
//! any is used. No second lookup, so nothing can be another address then.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};
use toolhost_policy::{Allowed, Host};
use wasmtime_wasi_http::Error;

use super::tally::Tally;

/// Most lookups at a time in the whole process. The system's lookup cannot be
/// stopped, so each holds a thread until it is through.
const MAX_LOOKUPS: usize = 32;

/// Most addresses that a name may have. All are checked.
const MAX_ADDRESSES: usize = 256;

/// Looks up names.
pub(super) struct Resolver {
    places: Arc<Semaphore>,
}

impl Resolver {
    pub(super) fn new() -> Self {
        Self {
            places: Arc::new(Semaphore::new(MAX_LOOKUPS)),
        }
    }

    /// The addresses of the host of a request, all of them allowed. A name that has
    /// one forbidden address among others has none.
    pub(super) async fn addresses(
        &self,
        allowed: &Allowed<'_>,
        tally: &Tally,
    ) -> Result<Vec<SocketAddr>, Error> {
        let url = &allowed.url;
        let port = url.port_or_known_default().ok_or(Error::HttpRequestUriInvalid)?;
        let found = match url.host().ok_or(Error::HttpRequestUriInvalid)? {
            Host::Ipv4(address) => vec![SocketAddr::from((address, port))],
            Host::Ipv6(address) => vec![SocketAddr::from((address, port))],
            Host::Domain(name) => self.look_up(name.to_owned(), port).await?,
        };
        if found.is_empty() || found.len() > MAX_ADDRESSES {
            return Err(no_address("address not available"));
        }
        for address in &found {
            allowed.check_address(address.ip()).map_err(|refusal| {
                tally.refuse(&refusal);
                Error::DestinationIpProhibited
            })?;
        }
        Ok(found)
    }

    async fn look_up(&self, name: String, port: u16) -> Result<Vec<SocketAddr>, Error> {
        let places = Arc::clone(&self.places);
        // Never closed.
        let place = places.acquire_owned().await.map_err(|_| Error::DnsTimeout)?;
        let (answer, answered) = oneshot::channel();
        // A thread of its own, not one of the runtime's: a lookup that hangs must
        // neither hold up the files of other calls nor the end of the process.
        let thread = std::thread::Builder::new().name("lookup".into());
        let look_up = move || {
            let found = (name.as_str(), port).to_socket_addrs();
            let found = found.map(|found| found.take(MAX_ADDRESSES + 1).collect());
            drop(place);
            // Nobody listens any more once the call is over.
            let _: Result<(), _> = answer.send(found);
        };
        thread.spawn(look_up).map_err(|error| failed(&error))?;
        let found = answered.await.map_err(|_| no_address("lookup failed"))?;
        found.map_err(|error| failed(&error))
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
