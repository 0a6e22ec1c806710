//! Why there is no response, and what would help.

use std::fmt;

use crate::error::ToolError;

/// Why a request was not sent, or has no complete response. A tool may pass it on
/// with `?`: the message is for a model.
///
/// Any status is a response, also 404 and 500.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    may_have_arrived: bool,
    /// The time that the tool set for all of it is over.
    own_time: bool,
}

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The request cannot be sent as it is written.
    Invalid,
    /// The operator has not granted it, or it holds a secret that may not go there.
    Denied,
    /// No connection: the name is not known, nobody answers, or it broke.
    Unreachable,
    /// It took too long.
    Timeout,
    /// The server did not prove who it is, or speaks no TLS.
    Tls,
    /// A limit that the host sets to the requests of a call was reached.
    Limit,
    /// A redirect that is not followed.
    Redirect,
    /// The response is larger than what the tool takes.
    TooLarge,
    /// What came is no proper response.
    Protocol,
    /// A reason this version does not name.
    Other,
}

impl Error {
    /// A failure that reached nobody.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            may_have_arrived: false,
            own_time: false,
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    /// The request may have done its work although nothing came back.
    #[must_use]
    pub fn may_have_arrived(mut self) -> Self {
        self.may_have_arrived = true;
        self
    }

    /// The time that the tool set is over. Sent once more, it would take that time once
    /// more, and whoever set it would wait twice as long.
    pub(super) fn in_own_time(mut self) -> Self {
        self.own_time = true;
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Whether the operator would have to grant something.
    #[must_use]
    pub fn is_denied(&self) -> bool {
        self.kind == ErrorKind::Denied
    }

    /// Whether the same request may succeed later, and does no harm when it did arrive
    /// before. Not so once the time is over that the tool itself set for it.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        let passes = matches!(self.kind, ErrorKind::Unreachable | ErrorKind::Timeout);
        passes && !self.may_have_arrived && !self.own_time
    }

    /// Adds what it is about in front.
    #[must_use]
    pub(super) fn about(mut self, subject: &str) -> Self {
        self.message = format!("{subject}: {}", self.message);
        self
    }

    /// What a tool's error is called for it.
    fn name(&self) -> &'static str {
        match self.kind {
            ErrorKind::Invalid => "HttpRequestError",
            ErrorKind::Denied => "HttpDeniedError",
            ErrorKind::Unreachable => "HttpUnreachableError",
            ErrorKind::Timeout => "HttpTimeoutError",
            ErrorKind::Tls => "HttpTlsError",
            ErrorKind::Limit => "HttpLimitError",
            ErrorKind::Redirect => "HttpRedirectError",
            ErrorKind::TooLarge => "HttpTooLargeError",
            ErrorKind::Protocol => "HttpProtocolError",
            ErrorKind::Other => "HttpError",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.may_have_arrived {
            f.write_str("; the request may have arrived: look before you send it again")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        let made = Self::new(error.name(), error.to_string());
        if error.is_retryable() {
            made.retryable()
        } else {
            made
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_have_arrived_is_not_sent_again_unasked() {
        let error = Error::new(ErrorKind::Timeout, "no answer within 10 ms");
        assert!(ToolError::from(error.clone()).retryable);
        let error = ToolError::from(error.may_have_arrived());
        assert!(!error.retryable);
        assert_eq!(error.name, "HttpTimeoutError");
        assert!(error.message.ends_with("look before you send it again"));
    }
}
