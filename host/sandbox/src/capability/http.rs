//! `wasi:http`, outgoing: what a guest may send is judged by the grants, each request
//! by itself. A redirect is not followed; it is the guest's to follow, as a request
//! that is judged like any other. There are no cookies, no proxies from the
//! environment, and no connection that two requests share. HTTP/1.1 is spoken, over TLS
//! too.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `exchange` | one request and the head of its response |
//! | `outgoing` | the request as it leaves |
//! | `resolve`, `tls`, `connect` | names to checked addresses, to a connection |
//! | `wire` | the connection, counted |
//! | `reply`, `mask` | the response, without the secrets that were put in |
//! | `tally`, `patience` | the limits: how much, how long |
//! | `fault` | what the guest is told when it fails |
//! | `types` | the rest of the interface |

mod connect;
mod exchange;
mod fault;
mod mask;
mod outgoing;
mod patience;
mod reply;
mod resolve;
mod tally;
mod tls;
mod types;
mod wire;

use std::sync::Arc;

use http::uri::Scheme;
use http::{HeaderName, Method, Request, Response};
use toolhost_policy::{CallSecrets, Grants, Limits, Position, Url, judge};
use toolhost_tool::{Denial, EffectKind};
use wasmtime_wasi_http::{Error, ForbiddenHeaderFilter, RequestOptions, WasiBody, WasiHttpHooks};

use crate::ledger::Ledger;
pub(crate) use connect::Network;
use exchange::Exchange;
use patience::Times;
use tally::Tally;
pub(crate) use types::add_to_linker;
use wire::Progress;

/// What is left to do when the head of a response is there: keep the connection
/// going while the body is read.
type Sending = Box<dyn Future<Output = Result<(), Error>> + Send>;

type Answer = Result<(Response<WasiBody>, Sending), Error>;

/// Bytes of a request's body that a guest may write at once; the host holds two
/// such pieces for each body that is open, sent or not.
const CHUNK_BYTES: usize = 8 * 1024;

/// The network as one call has it.
pub(crate) struct HttpCtx {
    network: Arc<Network>,
    grants: Arc<Grants>,
    ledger: Ledger,
    secrets: Option<CallSecrets>,
    tally: Arc<Tally>,
    /// Bytes that went into lists of headers.
    field_bytes: u64,
}

impl HttpCtx {
    /// The network for a call; without `secrets`, placeholders stay what they are.
    pub(crate) fn new(
        network: Arc<Network>,
        grants: Arc<Grants>,
        limits: &Limits,
        ledger: Ledger,
        secrets: Option<CallSecrets>,
    ) -> Self {
        let redactor = secrets.as_ref().map(|secrets| secrets.redactor().clone());
        let redactor = redactor.unwrap_or_default();
        Self {
            network,
            grants,
            ledger,
            secrets,
            tally: Arc::new(Tally::new(limits, redactor)),
            field_bytes: 0,
        }
    }

    /// Counts bytes that go into a list of headers, and returns all so far.
    fn take_field_bytes(&mut self, bytes: u64) -> u64 {
        self.field_bytes = self.field_bytes.saturating_add(bytes);
        self.field_bytes
    }

    /// What was refused.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.tally.denials()
    }

    /// Judges a request, before anything of it leaves.
    fn admit(
        &self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
    ) -> Result<Exchange, Error> {
        let method = request.method();
        let uri = request.uri().to_string();
        let allowed = judge(&self.grants.http, method.as_str(), &uri).map_err(|refusal| {
            self.tally.refuse(&refusal);
            Error::HttpRequestDenied
        })?;
        let (url, index) = (allowed.url, allowed.index);
        let place = self.tally.enter()?;
        let act = self.ledger.begin(EffectKind::Http, target(method, &url));
        Ok(Exchange {
            times: Times::new(&self.tally.limits, options),
            request,
            url,
            grants: Arc::clone(&self.grants),
            index,
            network: Arc::clone(&self.network),
            secrets: self.secrets.clone(),
            tally: Arc::clone(&self.tally),
            progress: Arc::new(Progress::new(act)),
            place,
        })
    }
}

/// A request for a reader. What follows the path may hold what nobody shall read.
fn target(method: &Method, url: &Url) -> String {
    format!("{method} {}", &url[..Position::AfterPath])
}

impl WasiHttpHooks for HttpCtx {
    fn is_forbidden_header(&mut self, name: &HeaderName) -> bool {
        outgoing::is_forbidden(name)
    }

    fn forbidden_header_filter(&mut self) -> ForbiddenHeaderFilter {
        Arc::new(outgoing::is_forbidden)
    }

    fn is_supported_scheme(&mut self, _: &Scheme) -> bool {
        // All of them are judged, so that a refusal is recorded.
        true
    }

    fn set_host_header(&mut self) -> bool {
        false
    }

    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Sending,
    ) -> Box<dyn Future<Output = Answer> + Send> {
        match self.admit(request, options) {
            Ok(exchange) => Box::new(exchange.run()),
            Err(error) => Box::new(async { Err(error) }),
        }
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK_BYTES
    }
}
