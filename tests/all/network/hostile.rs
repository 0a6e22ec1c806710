//! Servers that misbehave. Whatever they do, the guest gets a code it can handle, in
//! time, and the host holds no more of it than a few buffers.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use toolhost::CallResult;

use super::server::{Server, ok, read_request};
use super::{body_code, code, fetch_limited, get, open_to, refused, response};
use crate::support::{call_limited, structured};

/// What a guest makes of a server that answers with these bytes and closes.
async fn told(bytes: impl Into<Vec<u8>>) -> CallResult {
    let server = Server::answering(bytes).await;
    let host = open_to(&server).await;
    fetch_limited(&host, get(server.url("/")), limits()).await
}

/// What a guest makes of a server that writes `start` and then `piece` for ever.
async fn flooded(start: &'static str, piece: &'static str) -> CallResult {
    let server = Server::start(move |mut stream, _| async move {
        read_request(&mut stream).await?;
        stream.write_all(start.as_bytes()).await?;
        let pieces = piece.repeat(1 + 10_000 / piece.len());
        loop {
            stream.write_all(pieces.as_bytes()).await?;
        }
    })
    .await;
    let host = open_to(&server).await;
    fetch_limited(&host, get(server.url("/")), limits()).await
}

/// Short enough that a test which runs into them does not hold up the others.
fn limits() -> Value {
    json!({
        "http-response-bytes": 1_000_000,
        "http-first-byte": "2s",
        "http-between-bytes": "2s",
        "wall-clock": "20s",
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_http_is_told_as_such() {
    for bytes in [
        "",
        "\r\n\r\n",
        "HTTP/1.1",
        "HTTP/1.1 200 OK\r\nx: y",
        "220 mail.example.com ESMTP\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\u{0}b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nx: a\r\n folded: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\nhello",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let result = told(bytes).await;
        let code = code(&result);
        assert!(
            [
                "ErrorCode::HttpProtocolError",
                "ErrorCode::HttpResponseIncomplete",
                "ErrorCode::ConnectionTerminated",
            ]
            .contains(&code),
            "{bytes:?}: {code}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_is_not_what_its_head_says_breaks() {
    for bytes in [
        "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx: y",
    ] {
        let result = told(bytes).await;
        let code = body_code(&result);
        assert!(
            [
                "ErrorCode::HttpResponseIncomplete",
                "ErrorCode::HttpProtocolError"
            ]
            .contains(&code),
            "{bytes:?}: {code}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_follows_the_end_of_a_response_is_not_part_of_it() {
    let result = told(format!("{}HTTP/1.1 200 OK\r\n\r\nsmuggled", ok("hello"))).await;
    assert_eq!(response(&result)["body"], "hello");
    assert_eq!(response(&result)["bodyError"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_headers_end() {
    for (start, piece, limit) in [
        ("HTTP/1.1 200 OK\r\n", "x: y\r\n", "http-field"),
        ("HTTP/1.1 200 OK\r\nx: ", "y", "http-fields"),
        ("HTTP/1.1 ", "2", ""),
        ("", "HTTP/1.1 100 Continue\r\n\r\n", "http-response-bytes"),
        (
            "",
            "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n",
            "http-response-bytes",
        ),
    ] {
        let result = flooded(start, piece).await;
        assert!(
            code(&result).starts_with("ErrorCode::Http"),
            "{start:?} {piece:?}: {result:?}"
        );
        let hit = refused(&result).concat();
        assert!(hit.contains(limit), "{piece:?}: {hit}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_bodies_end() {
    for (start, piece) in [
        ("HTTP/1.1 200 OK\r\n\r\n", "x"),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n",
            "x",
        ),
        (
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "1\r\nx\r\n",
        ),
        // What looks small and would unpack to gigabytes is passed on as it is.
        (
            "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n",
            "\u{0}\u{0}\u{0}\u{0}",
        ),
    ] {
        let result = flooded(start, piece).await;
        assert_eq!(
            body_code(&result),
            "ErrorCode::HttpResponseBodySize(Some(1000000))"
        );
        assert_eq!(refused(&result), ["limit http-response-bytes"], "{piece:?}");
        assert!(response(&result)["bytes"].as_u64().unwrap() <= 1_000_000);
    }
}

/// Framing costs the server bytes and gives the guest none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn floods_of_framing_end() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    for (start, piece) in [
        ("5;", "extension;"),
        ("0\r\n", "x: y\r\n"),
        ("", "00000000"),
    ] {
        let start: &'static str = Box::leak(format!("{chunked}{start}").into_boxed_str());
        let result = flooded(start, piece).await;
        let code = body_code(&result);
        assert!(code.starts_with("ErrorCode::Http"), "{piece:?}: {code}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interim_responses_are_skipped() {
    let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n";
    let result = told(format!("{interim}{}", ok("hello"))).await;
    assert_eq!(response(&result)["body"], "hello");
}

/// A drop now and then of what never becomes a response.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interim_responses_for_ever_run_into_the_first_byte_limit() {
    let server = Server::start(|mut stream, _| async move {
        read_request(&mut stream).await?;
        loop {
            stream.write_all(b"HTTP/1.1 102 Processing\r\n\r\n").await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let host = open_to(&server).await;
    let limits = json!({"http-first-byte": "500ms"});
    let result = fetch_limited(&host, get(server.url("/")), limits).await;
    assert_eq!(code(&result), "ErrorCode::HttpResponseTimeout");
    assert_eq!(refused(&result), ["limit http-first-byte"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_server_switches_to_another_protocol() {
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n";
    let result = told(upgrade).await;
    assert!(
        [
            "ErrorCode::HttpUpgradeFailed",
            "ErrorCode::HttpProtocolError"
        ]
        .contains(&code(&result)),
        "{result:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_breaks_is_told_as_such() {
    let reset = |stream: TcpStream| {
        let stream = stream.into_std().unwrap();
        // With the rest unread, closing resets the connection.
        drop(stream);
    };
    let server = Server::start(move |stream, _| async move {
        stream.readable().await?;
        reset(stream);
        Ok(())
    })
    .await;
    let host = open_to(&server).await;
    let result = fetch_limited(&host, get(server.url("/")), limits()).await;
    assert!(
        [
            "ErrorCode::ConnectionTerminated",
            "ErrorCode::HttpResponseIncomplete"
        ]
        .contains(&code(&result)),
        "{result:?}"
    );

    // Nobody listens there any more.
    let url = server.url("/");
    drop(server);
    let mut result = fetch_limited(&host, get(&*url), limits()).await;
    for _ in 0..100 {
        if structured(&result)["error"] == "ErrorCode::ConnectionRefused" {
            break;
        }
        result = fetch_limited(&host, get(&*url), limits()).await;
    }
    assert_eq!(code(&result), "ErrorCode::ConnectionRefused");
}

/// A server that does not read holds up the guest that writes, not the host.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_does_not_read_is_given_up() {
    let server = Server::start(|mut stream, seen| async move {
        let mut head = [0; 10];
        stream.read_exact(&mut head).await?;
        seen.note("connected".into());
        tokio::time::sleep(Duration::from_secs(30)).await;
        Ok(())
    })
    .await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "method": "POST", "bodyBytes": 14_000_000});
    let started = Instant::now();
    let result = fetch_limited(&host, arguments, json!({"http-first-byte": "500ms"})).await;
    assert_eq!(
        code(&result),
        "ErrorCode::HttpResponseTimeout",
        "{result:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// What the guest does not read stays with the server, and not in the host.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_nobody_reads_is_not_stored() {
    let server = Server::start(|mut stream, seen| async move {
        read_request(&mut stream).await?;
        let piece = vec![b'x'; 100_000];
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
        let mut written = 0_u64;
        while stream.write_all(&piece).await.is_ok() {
            written += 100_000;
        }
        seen.note(written.to_string());
        Ok(())
    })
    .await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "n": 1_000});
    let limits = super::patch(json!({"http-response-bytes": "100GB"}));
    let result = call_limited(&host, "fetch_and_go", arguments, limits).await;
    assert!(result.output().is_some(), "{result:?}");
    while server.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // The buffers of two sockets hold some megabytes; a second of the loopback is
    // gigabytes.
    let written: u64 = server.seen()[0].parse().unwrap();
    assert!(written < 64 << 20, "{written}");
}

/// A server may answer before it has read the request, and hang up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_early_answer_is_an_answer_or_a_broken_connection() {
    let server = Server::start(|mut stream, _| async move {
        stream.read_exact(&mut [0; 10]).await?;
        stream.write_all(b"HTTP/1.1 413 Too Large\r\n\r\n").await
    })
    .await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "method": "POST", "bodyBytes": 10_000_000});
    let result = fetch_limited(&host, arguments, limits()).await;
    let told = structured(&result);
    assert!(
        told["ok"]["status"] == 413 || told["error"] == "ErrorCode::ConnectionTerminated",
        "{result:?}"
    );
}
