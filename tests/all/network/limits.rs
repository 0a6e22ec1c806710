//! How much and how long: each limit is hit, named in the report, and told to the
//! guest as a value; what stays within it works.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::server::{Server, ok, read_request};
use super::{
    advice, body_code, code, fetch, fetch_limited, get, open_to, patch, refused, response,
};
use crate::support::{call_limited, error, structured};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_sends_so_many_requests_and_no_more() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "n": 4});
    let limits = patch(json!({"http-requests": 3}));
    let result = call_limited(&host, "fetch_in_turn", arguments, limits).await;
    let all = structured(&result).as_array().unwrap();
    let sent = all.iter().filter(|one| one.get("ok").is_some()).count();
    assert_eq!((sent, all.len()), (3, 4));
    assert_eq!(all[3]["error"], "ErrorCode::ConnectionLimitReached");
    assert_eq!(refused(&result), ["limit http-requests"]);
    assert_eq!(
        advice(&result),
        ["a higher http-requests than 3 under [limits]"]
    );
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_requests_run_at_once() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "n": 5});
    let limits = patch(json!({"http-concurrent": 2}));
    let result = call_limited(&host, "fetch_at_once", arguments.clone(), limits).await;
    let all = structured(&result).as_array().unwrap();
    let sent = all.iter().filter(|one| one.get("ok").is_some()).count();
    assert_eq!((sent, all.len()), (2, 5), "{all:?}");
    assert_eq!(refused(&result), ["limit http-concurrent"]);

    // One after the other, each gives its place to the next.
    let limits = patch(json!({"http-concurrent": 1}));
    let result = call_limited(&host, "fetch_in_turn", arguments, limits).await;
    assert!(refused(&result).is_empty(), "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_request_is_cut_off() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "method": "POST", "bodyBytes": 200_000});
    let within = fetch_limited(
        &host,
        arguments.clone(),
        json!({"http-request-bytes": 300_000}),
    );
    assert_eq!(response(&within.await)["status"], 200);

    let result = fetch_limited(&host, arguments, json!({"http-request-bytes": 100_000})).await;
    assert_eq!(
        code(&result),
        "ErrorCode::HttpRequestBodySize(Some(100000))"
    );
    assert_eq!(refused(&result), ["limit http-request-bytes"]);
    assert!(result.report.effects[0].bytes <= 100_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_response_is_cut_off() {
    let server = Server::saying(&"x".repeat(200_000)).await;
    let host = open_to(&server).await;
    let arguments = get(server.url("/"));
    let within = fetch_limited(
        &host,
        arguments.clone(),
        json!({"http-response-bytes": 300_000}),
    );
    assert_eq!(response(&within.await)["bytes"], 200_000);

    let result = fetch_limited(&host, arguments, json!({"http-response-bytes": 100_000})).await;
    assert_eq!(
        body_code(&result),
        "ErrorCode::HttpResponseBodySize(Some(100000))"
    );
    assert!(response(&result)["bytes"].as_u64().unwrap() < 100_000);
    assert_eq!(refused(&result), ["limit http-response-bytes"]);
}

/// The limit is one of the call: many small responses are as much as a large one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_responses_of_a_call_count_together() {
    let server = Server::saying(&"x".repeat(10_000)).await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "n": 10});
    let limits = patch(json!({"http-response-bytes": 50_000}));
    let result = call_limited(&host, "fetch_in_turn", arguments, limits).await;
    let whole =
        |one: &&serde_json::Value| one["ok"]["bodyError"].is_null() && one["ok"].is_object();
    let all = structured(&result).as_array().unwrap();
    assert_eq!(all.iter().filter(whole).count(), 4, "{all:?}");
    assert_eq!(refused(&result), ["limit http-response-bytes"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn headers_are_bounded_both_ways() {
    let many = (0..30)
        .map(|n| format!("x-{n}: y\r\n"))
        .collect::<Vec<_>>()
        .concat();
    let large = format!("x: {}\r\n", "y".repeat(3_000));
    let server = Server::start(move |mut stream, seen| {
        let (many, large) = (many.clone(), large.clone());
        async move {
            let request = read_request(&mut stream).await?;
            let fields = match request.split(' ').nth(1) {
                Some("/many") => many,
                Some("/large") => large,
                _ => String::new(),
            };
            seen.note(request);
            let answer = ok("hello").replacen("\r\n", &format!("\r\n{fields}"), 1);
            stream.write_all(answer.as_bytes()).await
        }
    })
    .await;
    let host = open_to(&server).await;
    let headers = |n: usize, bytes: usize| -> Vec<[String; 2]> {
        (0..n)
            .map(|n| [format!("x-{n}"), "y".repeat(bytes)])
            .collect()
    };
    for (path, count, bytes, limits, told, limit) in [
        (
            "/",
            30,
            1,
            json!({"http-field-count": 20}),
            "Request",
            "http-field-count",
        ),
        (
            "/many",
            0,
            0,
            json!({"http-field-count": 20}),
            "Response",
            "http-field-count",
        ),
        (
            "/large",
            0,
            0,
            json!({"http-fields": 2_000}),
            "Response",
            "http-fields",
        ),
        ("/many", 30, 100, json!({}), "", ""),
        ("/large", 0, 0, json!({}), "", ""),
    ] {
        let arguments = json!({"url": server.url(path), "headers": headers(count, bytes)});
        let result = fetch_limited(&host, arguments, limits).await;
        if told.is_empty() {
            assert_eq!(response(&result)["status"], 200, "{path}");
            continue;
        }
        let expected = format!("ErrorCode::Http{told}HeaderSectionSize");
        assert!(code(&result).starts_with(&expected), "{path}: {result:?}");
        assert_eq!(refused(&result), [format!("limit {limit}")], "{path}");
    }
}

/// A server that takes connections and requests and says nothing.
async fn silent() -> Server {
    Server::start(|mut stream, seen| async move {
        seen.note(read_request(&mut stream).await?);
        stream.read_to_end(&mut Vec::new()).await?;
        seen.note("hung up".into());
        Ok(())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_says_nothing_is_given_up() {
    let server = silent().await;
    let host = open_to(&server).await;
    let limits = json!({"http-first-byte": "200ms"});
    let result = fetch_limited(&host, get(server.url("/")), limits).await;
    assert_eq!(code(&result), "ErrorCode::HttpResponseTimeout");
    assert_eq!(refused(&result), ["limit http-first-byte"]);

    // What the guest wished for itself is no limit of the host's.
    let arguments = json!({"url": server.url("/"), "firstByteMs": 100});
    let result = fetch(&host, arguments).await;
    assert_eq!(code(&result), "ErrorCode::HttpResponseTimeout");
    assert!(refused(&result).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_stalls_is_given_up() {
    let server = Server::start(|mut stream, _| async move {
        read_request(&mut stream).await?;
        let half = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf";
        stream.write_all(half.as_bytes()).await?;
        stream.read_to_end(&mut Vec::new()).await.map(drop)
    })
    .await;
    let host = open_to(&server).await;
    let limits = json!({"http-between-bytes": "200ms"});
    let result = fetch_limited(&host, get(server.url("/")), limits).await;
    assert_eq!(body_code(&result), "ErrorCode::ConnectionReadTimeout");
    assert_eq!(response(&result)["body"], "half");
    assert_eq!(refused(&result), ["limit http-between-bytes"]);
}

/// A drop now and then keeps every other clock quiet, and not that of the call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_server_outlives_the_deadline() {
    let server = Server::start(|mut stream, seen| async move {
        seen.note(read_request(&mut stream).await?);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        seen.note("hung up".into());
        Ok(())
    })
    .await;
    let host = open_to(&server).await;
    let started = Instant::now();
    let limits = json!({"wall-clock": "500ms"});
    let result = fetch_limited(&host, get(server.url("/")), limits).await;
    assert_eq!(error(&result).name, "DeadlineExceededError", "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(10));
    until(
        || server.seen().len() == 2,
        "the connection ends with the call",
    )
    .await;
}

/// The guest goes, and what it started goes with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_does_not_outlive_its_call() {
    let server = silent().await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/"), "n": 200});
    let result = call_limited(&host, "fetch_and_go", arguments, patch(json!({}))).await;
    assert!(result.output().is_some(), "{result:?}");
    until(
        || server.seen().len() == 2,
        "the connection ends with the call",
    )
    .await;
}

/// Waits, for a machine that is busy too.
async fn until(holds: impl Fn() -> bool, what: &str) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it never came true: {what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_are_never_sent_cost_the_host_little() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let limits = patch(json!({"memory": "512MiB"}));
    let arguments = json!({"n": 2_000});
    let result = call_limited(&host, "hoard_bodies", arguments, limits).await;
    let told = structured(&result);
    assert_eq!(told["bodies"], 2_000);
    let bytes = told["bytes"].as_u64().unwrap();
    assert!(bytes <= 2_000 * 16 * 1024, "{bytes}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_headers_are_bounded_each_and_all_together() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let limits = patch(json!({}));
    let few = json!({"n": 100, "bytes": 60_000});
    let result = call_limited(&host, "hoard_fields", few, limits).await;
    assert_eq!(structured(&result)["ok"], 100);

    for arguments in [
        json!({"n": 1_000, "bytes": 60_000}),
        json!({"n": 1, "bytes": 70_000}),
    ] {
        let result = call_limited(&host, "hoard_fields", arguments, limits).await;
        let error = error(&result);
        assert_eq!(error.name, "HostCallLimitError", "{error:?}");
        assert_eq!(error.limit.as_ref().unwrap().name, "http-fields");
    }
}
