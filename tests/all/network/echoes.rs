//! Servers that give back what they were sent, in ways that would hide a secret from
//! whoever looks for it.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::secrets::{TOKEN, auth, fetch, host};
use super::server::{Server, read_request};
use super::{code, granted, refused, response};

/// A server that answers with this head and a body.
async fn answering(head: &'static str) -> Server {
    Server::answering(format!("HTTP/1.1 {head}\r\ncontent-length: 5\r\n\r\nhello")).await
}

fn with_header(server: &Server, name: &str, value: &str) -> Value {
    let mut arguments = auth(server);
    let headers = arguments["headers"].as_array_mut().unwrap();
    headers.push(json!([name, value]));
    arguments
}

#[tokio::test]
async fn an_answer_that_is_packed_although_nobody_asked_is_not_read() {
    for (head, told) in [
        (
            "200 OK\r\ncontent-encoding: gzip",
            "ErrorCode::HttpResponseContentCoding(None)",
        ),
        (
            "200 OK\r\ncontent-encoding: identity, br",
            "ErrorCode::HttpResponseContentCoding(None)",
        ),
    ] {
        let server = answering(head).await;
        let host = host(&server, TOKEN, |_| {}).await;
        let result = fetch(&host, with_header(&server, "accept-encoding", "gzip")).await;
        assert_eq!(code(&result), told, "{head}");
        let refused = refused(&result).concat();
        assert!(refused.contains("it is packed"), "{refused}");
        let seen = server.seen().concat();
        assert!(seen.contains("\r\naccept-encoding: identity\r\n"), "{seen}");
        assert!(!seen.contains("gzip"), "{seen}");
    }
    let server = answering("200 OK\r\ncontent-encoding: identity").await;
    let host = host(&server, TOKEN, |_| {}).await;
    assert_eq!(
        response(&fetch(&host, auth(&server)).await)["body"],
        "hello"
    );
}

#[tokio::test]
async fn a_later_answer_is_not_packed_either() {
    let server = answering("200 OK\r\ncontent-encoding: gzip").await;
    let host = host(&server, TOKEN, |_| {}).await;
    // No secret in this one: the server may remember one of the last request.
    let result = fetch(&host, super::get(server.url("/"))).await;
    assert_eq!(code(&result), "ErrorCode::HttpResponseContentCoding(None)");
}

#[tokio::test]
async fn an_echo_does_not_come_in_parts() {
    let server = answering("200 OK").await;
    let host = host(&server, TOKEN, |_| {}).await;
    for (name, value) in [
        ("range", "bytes=0-13"),
        ("Range", "bytes=14-"),
        ("if-range", "\"tag\""),
    ] {
        let result = fetch(&host, with_header(&server, name, value)).await;
        assert_eq!(code(&result), "ErrorCode::HttpRequestDenied", "{name}");
        let refused = refused(&result).concat();
        assert!(refused.contains("ask for the whole"), "{refused}");
    }
    assert_eq!(server.seen().len(), 0);
    for head in [
        "206 Partial Content",
        "200 OK\r\ncontent-range: bytes 0-4/40",
    ] {
        let server = answering(head).await;
        let host = self::host(&server, TOKEN, |_| {}).await;
        let result = fetch(&host, auth(&server)).await;
        assert_eq!(code(&result), "ErrorCode::HttpProtocolError", "{head}");
        assert!(refused(&result).concat().contains("only a part"), "{head}");
    }
}

#[tokio::test]
async fn a_host_that_gets_no_secret_may_pack_and_part_its_answers() {
    let server = answering("206 Partial Content\r\ncontent-encoding: gzip").await;
    let arguments = json!({
        "url": server.url("/"),
        "headers": [["range", "bytes=0-4"], ["accept-encoding", "gzip"]],
    });
    let elsewhere = host(&server, TOKEN, |spec| {
        spec.hosts = vec!["api.example".parse().unwrap()];
    })
    .await;
    let nothing = granted(&[&format!("!{}", server.url("/"))]).await;
    for host in [elsewhere, nothing] {
        let result = fetch(&host, arguments.clone()).await;
        assert_eq!(response(&result)["status"], 206);
    }
    let seen = server.seen().concat();
    assert_eq!(seen.matches("accept-encoding: gzip").count(), 2, "{seen}");
}

#[tokio::test]
async fn a_value_in_two_headers_or_in_the_name_of_one_is_masked() {
    let server = Server::start(|mut stream, _| async move {
        read_request(&mut stream).await?;
        let (one, two) = TOKEN.split_at(9);
        let head = format!(
            "HTTP/1.1 200 {TOKEN}\r\nx-one: {one}\r\nx-two: {two}\r\n\
             x-correct-horse%2f9y%2b: 1\r\nx-last: fine\r\ncontent-length: 2\r\n\r\nok"
        );
        stream.write_all(head.as_bytes()).await?;
        stream.shutdown().await
    })
    .await;
    let host = host(&server, TOKEN, |_| {}).await;
    let result = fetch(&host, auth(&server)).await;
    let response = response(&result);
    let text = response["headers"].to_string();
    for part in ["correct", "horse", "9y"] {
        assert!(!text.contains(part), "{part} in {text}");
    }
    assert!(text.contains("[\"x-last\",\"fine\"]"), "{text}");
    assert_eq!(response["body"], "ok");
}
