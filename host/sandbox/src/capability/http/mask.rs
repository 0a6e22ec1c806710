//! Secrets in what a server answers. One that echoes a request would hand the guest
//! what was put into it, so they are masked, byte for byte: lengths that the server
//! told stay true. What is packed, or only a part, does not come this far from a host
//! that secrets may be sent to.
//!
//! It is no wall against a server that hides a secret on purpose, backwards for
//! example: such a server is one that it should not be sent to.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::{Body, Frame, SizeHint};
use toolhost_policy::RedactStream;
use wasmtime_wasi_http::Error;

use super::reply::Reply;

/// The body of a response without secrets.
pub(super) struct Masked {
    body: Reply,
    mask: RedactStream,
    /// The trailers, while the rest of the body goes before them.
    trailers: Option<Frame<Bytes>>,
}

impl Masked {
    pub(super) fn new(body: Reply, mask: RedactStream) -> Self {
        Self {
            body,
            mask,
            trailers: None,
        }
    }

    /// What was held back in case it became a secret.
    fn rest(&mut self) -> Option<Frame<Bytes>> {
        let rest = self.mask.finish();
        (!rest.is_empty()).then(|| Frame::data(rest.into()))
    }
}

impl Body for Masked {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let this = &mut *self;
        if let Some(trailers) = this.trailers.take() {
            return Poll::Ready(Some(Ok(trailers)));
        }
        loop {
            let frame = match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => frame,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(this.rest().map(Ok)),
            };
            let mut trailers = match frame.into_data() {
                Ok(bytes) => {
                    let clean = this.mask.push(&bytes);
                    if clean.is_empty() {
                        // All of it may be the beginning of a secret.
                        continue;
                    }
                    return Poll::Ready(Some(Ok(Frame::data(clean.into()))));
                }
                Err(trailers) => trailers,
            };
            if let Some(fields) = trailers.trailers_mut() {
                mask_fields(fields, &this.mask);
            }
            let rest = this.rest();
            if rest.is_some() {
                this.trailers = Some(trailers);
                return Poll::Ready(rest.map(Ok));
            }
            return Poll::Ready(Some(Ok(trailers)));
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream() && self.mask.held() == 0 && self.trailers.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        if self.mask.held() == 0 {
            self.body.size_hint()
        } else {
            SizeHint::default()
        }
    }
}

/// Masks secrets in the fields of a response: in each value, in all of them one after
/// the other, where one was cut in two, and in names.
pub(super) fn mask_fields(fields: &mut HeaderMap, mask: &RedactStream) {
    for value in fields.values_mut() {
        if let Some(clean) = masked(mask, value.as_bytes()) {
            *value = field_value(&clean);
        }
    }
    let whole: Vec<u8> = fields
        .values()
        .flat_map(HeaderValue::as_bytes)
        .copied()
        .collect();
    if let Some(clean) = masked(mask, &whole) {
        let mut rest = &*clean;
        for value in fields.values_mut() {
            // As long as what it stands for, so nothing is left over.
            let (piece, after) = rest.split_at(value.len().min(rest.len()));
            rest = after;
            if piece != value.as_bytes() {
                *value = field_value(piece);
            }
        }
    }
    if fields
        .keys()
        .any(|name| masked(mask, name.as_str().as_bytes()).is_some())
    {
        mask_names(fields, mask);
    }
}

fn mask_names(fields: &mut HeaderMap, mask: &RedactStream) {
    let mut clean = HeaderMap::with_capacity(fields.len());
    for (name, value) in &*fields {
        let name = match masked(mask, name.as_str().as_bytes()) {
            None => name.clone(),
            // An asterisk may stand in a name, too.
            Some(name) => {
                HeaderName::from_bytes(&name).unwrap_or(HeaderName::from_static("x-masked"))
            }
        };
        clean.append(name, value.clone());
    }
    *fields = clean;
}

/// The text without secrets, when there are any in it.
fn masked(mask: &RedactStream, text: &[u8]) -> Option<Vec<u8>> {
    let mut stream = mask.fresh();
    let mut clean = stream.push(text);
    clean.extend(stream.finish());
    (clean != text).then_some(clean)
}

fn field_value(clean: &[u8]) -> HeaderValue {
    // An asterisk may stand wherever a value of a field goes on.
    HeaderValue::from_bytes(clean).unwrap_or(HeaderValue::from_static("*"))
}
