//! Requests to Slack. The token is put in by the host, so it is never here.

use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolhost_sdk::http::{Request, Response, Url};
use toolhost_sdk::{ToolError, config};

use crate::failure;

/// Where Slack is, unless the operator says otherwise.
const BASE: &str = "https://slack.com/api";

/// The largest response that is read.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Slack, or a server that speaks like it.
#[derive(Debug, Clone)]
pub struct Api {
    base: Url,
}

/// How every answer of Slack begins: its status is 200 in any case.
#[derive(Debug, Deserialize)]
struct Head {
    ok: bool,
    #[serde(default)]
    error: String,
    #[serde(default)]
    needed: Option<String>,
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
                "SlackConfigError",
                format!("the operator's `base-url` is no URL to add names to: `{written}`"),
            )
        })?;
        Ok(Self { base })
    }

    /// Asks for something; `about` names what, for when it is refused.
    ///
    /// # Errors
    /// When Slack does not tell it.
    pub fn get<T: DeserializeOwned>(
        &self,
        method: &str,
        query: &[(&str, &str)],
        about: &str,
    ) -> Result<T, ToolError> {
        let request = query
            .iter()
            .fold(self.request("GET", method), |request, (name, value)| {
                request.query(*name, value)
            });
        answer(request.send()?, about)
    }

    /// Does something.
    ///
    /// # Errors
    /// When Slack does not do it.
    pub fn post<T: DeserializeOwned>(
        &self,
        method: &str,
        body: &Value,
        about: &str,
    ) -> Result<T, ToolError> {
        let request = self
            .request("POST", method)
            .header("content-type", "application/json; charset=utf-8")
            .json(body);
        answer(request.send()?, about)
    }

    /// No redirect is followed: the API has none.
    fn request(&self, http_method: &str, method: &str) -> Request {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(method);
        }
        Request::new(http_method, String::from(url))
            .header("accept-encoding", "identity")
            .header("authorization", "Bearer {{secret:slack-token}}")
            .header(
                "user-agent",
                concat!("toolhost-slack/", env!("CARGO_PKG_VERSION")),
            )
            .timeout(TIMEOUT)
    }
}

fn answer<T: DeserializeOwned>(response: Response, about: &str) -> Result<T, ToolError> {
    let status = response.status();
    if status == 429 {
        let wait = response
            .header("retry-after")
            .and_then(|wait| wait.trim().parse().ok());
        return Err(failure::limited(wait));
    }
    let bytes = response.bytes(MAX_BYTES)?;
    let Ok(head) = serde_json::from_slice::<Head>(&bytes) else {
        return Err(failure::unreadable(status));
    };
    if !head.ok {
        return Err(failure::explain(&head.error, head.needed.as_deref(), about));
    }
    serde_json::from_slice(&bytes).map_err(|_| failure::unreadable(status))
}
