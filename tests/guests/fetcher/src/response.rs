//! A response read to its end, or to where it breaks.

use crate::request::{Sent, code};
use serde_json::{Value, json};
use wasip2::http::types::{IncomingBody, IncomingResponse, http_error_code};
use wasip2::io::streams::StreamError;

/// The most that is asked for at once.
const PIECE: u64 = 64 << 10;

/// The most of a body that is returned.
const SHOWN: usize = 4096;

/// Waits for the head of a response.
pub(crate) fn head(sent: &Sent) -> Result<IncomingResponse, String> {
    sent.answer.subscribe().block();
    match sent.answer.get() {
        Some(Ok(Ok(response))) => Ok(response),
        Some(Ok(Err(error))) => Err(code(error)),
        Some(Err(())) => Err("taken".into()),
        None => Err("not ready".into()),
    }
}

/// Reads a response: status, headers, and the body, of which `bodyError` says where
/// it broke.
pub(crate) fn read(sent: &Sent) -> Result<Value, String> {
    let response = head(sent)?;
    let headers = response.headers().entries().into_iter();
    let headers = headers.map(|(name, value)| json!([name, String::from_utf8_lossy(&value)]));
    let headers: Vec<Value> = headers.collect();
    let body = response.consume().map_err(|()| "no body")?;
    let (body, bytes, error) = body_of(&body);
    Ok(json!({
        "status": response.status(),
        "headers": headers,
        "body": body,
        "bytes": bytes,
        "bodyError": error,
        "requestBodyError": sent.body_error,
    }))
}

fn body_of(body: &IncomingBody) -> (String, u64, Option<String>) {
    let Ok(stream) = body.stream() else {
        return (String::new(), 0, Some("no stream".into()));
    };
    let mut shown = Vec::new();
    let mut bytes = 0;
    let error = loop {
        match stream.blocking_read(PIECE) {
            Ok(piece) => {
                bytes += piece.len() as u64;
                let room = SHOWN.saturating_sub(shown.len());
                shown.extend_from_slice(&piece[..piece.len().min(room)]);
            }
            Err(StreamError::Closed) => break None,
            Err(StreamError::LastOperationFailed(error)) => {
                let known = http_error_code(&error).map(code);
                break Some(known.unwrap_or_else(|| error.to_debug_string()));
            }
        }
    };
    (String::from_utf8_lossy(&shown).into_owned(), bytes, error)
}
