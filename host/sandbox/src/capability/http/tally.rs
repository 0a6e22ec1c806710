//! What the requests of one call have used so far, and what was refused to them.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use toolhost_policy::{Limits, Redactor, Refusal, SecretRefusal, Span};
use toolhost_tool::{Denial, truncate_chars};
use wasmtime_wasi_http::Error;

/// Most refusals that are remembered; a guest may try without end.
const MAX_DENIALS: usize = 32;

/// Longest target that is remembered; a guest makes it up.
const MAX_TARGET_CHARS: usize = 300;

/// A limit of the requests of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Requests,
    Concurrent,
    RequestBytes,
    RequestFields,
    RequestFieldCount,
    ResponseBytes,
    ResponseFields,
    ResponseFieldCount,
    Connect,
    FirstByte,
    BetweenBytes,
}

impl Limit {
    /// Its name in the configuration.
    fn name(self) -> &'static str {
        match self {
            Self::Requests => "http-requests",
            Self::Concurrent => "http-concurrent",
            Self::RequestBytes => "http-request-bytes",
            Self::RequestFields | Self::ResponseFields => "http-fields",
            Self::RequestFieldCount | Self::ResponseFieldCount => "http-field-count",
            Self::ResponseBytes => "http-response-bytes",
            Self::Connect => "http-connect",
            Self::FirstByte => "http-first-byte",
            Self::BetweenBytes => "http-between-bytes",
        }
    }

    /// What it allows, as it is written in the configuration.
    fn allowed(self, limits: &Limits) -> String {
        let time = |time: Duration| Span::new(time).to_string();
        match self {
            Self::Requests => limits.http_requests.to_string(),
            Self::Concurrent => limits.http_concurrent.to_string(),
            Self::RequestBytes => limits.http_request_bytes.to_string(),
            Self::RequestFields | Self::ResponseFields => limits.http_fields.to_string(),
            Self::RequestFieldCount | Self::ResponseFieldCount => {
                limits.http_field_count.to_string()
            }
            Self::ResponseBytes => limits.http_response_bytes.to_string(),
            Self::Connect => time(limits.http_connect),
            Self::FirstByte => time(limits.http_first_byte),
            Self::BetweenBytes => time(limits.http_between_bytes),
        }
    }

    /// What the guest is told.
    pub(super) fn error(self, limits: &Limits) -> Error {
        let fields = u32::try_from(limits.http_fields).ok();
        match self {
            Self::Requests | Self::Concurrent => Error::ConnectionLimitReached,
            Self::RequestBytes => Error::HttpRequestBodySize(Some(limits.http_request_bytes)),
            Self::RequestFields | Self::RequestFieldCount => {
                Error::HttpRequestHeaderSectionSize(fields)
            }
            Self::ResponseBytes => Error::HttpResponseBodySize(Some(limits.http_response_bytes)),
            Self::ResponseFields | Self::ResponseFieldCount => {
                Error::HttpResponseHeaderSectionSize(fields)
            }
            Self::Connect => Error::ConnectionTimeout,
            Self::FirstByte => Error::HttpResponseTimeout,
            Self::BetweenBytes => Error::ConnectionReadTimeout,
        }
    }
}

/// What the requests of one call have used. Shared by the tasks that carry them.
pub(super) struct Tally {
    pub(super) limits: Limits,
    requests: AtomicU32,
    running: AtomicU32,
    sent: AtomicU64,
    received: AtomicU64,
    denials: Mutex<Vec<Denial>>,
    redactor: Redactor,
}

impl Tally {
    /// Nothing used yet. What is remembered goes through the redactor.
    pub(super) fn new(limits: &Limits, redactor: Redactor) -> Self {
        Self {
            limits: *limits,
            redactor,
            requests: AtomicU32::new(0),
            running: AtomicU32::new(0),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            denials: Mutex::default(),
        }
    }

    /// Counts a request and gives it a place among those that run at once.
    pub(super) fn enter(self: &Arc<Self>) -> Result<Place, Error> {
        let take = |count: &AtomicU32, allowed: u32| {
            let more = |count: u32| (count < allowed).then_some(count + 1);
            let taken = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
            taken.is_ok()
        };
        if !take(&self.running, self.limits.http_concurrent) {
            return Err(self.exceeded(Limit::Concurrent));
        }
        let place = Place(Arc::new(Running(Arc::clone(self))));
        if !take(&self.requests, self.limits.http_requests) {
            return Err(self.exceeded(Limit::Requests));
        }
        Ok(place)
    }

    /// Counts bytes that came in.
    pub(super) fn receive(&self, bytes: usize) -> Result<(), Over> {
        if add(&self.received, bytes) > self.limits.http_response_bytes {
            return Err(Over(Limit::ResponseBytes));
        }
        Ok(())
    }

    /// Counts bytes that are about to be sent; those that were not sent after all
    /// are given back with [`unsent`](Self::unsent).
    pub(super) fn send(&self, bytes: usize) -> Result<(), Over> {
        if add(&self.sent, bytes) > self.limits.http_request_bytes {
            return Err(Over(Limit::RequestBytes));
        }
        Ok(())
    }

    pub(super) fn unsent(&self, bytes: usize) {
        self.sent.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// Remembers that a limit was hit, and says what the guest is told.
    pub(super) fn exceeded(&self, limit: Limit) -> Error {
        let name = limit.name();
        let allowed = limit.allowed(&self.limits);
        self.deny(Denial {
            capability: "limit".into(),
            target: name.into(),
            allow_with: Some(format!("a higher {name} than {allowed} under [limits]")),
        });
        limit.error(&self.limits)
    }

    /// Remembers a refusal of the policy.
    pub(super) fn refuse(&self, refusal: &Refusal) {
        self.deny(Denial {
            capability: "http".into(),
            target: refusal.target().to_owned(),
            allow_with: refusal.allow_with(),
        });
    }

    /// Remembers that a request was not sent for what it has to do with a secret, and
    /// says what the guest is told.
    pub(super) fn withhold(&self, refusal: &SecretRefusal) -> Error {
        self.deny(Denial {
            capability: "secrets".into(),
            target: refusal.to_string(),
            allow_with: refusal.allow_with(),
        });
        Error::HttpRequestDenied
    }

    pub(super) fn deny(&self, mut denial: Denial) {
        denial.target = truncate_chars(self.shown(denial.target), MAX_TARGET_CHARS);
        denial.allow_with = denial.allow_with.map(|advice| self.shown(advice));
        let mut denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        if denials.len() < MAX_DENIALS && !denials.contains(&denial) {
            denials.push(denial);
        }
    }

    /// A text of the guest for a reader.
    pub(super) fn shown(&self, mut text: String) -> String {
        self.redactor.redact_string(&mut text);
        text
    }

    pub(super) fn denials(&self) -> Vec<Denial> {
        let denials = self.denials.lock().unwrap_or_else(PoisonError::into_inner);
        denials.clone()
    }
}

/// The new count. Saturates: what was counted once stays too much.
fn add(count: &AtomicU64, bytes: usize) -> u64 {
    let bytes = bytes as u64;
    let more = |count: u64| Some(count.saturating_add(bytes));
    let before = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
    before.unwrap_or(u64::MAX).saturating_add(bytes)
}

/// A place among the requests that run at once, until its last clone is dropped.
#[derive(Clone)]
pub(super) struct Place(#[expect(dead_code, reason = "counts while it lives")] Arc<Running>);

struct Running(Arc<Tally>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The reason of an input or output error: a limit was hit.
#[derive(Debug, thiserror::Error)]
#[error("a limit of the call was hit")]
pub(super) struct Over(pub(super) Limit);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_once_it_is_dropped() {
        let tally = Arc::new(Tally::new(
            &Limits {
                http_concurrent: 1,
                http_requests: 2,
                ..Limits::default()
            },
            Redactor::default(),
        ));
        let first = tally.enter().ok().unwrap();
        assert!(matches!(tally.enter(), Err(Error::ConnectionLimitReached)));
        drop(first);
        assert!(tally.enter().is_ok());
        assert!(tally.enter().is_err(), "two requests are all there are");

        let named: Vec<String> = tally.denials().into_iter().map(|one| one.target).collect();
        assert_eq!(named, ["http-concurrent", "http-requests"]);
    }

    #[test]
    fn bytes_count_up_to_the_limit_and_not_beyond() {
        let tally = Tally::new(
            &Limits {
                http_response_bytes: 10,
                http_request_bytes: 10,
                ..Limits::default()
            },
            Redactor::default(),
        );
        assert!(tally.receive(10).is_ok());
        assert!(tally.receive(1).is_err());
        assert!(tally.send(8).is_ok());
        tally.unsent(8);
        assert!(tally.send(10).is_ok());
        assert!(tally.send(usize::MAX).is_err());
    }
}
