//! Requests to GitHub. The token is put in by the host, so it is never here.

pub mod failure;

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use toolhost_sdk::http::{Request, Response, Url};
use toolhost_sdk::{ToolError, config};

/// Where GitHub is, unless the operator says otherwise.
const BASE: &str = "https://api.github.com";

/// The version of the API that this is written for.
const VERSION: &str = "2022-11-28";

/// The largest response that is read.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// GitHub, or the operator's own.
#[derive(Debug, Clone)]
pub struct Api {
    base: Url,
    anonymous: bool,
}

/// A part of a list.
#[derive(Debug, Clone)]
pub struct ListPart<T> {
    /// What is in it.
    pub items: T,
    /// Whether there is another part.
    pub has_more: bool,
}

impl Api {
    /// As the operator has set it.
    ///
    /// # Errors
    /// When it is set wrongly.
    pub fn of_operator() -> Result<Self, ToolError> {
        let written = config("base-url").unwrap_or_else(|| BASE.into());
        let base = Url::parse(written.trim())
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.query().is_none());
        let base = base.ok_or_else(|| {
            ToolError::new(
                "GitHubConfigError",
                format!("the operator's `base-url` is no URL to add paths to: `{written}`"),
            )
        })?;
        let anonymous = match config("anonymous").as_deref().map(str::trim) {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                let other = other.escape_debug();
                return Err(ToolError::new(
                    "GitHubConfigError",
                    format!("the operator's `anonymous` is `true` or `false`, not `{other}`"),
                ));
            }
        };
        Ok(Self { base, anonymous })
    }

    /// A request for what is at these parts of a path.
    #[must_use]
    pub fn request<'a>(&self, method: &str, path: impl IntoIterator<Item = &'a str>) -> Request {
        self.request_as(method, path, "json")
    }

    /// The same for another form of what is there: `raw+json`, `text-match+json`.
    #[must_use]
    pub fn request_as<'a>(
        &self,
        method: &str,
        path: impl IntoIterator<Item = &'a str>,
        form: &str,
    ) -> Request {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            // Each part is escaped: none can hold a slash or a question mark.
            segments.pop_if_empty().extend(path);
        }
        let accept = match form {
            "json" => "application/vnd.github+json".to_owned(),
            form => format!("application/vnd.github.{form}"),
        };
        let request = Request::new(method, String::from(url))
            .header("accept", accept)
            .header("accept-encoding", "identity")
            .header(
                "user-agent",
                concat!("toolhost-github/", env!("CARGO_PKG_VERSION")),
            )
            .header("x-github-api-version", VERSION)
            .timeout(TIMEOUT);
        if self.anonymous {
            return request;
        }
        request.header("authorization", "Bearer {{secret:github-token}}")
    }

    /// Reads something; `what` is what it is called when it is not there.
    ///
    /// # Errors
    /// When GitHub does not tell it.
    pub fn get<T: DeserializeOwned>(&self, request: Request, what: &str) -> Result<T, ToolError> {
        Ok(self.list(request, what)?.items)
    }

    /// Reads a part of a list.
    ///
    /// # Errors
    /// When GitHub does not tell it.
    pub fn list<T: DeserializeOwned>(
        &self,
        request: Request,
        what: &str,
    ) -> Result<ListPart<T>, ToolError> {
        // A repository that was renamed redirects, to the same origin.
        let response = check(request.max_redirects(3).send()?, what)?;
        let has_more = response
            .headers()
            .iter()
            .any(|(name, value)| name == "link" && value.contains("rel=\"next\""));
        let items = response.json(MAX_BYTES)?;
        Ok(ListPart { items, has_more })
    }

    /// Reads bytes that are not JSON.
    ///
    /// # Errors
    /// When GitHub does not tell them.
    pub fn bytes(&self, request: Request, what: &str) -> Result<Vec<u8>, ToolError> {
        let response = check(request.max_redirects(3).send()?, what)?;
        Ok(response.bytes(MAX_BYTES)?)
    }

    /// Writes something. No redirect is followed: it would be read instead.
    ///
    /// # Errors
    /// When GitHub does not take it.
    pub fn post<T: DeserializeOwned>(
        &self,
        request: Request,
        body: &Value,
        what: &str,
    ) -> Result<T, ToolError> {
        let response = check(request.json(body).send()?, what)?;
        Ok(response.json(MAX_BYTES)?)
    }
}

/// The response, if it is a good one.
fn check(response: Response, what: &str) -> Result<Response, ToolError> {
    if response.is_success() {
        return Ok(response);
    }
    Err(failure::explain(response, what))
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::http::{Fake, Reply};
    use toolhost_sdk::testing;

    use super::*;

    fn sent(api: &Api) -> toolhost_sdk::http::Sent {
        let network = Fake::new(|_| Ok(Reply::json(serde_json::json!([]))));
        let request = api.request("GET", ["repos", "a b", "c/../d?e"]);
        api.get::<Value>(request, "it").unwrap();
        network.sent().remove(0)
    }

    #[test]
    fn no_part_of_a_path_leaves_its_place() {
        let sent = sent(&Api::of_operator().unwrap());
        assert_eq!(
            sent.url,
            "https://api.github.com/repos/a%20b/c%2F..%2Fd%3Fe"
        );
        let token = sent.headers.get("authorization");
        assert_eq!(token, Some("Bearer {{secret:github-token}}"));
    }

    #[test]
    fn the_operator_may_name_another_server_and_read_without_a_token() {
        testing::set_config("base-url", "https://github.example.com/api/v3/");
        testing::set_config("anonymous", "true");
        let sent = sent(&Api::of_operator().unwrap());
        assert!(
            sent.url
                .starts_with("https://github.example.com/api/v3/repos/")
        );
        assert_eq!(sent.headers.get("authorization"), None);
        for unclear in ["yes", "1", "TRUE", ""] {
            testing::set_config("anonymous", unclear);
            let error = Api::of_operator().unwrap_err();
            assert!(
                error.message.ends_with(&format!("not `{unclear}`")),
                "{error}"
            );
        }
        testing::set_config("anonymous", "false");
        assert!(!Api::of_operator().unwrap().anonymous);
        testing::set_config("base-url", "github.example.com");
        let error = Api::of_operator().unwrap_err();
        assert!(error.message.starts_with("the operator's `base-url`"));
    }

    #[test]
    fn a_list_says_whether_it_goes_on() {
        let _network = Fake::new(|_| {
            let next = "<https://api.github.com/x?page=3>; rel=\"next\", <https://api.github.com/x>; rel=\"first\"";
            Ok(Reply::json(serde_json::json!([1])).header("link", next))
        });
        let api = Api::of_operator().unwrap();
        let part = api
            .list::<Vec<u8>>(api.request("GET", ["x"]), "it")
            .unwrap();
        assert!(part.has_more);
    }
}
