//! What GitHub's refusals mean, and what to do about them.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use serde_json::json;
use toolhost_sdk::ToolError;
use toolhost_sdk::http::Response;

/// The largest explanation that is read.
const MAX_BYTES: usize = 64 * 1024;

/// How much of GitHub's own words is repeated, in characters.
const MAX_WORDS: usize = 300;

/// GitHub's own words.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Told {
    message: String,
    errors: Vec<serde_json::Value>,
}

/// Why GitHub did not do what it was asked; `what` is what it was about.
pub(super) fn explain(response: Response, what: &str) -> ToolError {
    let status = response.status();
    let limit = Limit::read(&response);
    let location = response.header("location").map(str::to_owned);
    let told = response.bytes(MAX_BYTES).ok();
    let told: Told = told
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    let said = said(&told);
    let error = match status {
        401 => ToolError::new(
            "GitHubSignInError",
            format!(
                "GitHub does not accept the token{said}: the operator has to renew the secret \
                 `github-token`"
            ),
        ),
        403 | 429 if limit.is_reached(status, &told.message) => limit.error(),
        403 => ToolError::new(
            "GitHubForbiddenError",
            format!(
                "the token may not do this with {what}{said}: the operator has to give it the \
                 permission"
            ),
        ),
        404 | 410 => ToolError::new(
            "GitHubNotFoundError",
            format!(
                "there is no {what}, or the token may not see it{said}: check the name; \
                 `github_search` finds what there is"
            ),
        ),
        300..=399 => {
            let to = location.map_or(String::new(), |location| format!(" to `{location}`"));
            ToolError::new(
                "GitHubMovedError",
                format!("{what} has moved{to}: use the new name of the repository"),
            )
        }
        422 => ToolError::new(
            "GitHubRefusedError",
            format!("GitHub does not take this for {what}{said}"),
        ),
        500.. => ToolError::new(
            "GitHubServerError",
            format!("GitHub has a fault of its own ({status}){said}: try again later"),
        )
        .retryable(),
        _ => ToolError::new(
            "GitHubError",
            format!("GitHub answers {status} for {what}{said}"),
        ),
    };
    error.code(status.to_string())
}

fn said(told: &Told) -> String {
    let mut words = told.message.clone();
    for error in told.errors.iter().take(3) {
        let detail = ["message", "field", "code"]
            .iter()
            .find_map(|key| error[key].as_str());
        if let Some(detail) = detail.or(error.as_str()) {
            words.push_str(", ");
            words.push_str(detail);
        }
    }
    if words.is_empty() {
        return String::new();
    }
    let words: String = words.chars().take(MAX_WORDS).collect();
    format!(" (\"{words}\")")
}

/// How many requests are left, and when there are more.
struct Limit {
    none_left: bool,
    /// Seconds since 1970.
    reset: Option<u64>,
    /// Seconds from now.
    retry_after: Option<u64>,
}

impl Limit {
    fn read(response: &Response) -> Self {
        let number = |name| {
            response
                .header(name)
                .and_then(|value| value.trim().parse().ok())
        };
        Self {
            none_left: number("x-ratelimit-remaining") == Some(0),
            reset: number("x-ratelimit-reset"),
            retry_after: number("retry-after"),
        }
    }

    fn is_reached(&self, status: u16, message: &str) -> bool {
        let is_said = message.to_ascii_lowercase().contains("rate limit");
        status == 429 || self.none_left || self.retry_after.is_some() || is_said
    }

    fn error(&self) -> ToolError {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |now| now.as_secs());
        let seconds = self
            .retry_after
            .or_else(|| self.reset.map(|reset| reset.saturating_sub(now)));
        let when = match seconds {
            None => "later".to_owned(),
            Some(seconds) if seconds < 120 => format!("in {seconds} seconds"),
            Some(seconds) => {
                // Guest's clock and server's header: a sum that cannot be is cut.
                let at = now.saturating_add(seconds) % 86_400;
                let (hour, minute) = (at / 3600, at % 3600 / 60);
                format!(
                    "in {} minutes, at {hour:02}:{minute:02} UTC",
                    seconds.div_ceil(60)
                )
            }
        };
        let message = format!(
            "GitHub's limit of requests for this token is used up: there are more {when}; do \
             something else until then"
        );
        ToolError::new("GitHubRateLimitError", message)
            .details(json!({ "retryAfterSeconds": seconds }))
    }
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::http::{Fake, Reply, Request};

    use super::*;

    fn error(reply: Reply) -> ToolError {
        let _network = Fake::new(move |_| Ok(reply.clone()));
        let response = Request::get("https://api.github.com/x").send().unwrap();
        explain(response, "issue `7` in `ada/engine`")
    }

    fn told(status: u16, message: &str) -> Reply {
        Reply::json(json!({ "message": message })).with_status(status)
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        for (reply, name, said) in [
            (told(401, "Bad credentials"), "GitHubSignInError", "(\"Bad credentials\"): the operator"),
            (told(403, "Not accessible"), "GitHubForbiddenError", "give it the permission"),
            (told(404, "Not Found"), "GitHubNotFoundError", "no issue `7` in `ada/engine`, or"),
            (told(502, ""), "GitHubServerError", "(502): try again later"),
            (Reply::status(418), "GitHubError", "answers 418"),
            (
                Reply::status(307).header("location", "https://api.github.com/y"),
                "GitHubMovedError",
                "to `https://api.github.com/y`",
            ),
            (
                Reply::json(json!({ "message": "Validation Failed", "errors": [{ "code": "missing" }, "b"] }))
                    .with_status(422),
                "GitHubRefusedError",
                "(\"Validation Failed, missing, b\")",
            ),
        ] {
            let error = error(reply);
            assert_eq!(error.name, name);
            assert!(error.message.contains(said), "{}", error.message);
        }
    }

    #[test]
    fn a_limit_says_when_there_is_more() {
        let reply = told(403, "API rate limit exceeded").header("x-ratelimit-remaining", "0");
        let soon = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs()
            + 600;
        let limited = error(reply.clone().header("x-ratelimit-reset", soon.to_string()));
        assert_eq!(limited.name, "GitHubRateLimitError");
        assert!(limited.message.contains("10 minutes, at ") && limited.message.contains(" UTC"));
        let limited = error(told(429, "").header("retry-after", "60"));
        assert!(limited.message.contains("in 60 seconds"));
        assert_eq!(limited.details.unwrap()["retryAfterSeconds"], 60);
        let reply = reply.header("x-ratelimit-reset", u64::MAX.to_string());
        assert_eq!(error(reply).name, "GitHubRateLimitError");
        assert!(
            error(told(403, "secondary rate limit"))
                .message
                .contains("more later")
        );
    }
}
