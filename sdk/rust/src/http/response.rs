//! What comes back.

use serde::de::DeserializeOwned;

use super::Answer;
use super::deadline::Deadline;
use super::error::{Error, ErrorKind};
use super::headers::Headers;
use super::hop::Hop;

/// The head of a response; its body is read by one of the functions that take it.
///
/// Each has a cap, since a server may send without end.
pub struct Response {
    hop: Hop,
    answer: Answer,
    deadline: Deadline,
}

/// A body as far as it was wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// The bytes, no more than the cap.
    pub bytes: Vec<u8>,
    /// Whether there is more.
    pub truncated: bool,
}

impl Response {
    pub(super) fn new(hop: Hop, answer: Answer, deadline: Deadline) -> Self {
        Self {
            hop,
            answer,
            deadline,
        }
    }

    /// The status, such as 200.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.answer.status
    }

    /// Whether the status is one of success, 200 to 299.
    #[must_use]
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status())
    }

    /// Where the response comes from, after all redirects.
    #[must_use]
    pub fn url(&self) -> &str {
        self.hop.url.as_str()
    }

    /// Its headers.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        &self.answer.headers
    }

    /// The first value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.answer.headers.get(name)
    }

    /// Reads as much of the body as is there, and at most `cap` bytes.
    ///
    /// # Errors
    /// When it breaks off, or takes too long.
    pub fn part(mut self, cap: usize) -> Result<Part, Error> {
        let mut part = Part::default();
        loop {
            // One byte more than wanted tells whether there is more.
            let wanted = cap.saturating_sub(part.bytes.len()).saturating_add(1);
            let piece = self.answer.body.read(wanted, self.deadline);
            let Some(piece) = piece.map_err(|error| self.hop.explain(error))? else {
                return Ok(part);
            };
            part.bytes.extend_from_slice(&piece);
            if part.bytes.len() > cap {
                part.bytes.truncate(cap);
                part.truncated = true;
                return Ok(part);
            }
        }
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// [`ErrorKind::TooLarge`] when it has more than `cap` bytes; when it breaks off, or
    /// takes too long.
    pub fn bytes(self, cap: usize) -> Result<Vec<u8>, Error> {
        let subject = self.hop.to_string();
        let part = self.part(cap)?;
        if part.truncated {
            let message = format!("the response has more than {cap} bytes");
            return Err(Error::new(ErrorKind::TooLarge, message).about(&subject));
        }
        Ok(part.bytes)
    }

    /// Reads the whole body as JSON.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes), and [`ErrorKind::Protocol`] when it does not parse as
    /// `T`.
    pub fn json<T: DeserializeOwned>(self, cap: usize) -> Result<T, Error> {
        let subject = self.hop.to_string();
        let bytes = self.bytes(cap)?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let message = format!("the response is not the JSON that was expected: {error}");
            Error::new(ErrorKind::Protocol, message).about(&subject)
        })
    }
}

impl std::fmt::Debug for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.answer.status)
            .field("url", &self.url())
            .field("headers", &self.answer.headers)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Fake, Reply, Request};
    use super::*;

    fn fetch(body: &str) -> (Fake, Response) {
        let body = body.to_owned();
        let network = Fake::new(move |_| Ok(Reply::text(&*body)));
        let response = Request::get("https://a.example/x?key=1").send();
        (network, response.unwrap())
    }

    #[test]
    fn a_body_is_read_up_to_its_cap() {
        for (cap, read, truncated) in [(0, "", true), (5, "hello", false), (4, "hell", true)] {
            let part = fetch("hello").1.part(cap).unwrap();
            assert_eq!((&*part.bytes, part.truncated), (read.as_bytes(), truncated));
        }
        assert_eq!(fetch("").1.part(0), Ok(Part::default()));
    }

    #[test]
    fn a_whole_body_larger_than_its_cap_is_an_error() {
        assert_eq!(fetch("hello").1.bytes(5).unwrap(), b"hello");
        let error = fetch("hello").1.bytes(4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooLarge);
        let said = "`GET https://a.example/x`: the response has more than 4 bytes";
        assert_eq!(error.to_string(), said);
    }

    #[test]
    fn json_that_is_none_says_so() {
        assert_eq!(fetch("[1]").1.json::<Vec<u8>>(99).unwrap(), [1]);
        let error = fetch("<html>").1.json::<Vec<u8>>(99).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol);
    }
}
