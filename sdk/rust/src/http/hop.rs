//! One exchange: a request that was checked, and what comes of it.

use url::Url;

use super::Answer;
use super::deadline::Deadline;
use super::error::{Error, ErrorKind};
use super::headers::Headers;
use super::live;
use super::request::Request;

/// The longest URL, in bytes; servers take less.
const MAX_URL: usize = 8 * 1024;

/// How a placeholder begins in the query, the path and a parameter of a URL. The host
/// looks for them in headers only.
const PLACEHOLDERS: [&str; 3] = ["{{secret:", "%7B%7Bsecret:", "%7B%7Bsecret%3A"];

/// A request as it is sent.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    pub(super) method: String,
    pub(super) url: Url,
    pub(super) headers: Headers,
    pub(super) body: Option<Vec<u8>>,
}

impl Hop {
    /// The request that was asked for.
    pub(super) fn first(request: &Request) -> Result<Self, Error> {
        let mut url = parse(&request.url)?;
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        check_url(&url)?;
        check_method(&request.method)?;
        check_headers(&request.headers)?;
        let mut headers = request.headers.clone();
        headers.retain(|name, _| name != "content-length");
        if let Some(body) = &request.body {
            headers.append("content-length", body.len().to_string());
        }
        Ok(Self {
            method: request.method.clone(),
            url,
            headers,
            body: request.body.clone(),
        })
    }

    /// Sends it and waits for the head of the response.
    pub(super) fn exchange(&self, deadline: Deadline) -> Result<Answer, Error> {
        live::exchange(self, deadline).map_err(|error| self.explain(error))
    }

    /// Says in front which request it is about.
    pub(super) fn explain(&self, error: Error) -> Error {
        error.about(&self.to_string())
    }

    /// The caller's own check did not let it go.
    pub(super) fn refused(&self, why: &str) -> Error {
        Error::new(ErrorKind::Denied, why).about(&self.to_string())
    }

    /// The secrets that it asks the host to put in, as they are granted by flags.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for the host"))]
    pub(super) fn secret_flags(&self) -> Vec<String> {
        let values = self.headers.iter().map(|(_, value)| value);
        let placeholders = values.flat_map(|value| value.split(PLACEHOLDERS[0]).skip(1));
        let names = placeholders.filter_map(|rest| rest.split_once("}}").map(|(name, _)| name));
        names
            .map(|name| format!("`--secret {}`", name.escape_debug()))
            .collect()
    }

    /// Whether sending it twice does the same as once.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for the host"))]
    pub(super) fn is_repeatable(&self) -> bool {
        matches!(&*self.method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE")
    }

    /// The flag that would let it go. An address that is not public, as far as the URL
    /// shows it or `private` says, takes another one.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for the host"))]
    pub(super) fn flag(&self, private: bool) -> String {
        let is_private = match self.url.host() {
            Some(url::Host::Ipv4(address)) => {
                address.is_loopback() || address.is_private() || address.is_link_local()
            }
            Some(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unique_local(),
            Some(url::Host::Domain(name)) => name == "localhost",
            None => false,
        };
        let flag = if private || is_private {
            "--allow-private-host"
        } else {
            "--allow-host"
        };
        let origin = self.url.origin().ascii_serialization();
        match &*self.method {
            "GET" | "HEAD" => format!("{flag} \"{origin}\""),
            method => format!("{flag} \"{method} {origin}\""),
        }
    }
}

/// Without the query, which may hold what nobody shall read.
impl std::fmt::Display for Hop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let url = &self.url[..url::Position::AfterPath];
        write!(f, "`{} {url}`", self.method)
    }
}

/// Reads a URL of a caller.
pub(super) fn parse(text: &str) -> Result<Url, Error> {
    let wrong = |why: &str| {
        let shown: String = text.chars().take(200).collect();
        let shown = shown.escape_debug();
        Err(Error::invalid(format!(
            "`{shown}` is no URL that can be asked for: {why}"
        )))
    };
    if text.len() > MAX_URL {
        return wrong("it is too long");
    }
    match Url::parse(text) {
        Ok(url) => Ok(url),
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            wrong("it is not complete; begin it with `https://`")
        }
        Err(error) => wrong(&error.to_string()),
    }
}

/// Whether a request can go to a URL at all; the host decides whether it may.
pub(super) fn check_url(url: &Url) -> Result<(), Error> {
    if !matches!(url.scheme(), "http" | "https") {
        let scheme = url.scheme();
        return Err(Error::invalid(format!(
            "`{scheme}:` cannot be asked for: only `https:` and `http:` can"
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Not repeated: it may be a password.
        return Err(Error::invalid(
            "the URL has a user name or a password in it: leave them out, and sign in with a header",
        ));
    }
    if url.as_str().len() > MAX_URL {
        return Err(Error::invalid("the URL is too long"));
    }
    if PLACEHOLDERS
        .iter()
        .any(|start| url.as_str().contains(start))
    {
        return Err(Error::invalid(
            "`{{secret:NAME}}` has no meaning in a URL: put it into a header",
        ));
    }
    Ok(())
}

fn check_method(method: &str) -> Result<(), Error> {
    if method.is_empty() || !method.bytes().all(is_token) {
        let method = method.escape_debug();
        return Err(Error::invalid(format!(
            "`{method}` is no method: write one such as `GET`"
        )));
    }
    // No host sends them and no grant allows them: a tunnel nobody can look into,
    // and an echo of what is put in on the way.
    if matches!(method, "CONNECT" | "TRACE" | "TRACK") {
        return Err(Error::invalid(format!(
            "`{method}` is never sent, whatever is granted: take another method"
        )));
    }
    Ok(())
}

fn check_headers(headers: &Headers) -> Result<(), Error> {
    for (name, value) in headers.iter() {
        let shown = name.escape_debug();
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err(Error::invalid(format!("`{shown}` is no name of a header")));
        }
        if value.bytes().any(|byte| matches!(byte, b'\r' | b'\n' | 0)) {
            return Err(Error::invalid(format!(
                "the header `{shown}` has a line break in its value: a header is one line"
            )));
        }
    }
    Ok(())
}

/// What methods and names of headers are made of (RFC 9110 §5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(request: &Request) -> String {
        Hop::first(request).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_sent_is_told_before_anything_is() {
        let get = |url: &str| Request::get(url);
        for (request, said) in [
            (get("example.com"), "begin it with `https://`"),
            (get("https://"), "empty host"),
            (get("file:///etc/passwd"), "`file:` cannot be asked for"),
            (get("https://ada:pass@example.com"), "leave them out"),
            (
                get("https://example.com/?k={{secret:key}}"),
                "put it into a header",
            ),
            (
                get("https://example.com").query("k", "{{secret:key}}"),
                "put it into a header",
            ),
            (
                Request::new("GE T", "https://example.com"),
                "`GE T` is no method",
            ),
            (
                Request::new("TRACE", "https://example.com"),
                "`TRACE` is never sent",
            ),
            (
                Request::new("connect", "https://example.com"),
                "`CONNECT` is never sent",
            ),
            (
                get("https://example.com").header("a b", "c"),
                "`a b` is no name",
            ),
            (
                get("https://example.com").header("a", "b\r\nc: d"),
                "a header is one line",
            ),
            (
                get(&format!("https://example.com/{}", "x".repeat(9000))),
                "it is too long",
            ),
        ] {
            let refusal = refusal(&request);
            assert!(refusal.contains(said), "{refusal}");
            assert!(!refusal.contains("pass@"), "{refusal}");
        }
    }

    #[test]
    fn the_flag_that_would_help_is_named() {
        let hop = Hop::first(&Request::get("http://10.0.0.1:8080/a?b")).unwrap();
        assert_eq!(
            hop.flag(false),
            "--allow-private-host \"http://10.0.0.1:8080\""
        );
        assert_eq!(hop.to_string(), "`GET http://10.0.0.1:8080/a`");
        let request =
            Request::post("https://example.com").header("x", "a {{secret:b}} {{secret:c}}");
        let hop = Hop::first(&request).unwrap();
        assert_eq!(hop.secret_flags(), ["`--secret b`", "`--secret c`"]);
        assert_eq!(hop.flag(false), "--allow-host \"POST https://example.com\"");
    }

    #[test]
    fn the_query_holds_what_it_was_given_and_the_length_is_that_of_the_body() {
        let request = Request::put("https://example.com/?a=1")
            .query("q", "b&c=d é")
            .header("Content-Length", "7")
            .body("four");
        let hop = Hop::first(&request).unwrap();
        assert_eq!(hop.url.query(), Some("a=1&q=b%26c%3Dd+%C3%A9"));
        assert_eq!(hop.headers.get("content-length"), Some("4"));
    }
}
