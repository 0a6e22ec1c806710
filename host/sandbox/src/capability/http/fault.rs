//! What went wrong between host and server, as the guest is told: a code of
//! `wasi:http`, never the text of a library.

use std::error::Error as StdError;
use std::io;

use wasmtime_wasi_http::Error;

use super::tally::{Limit, Over, Tally};
use super::tls;
use super::wire::Progress;

/// Why the exchange of a request failed.
pub(super) fn of_hyper(error: &hyper::Error, tally: &Tally, progress: &Progress) -> Error {
    let io: Option<&io::Error> = find(error);
    if let Some(Over(limit)) = io.and_then(inner) {
        return tally.exceeded(*limit);
    }
    if error.is_parse_too_large() {
        let bytes = progress.bytes_received() > tally.limits.http_fields;
        return tally.exceeded(if bytes {
            Limit::ResponseFields
        } else {
            Limit::ResponseFieldCount
        });
    }
    if let Some(Error::HttpRequestDenied) = find(error) {
        return Error::HttpRequestDenied;
    }
    if error.is_incomplete_message() {
        return Error::HttpResponseIncomplete;
    }
    if error.is_canceled() || error.is_closed() {
        return Error::ConnectionTerminated;
    }
    tracing::debug!("a request failed: {error:?}");
    match io {
        Some(io) => of_io(io),
        None => Error::HttpProtocolError,
    }
}

fn of_io(error: &io::Error) -> Error {
    use io::ErrorKind;
    match error.kind() {
        ErrorKind::UnexpectedEof => Error::HttpResponseIncomplete,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::NotConnected => Error::ConnectionTerminated,
        _ => tls::fault(error).unwrap_or(Error::HttpProtocolError),
    }
}

/// The error of a kind behind another error.
fn find<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(error) = error.downcast_ref() {
            return Some(error);
        }
        next = error.source();
    }
    None
}

fn inner(error: &io::Error) -> Option<&Over> {
    error.get_ref()?.downcast_ref()
}
