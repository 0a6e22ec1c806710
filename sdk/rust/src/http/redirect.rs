//! The request that follows from a redirect (RFC 9110 §15.4), and what of the first
//! one does not follow.

use url::Url;

use super::Answer;
use super::error::{Error, ErrorKind};
use super::hop::{self, Hop};

/// Headers that never hold a credential and may follow to another origin. Any other
/// may be somebody's way of signing in.
const FOLLOWING: [&str; 9] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "cache-control",
    "content-type",
    "if-modified-since",
    "range",
    "user-agent",
];

/// The request that a response leads to; none when it is no redirect.
pub(super) fn next(hop: &Hop, answer: &Answer) -> Result<Option<Hop>, Error> {
    if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = answer.headers.get("location") else {
        return Ok(None);
    };
    let url = target(&hop.url, location)?;
    let mut next = Hop { url, ..hop.clone() };
    if is_read_next(answer.status, &hop.method) {
        if hop.method != "HEAD" {
            next.method = "GET".into();
        }
        next.body = None;
        next.headers.retain(|name, _| !name.starts_with("content-"));
    }
    if next.url.origin() != hop.url.origin() {
        if next.body.is_some() {
            return Err(stopped(format!(
                "it redirects to another origin, to which the body does not follow: send it to \
                 `{}` yourself if that is right",
                shown(&next.url)
            )));
        }
        next.headers
            .retain(|name, value| FOLLOWING.contains(&name) && !value.contains("{{secret:"));
    }
    Ok(Some(next))
}

/// Whether a redirect turns the request into a reading one.
fn is_read_next(status: u16, method: &str) -> bool {
    match status {
        303 => true,
        301 | 302 => method == "POST",
        _ => false,
    }
}

/// The URL of a redirect, which is the server's to choose.
fn target(from: &Url, location: &str) -> Result<Url, Error> {
    let joined = from.join(location).map_err(|_| {
        let location: String = location.chars().take(200).collect();
        stopped(format!(
            "it redirects to `{}`, which is no URL",
            location.escape_debug()
        ))
    })?;
    hop::check_url(&joined)
        .map_err(|error| stopped(format!("its redirect is not followed: {error}")))?;
    let mut url = joined;
    if url.fragment().is_none() {
        url.set_fragment(from.fragment());
    }
    Ok(url)
}

/// What is said of one redirect too many.
pub(super) fn too_many(followed: u32, next: &Url) -> Error {
    stopped(format!(
        "more than {followed} redirects, the next to `{}`",
        shown(next)
    ))
}

fn stopped(message: String) -> Error {
    Error::new(ErrorKind::Redirect, message)
}

fn shown(url: &Url) -> &str {
    &url[..url::Position::AfterPath]
}

#[cfg(test)]
mod tests {
    use super::super::{Fake, Reply, Request};
    use super::*;

    /// Follows what the first server says, from `https://a.example/here?q`.
    fn follow(status: u16, location: &str, request: Request) -> (Fake, Result<u16, Error>) {
        let location = location.to_owned();
        let network = Fake::new(move |sent| {
            if sent.url.starts_with("https://a.example/here") {
                return Ok(Reply::status(status).header("location", &*location));
            }
            Ok(Reply::text("there"))
        });
        let done = request.max_redirects(3).send();
        (network, done.map(|response| response.status()))
    }

    fn post() -> Request {
        Request::post("https://a.example/here?q")
            .header("authorization", "Bearer 1")
            .body("x")
    }

    #[test]
    fn a_post_goes_on_as_a_get_unless_the_server_says_otherwise() {
        for (status, method, body) in [
            (301, "GET", None),
            (302, "GET", None),
            (303, "GET", None),
            (307, "POST", Some("x")),
            (308, "POST", Some("x")),
        ] {
            let (network, done) = follow(status, "/there", post());
            assert_eq!(done, Ok(200));
            let sent = network.sent();
            assert_eq!(sent[1].url, "https://a.example/there");
            assert_eq!(sent[1].method, method);
            assert_eq!(sent[1].body.as_deref(), body.map(str::as_bytes));
            assert_eq!(
                sent[1].headers.get("content-length").is_some(),
                body.is_some()
            );
            assert_eq!(sent[1].headers.get("authorization"), Some("Bearer 1"));
        }
    }

    #[test]
    fn what_may_sign_in_stays_with_its_origin() {
        for location in [
            "https://b.example/",
            "//b.example",
            "http://a.example/",
            "https://a.example:8443/",
        ] {
            let request = Request::get("https://a.example/here")
                .header("Authorization", "Bearer {{secret:key}}")
                .header("Cookie", "session=1")
                .header("X-Api-Key", "1")
                .header("User-Agent", "{{secret:key}}")
                .header("Accept", "text/html");
            let (network, done) = follow(302, location, request);
            assert_eq!(done, Ok(200));
            let sent = network.sent();
            let kept: Vec<_> = sent[1].headers.iter().collect();
            assert_eq!(kept, [("accept", "text/html")], "{location}");
        }
    }

    #[test]
    fn a_body_does_not_follow_to_another_origin() {
        let (network, done) = follow(307, "https://b.example/", post());
        let error = done.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Redirect);
        assert!(
            error
                .to_string()
                .contains("send it to `https://b.example/` yourself")
        );
        assert_eq!(network.sent().len(), 1);
    }

    #[test]
    fn no_redirect_leaves_the_web() {
        for (location, said) in [
            ("file:///etc/passwd", "`file:` cannot be asked for"),
            ("javascript:alert(1)", "`javascript:`"),
            ("https://ada:secret@b.example/", "a password in it"),
            ("https://", "is no URL"),
        ] {
            let (network, done) = follow(302, location, Request::get("https://a.example/here"));
            let error = done.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Redirect, "{location}");
            assert!(error.to_string().contains(said), "{error}");
            assert_eq!(network.sent().len(), 1);
        }
    }

    #[test]
    fn a_loop_ends() {
        let request = Request::get("https://a.example/here");
        let (network, done) = follow(302, "/here?again", request);
        assert!(
            done.unwrap_err()
                .to_string()
                .contains("more than 3 redirects")
        );
        assert_eq!(network.sent().len(), 4);
    }

    #[test]
    fn a_redirect_is_the_response_unless_it_is_followed() {
        let _network = Fake::new(|_| Ok(Reply::status(302).header("location", "/there")));
        let response = Request::get("https://a.example").send().unwrap();
        assert_eq!(response.status(), 302);
        assert_eq!(response.header("location"), Some("/there"));
    }

    #[test]
    fn each_hop_is_checked() {
        let network = Fake::new(|_| Ok(Reply::status(302).header("location", "https://b.example")));
        let error = Request::get("https://a.example")
            .max_redirects(5)
            .check(|url| match url.host_str() {
                Some("a.example") => Ok(()),
                _ => Err("only `a.example`".into()),
            })
            .send()
            .unwrap_err();
        assert!(error.is_denied());
        assert_eq!(
            error.to_string(),
            "`GET https://b.example/`: only `a.example`"
        );
        assert_eq!(network.sent().len(), 1);
    }
}
