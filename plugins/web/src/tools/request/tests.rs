//! A request is sent as it was written, and what comes back is shown.

use serde_json::{Value, json};
use toolhost_sdk::http::{Fake, Reply};
use toolhost_sdk::{ToolError, testing};

use super::*;

fn serve(reply: Reply) -> Fake {
    Fake::new(move |_| Ok(reply.clone()))
}

fn send(arguments: Value) -> Result<Value, ToolError> {
    let output = testing::call::<HttpRequestTool>(arguments)?;
    Ok(output.structured.unwrap())
}

#[test]
fn method_headers_and_body_are_sent() {
    let reply = Reply::json(json!({ "id": 7 })).with_status(201);
    let network = serve(
        reply
            .header("Set-Cookie", "a=1")
            .header("Set-Cookie", "b=2"),
    );
    let answer = send(json!({
        "url": "https://a.example/items", "method": "post", "body": "{}",
        "headers": { "Content-Type": "application/json", "X-Key": "{{secret:key}}", "User-Agent": "me" },
    }));
    assert_eq!(
        answer.unwrap(),
        json!({
            "status": 201, "url": "https://a.example/items",
            "headers": { "content-type": "application/json", "set-cookie": "a=1\nb=2" },
            "body": "{\"id\":7}", "bodyEncoding": "text", "truncated": false,
        })
    );
    let sent = &network.sent()[0];
    assert_eq!(
        (&*sent.method, sent.body.as_deref()),
        ("POST", Some(&b"{}"[..]))
    );
    // The placeholder leaves as it is: the value is the host's to put in.
    assert_eq!(sent.headers.get("x-key"), Some("{{secret:key}}"));
    assert_eq!(sent.headers.get("user-agent"), Some("me"));
}

#[test]
fn bytes_travel_as_base64() {
    let network = serve(Reply::bytes("application/octet-stream", vec![0, 255, 1]));
    let answer = send(json!({ "url": "https://a.example", "method": "PUT", "bodyBase64": "AP8=" }));
    let answer = answer.unwrap();
    assert_eq!(network.sent()[0].body.as_deref(), Some(&[0, 255][..]));
    assert_eq!(
        (&answer["body"], &answer["bodyEncoding"]),
        (&json!("AP8B"), &json!("base64"))
    );
}

#[test]
fn a_long_body_is_cut() {
    let _network = serve(Reply::text("äöü"));
    let answer = send(json!({ "url": "https://a.example", "maxChars": 2 })).unwrap();
    assert_eq!(
        (&answer["body"], &answer["truncated"]),
        (&json!("äö"), &json!(true))
    );
    let _network = serve(Reply::bytes("image/png", vec![0; 100]));
    let answer = send(json!({ "url": "https://a.example", "maxChars": 9 })).unwrap();
    assert_eq!(
        (&answer["body"], &answer["truncated"]),
        (&json!("AAAAAAAA"), &json!(true))
    );
}

#[test]
fn contradictions_and_line_breaks_are_told_and_not_sent() {
    let network = serve(Reply::text("x"));
    for (arguments, said) in [
        (json!({ "body": "a", "bodyBase64": "AA==" }), "not both"),
        (json!({ "bodyBase64": "?" }), "is no base64"),
        (
            json!({ "headers": { "a": "b\r\nc: d" } }),
            "a header is one line",
        ),
        (
            json!({ "headers": { "a b": "c" } }),
            "is no name of a header",
        ),
        (json!({ "method": "G T" }), "is no method"),
        (
            json!({ "allowedHosts": ["b.example"] }),
            "is not on the list `allowedHosts`",
        ),
        (
            json!({ "allowedHosts": ["https://b.example"] }),
            "is no host",
        ),
    ] {
        let mut arguments = arguments;
        arguments["url"] = json!("https://a.example");
        let error = send(arguments).unwrap_err();
        assert!(error.message.contains(said), "{}", error.message);
    }
    assert!(network.sent().is_empty());
}

#[test]
fn a_redirect_after_a_post_is_read() {
    let network = Fake::new(|sent| {
        Ok(match &*sent.method {
            "POST" => Reply::status(303).header("location", "/done"),
            _ => Reply::text("done"),
        })
    });
    let answer =
        send(json!({ "url": "https://a.example", "method": "POST", "body": "x" })).unwrap();
    assert_eq!(
        (&answer["url"], &answer["body"]),
        (&json!("https://a.example/done"), &json!("done"))
    );
    assert_eq!(network.sent()[1].body, None);
}
