//! Failures that may pass.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use toolhost::{Call, ExecutionContext, NativeTool, ToolContext, ToolError};

use super::words::{Desk, result, told};
use crate::support::{error, host};

#[test]
fn a_plugin_is_called_again_as_often_as_it_says() {
    let desk = Desk::new();
    let calls = [
        ("a", "fail_until", json!({"attempt": 2})),
        ("b", "fail_until", json!({"attempt": 3})),
    ];
    let results = desk.start(&calls, &[]).ends_with(0).json();
    let passed = &result(&results, "a")["structuredContent"];
    assert_eq!(passed, &json!({"attempt": 2, "idempotencyKey": "a"}));
    assert_eq!(told(&results, "b")["error"], "NotYetError");
}

#[test]
fn a_hook_that_fails_uses_up_no_retry() {
    let desk = Desk::new();
    let calls = [
        ("a", "span", json!({"start": 2, "end": 1})),
        ("b", "span", json!({"trouble": "error"})),
    ];
    let results = desk.start(&calls, &[]).ends_with(0).json();
    assert_eq!(told(&results, "a")["kind"], "validation");
    assert_eq!(told(&results, "b")["kind"], "execution");
}

#[tokio::test]
async fn all_attempts_share_one_deadline() {
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&attempts);
    let tool = NativeTool::builder("busy")
        .description("Is always busy.")
        .input_schema(json!({"type": "object"}))
        .max_retries(10)
        .execute(move |_: serde_json::Value, _: ToolContext| {
            counted.fetch_add(1, Ordering::SeqCst);
            async { Err::<(), _>(ToolError::message("busy").retryable()) }
        })
        .build()
        .unwrap();
    let host = host();
    host.register(tool).unwrap();
    let context = ExecutionContext {
        deadline_ms: Some(1_500),
        ..ExecutionContext::default()
    };
    let started = Instant::now();
    let result = host.call(Call::new("a", "busy", json!({})), context).await;
    assert!(error(&result).retryable);
    assert!(started.elapsed() < Duration::from_secs(10));
    let attempts = attempts.load(Ordering::SeqCst);
    assert!((2..8).contains(&attempts), "{attempts}");
}
