//! How far a response is followed and read.

use std::time::Duration;

use toolhost_sdk::Context;
use toolhost_sdk::http::{Error, Request, Response};

use crate::hosts::Hosts;

/// What is said about who asks.
const USER_AGENT: &str = concat!("toolhost-web/", env!("CARGO_PKG_VERSION"));

/// What a call leaves for its own end when it sets no time: the result is still to be
/// made.
const RESERVE: Duration = Duration::from_millis(500);

/// How far a response is followed and read.
#[derive(Debug, Clone)]
pub struct Options {
    /// How long all of it may take.
    pub timeout_ms: u32,
    /// How many redirects are followed.
    pub max_redirects: u32,
    /// Which hosts may be asked.
    pub hosts: Hosts,
}

impl Options {
    /// Sends a request under these options. Unless it says so itself, it asks for a
    /// response that is not packed.
    ///
    /// # Errors
    /// When there is no response.
    pub fn send(&self, request: Request, ctx: &Context) -> Result<Response, Error> {
        let hosts = self.hosts.clone();
        let mut timeout = Duration::from_millis(self.timeout_ms.into());
        if let Some(left) = ctx.deadline().checked_sub(RESERVE) {
            timeout = timeout.min(left);
        }
        request
            .timeout(timeout)
            .max_redirects(self.max_redirects)
            .check(move |url| hosts.check(url))
            .send()
    }
}

/// Adds headers that the caller has not set.
#[must_use]
pub fn with_defaults(request: Request, is_set: impl Fn(&str) -> bool) -> Request {
    [("user-agent", USER_AGENT), ("accept-encoding", "identity")]
        .into_iter()
        .filter(|(name, _)| !is_set(name))
        .fold(request, |request, (name, value)| {
            request.header(name, value)
        })
}
