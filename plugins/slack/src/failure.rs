//! What Slack's refusals mean, and what to do about them.

use serde_json::json;
use toolhost_sdk::ToolError;

/// The longest name of an error that is repeated, in characters.
const MAX_NAME: usize = 100;

/// Why Slack did not do what it was asked (`ok: false`).
#[must_use]
pub fn explain(error: &str, needed: Option<&str>, about: &str) -> ToolError {
    let (name, message) = match error {
        "channel_not_found" => (
            "SlackNotFoundError",
            format!(
                "there is no {about}, or the bot may not see it: check the id or `#name`, or ask \
                 a member to invite the bot"
            ),
        ),
        "not_in_channel" => (
            "SlackForbiddenError",
            format!("the bot is no member of {about}: ask a member to invite it"),
        ),
        "is_archived" => (
            "SlackForbiddenError",
            format!("{about} is archived: nothing can be posted there"),
        ),
        "thread_not_found" | "message_not_found" => (
            "SlackNotFoundError",
            format!("there is no such message in {about}: give the `ts` of its first message"),
        ),
        "invalid_auth" | "not_authed" | "token_revoked" | "token_expired" | "account_inactive" => (
            "SlackSignInError",
            "Slack does not accept the token: the operator has to renew the secret `slack-token`"
                .into(),
        ),
        "missing_scope" => {
            let scope = needed.map_or("another scope".into(), |scope| {
                let scope: String = scope.chars().take(MAX_NAME).collect();
                format!("the scope `{scope}`")
            });
            (
                "SlackForbiddenError",
                format!("the token may not do this: the operator has to give the bot {scope}"),
            )
        }
        "restricted_action" | "access_denied" | "no_permission" | "ekm_access_denied" => (
            "SlackForbiddenError",
            format!("the rules of the workspace do not allow this in {about}"),
        ),
        "msg_too_long" => (
            "SlackTextError",
            "the text is too long: send several messages".into(),
        ),
        "no_text" => (
            "SlackTextError",
            "the text is empty: write what to post".into(),
        ),
        "invalid_cursor" => (
            "SlackArgumentError",
            "the `cursor` is not one of this list any more: begin without it".into(),
        ),
        "ratelimited" | "rate_limited" => return limited(None),
        "internal_error" | "fatal_error" | "service_unavailable" | "request_timeout" => {
            let message = format!("Slack has a fault of its own (`{error}`): try again later");
            return ToolError::new("SlackServerError", message).code(error);
        }
        _ => {
            let error: String = error.chars().take(MAX_NAME).collect();
            (
                "SlackError",
                format!("Slack refuses this for {about}: `{}`", error.escape_debug()),
            )
        }
    };
    let code: String = error.chars().take(MAX_NAME).collect();
    ToolError::new(name, message).code(code)
}

/// Too much was asked.
#[must_use]
pub fn limited(wait: Option<u64>) -> ToolError {
    let when = wait.map_or("later".into(), |seconds| format!("in {seconds} seconds"));
    ToolError::new(
        "SlackRateLimitError",
        format!("Slack's limit of requests is used up: try again {when}"),
    )
    .code("ratelimited")
    .details(json!({ "retryAfterSeconds": wait }))
}

/// What came is not what Slack says.
#[must_use]
pub fn unreadable(status: u16) -> ToolError {
    let message = format!(
        "what answered ({status}) does not speak like Slack: if that goes on, the operator has to \
         check `base-url`"
    );
    ToolError::new("SlackServerError", message).code(status.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        for (error, name, said) in [
            (
                "channel_not_found",
                "SlackNotFoundError",
                "no channel `#x`, or",
            ),
            ("not_in_channel", "SlackForbiddenError", "invite it"),
            ("invalid_auth", "SlackSignInError", "secret `slack-token`"),
            (
                "missing_scope",
                "SlackForbiddenError",
                "the scope `chat:write`",
            ),
            ("ratelimited", "SlackRateLimitError", "try again later"),
            ("something\nnew", "SlackError", "`something\\nnew`"),
        ] {
            let failure = explain(error, Some("chat:write"), "channel `#x`");
            assert_eq!(failure.name, name);
            assert!(failure.message.contains(said), "{}", failure.message);
            assert!(failure.code.is_some());
        }
        assert!(limited(Some(30)).message.ends_with("in 30 seconds"));
    }
}
