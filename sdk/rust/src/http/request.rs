//! What is asked for.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use url::Url;

use super::deadline::Deadline;
use super::error::Error;
use super::headers::Headers;
use super::hop::Hop;
use super::redirect;
use super::response::Response;

/// What is asked before each hop.
type Check = Box<dyn Fn(&Url) -> Result<(), String>>;

/// A request, sent by [`send`](Self::send).
///
/// Without further words it has no headers of its own and no body, follows no
/// redirect, and takes as long as the limits of the call allow.
pub struct Request {
    pub(super) method: String,
    pub(super) url: String,
    pub(super) query: Vec<(String, String)>,
    pub(super) headers: Headers,
    pub(super) body: Option<Vec<u8>>,
    timeout: Option<Duration>,
    max_redirects: u32,
    check: Option<Check>,
}

impl Request {
    /// A request with any method, in whatever case.
    pub fn new(method: impl AsRef<str>, url: impl Into<String>) -> Self {
        Self {
            method: method.as_ref().to_ascii_uppercase(),
            url: url.into(),
            query: Vec::new(),
            headers: Headers::default(),
            body: None,
            timeout: None,
            max_redirects: 0,
            check: None,
        }
    }

    /// Reads.
    pub fn get(url: impl Into<String>) -> Self {
        Self::new("GET", url)
    }

    /// Sends something to be worked on.
    pub fn post(url: impl Into<String>) -> Self {
        Self::new("POST", url)
    }

    /// Stores.
    pub fn put(url: impl Into<String>) -> Self {
        Self::new("PUT", url)
    }

    /// Changes a part.
    pub fn patch(url: impl Into<String>) -> Self {
        Self::new("PATCH", url)
    }

    /// Removes.
    pub fn delete(url: impl Into<String>) -> Self {
        Self::new("DELETE", url)
    }

    /// Adds a parameter to the query of the URL; it may hold anything.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "numbers are written in place"
    )]
    pub fn query(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.query.push((name.into(), value.to_string()));
        self
    }

    /// Adds a header. In its value the host puts secrets in the place of
    /// `{{secret:NAME}}`.
    #[must_use]
    pub fn header(mut self, name: impl AsRef<str>, value: impl Into<String>) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets the body. `content-length` follows from it.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sets the body to a value as JSON, and `content-type` unless it is there. What
    /// does not become JSON (a map whose keys are no text) becomes `null`.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(mut self, value: &T) -> Self {
        if self.headers.get("content-type").is_none() {
            self.headers.append("content-type", "application/json");
        }
        let json = serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec());
        self.body(json)
    }

    /// How long all of it may take: redirects and the reading of the body as well.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How many redirects are followed. 0, the default: none, the redirect itself is
    /// the response. With more, one too many is an error.
    ///
    /// After 301, 302 and 303 a `POST` goes on as a `GET` without its body. To another
    /// origin only headers follow that never hold a credential, and a body does not.
    #[must_use]
    pub fn max_redirects(mut self, count: u32) -> Self {
        self.max_redirects = count;
        self
    }

    /// Asks before each request, also those of redirects, whether it may go to a URL.
    /// The `Err` says why not.
    #[must_use]
    pub fn check(mut self, check: impl Fn(&Url) -> Result<(), String> + 'static) -> Self {
        self.check = Some(Box::new(check));
        self
    }

    /// Sends it and waits for the head of the response.
    ///
    /// # Errors
    /// [`Error`]: there is no response. Any status is one.
    pub fn send(self) -> Result<Response, Error> {
        let deadline = Deadline::after(self.timeout);
        let mut hop = Hop::first(&self)?;
        let mut followed = 0;
        loop {
            if let Some(check) = &self.check {
                check(&hop.url).map_err(|why| hop.refused(&why))?;
            }
            let answer = hop.exchange(deadline)?;
            if self.max_redirects > 0
                && let Some(next) = redirect::next(&hop, &answer)?
            {
                if followed == self.max_redirects {
                    return Err(redirect::too_many(followed, &next.url));
                }
                followed += 1;
                hop = next;
                continue;
            }
            return Ok(Response::new(hop, answer, deadline));
        }
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}
