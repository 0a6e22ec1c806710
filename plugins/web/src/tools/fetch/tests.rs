//! A page is read, whatever comes.

use serde_json::{Value, json};
use toolhost_sdk::http::{Error, ErrorKind, Fake, Reply};
use toolhost_sdk::{ToolError, testing};

use super::*;

/// Serves one response under every URL.
fn serve(reply: Reply) -> Fake {
    Fake::new(move |_| Ok(reply.clone()))
}

fn fetch(arguments: Value) -> Result<Value, ToolError> {
    let output = testing::call::<WebFetchTool>(arguments)?;
    Ok(output.structured.unwrap())
}

#[test]
fn a_page_comes_as_text_with_its_links() {
    let network = serve(Reply::html(
        "<title>A</title><nav>x</nav><h1>Hi</h1><a href=/b>B</a>",
    ));
    let page = fetch(json!({ "url": "https://a.example/x" })).unwrap();
    assert_eq!(
        page,
        json!({
            "status": 200, "url": "https://a.example/x", "contentType": "text/html", "title": "A",
            "text": "# Hi\n\n[B](https://a.example/b)", "truncated": false,
        })
    );
    let sent = &network.sent()[0];
    assert_eq!(sent.headers.get("accept-encoding"), Some("identity"));
    assert!(
        sent.headers
            .get("user-agent")
            .unwrap()
            .starts_with("toolhost-web/")
    );
}

#[test]
fn json_and_text_come_as_they_are_sent_and_errors_with_their_body() {
    let _network = serve(Reply::json(json!({ "error": "<none>" })).with_status(404));
    let page = fetch(json!({ "url": "https://a.example" })).unwrap();
    assert_eq!(page["status"], 404);
    assert_eq!(page["text"], "{\"error\":\"<none>\"}");
}

#[test]
fn other_files_are_a_note() {
    let png = Reply::bytes("image/png", b"\x89PNG".to_vec()).header("content-length", "4");
    let _network = serve(png);
    let page = fetch(json!({ "url": "https://a.example" })).unwrap();
    assert_eq!(page["text"], "");
    assert_eq!(
        page["note"],
        "this is `image/png` of 4 bytes, which cannot be shown as text"
    );
    let _network = serve(Reply::status(200).body(vec![0, 1, 2]));
    let page = fetch(json!({ "url": "https://a.example" })).unwrap();
    assert_eq!(
        page["note"],
        "this is a file, which cannot be shown as text"
    );
}

#[test]
fn a_long_text_is_read_in_parts() {
    let _network = serve(Reply::html("<p>äbcdef</p>"));
    let url = "https://a.example";
    let page = fetch(json!({ "url": url, "maxChars": 4 })).unwrap();
    assert_eq!(
        (&page["text"], &page["truncated"]),
        (&json!("äbcd"), &json!(true))
    );
    assert_eq!(page["nextOffset"], 4);
    let page = fetch(json!({ "url": url, "maxChars": 4, "offset": 4 })).unwrap();
    assert_eq!(
        (&page["text"], &page["truncated"]),
        (&json!("ef"), &json!(false))
    );
    let page = fetch(json!({ "url": url, "offset": 6 })).unwrap();
    assert_eq!(page["note"], "the text ends before this `offset`");
}

#[test]
fn a_large_page_says_how_to_read_more_of_it() {
    let _network = serve(Reply::text("x".repeat(3000)));
    let page = fetch(json!({ "url": "https://a.example", "maxBytes": 1000 })).unwrap();
    assert_eq!(page["text"].as_str().unwrap().len(), 1000);
    assert_eq!(page["truncated"], true);
    assert!(page["note"].as_str().unwrap().ends_with("`maxBytes`"));
}

#[test]
fn redirects_are_followed_to_hosts_that_are_allowed() {
    let network = Fake::new(|sent| {
        Ok(match &*sent.url {
            "https://a.example/" => Reply::status(301).header("location", "https://b.example/x"),
            _ => Reply::text("there"),
        })
    });
    let page = fetch(json!({ "url": "https://a.example" })).unwrap();
    assert_eq!(
        (&page["url"], &page["text"]),
        (&json!("https://b.example/x"), &json!("there"))
    );
    let arguments = json!({ "url": "https://a.example", "blockedHosts": ["b.example"] });
    let error = fetch(arguments).unwrap_err();
    assert_eq!(error.name, "HttpDeniedError");
    assert!(
        error.message.contains("is on the list `blockedHosts`"),
        "{}",
        error.message
    );
    assert_eq!(network.sent().len(), 3);
    let page = fetch(json!({ "url": "https://a.example", "maxRedirects": 0 })).unwrap();
    assert_eq!(
        page["note"],
        "it redirects to `https://b.example/x`, which was not followed"
    );
}

#[test]
fn what_cannot_be_fetched_says_why() {
    let _network = Fake::new(|_| Err(Error::new(ErrorKind::Unreachable, "nothing listens there")));
    let error = fetch(json!({ "url": "https://a.example" })).unwrap_err();
    assert_eq!(error.name, "HttpUnreachableError");
    assert!(error.retryable);
    let error = fetch(json!({ "url": "https://ada:pw@a.example" })).unwrap_err();
    assert!(error.message.contains("sign in with a header"));
}
