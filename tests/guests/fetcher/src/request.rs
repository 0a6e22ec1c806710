//! A request from arguments, sent: the parts of its URL go to the host as they stand.

use guest_support::Request;
use serde_json::Value;
use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, Method, OutgoingBody, OutgoingRequest,
    RequestOptions, Scheme,
};
use wasip2::io::streams::StreamError;

/// The most that a stream takes at once.
const PIECE: usize = 4096;

/// What makes a request.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) method: String,
    pub(crate) url: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Body,
    options: [Option<u64>; 3],
}

#[derive(Clone)]
enum Body {
    /// Never opened.
    Absent,
    /// Opened, written and finished.
    Finished(Vec<u8>),
    /// Opened, written and dropped.
    Dropped(Vec<u8>),
    /// Opened, written and kept open until the response is there.
    Open(Vec<u8>),
}

impl Wanted {
    pub(crate) fn of(request: &Request) -> Self {
        let headers = request.get("headers").and_then(Value::as_array);
        let headers = headers.into_iter().flatten().map(|pair| {
            let part = |index: usize| pair[index].as_str().unwrap_or_default();
            (part(0).to_owned(), part(1).as_bytes().to_vec())
        });
        let text = request.get("body").and_then(Value::as_str);
        let size = request.get("bodyBytes").and_then(Value::as_u64);
        let bytes = match (text, size) {
            (Some(text), _) => Some(text.as_bytes().to_vec()),
            (None, Some(size)) => Some(vec![b'x'; usize::try_from(size).unwrap_or(0)]),
            (None, None) => None,
        };
        let body = match (bytes, request.text("finish", "finish")) {
            (None, _) => Body::Absent,
            (Some(bytes), "drop") => Body::Dropped(bytes),
            (Some(bytes), "open") => Body::Open(bytes),
            (Some(bytes), _) => Body::Finished(bytes),
        };
        let option = |name| request.get(name).and_then(Value::as_u64);
        Self {
            method: request.text("method", "GET").to_owned(),
            url: request.text("url", "").to_owned(),
            headers: headers.collect(),
            body,
            options: [
                option("connectMs"),
                option("firstByteMs"),
                option("betweenBytesMs"),
            ],
        }
    }

    /// Sends it; the body is written while the response is on its way.
    pub(crate) fn send(self) -> Result<Sent, String> {
        let fields = Fields::new();
        for (name, value) in &self.headers {
            fields.append(name, value).map_err(debug)?;
        }
        let request = OutgoingRequest::new(fields);
        let refused = |what: &'static str| move |()| format!("refused: {what}");
        request
            .set_method(&method(&self.method))
            .map_err(refused("method"))?;
        let (scheme, authority, path) = split(&self.url);
        request
            .set_scheme(scheme.as_ref())
            .map_err(refused("scheme"))?;
        request
            .set_authority(Some(authority))
            .map_err(refused("authority"))?;
        request
            .set_path_with_query(Some(path))
            .map_err(refused("path"))?;
        let body = match &self.body {
            Body::Absent => None,
            _ => Some(request.body().map_err(refused("body"))?),
        };
        let answer = handle(request, Some(options(self.options))).map_err(debug)?;
        let body = body.map(|body| write(body, &self.body)).transpose();
        Ok(Sent {
            answer,
            body_error: body.as_ref().err().cloned(),
            _open: body.ok().flatten().flatten(),
        })
    }
}

/// A request that is on its way.
pub(crate) struct Sent {
    pub(crate) answer: FutureIncomingResponse,
    pub(crate) body_error: Option<String>,
    /// Kept, so that the body stays open until the response is read.
    pub(crate) _open: Option<OutgoingBody>,
}

fn options([connect, first, between]: [Option<u64>; 3]) -> RequestOptions {
    let nanoseconds = |ms: Option<u64>| ms.map(|ms| ms * 1_000_000);
    let options = RequestOptions::new();
    let set = [
        options.set_connect_timeout(nanoseconds(connect)),
        options.set_first_byte_timeout(nanoseconds(first)),
        options.set_between_bytes_timeout(nanoseconds(between)),
    ];
    assert!(set.iter().all(Result::is_ok), "timeouts can be set");
    options
}

fn write(body: OutgoingBody, how: &Body) -> Result<Option<OutgoingBody>, String> {
    let (Body::Finished(bytes) | Body::Dropped(bytes) | Body::Open(bytes)) = how else {
        return Ok(None);
    };
    let stream = body.write().map_err(|()| "no stream".to_owned())?;
    for piece in bytes.chunks(PIECE) {
        match stream.blocking_write_and_flush(piece) {
            Ok(()) => {}
            Err(StreamError::Closed) => return Err("closed".into()),
            Err(StreamError::LastOperationFailed(error)) => return Err(error.to_debug_string()),
        }
    }
    drop(stream);
    match how {
        Body::Finished(_) => OutgoingBody::finish(body, None).map_err(debug)?,
        Body::Open(_) => return Ok(Some(body)),
        _ => {}
    }
    Ok(None)
}

fn method(name: &str) -> Method {
    match name {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "CONNECT" => Method::Connect,
        "OPTIONS" => Method::Options,
        "TRACE" => Method::Trace,
        "PATCH" => Method::Patch,
        other => Method::Other(other.to_owned()),
    }
}

/// Cuts a URL where it is cut in any case; nothing is decoded or put right.
fn split(url: &str) -> (Option<Scheme>, &str, &str) {
    let (scheme, rest) = match url.split_once("://") {
        Some(("http", rest)) => (Some(Scheme::Http), rest),
        Some(("https", rest)) => (Some(Scheme::Https), rest),
        Some((other, rest)) => (Some(Scheme::Other(other.to_owned())), rest),
        None => (None, url),
    };
    let path = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(path);
    (scheme, authority, path)
}

/// The name of an error.
pub(crate) fn debug<E: std::fmt::Debug>(error: E) -> String {
    format!("{error:?}")
}

/// The name of a code of the host.
pub(crate) fn code(error: ErrorCode) -> String {
    debug(error)
}
