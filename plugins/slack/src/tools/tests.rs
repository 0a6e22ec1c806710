//! Each tool asks Slack for the right thing and shows what matters of the answer.

use serde_json::{Value, json};
use toolhost_sdk::http::{Fake, Reply};
use toolhost_sdk::testing;

use super::*;

/// Answers by the name of the method and what follows it.
fn slack(answers: Vec<(&'static str, Value)>) -> Fake {
    Fake::new(move |sent| {
        let path = sent.url.trim_start_matches("https://slack.com/api/");
        let answer = answers.iter().find(|(known, _)| *known == path);
        let answer = answer.map_or(
            json!({ "ok": false, "error": "unknown_method" }),
            |(_, answer)| answer.clone(),
        );
        Ok(Reply::json(answer))
    })
}

fn read(arguments: Value) -> Result<Value, ToolError> {
    Ok(testing::call::<ReadMessagesTool>(arguments)?
        .structured
        .unwrap())
}

#[test]
fn a_message_is_posted_in_its_thread() {
    let slack = slack(vec![(
        "chat.postMessage",
        json!({ "ok": true, "channel": "C024BE91L", "ts": "2.0" }),
    )]);
    let arguments = json!({ "channel": "#general", "text": "Hi", "threadTs": "1.0" });
    let posted = testing::call::<PostMessageTool>(arguments).unwrap();
    assert_eq!(
        posted.structured.unwrap(),
        json!({ "channel": "C024BE91L", "ts": "2.0" })
    );
    let sent = &slack.sent()[0];
    assert_eq!(sent.method, "POST");
    assert_eq!(
        sent.headers.get("authorization"),
        Some("Bearer {{secret:slack-token}}")
    );
    let body: Value = serde_json::from_slice(sent.body.as_deref().unwrap()).unwrap();
    assert_eq!(
        body,
        json!({ "channel": "#general", "text": "Hi", "thread_ts": "1.0" })
    );
}

#[test]
fn a_channel_is_read_by_its_name_and_in_the_order_of_time() {
    let list = "conversations.list?types=public_channel%2Cprivate_channel&exclude_archived=true&limit=1000";
    let more = "conversations.list?types=public_channel%2Cprivate_channel&exclude_archived=true&limit=1000&cursor=n";
    let _slack = slack(vec![
        (
            list,
            json!({ "ok": true, "channels": [{ "id": "C1", "name": "other" }], "response_metadata": { "next_cursor": "n" } }),
        ),
        (
            more,
            json!({ "ok": true, "channels": [{ "id": "C024BE91L", "name": "general" }] }),
        ),
        (
            "conversations.history?channel=C024BE91L&limit=2",
            json!({
                "ok": true, "response_metadata": { "next_cursor": "dXNlcg==" },
                "messages": [
                    { "ts": "2.0", "bot_id": "B1", "text": "b", "files": [{ "name": "a.png" }] },
                    { "ts": "1.0", "user": "U1", "text": "a", "reply_count": 3 },
                ],
            }),
        ),
    ]);
    assert_eq!(
        read(json!({ "channel": "#General", "limit": 2 })).unwrap(),
        json!({
            "channel": "C024BE91L", "nextCursor": "dXNlcg==",
            "messages": [
                { "ts": "1.0", "from": "U1", "text": "a", "replies": 3 },
                { "ts": "2.0", "from": "B1", "text": "b", "files": ["a.png"] },
            ],
        })
    );
    let error = read(json!({ "channel": "#nowhere" })).unwrap_err();
    assert_eq!(error.name, "SlackNotFoundError");
}

#[test]
fn a_thread_is_read_by_its_first_message() {
    let replies = "conversations.replies?channel=C024BE91L&limit=20&ts=1.0&cursor=c";
    let _slack = slack(vec![(
        replies,
        json!({ "ok": true, "messages": [{ "ts": "1.0" }] }),
    )]);
    let arguments = json!({ "channel": "C024BE91L", "threadTs": "1.0", "cursor": "c" });
    let found = read(arguments).unwrap();
    assert_eq!(found["messages"][0]["from"], "unknown");
    assert_eq!(found.get("nextCursor"), None);
}

#[test]
fn refusals_and_odd_answers_say_what_to_do() {
    for (reply, name) in [
        (
            Reply::json(json!({ "ok": false, "error": "not_in_channel" })),
            "SlackForbiddenError",
        ),
        (
            Reply::status(429).header("retry-after", "30"),
            "SlackRateLimitError",
        ),
        (Reply::html("<html>").with_status(502), "SlackServerError"),
        (
            Reply::json(json!({ "ok": true, "messages": 7 })),
            "SlackServerError",
        ),
    ] {
        let _slack = Fake::new(move |_| Ok(reply.clone()));
        let error = read(json!({ "channel": "C024BE91L" })).unwrap_err();
        assert_eq!(error.name, name);
    }
    testing::set_config("base-url", "slack.com");
    let error = read(json!({ "channel": "C024BE91L" })).unwrap_err();
    assert_eq!(error.name, "SlackConfigError");
}
