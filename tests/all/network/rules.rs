//! Which requests leave, and what the others are told.

use serde_json::json;
use tokio::io::AsyncWriteExt;

use super::server::{Server, ok, read_request};
use super::{advice, code, fetch, get, granted, open_to, refused, response};
use crate::cli::program::{Ran, command, run_line};
use crate::support::{call, structured};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_grant_nothing_leaves() {
    let server = Server::saying("hello").await;
    let host = granted(&[]).await;
    let result = fetch(&host, get(server.url("/v1?key=1"))).await;
    assert_eq!(code(&result), "ErrorCode::HttpRequestDenied");
    let target = format!("http GET {}", server.url("/v1"));
    assert_eq!(refused(&result), [target]);
    let flag = format!("--allow-private-host \"http://127.0.0.1:{}/\"", server.port);
    assert_eq!(advice(&result), [flag]);
    assert!(server.seen().is_empty(), "{:?}", server.seen());
    assert!(
        result.report.effects.is_empty(),
        "{:?}",
        result.report.effects
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_flag_that_is_named_for_this_machine_suffices() {
    let server = Server::saying("hello").await;
    let url = format!("http://localhost:{}/", server.port);
    let opened = format!("!{url}");
    for grants in [vec![], vec![url.as_str()], vec![opened.as_str()]] {
        let host = granted(&grants).await;
        let result = fetch(&host, json!({"url": url, "method": "POST"})).await;
        assert_eq!(code(&result), "ErrorCode::HttpRequestDenied");
        let flag = format!("--allow-private-host \"POST {url}\"");
        assert_eq!(advice(&result), [flag], "{grants:?}");
    }
    let host = granted(&[&format!("!POST {url}")]).await;
    let result = fetch(&host, json!({"url": url, "method": "POST"})).await;
    assert_eq!(response(&result)["status"], 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_granted_request_is_sent_as_it_was_judged() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    // Three ways to write the same address, a detour and a part that is not sent.
    let url = format!("http://0x7f.1:{}/a/../v1/%7Ex?q=1#part", server.port);
    let arguments = json!({"url": url, "headers": [["x-own", "1"], ["x-own", "2"]]});
    let result = fetch(&host, arguments).await;
    assert_eq!(response(&result)["body"], "hello");
    assert_eq!(response(&result)["status"], 200);
    let seen = server.seen().join("");
    assert!(seen.starts_with("GET /v1/%7Ex?q=1 HTTP/1.1\r\n"), "{seen}");
    let host = format!("\r\nhost: 127.0.0.1:{}\r\n", server.port);
    for part in [
        host.as_str(),
        "\r\nx-own: 1\r\nx-own: 2\r\n",
        "\r\nconnection: close\r\n",
    ] {
        assert!(seen.contains(part), "{part:?} in {seen}");
    }
    assert!(!seen.contains("transfer-encoding"), "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_sent_with_its_length_or_in_chunks() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let url = server.url("/");
    for arguments in [
        json!({"url": url, "method": "POST", "body": "abc"}),
        json!({"url": url, "method": "POST", "body": "abc", "headers": [["content-length", "3"]]}),
        json!({"url": url, "method": "POST"}),
        // Opened, and nothing written: no body for a server that expects none.
        json!({"url": url, "method": "GET", "body": ""}),
        json!({"url": url, "method": "DELETE", "body": "abc"}),
        json!({"url": url, "method": "GET", "body": "abc"}),
        json!({"url": url, "method": "HEAD", "body": "abc", "headers": [["content-length", "3"]]}),
        json!({"url": url, "method": "OPTIONS", "body": "abc"}),
    ] {
        let result = fetch(&host, arguments).await;
        assert_eq!(response(&result)["status"], 200, "{result:?}");
    }
    let seen = server.seen();
    assert!(
        seen[0].ends_with("\r\n3\r\nabc\r\n0\r\n\r\n"),
        "{}",
        seen[0]
    );
    assert!(seen[1].ends_with("\r\n\r\nabc"), "{}", seen[1]);
    assert!(seen[2].contains("content-length: 0\r\n"), "{}", seen[2]);
    assert!(!seen[3].contains("transfer-encoding"), "{}", seen[3]);
    for chunked in [4, 5, 7] {
        let seen = &seen[chunked];
        assert!(seen.ends_with("\r\n3\r\nabc\r\n0\r\n\r\n"), "{seen}");
    }
    assert!(seen[6].ends_with("\r\n\r\nabc"), "{}", seen[6]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_part_of_a_grant_is_held_to() {
    let server = Server::saying("hello").await;
    let other = Server::saying("other").await;
    let (port, beside) = (server.port, other.port);
    let host = granted(&[&format!("!http://127.0.0.1:{port}/v1")]).await;
    for path in ["/v1", "/v1/", "/v1/users", "/v1/a/../b"] {
        let result = fetch(&host, get(server.url(path))).await;
        assert_eq!(response(&result)["status"], 200, "{path}");
    }
    let allowed = server.seen().len();
    for (method, url) in [
        ("POST", server.url("/v1")),
        ("GET", server.url("/v10")),
        ("GET", server.url("/v1/../v2")),
        ("GET", server.url("/v1/%2e%2e/v2")),
        ("GET", server.url("/v1/..%2fv2")),
        ("GET", other.url("/v1")),
        ("GET", format!("https://127.0.0.1:{port}/v1")),
        ("GET", format!("http://127.0.0.2:{port}/v1")),
        ("GET", format!("http://user:word@127.0.0.1:{port}/v1")),
        ("CONNECT", server.url("/v1")),
        ("TRACE", server.url("/v1")),
        ("GET", "file:///etc/passwd".into()),
        ("GET", format!("ftp://127.0.0.1:{port}/v1")),
    ] {
        let result = fetch(&host, json!({"method": method, "url": url})).await;
        let code = code(&result);
        assert!(
            ["ErrorCode::HttpRequestDenied", "refused: authority"].contains(&code),
            "{method} {url}: {code}"
        );
    }
    assert_eq!(server.seen().len(), allowed);
    assert!(other.seen().is_empty(), "{beside}: {:?}", other.seen());
}

/// A name is only a name: what counts is the address behind it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_leads_to_a_private_address_leads_nowhere() {
    let server = Server::saying("hello").await;
    let url = format!("http://localhost:{}/", server.port);
    let host = granted(&[&url]).await;
    let result = fetch(&host, get(&*url)).await;
    assert_eq!(code(&result), "ErrorCode::DestinationIpProhibited");
    assert_eq!(refused(&result).len(), 1);
    assert_eq!(advice(&result), [format!("--allow-private-host \"{url}\"")]);
    assert!(server.seen().is_empty());

    let host = granted(&[&format!("!{url}")]).await;
    let result = fetch(&host, get(&*url)).await;
    assert_eq!(response(&result)["body"], "hello");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_for_every_host_opens_no_private_address() {
    let server = Server::saying("hello").await;
    let port = server.port;
    let host = granted(&[&format!("* http://*:{port}")]).await;
    for name in [
        "127.0.0.1",
        "0x7f.1",
        "2130706433",
        "017700000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "localhost",
        "LOCALHOST.",
        "0.0.0.0",
        "169.254.169.254",
        "10.0.0.1",
        "100.64.0.1",
    ] {
        let result = fetch(&host, get(format!("http://{name}:{port}/"))).await;
        let code = code(&result);
        assert!(
            [
                "ErrorCode::HttpRequestDenied",
                "ErrorCode::DestinationIpProhibited"
            ]
            .contains(&code),
            "{name}: {code}"
        );
        assert_eq!(refused(&result).len(), 1, "{name}");
    }
    assert!(server.seen().is_empty(), "{:?}", server.seen());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_not_there_is_told_as_such() {
    let host = granted(&["https://nowhere.invalid"]).await;
    let result = fetch(&host, get("https://nowhere.invalid/")).await;
    assert!(
        code(&result).starts_with("ErrorCode::DnsError"),
        "{result:?}"
    );
}

/// The host follows no redirect: each hop is a request of the guest and judged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_judged_like_any_request() {
    let inside = Server::saying("the inside").await;
    let to = inside.url("/secret");
    let server = Server::start(move |mut stream, seen| {
        let to = to.clone();
        async move {
            let request = read_request(&mut stream).await?;
            let answer = match request.split(' ').nth(1) {
                Some("/start") => "HTTP/1.1 302 Found\r\nlocation: HERE/open\r\n\r\n".to_owned(),
                Some("/loop") => "HTTP/1.1 307 T\r\nlocation: HERE/loop\r\n\r\n".to_owned(),
                Some("/file") => {
                    "HTTP/1.1 302 F\r\nlocation: file:///etc/passwd\r\n\r\n".to_owned()
                }
                Some("/out") => format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\n\r\n"),
                _ => ok("arrived"),
            };
            let here = format!("http://{}", stream.local_addr()?);
            seen.note(request);
            stream
                .write_all(answer.replace("HERE", &here).as_bytes())
                .await
        }
    })
    .await;
    let host = open_to(&server).await;

    let plain = fetch(&host, get(server.url("/out"))).await;
    assert_eq!(response(&plain)["status"], 302, "not followed by the host");

    let followed = call(&host, "fetch_follow", get(server.url("/start"))).await;
    assert_eq!(response(&followed)["status"], 200);
    assert_eq!(followed.report.effects.len(), 2, "each hop is an act");

    for path in ["/out", "/file"] {
        let result = call(&host, "fetch_follow", get(server.url(path))).await;
        let code = code(&result);
        assert!(
            code.starts_with("ErrorCode::HttpRequestDenied") || code == "refused: authority",
            "{path}: {result:?}"
        );
    }
    assert!(inside.seen().is_empty(), "{:?}", inside.seen());

    let endless = json!({"url": server.url("/loop"), "n": 1000});
    let result = call(&host, "fetch_follow", endless).await;
    assert!(code(&result).starts_with("ErrorCode::ConnectionLimitReached"));
    assert_eq!(refused(&result), ["limit http-requests"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_belongs_to_the_connection_is_not_the_guest_s_to_say() {
    let host = granted(&[]).await;
    for name in [
        "Host",
        "connection",
        "Transfer-Encoding",
        "TE",
        "trailer",
        "upgrade",
        "proxy-authorization",
        "Proxy-Connection",
        "keep-alive",
        "expect",
    ] {
        let result = call(&host, "set_header", json!({"name": name, "value": "x"})).await;
        assert_eq!(code(&result), "HeaderError::Forbidden", "{name}");
    }
    for (name, value) in [
        ("x", "a\r\nhost: other"),
        ("x", "a\nb"),
        ("x", "a\rb"),
        ("x", "a\u{0}b"),
        ("x\r\ny", "a"),
        ("x: y", "a"),
        ("", "a"),
        ("content-length", "1, 2"),
        ("content-length", "-1"),
    ] {
        let result = call(&host, "set_header", json!({"name": name, "value": value})).await;
        assert_eq!(
            code(&result),
            "HeaderError::InvalidSyntax",
            "{name:?}: {value:?}"
        );
    }
    for path in ["http://other/", "x", "*", "/a b", "/a\r\nhost: b", "/\u{0}"] {
        let result = call(&host, "set_parts", json!({"path": path})).await;
        assert_eq!(structured(&result)["path"], false, "{path:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_another_length_than_was_said_is_not_sent_as_whole() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    for (length, how) in [("10", "finish"), ("10", "drop"), ("2", "finish")] {
        let arguments = json!({
            "url": server.url("/"), "method": "POST", "body": "12345",
            "finish": how, "headers": [["content-length", length]],
        });
        let result = fetch(&host, arguments).await;
        let told = structured(&result);
        let failed = told.get("error").is_some() || !told["ok"]["requestBodyError"].is_null();
        assert!(failed, "{length} {how}: {result:?}");
    }
    for request in server.seen() {
        assert!(request.ends_with("\r\n\r\n12"), "{request}");
    }
}

/// The guest says what it is told of an error of a stream.
#[test]
fn an_error_does_not_tell_how_the_host_came_there() {
    let mut command = command(run_line("fetcher", "write_error", &["--json"]));
    let output = command.env("RUST_BACKTRACE", "1").output().unwrap();
    let ran = Ran::from(output).ends_with(0);
    let told = ran.json().to_string();
    assert!(told.contains("HttpRequestBodySize"), "{ran:#?}");
    for trace in [".rs:", "at /", "backtrace"] {
        assert!(!told.contains(trace), "{trace} in {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_without_a_body_is_whole() {
    for (method, answer) in [
        ("HEAD", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n"),
        ("GET", "HTTP/1.1 204 No Content\r\n\r\n"),
        (
            "GET",
            "HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n",
        ),
    ] {
        let server = Server::answering(answer).await;
        let host = open_to(&server).await;
        let result = fetch(&host, json!({"method": method, "url": server.url("/")})).await;
        assert_eq!(response(&result)["bytes"], 0, "{answer}");
        assert!(response(&result)["bodyError"].is_null(), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_error_status_comes_with_its_body() {
    let server = Server::answering("HTTP/1.1 503 Busy\r\nretry-after: 1\r\n\r\nlater").await;
    let host = open_to(&server).await;
    let result = fetch(&host, get(server.url("/"))).await;
    assert_eq!(response(&result)["status"], 503);
    assert_eq!(response(&result)["body"], "later");
    assert_eq!(response(&result)["headers"], json!([["retry-after", "1"]]));
}
