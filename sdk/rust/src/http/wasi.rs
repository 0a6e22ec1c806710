//! Requests through the host, by `wasi:http`.

mod fault;

use url::Position;

use super::Answer;
use super::bindings::streams::{InputStream, OutputStream, StreamError};
use super::bindings::types::{
    Fields, FutureIncomingResponse, HeaderError, IncomingBody, IncomingResponse, Method,
    OutgoingBody, OutgoingRequest, Scheme,
};
use super::bindings::{monotonic_clock, outgoing_handler};
use super::deadline::Deadline;
use super::error::{Error, ErrorKind};
use super::headers::Headers;
use super::hop::Hop;
use crate::bindings::Pollable;
use crate::bindings::plain::wasi::io::poll;

/// Most bytes that are asked for at once.
const MAX_PIECE: usize = 64 * 1024;

/// Sends a request and waits for the head of its response.
pub(super) fn exchange(hop: &Hop, deadline: Deadline) -> Result<Answer, Error> {
    let request = build(hop)?;
    let body = match &hop.body {
        Some(_) => Some(request.body().map_err(|()| broken("the body"))?),
        None => None,
    };
    let coming = outgoing_handler::handle(request, None).map_err(|code| fault::of(&code, hop))?;
    let arrived = |error: Error| {
        if hop.is_repeatable() {
            error
        } else {
            error.may_have_arrived()
        }
    };
    if let (Some(body), Some(bytes)) = (body, &hop.body) {
        upload(body, bytes, &coming, deadline).map_err(arrived)?;
    }
    let response = head(&coming, hop, deadline, arrived)?;
    let headers = Headers::received(response.headers().entries());
    let status = response.status();
    let body = response.consume().map_err(|()| broken("the body"))?;
    let stream = body.stream().map_err(|()| broken("the body"))?;
    Ok(Answer {
        status,
        headers,
        body: Body {
            ready: stream.subscribe(),
            stream,
            _parent: body,
            hop: hop.clone(),
        },
    })
}

/// Waits for the head of a response.
fn head(
    coming: &FutureIncomingResponse,
    hop: &Hop,
    deadline: Deadline,
    arrived: impl Fn(Error) -> Error,
) -> Result<IncomingResponse, Error> {
    let ready = coming.subscribe();
    wait(&[&ready], deadline).map_err(&arrived)?;
    let response = coming.get().and_then(Result::ok);
    let response = response.ok_or_else(|| broken("the response"))?;
    response.map_err(|code| {
        let error = fault::of(&code, hop);
        if fault::is_before_sending(&code) {
            error
        } else {
            arrived(error)
        }
    })
}

fn build(hop: &Hop) -> Result<OutgoingRequest, Error> {
    let entries: Vec<_> = hop
        .headers
        .iter()
        .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
        .collect();
    let fields = Fields::from_list(&entries).map_err(|error| wrong_header(hop, error))?;
    let request = OutgoingRequest::new(fields);
    let scheme = if hop.url.scheme() == "http" {
        Scheme::Http
    } else {
        Scheme::Https
    };
    let authority = &hop.url[Position::BeforeHost..Position::AfterPort];
    let path = &hop.url[Position::BeforePath..Position::AfterQuery];
    let set = request
        .set_method(&method(&hop.method))
        .and_then(|()| request.set_scheme(Some(&scheme)))
        .and_then(|()| request.set_authority(Some(authority)))
        .and_then(|()| request.set_path_with_query(Some(path)));
    set.map_err(|()| Error::invalid("the host does not take this method or URL"))?;
    Ok(request)
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

/// Finds out which header the host does not take: it does not say.
fn wrong_header(hop: &Hop, error: HeaderError) -> Error {
    let wrong = hop.headers.iter().find(|(name, value)| {
        let entry = ((*name).to_owned(), value.as_bytes().to_vec());
        Fields::from_list(&[entry]).is_err()
    });
    let name = wrong.map_or("", |(name, _)| name).escape_debug();
    Error::invalid(match error {
        HeaderError::Forbidden => format!("the header `{name}` is set by the host: leave it out"),
        _ => format!("the header `{name}` has characters that a header cannot have"),
    })
}

/// Sends the body. A server that has answered, or closed, wants no more of it.
fn upload(
    body: OutgoingBody,
    bytes: &[u8],
    coming: &FutureIncomingResponse,
    deadline: Deadline,
) -> Result<(), Error> {
    let stream = body.write().map_err(|()| broken("the body"))?;
    let complete = {
        let (room, answer) = (stream.subscribe(), coming.subscribe());
        let room = |stream: &OutputStream| loop {
            match stream.check_write() {
                Ok(0) => {}
                Ok(room) => return Ok(Some(usize::try_from(room).unwrap_or(usize::MAX))),
                Err(_) => return Ok(None),
            }
            if answer.ready() {
                return Ok(None);
            }
            wait(&[&room, &answer], deadline)?;
        };
        write_all(&stream, bytes, room)?
    };
    drop(stream);
    if complete {
        // If it cannot be finished, the response tells why.
        let _: Result<(), _> = OutgoingBody::finish(body, None);
    }
    Ok(())
}

/// Writes all of it unless the other side wants no more, and says which.
fn write_all(
    stream: &OutputStream,
    mut rest: &[u8],
    room: impl Fn(&OutputStream) -> Result<Option<usize>, Error>,
) -> Result<bool, Error> {
    while !rest.is_empty() {
        let Some(most) = room(stream)? else {
            return Ok(false);
        };
        let (piece, after) = rest.split_at(rest.len().min(most));
        if stream.write(piece).is_err() {
            return Ok(false);
        }
        rest = after;
    }
    if stream.flush().is_err() {
        return Ok(false);
    }
    Ok(room(stream)?.is_some())
}

/// Waits until one of them is ready.
fn wait(pollables: &[&Pollable], deadline: Deadline) -> Result<(), Error> {
    let Some(left) = deadline.left()? else {
        poll::poll(pollables);
        return Ok(());
    };
    let nanoseconds = u64::try_from(left.as_nanos()).unwrap_or(u64::MAX);
    let timer = monotonic_clock::subscribe_duration(nanoseconds);
    let mut all = pollables.to_vec();
    all.push(&timer);
    let ready = poll::poll(&all);
    if ready.iter().all(|index| *index as usize == pollables.len()) {
        return Err(deadline.is_over());
    }
    Ok(())
}

/// The host breaks its own contract; no plugin gets here by itself.
fn broken(what: &str) -> Error {
    Error::new(
        ErrorKind::Other,
        format!("the host did not hand out {what}"),
    )
}

/// The body of a response. What depends on another is dropped before it.
pub(super) struct Body {
    ready: Pollable,
    stream: InputStream,
    _parent: IncomingBody,
    hop: Hop,
}

impl Body {
    /// At most `most` bytes; none at the end.
    pub(super) fn read(
        &mut self,
        most: usize,
        deadline: Deadline,
    ) -> Result<Option<Vec<u8>>, Error> {
        loop {
            // A server that always has a byte ready must not hold the call.
            deadline.left()?;
            match self.stream.read(most.min(MAX_PIECE) as u64) {
                Ok(piece) if piece.is_empty() => wait(&[&self.ready], deadline)?,
                Ok(piece) => return Ok(Some(piece)),
                Err(StreamError::Closed) => return Ok(None),
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(fault::of_stream(&error, &self.hop));
                }
            }
        }
    }
}
