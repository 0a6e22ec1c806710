//! What the codes of `wasi:http` mean to whoever asked.

use crate::http::bindings::streams::Error as IoError;
use crate::http::bindings::types::{self, ErrorCode};
use crate::http::error::{Error, ErrorKind};
use crate::http::hop::Hop;

/// Why there is no response.
pub(super) fn of(code: &ErrorCode, hop: &Hop) -> Error {
    match code {
        ErrorCode::HttpRequestDenied => denied(hop),
        ErrorCode::DestinationIpProhibited => private(hop),
        _ => {
            let (kind, message) = told(code);
            Error::new(kind, message)
        }
    }
}

/// Why the body breaks off.
pub(super) fn of_stream(error: &IoError, hop: &Hop) -> Error {
    match types::http_error_code(error) {
        Some(code) => of(&code, hop),
        None => Error::new(ErrorKind::Protocol, "the response broke off"),
    }
}

/// Whether nothing of the request can have reached the server.
pub(super) fn is_before_sending(code: &ErrorCode) -> bool {
    use ErrorCode as C;
    matches!(
        code,
        C::HttpRequestDenied
            | C::DestinationIpProhibited
            | C::DestinationIpUnroutable
            | C::DestinationNotFound
            | C::DestinationUnavailable
            | C::DnsTimeout
            | C::DnsError(_)
            | C::ConnectionRefused
            | C::ConnectionTimeout
            | C::ConnectionLimitReached
            | C::TlsCertificateError
            | C::ConfigurationError
            | C::HttpRequestMethodInvalid
            | C::HttpRequestUriInvalid
    )
}

/// The host says no more than that, so that no flag is named as if it were missing:
/// it may have been given.
fn denied(hop: &Hop) -> Error {
    let (flag, secrets) = (hop.flag(false), hop.secret_flags());
    let message = if secrets.is_empty() {
        format!(
            "denied: the operator has to allow it (`{flag}`); where that is done, it holds a \
             secret that may not go there; the report of the call says what is missing"
        )
    } else {
        let secrets = secrets.join(", ");
        format!(
            "denied: the operator has to allow it (`{flag}`), and each secret in it for this host \
             ({secrets}); the report of the call says what is missing"
        )
    };
    Error::new(ErrorKind::Denied, message)
}

fn private(hop: &Hop) -> Error {
    let message = format!(
        "denied: the host has an address that is not public; if that is meant, the operator has \
         to allow it (`{}`), and where that is done, it is an address that no name may lead to, or \
         none that is ever asked; the report of the call says which",
        hop.flag(true)
    );
    Error::new(ErrorKind::Denied, message)
}

fn told(code: &ErrorCode) -> (ErrorKind, String) {
    use ErrorCode as C;
    use ErrorKind as K;
    let (kind, message) = match code {
        C::DnsTimeout => (K::Timeout, "the name of the host was not resolved in time"),
        C::DnsError(_) | C::DestinationNotFound => {
            (K::Unreachable, "there is no host of this name: check it")
        }
        C::ConnectionRefused => (K::Unreachable, "nothing listens there: check host and port"),
        C::DestinationUnavailable | C::DestinationIpUnroutable => {
            (K::Unreachable, "the host cannot be reached")
        }
        C::ConnectionTerminated => (K::Unreachable, "the server closed the connection"),
        C::ConnectionTimeout => (K::Timeout, "there was no connection in time"),
        C::HttpResponseTimeout => (K::Timeout, "the server did not answer in time"),
        C::ConnectionReadTimeout => (K::Timeout, "the server stopped sending"),
        C::ConnectionWriteTimeout => (K::Timeout, "the server stopped reading"),
        C::TlsCertificateError => (
            K::Tls,
            "the certificate of the server is not valid for it, or not trusted",
        ),
        C::TlsProtocolError | C::TlsAlertReceived(_) => (
            K::Tls,
            "there is no TLS with this server: is it `http:`, or another port?",
        ),
        C::ConnectionLimitReached => (
            K::Limit,
            "the call may send no more requests, or not as many at once",
        ),
        C::HttpResponseIncomplete => (K::Protocol, "the response broke off"),
        C::HttpUpgradeFailed => (K::Protocol, "the server wants to speak another protocol"),
        C::HttpRequestMethodInvalid => (K::Invalid, "the method cannot be sent"),
        C::HttpRequestUriInvalid | C::HttpRequestUriTooLong => {
            (K::Invalid, "the URL cannot be sent")
        }
        C::HttpResponseTransferCoding(_) | C::HttpResponseContentCoding(_) => (
            K::Protocol,
            "the server packed its answer, and the host does not read it: it looks for secrets in it",
        ),
        C::HttpProtocolError | C::HttpResponseTrailerSize(_) => {
            (K::Protocol, "what the server sent is no response")
        }
        _ => return sized(code),
    };
    (kind, message.to_owned())
}

fn sized(code: &ErrorCode) -> (ErrorKind, String) {
    use ErrorCode as C;
    let limit = |what: &str, most: Option<u64>| {
        let most = most.map_or(String::new(), |most| format!(" ({most} bytes)"));
        (
            ErrorKind::Limit,
            format!("{what} than the limits of the call allow{most}"),
        )
    };
    match code {
        C::HttpRequestBodySize(most) => limit("more bytes were sent", *most),
        C::HttpResponseBodySize(most) => limit("more bytes were received", *most),
        C::HttpRequestHeaderSectionSize(most) => {
            limit("the request has more headers", most.map(u64::from))
        }
        C::HttpResponseHeaderSectionSize(most) | C::HttpResponseTrailerSectionSize(most) => {
            limit("the response has more headers", most.map(u64::from))
        }
        C::ConfigurationError => {
            let message =
                "the host's own network is not set up: the operator has to look at its log";
            (ErrorKind::Other, message.to_owned())
        }
        // The name is all that is known; a text in it is the host's own.
        other => (ErrorKind::Other, format!("the request failed: {other:?}")),
    }
}
