//! A request as it leaves: what was judged and nothing else. The target and `host`
//! come from the judged URL, framing is the host's, and what a guest has no business
//! to say is refused. Secrets are put in here and nowhere before.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use toolhost_policy::{CallSecrets, Injected, LeakScan, Position, SecretRefusal, Url};
use wasmtime_wasi_http::{Error, WasiBody};

use super::tally::{Limit, Tally};

/// Headers that belong to the connection, which is the host's, or that would make
/// the server wait for an answer that a guest cannot give.
const FORBIDDEN: [&str; 9] = [
    "connection",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Whether a guest may neither send nor see a header.
pub(super) fn is_forbidden(name: &HeaderName) -> bool {
    FORBIDDEN.contains(&name.as_str()) || name.as_str().starts_with("proxy-")
}

/// Makes the request that is sent, secrets included. It is never shown to the guest
/// or to a log.
pub(super) fn prepare(
    request: Request<WasiBody>,
    url: &Url,
    secrets: Option<&CallSecrets>,
    tally: &Arc<Tally>,
) -> Result<Request<Outgoing>, Error> {
    let (mut parts, body) = request.into_parts();
    check_fields(&parts.headers, tally)?;
    let mut body = Outgoing::new(body);
    if let Some(secrets) = secrets {
        let put_in = inject(secrets, url, &parts.headers);
        parts.headers = put_in.map_err(|refusal| tally.withhold(&refusal))?;
        body.scan = Some((secrets.body_scan(url), Arc::clone(tally)));
        if secrets.may_go_to(url) {
            // In what is packed, the echo of a secret is not found.
            let identity = HeaderValue::from_static("identity");
            parts.headers.insert(ACCEPT_ENCODING, identity);
        }
    }
    parts.uri = target(url)?;
    parts.headers.insert(HOST, host(url)?);
    // No connection is used twice.
    parts
        .headers
        .insert(CONNECTION, HeaderValue::from_static("close"));
    if body.is_end_stream() && expects_body(&parts.method) {
        parts
            .headers
            .entry(CONTENT_LENGTH)
            .or_insert(HeaderValue::from_static("0"));
    }
    Ok(Request::from_parts(parts, body))
}

/// The headers with secrets in the place of placeholders. What the guest wrote is
/// searched for secrets first.
fn inject(
    secrets: &CallSecrets,
    url: &Url,
    headers: &HeaderMap,
) -> Result<HeaderMap, SecretRefusal> {
    let written = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()));
    let mut injected = secrets.inject(url, written)?.into_iter().peekable();
    let mut made = HeaderMap::with_capacity(headers.len());
    for (index, (name, value)) in headers.iter().enumerate() {
        let value = match injected.next_if(|injected| injected.index == index) {
            None => value.clone(),
            Some(Injected { value, names, .. }) => {
                let mut value = HeaderValue::from_bytes(&value).map_err(|_| {
                    let name = names.into_iter().next().unwrap_or_default();
                    SecretRefusal::Unsendable { name }
                })?;
                value.set_sensitive(true);
                value
            }
        };
        made.append(name.clone(), value);
    }
    Ok(made)
}

/// Waits for the first piece of a body where none is expected. Guests open a body
/// and write nothing; sent as a body of unknown length, it would confuse servers.
/// Where there is one, its framing has to be said: hyper drops it otherwise.
pub(super) async fn settle(mut request: Request<Outgoing>) -> Result<Request<Outgoing>, Error> {
    let framed = request.headers().contains_key(CONTENT_LENGTH);
    if framed || expects_body(request.method()) {
        return Ok(request);
    }
    let body = request.body_mut();
    while let Some(piece) = body.frame().await.transpose()? {
        if piece.data_ref().is_some_and(|bytes| !bytes.is_empty()) {
            body.first = Some(piece);
            let chunked = HeaderValue::from_static("chunked");
            request.headers_mut().insert(TRANSFER_ENCODING, chunked);
            break;
        }
    }
    Ok(request)
}

fn check_fields(fields: &HeaderMap, tally: &Tally) -> Result<(), Error> {
    if fields
        .keys()
        .any(|name| is_forbidden(name) && *name != HOST)
    {
        // Refused when it was set; a guest that got here has found a fault.
        return Err(Error::HttpRequestDenied);
    }
    let (count, bytes) = size(fields);
    if count > u64::from(tally.limits.http_field_count) {
        return Err(tally.exceeded(Limit::RequestFieldCount));
    }
    if bytes > tally.limits.http_fields {
        return Err(tally.exceeded(Limit::RequestFields));
    }
    Ok(())
}

/// How many fields there are, and their bytes.
pub(super) fn size(fields: &HeaderMap) -> (u64, u64) {
    let bytes = |(name, value): (&HeaderName, &HeaderValue)| name.as_str().len() + value.len();
    let total: usize = fields.iter().map(bytes).sum();
    (fields.len() as u64, total as u64)
}

fn target(url: &Url) -> Result<Uri, Error> {
    url[Position::BeforePath..Position::AfterQuery]
        .parse()
        .map_err(|_| Error::HttpRequestUriInvalid)
}

fn host(url: &Url) -> Result<HeaderValue, Error> {
    HeaderValue::from_str(&url[Position::BeforeHost..Position::AfterPort])
        .map_err(|_| Error::HttpRequestUriInvalid)
}

fn expects_body(method: &Method) -> bool {
    !matches!(
        *method,
        Method::GET | Method::HEAD | Method::OPTIONS | Method::DELETE
    )
}

/// The body of a request. Trailers are not sent: nobody could announce them.
pub(super) struct Outgoing {
    first: Option<Frame<Bytes>>,
    /// `None` once it is through.
    rest: Option<WasiBody>,
    /// Looks for secrets in it.
    scan: Option<(LeakScan, Arc<Tally>)>,
}

impl Outgoing {
    fn new(body: WasiBody) -> Self {
        Self {
            first: None,
            rest: (!body.is_end_stream()).then_some(body),
            scan: None,
        }
    }

    /// What may be sent of a piece, or at the end (`None`) of what was held back.
    fn scanned(&mut self, piece: Option<Bytes>) -> Result<Option<Bytes>, Error> {
        let Some((scan, tally)) = &mut self.scan else {
            return Ok(piece);
        };
        let clear = match &piece {
            Some(piece) => scan.push(piece),
            None => scan.finish(),
        };
        let clear = clear.map_err(|refusal| tally.withhold(&refusal))?;
        Ok((!clear.is_empty()).then(|| clear.into()))
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        if let Some(first) = this.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        while let Some(rest) = &mut this.rest {
            let piece = match ready!(Pin::new(rest).poll_frame(cx)) {
                Some(Ok(frame)) => frame.into_data().map_err(|_| None),
                Some(Err(error)) => Err(Some(error)),
                None => Err(None),
            };
            let piece = match piece {
                Ok(piece) => this.scanned(Some(piece)),
                Err(error) => {
                    this.rest = None;
                    error.map_or_else(|| this.scanned(None), Err)
                }
            };
            match piece {
                Ok(None) => {}
                Ok(Some(piece)) => return Poll::Ready(Some(Ok(Frame::data(piece)))),
                Err(error) => {
                    this.rest = None;
                    return Poll::Ready(Some(Err(error)));
                }
            }
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_none() && self.rest.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        if self.is_end_stream() {
            return SizeHint::with_exact(0);
        }
        SizeHint::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_and_host_are_those_of_the_judged_url() {
        let url: Url = "https://EXAMPLE.com:8443/a b?q={x}|y#part".parse().unwrap();
        assert_eq!(target(&url).ok().unwrap(), "/a%20b?q={x}|y");
        assert_eq!(host(&url).ok().unwrap(), "example.com:8443");

        let url: Url = "http://[::1]:80".parse().unwrap();
        assert_eq!(target(&url).ok().unwrap(), "/");
        assert_eq!(host(&url).ok().unwrap(), "[::1]");
    }

    #[test]
    fn the_connection_is_none_of_a_guest_s_business() {
        for name in [
            "Connection",
            "TE",
            "Proxy-Anything",
            "Expect",
            "Host",
            "Upgrade",
        ] {
            let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
            assert!(is_forbidden(&name), "{name}");
        }
        for name in ["authorization", "content-length", "cookie", "range"] {
            assert!(!is_forbidden(&HeaderName::from_static(name)), "{name}");
        }
    }
}
