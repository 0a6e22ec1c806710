//! The other side in a unit test: what a request gets is written in the test, and
//! what was sent is remembered.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use super::Answer;
use super::deadline::Deadline;
use super::error::{Error, ErrorKind};
use super::headers::Headers;
use super::hop::Hop;

type Handler = Rc<dyn Fn(&Sent) -> Result<Reply, Error>>;

thread_local! {
    /// The networks of this thread, the innermost last. Tests run in threads of their
    /// own, so they do not see each other's.
    static NETWORKS: RefCell<Vec<Network>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone)]
struct Network {
    handler: Handler,
    sent: Rc<RefCell<Vec<Sent>>>,
}

/// A network of this thread, for as long as it is held.
///
/// ```
/// use toolhost_sdk::http::{Error, ErrorKind, Fake, Reply, Request};
///
/// let network = Fake::new(|sent| match &*sent.url {
///     "https://api.example.com/" => Ok(Reply::text("hello")),
///     _ => Err(Error::new(ErrorKind::Denied, "not granted")),
/// });
/// assert_eq!(Request::get("https://api.example.com").send()?.status(), 200);
/// assert!(Request::get("https://example.com").send().unwrap_err().is_denied());
/// assert_eq!(network.sent().len(), 2);
/// # Ok::<(), Error>(())
/// ```
pub struct Fake {
    sent: Rc<RefCell<Vec<Sent>>>,
    /// It belongs to its thread.
    _thread: PhantomData<Rc<()>>,
}

/// A request as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// In capitals.
    pub method: String,
    /// Complete, as the host gets it.
    pub url: String,
    /// With placeholders as the plugin wrote them.
    pub headers: Headers,
    /// The body, when there is one.
    pub body: Option<Vec<u8>>,
}

/// What a request gets.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    status: u16,
    headers: Headers,
    body: Vec<u8>,
    breaks: Option<Error>,
}

impl Fake {
    /// A network that answers each request by a function.
    #[must_use = "the network is there for as long as this is held"]
    pub fn new(handler: impl Fn(&Sent) -> Result<Reply, Error> + 'static) -> Self {
        let sent = Rc::new(RefCell::new(Vec::new()));
        let network = Network {
            handler: Rc::new(handler),
            sent: Rc::clone(&sent),
        };
        NETWORKS.with_borrow_mut(|networks| networks.push(network));
        Self {
            sent,
            _thread: PhantomData,
        }
    }

    /// The requests so far, oldest first.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent> {
        self.sent.borrow().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        NETWORKS.with_borrow_mut(|networks| {
            networks.retain(|network| !Rc::ptr_eq(&network.sent, &self.sent));
        });
    }
}

impl Reply {
    /// A response without a body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// 200 with bytes.
    #[must_use]
    pub fn bytes(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200)
            .header("content-type", content_type)
            .body(body)
    }

    /// 200 with text.
    #[must_use]
    pub fn text(body: impl Into<String>) -> Self {
        Self::bytes("text/plain; charset=utf-8", body.into())
    }

    /// 200 with a page.
    #[must_use]
    pub fn html(body: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", body.into())
    }

    /// 200 with JSON.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "`json!` is written in place")]
    pub fn json(body: serde_json::Value) -> Self {
        Self::bytes("application/json", body.to_string())
    }

    /// Another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.append(name, value);
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// The body breaks off with an error once it was read so far.
    #[must_use]
    pub fn breaks(mut self, error: Error) -> Self {
        self.breaks = Some(error);
        self
    }
}

/// The body of a reply.
pub(super) struct Body {
    left: Vec<u8>,
    breaks: Option<Error>,
}

impl Body {
    /// At most `most` bytes; none at the end.
    pub(super) fn read(
        &mut self,
        most: usize,
        deadline: Deadline,
    ) -> Result<Option<Vec<u8>>, Error> {
        deadline.left()?;
        if self.left.is_empty() {
            return self.breaks.take().map_or(Ok(None), Err);
        }
        // Pieces, as from a real server.
        let rest = self.left.split_off(self.left.len().min(most).min(1024));
        Ok(Some(std::mem::replace(&mut self.left, rest)))
    }
}

/// Asks the network of this thread.
pub(super) fn exchange(hop: &Hop, deadline: Deadline) -> Result<Answer, Error> {
    deadline.left()?;
    let network = NETWORKS.with_borrow(|networks| networks.last().cloned());
    let network = network.ok_or_else(|| {
        Error::new(
            ErrorKind::Denied,
            "a unit test has no network: play it with `http::Fake`",
        )
    })?;
    let sent = Sent {
        method: hop.method.clone(),
        url: hop.url.to_string(),
        headers: hop.headers.clone(),
        body: hop.body.clone(),
    };
    network.sent.borrow_mut().push(sent.clone());
    let reply = (network.handler)(&sent)?;
    Ok(Answer {
        status: reply.status,
        headers: reply.headers,
        body: Body {
            left: reply.body,
            breaks: reply.breaks,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;

    #[test]
    fn there_is_no_network_unless_a_test_plays_it() {
        let error = Request::get("https://example.com").send().unwrap_err();
        assert!(error.is_denied() && error.to_string().contains("`http::Fake`"));
        let network = Fake::new(|_| Ok(Reply::text("hello")));
        assert!(Request::get("https://example.com").send().is_ok());
        drop(network);
        assert!(Request::get("https://example.com").send().is_err());
    }

    #[test]
    fn a_body_may_break_off() {
        let broken = Error::new(ErrorKind::Unreachable, "the connection broke");
        let reply = Reply::text("half").breaks(broken);
        let _network = Fake::new(move |_| Ok(reply.clone()));
        let response = Request::get("https://example.com").send().unwrap();
        let error = response.part(100).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`GET https://example.com/`: the connection broke"
        );
    }
}
