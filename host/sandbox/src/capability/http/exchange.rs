//! One request and the head of its response. All of it is one future: whoever drops
//! it ends lookup, connection and request, and no task is left behind.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, Connection};
use tokio::time::timeout_at;
use toolhost_policy::{Allowed, CallSecrets, Grants, Url};
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::{Error, WasiBody};

use super::Sending;
use super::connect::Network;
use super::fault;
use super::mask::{Masked, mask_fields};
use super::outgoing::{self, Outgoing};
use super::patience::Times;
use super::reply::{self, Reply};
use super::tally::{Limit, Place, Tally};
use super::wire::{Progress, Wire};

/// Least buffer that hyper works with.
const MIN_BUFFER: usize = 8 * 1024;

/// A request that was judged and may be sent.
pub(super) struct Exchange {
    pub(super) request: Request<WasiBody>,
    /// Where it goes, and by which of the grants.
    pub(super) url: Url,
    pub(super) grants: Arc<Grants>,
    pub(super) index: usize,
    pub(super) secrets: Option<CallSecrets>,
    pub(super) times: Times,
    pub(super) network: Arc<Network>,
    pub(super) tally: Arc<Tally>,
    pub(super) progress: Arc<Progress>,
    pub(super) place: Place,
}

type Conn = Connection<TokioIo<Wire>, Outgoing>;

impl Exchange {
    /// Sends it and waits for the head of the response. The body is read by the
    /// guest, while the future that comes with it keeps the connection going.
    pub(super) async fn run(self) -> Result<(Response<WasiBody>, Sending), Error> {
        let grant = self.grants.http.get(self.index);
        let grant = grant.ok_or(Error::HttpRequestDenied)?;
        let allowed = Allowed {
            grant,
            index: self.index,
            url: self.url,
            allow_private: grant.allows_private(),
        };
        let (tally, times) = (&self.tally, self.times);
        let secrets = self.secrets.as_ref();
        let request = outgoing::prepare(self.request, &allowed.url, secrets, tally)?;
        let request = settle(request, times, tally).await?;
        let network = self.network;
        let stream = network.connect(&allowed, times.connect, &self.place, tally);
        let stream = stream.await?;
        let wire = Wire::new(stream, Arc::clone(tally), Arc::clone(&self.progress));
        let (mut response, connection) = send(wire, request, times, tally, &self.progress).await?;
        self.progress.answered();
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Error::HttpUpgradeFailed);
        }
        reply::check(response.headers(), tally)?;
        if secrets.is_some_and(|secrets| secrets.may_go_to(&allowed.url)) {
            reply::check_readable(&response, &allowed.url, tally)?;
        }
        let mask = secrets.and_then(CallSecrets::mask);
        if let Some(mask) = &mask {
            mask_fields(response.headers_mut(), mask);
        }
        let body = |body| {
            let reply = Reply::new(
                body,
                times.between_bytes,
                self.tally,
                self.progress,
                self.place,
            );
            match mask {
                Some(mask) => Masked::new(reply, mask).boxed_unsync(),
                None => reply.boxed_unsync(),
            }
        };
        let sending = async move {
            if let Some(connection) = connection {
                // The body of the response tells the guest what went wrong.
                let _: Result<(), _> = connection.await;
            }
            Ok(())
        };
        Ok((response.map(body), Box::new(sending)))
    }
}

/// Waits for the first piece of a body where none is expected.
async fn settle(
    request: Request<Outgoing>,
    times: Times,
    tally: &Tally,
) -> Result<Request<Outgoing>, Error> {
    let until = times.first_byte.until(Instant::now());
    match timeout_at(until.into(), outgoing::settle(request)).await {
        Ok(request) => request,
        Err(_) => Err(times.first_byte.is_over(Limit::FirstByte, tally)),
    }
}

async fn send(
    wire: Wire,
    request: Request<Outgoing>,
    times: Times,
    tally: &Tally,
    progress: &Progress,
) -> Result<(Response<Incoming>, Option<Conn>), Error> {
    let fault = |error: &hyper::Error| fault::of_hyper(error, tally, progress);
    let built = builder(tally).handshake(TokioIo::new(wire)).await;
    let (mut sender, connection) = built.map_err(|error| fault(&error))?;
    let mut connection: Option<Conn> = Some(connection);
    let mut answer = std::pin::pin!(sender.send_request(request));
    let mut broken = None;
    loop {
        tokio::select! {
            biased;
            answer = &mut answer => return match answer {
                Ok(response) => Ok((response, connection)),
                // The connection knows more of it.
                Err(error) => Err(fault(broken.as_ref().unwrap_or(&error))),
            },
            // Once it has ended, the answer is there or will never be.
            ended = drive(&mut connection), if connection.is_some() => {
                connection = None;
                broken = ended.err();
            }
            () = silence(progress, times) => {
                return Err(times.first_byte.is_over(Limit::FirstByte, tally));
            }
        }
    }
}

fn builder(tally: &Tally) -> Builder {
    let fields = usize::try_from(tally.limits.http_fields).unwrap_or(usize::MAX);
    let mut builder = Builder::new();
    builder
        .max_headers(tally.limits.http_field_count as usize)
        .max_header_size(fields)
        .max_buf_size(fields.max(MIN_BUFFER));
    builder
}

async fn drive(connection: &mut Option<Conn>) -> hyper::Result<()> {
    match connection {
        Some(connection) => connection.await,
        None => std::future::pending().await,
    }
}

/// Over once nothing has been sent for as long as the server may be silent. Interim
/// responses (1xx) do not count: a server could send them for ever.
async fn silence(progress: &Progress, times: Times) {
    loop {
        let until = times.first_byte.until(progress.last_sent());
        if until <= Instant::now() {
            return;
        }
        tokio::time::sleep_until(until.into()).await;
    }
}
