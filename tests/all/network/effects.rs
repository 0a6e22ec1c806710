//! What a request did, as the report of its call tells.

use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncReadExt;
use toolhost::{Call, CallResult, EffectKind, EffectState, ExecutionContext, LimitsPatch};

use super::server::{Server, read_request};
use super::{fetch, fetch_limited, get, granted, open_to};
use crate::support::{call_limited, error};

/// The states and targets of the effects.
fn effects(result: &CallResult) -> Vec<(EffectState, &str)> {
    let effects = result.report.effects.iter();
    effects
        .inspect(|effect| assert_eq!(effect.kind, EffectKind::Http))
        .map(|effect| (effect.state, effect.target.as_str()))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answered_request_is_confirmed_with_its_bytes() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let arguments = json!({"url": server.url("/v1?key=secret"), "method": "POST", "body": "abc"});
    let result = fetch(&host, arguments).await;
    let target = format!("POST {}", server.url("/v1"));
    assert_eq!(
        effects(&result),
        [(EffectState::Confirmed, target.as_str())]
    );
    let sent = server.seen().concat().len() as u64;
    assert_eq!(result.report.effects[0].bytes, sent);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_never_left_did_not_happen() {
    let closed = Server::saying("hello").await;
    let port = closed.port;
    drop(closed);
    let named = format!("http://localhost:{port}/");
    let host = granted(&["https://nowhere.invalid", &named]).await;
    for url in ["https://nowhere.invalid/", &named] {
        let result = fetch(&host, get(url)).await;
        let target = format!("GET {url}");
        assert_eq!(effects(&result), [(EffectState::None, target.as_str())]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_without_an_answer_may_have_happened() {
    let server = Server::start(|mut stream, _| async move {
        read_request(&mut stream).await?;
        stream.read_to_end(&mut Vec::new()).await.map(drop)
    })
    .await;
    let host = open_to(&server).await;
    let target = format!("GET {}", server.url("/"));
    for limits in [
        json!({"http-first-byte": "200ms"}),
        json!({"wall-clock": "500ms"}),
    ] {
        let result = fetch_limited(&host, get(server.url("/")), limits).await;
        assert_eq!(effects(&result), [(EffectState::Possible, target.as_str())]);
    }
}

/// The call fails, and what it did before comes with the error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn effects_come_with_a_failure_too() {
    let server = Server::saying("hello").await;
    let host = open_to(&server).await;
    let limits = super::patch(json!({"fuel": 100_000_000}));
    let result = call_limited(&host, "fetch_and_spin", get(server.url("/")), limits).await;
    assert_eq!(error(&result).name, "FuelExhaustedError");
    let target = format!("GET {}", server.url("/"));
    assert_eq!(
        effects(&result),
        [(EffectState::Confirmed, target.as_str())]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_tells_what_may_have_happened() {
    let server = Server::start(|mut stream, seen| async move {
        seen.note(read_request(&mut stream).await?);
        stream.read_to_end(&mut Vec::new()).await?;
        seen.note("hung up".into());
        Ok(())
    })
    .await;
    let host = open_to(&server).await;
    let call = Call::new("call-1", "fetch", get(server.url("/")));
    let running = host.start(call, ExecutionContext::default(), LimitsPatch::default());
    while server.seen().is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    running.cancel_handle().cancel();
    let result = running.result().await;
    assert_eq!(error(&result).name, "ToolAbortedError");
    let target = format!("GET {}", server.url("/"));
    assert_eq!(effects(&result), [(EffectState::Possible, target.as_str())]);
    while server.seen().len() < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
