//! Slack through a server that speaks like its API, with a token that only the
//! operator has.

use serde_json::{Value, json};

use super::run;
use super::secret::secret_file;
use super::server::{Answer, Request, Server};
use crate::cli::program::Ran;

const TOKEN: &str = "xoxb-correct-horse-battery-9y";

/// Answers as Slack does: with status 200 in any case.
fn slack() -> Server {
    Server::answering(|request| {
        if request.path.contains("channel=C0LIMITED1") {
            return Answer::json(&json!({ "ok": false }))
                .status(429)
                .header("retry-after", "30");
        }
        let has_token = request.header("authorization") == Some(&format!("Bearer {TOKEN}"));
        Answer::json(&if has_token {
            answer(request)
        } else {
            json!({ "ok": false, "error": "invalid_auth" })
        })
    })
}

fn answer(request: &Request) -> Value {
    match &*request.line() {
        "POST /api/chat.postMessage" => {
            let sent = request.json();
            if sent["channel"] != "#general" {
                return json!({ "ok": false, "error": "not_in_channel" });
            }
            assert_eq!(
                sent,
                json!({ "channel": "#general", "text": "Done.", "thread_ts": "1.0" })
            );
            json!({ "ok": true, "channel": "C024BE91L", "ts": "3.0", "message": { "text": "Done." } })
        }
        line if line.starts_with("GET /api/conversations.list?") => {
            json!({ "ok": true, "channels": [{ "id": "C024BE91L", "name": "general" }] })
        }
        "GET /api/conversations.history?channel=C024BE91L&limit=20" => json!({
            "ok": true, "has_more": false,
            "messages": [
                { "type": "message", "ts": "2.0", "user": "U2", "text": "Yes" },
                { "type": "message", "ts": "1.0", "user": "U1", "text": "Ready?", "reply_count": 1 },
            ],
        }),
        "GET /api/conversations.replies?channel=C024BE91L&limit=20&ts=1.0" => {
            json!({ "ok": true, "messages": [{ "ts": "1.0", "user": "U1", "text": "Ready?" }] })
        }
        _ => json!({ "ok": false, "error": "channel_not_found" }),
    }
}

fn call(server: &Server, token: &str, tool: &str, arguments: &Value) -> Ran {
    let (_folder, secret) = secret_file("slack-token", token);
    let [flag, grant] = server.grant("GET,POST");
    let base = format!("base-url={}", server.url("/api/"));
    let flags = [&*flag, &grant, "--secret", &secret, "--config-value", &base];
    let ran = run("slack", tool, arguments, &flags);
    let said = format!("{ran:?}");
    assert!(!said.contains("correct-horse"), "the token is out: {said}");
    ran
}

#[test]
fn a_message_is_posted_in_a_thread() {
    let server = slack();
    let arguments = json!({ "channel": "#general", "text": "Done.", "threadTs": "1.0" });
    let posted = call(&server, TOKEN, "slack_post_message", &arguments)
        .ends_with(0)
        .json();
    assert_eq!(posted, json!({ "channel": "C024BE91L", "ts": "3.0" }));
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn messages_are_read_in_their_order() {
    let server = slack();
    let read = |arguments| {
        call(&server, TOKEN, "slack_read_messages", &arguments)
            .ends_with(0)
            .json()
    };
    let found = read(json!({ "channel": "#general" }));
    let texts: Vec<&Value> = found["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["text"])
        .collect();
    assert_eq!(texts, ["Ready?", "Yes"]);
    assert_eq!(found["messages"][0]["replies"], 1);
    let found = read(json!({ "channel": "C024BE91L", "threadTs": "1.0" }));
    assert_eq!(found["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn a_refusal_says_what_to_do() {
    let server = slack();
    for (tool, token, arguments, said) in [
        (
            "slack_post_message",
            TOKEN,
            json!({ "channel": "#other", "text": "Hi" }),
            "ask a member to invite it",
        ),
        (
            "slack_read_messages",
            TOKEN,
            json!({ "channel": "C000000000" }),
            "there is no channel `C000000000`",
        ),
        (
            "slack_read_messages",
            "xoxb-old-correct-horse",
            json!({ "channel": "C024BE91L" }),
            "renew the secret `slack-token`",
        ),
        (
            "slack_read_messages",
            TOKEN,
            json!({ "channel": "C0LIMITED1" }),
            "try again in 30 seconds",
        ),
    ] {
        let ran = call(&server, token, tool, &arguments).ends_with(1);
        assert!(ran.stderr.contains(said), "{ran:#?}");
    }
}

#[test]
fn without_a_grant_nothing_is_sent() {
    let server = slack();
    let base = format!("base-url={}", server.url("/api"));
    let arguments = json!({ "channel": "#general", "text": "Done." });
    let said = run(
        "slack",
        "slack_post_message",
        &arguments,
        &["--config-value", &base],
    );
    assert!(said.ends_with(1).stderr.contains("HttpDeniedError"));
    // Slack itself is not granted either.
    let said = run("slack", "slack_post_message", &arguments, &[])
        .ends_with(1)
        .stderr;
    assert!(
        said.contains("--allow-host \"POST https://slack.com/"),
        "{said}"
    );
    assert!(server.seen().is_empty());
}
