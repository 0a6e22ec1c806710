//! A connection for one request: look up, check, connect, agree on TLS, all within
//! one time. No connection is kept for another request: the next one may be another
//! plugin's, and each is judged by itself.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use tokio::net::TcpStream;
use tokio::time::{timeout, timeout_at};
use toolhost_policy::Allowed;
use toolhost_tool::Denial;
use wasmtime_wasi_http::Error;

use super::patience::Patience;
use super::resolve::Resolver;
use super::tally::{Limit, Place, Tally};
use super::tls::Tls;
use super::wire::Stream;
use crate::error::SetupError;

/// Most addresses of a name that are tried, one after the other.
const MAX_TRIED: usize = 4;

/// What the requests of all calls share.
pub(crate) struct Network {
    resolver: Resolver,
    tls: Tls,
}

impl Network {
    /// Sets up the network with further roots of trust from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or holds no root.
    pub(crate) fn new(ca_file: Option<&Path>) -> Result<Self, SetupError> {
        Ok(Self {
            resolver: Resolver::new(),
            tls: Tls::new(ca_file)?,
        })
    }

    /// Connects to the host of a request.
    pub(super) async fn connect(
        &self,
        allowed: &Allowed<'_>,
        patience: Patience,
        place: &Place,
        tally: &Tally,
    ) -> Result<Box<dyn Stream>, Error> {
        let deadline = patience.until(Instant::now());
        let addresses = self.resolver.addresses(allowed, place, tally);
        let Ok(addresses) = timeout_at(deadline.into(), addresses).await else {
            patience.is_over(Limit::Connect, tally);
            return Err(Error::DnsTimeout);
        };
        let late = || patience.is_over(Limit::Connect, tally);
        let stream = dial(&addresses?, deadline, late).await?;
        // What is written goes out; bodies are written in large pieces anyway.
        let _: Result<(), _> = stream.set_nodelay(true);
        if allowed.url.scheme() != "https" {
            return Ok(Box::new(stream));
        }
        let agreed = self.tls.connect(&allowed.url, stream);
        match timeout_at(deadline.into(), agreed).await {
            Err(_) => Err(patience.is_over(Limit::Connect, tally)),
            Ok(Ok(stream)) => Ok(Box::new(stream)),
            Ok(Err(untrusted)) => {
                if untrusted.unknown_issuer {
                    tally.deny(Denial {
                        capability: "http".into(),
                        target: format!("{} (its certificate is not trusted)", origin(allowed)),
                        allow_with: Some("--ca-file FILE".into()),
                    });
                }
                Err(untrusted.error)
            }
        }
    }
}

fn origin(allowed: &Allowed<'_>) -> String {
    allowed.url.origin().ascii_serialization()
}

/// Tries the addresses in the system's order. None may take the time of all.
async fn dial(
    addresses: &[SocketAddr],
    deadline: Instant,
    late: impl Fn() -> Error,
) -> Result<TcpStream, Error> {
    let tried = &addresses[..addresses.len().min(MAX_TRIED)];
    let mut last = None;
    for (index, address) in tried.iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(tried.len() - index).unwrap_or(1);
        match timeout(share, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = Some(fault(&error)),
            Err(_) => last = None,
        }
    }
    Err(last.unwrap_or_else(late))
}

fn fault(error: &std::io::Error) -> Error {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::ConnectionRefused => Error::ConnectionRefused,
        ErrorKind::TimedOut => Error::ConnectionTimeout,
        _ => Error::DestinationUnavailable,
    }
}
