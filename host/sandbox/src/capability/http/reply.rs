//! The body of a response: passed on as it comes, not unpacked, not stored. What is
//! read from the socket and not by the guest is a few buffers at most.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_RANGE, HeaderName, TRANSFER_ENCODING};
use http::{HeaderMap, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Sleep, sleep_until};
use toolhost_policy::Url;
use toolhost_tool::Denial;
use wasmtime_wasi_http::Error;

use super::fault;
use super::outgoing;
use super::patience::Patience;
use super::tally::{Limit, Place, Tally};
use super::wire::Progress;

/// The body of a response.
pub(super) struct Reply {
    body: Incoming,
    patience: Patience,
    /// Runs while a piece is waited for: what the guest does between two pieces is
    /// its own time.
    pause: Option<Pin<Box<Sleep>>>,
    tally: Arc<Tally>,
    progress: Arc<Progress>,
    /// Given back when the body is through.
    place: Option<Place>,
}

impl Reply {
    pub(super) fn new(
        body: Incoming,
        patience: Patience,
        tally: Arc<Tally>,
        progress: Arc<Progress>,
        place: Place,
    ) -> Self {
        Self {
            place: (!body.is_end_stream()).then_some(place),
            body,
            patience,
            pause: None,
            tally,
            progress,
        }
    }
}

impl Body for Reply {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) else {
            let until = this.patience.until(Instant::now());
            let pause = this
                .pause
                .get_or_insert_with(|| Box::pin(sleep_until(until.into())));
            std::task::ready!(pause.as_mut().poll(cx));
            this.place = None;
            let error = this.patience.is_over(Limit::BetweenBytes, &this.tally);
            return Poll::Ready(Some(Err(error)));
        };
        this.pause = None;
        let frame = match frame {
            Some(Ok(frame)) => match frame.trailers_ref().map(|map| check(map, &this.tally)) {
                Some(Err(error)) => Some(Err(error)),
                _ => Some(Ok(frame)),
            },
            Some(Err(error)) => Some(Err(fault::of_hyper(&error, &this.tally, &this.progress))),
            None => None,
        };
        if !matches!(&frame, Some(Ok(_))) || this.body.is_end_stream() {
            this.place = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Checks the fields of a response against the limits of the call, which may be
/// lower than what the parser holds to.
pub(super) fn check(fields: &HeaderMap, tally: &Tally) -> Result<(), Error> {
    let (count, bytes) = outgoing::size(fields);
    if count > u64::from(tally.limits.http_field_count) {
        return Err(tally.exceeded(Limit::ResponseFieldCount));
    }
    if bytes > tally.limits.http_fields {
        return Err(tally.exceeded(Limit::ResponseFields));
    }
    Ok(())
}

/// Refuses an answer in which the echo of a secret could not be found: one that is
/// packed although nobody asked for it, or only a part. For answers of hosts that
/// secrets may be sent to.
pub(super) fn check_readable(
    response: &Response<Incoming>,
    url: &Url,
    tally: &Tally,
) -> Result<(), Error> {
    let fields = response.headers();
    let only = |name: HeaderName, allowed: &str| {
        let mut values = fields.get_all(name).iter();
        values.all(|value| {
            let value = value.as_bytes().trim_ascii();
            value.is_empty() || value.eq_ignore_ascii_case(allowed.as_bytes())
        })
    };
    let is_part = matches!(
        response.status(),
        StatusCode::PARTIAL_CONTENT | StatusCode::IM_USED
    );
    let (error, said) = if response.body().is_end_stream() {
        return Ok(());
    } else if !only(CONTENT_ENCODING, "identity") {
        (Error::HttpResponseContentCoding(None), "it is packed")
    } else if !only(TRANSFER_ENCODING, "chunked") {
        (Error::HttpResponseTransferCoding(None), "it is packed")
    } else if is_part || fields.contains_key(CONTENT_RANGE) {
        (Error::HttpProtocolError, "it is only a part")
    } else {
        return Ok(());
    };
    tally.deny(Denial {
        capability: "secrets".into(),
        target: format!(
            "the answer of {} ({said}, so that the echo of a secret is not found in it)",
            url.origin().ascii_serialization()
        ),
        allow_with: None,
    });
    Err(error)
}
