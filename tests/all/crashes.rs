//! A guest that breaks ends its call with its own words, and nothing else.

use serde_json::json;
use toolhost::{ErrorKind, LogSource};

use crate::support::{call, error, host_with};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_is_told_with_its_message() {
    let host = host_with("misbehave").await;
    let result = call(&host, "panic", json!({"message": "no such city: Atlantis"})).await;
    let error = error(&result);
    assert_eq!(
        (error.name.as_str(), error.kind),
        ("GuestTrapError", ErrorKind::Sandbox)
    );
    assert!(
        error.message.contains("no such city: Atlantis"),
        "{}",
        error.message
    );
    assert!(
        !error.message.contains("RUST_BACKTRACE"),
        "{}",
        error.message
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_to_break_is_a_trap() {
    for (guest, tools) in [
        (
            "misbehave",
            &["abort", "exit", "unreachable", "divide_by_zero"][..],
        ),
        (
            "raw",
            &[
                "bare_unreachable",
                "bare_divide_by_zero",
                "bare_out_of_bounds",
                "bare_indirect_call",
                "bad_utf8",
                "bad_pointer",
                "bad_length",
                "bad_discriminant",
                "bad_alignment",
                "result_out_of_bounds",
            ],
        ),
    ] {
        let host = host_with(guest).await;
        for tool in tools {
            let result = call(&host, tool, json!({})).await;
            assert_eq!(error(&result).name, "GuestTrapError", "{tool}: {result:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_with_code_0_is_no_result() {
    let host = host_with("misbehave").await;
    let result = call(&host, "exit", json!({"code": 0})).await;
    assert!(
        error(&result).message.contains("exited with code 0"),
        "{result:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_before_a_panic_is_in_the_log() {
    let host = host_with("misbehave").await;
    let result = call(&host, "stdout_then_panic", json!({})).await;
    assert_eq!(error(&result).name, "GuestTrapError");
    let sources: Vec<LogSource> = result.report.logs.iter().map(|line| line.source).collect();
    assert!(sources.contains(&LogSource::Stdout) && sources.contains(&LogSource::Stderr));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_came_before_a_trap_is_in_the_report() {
    let host = host_with("misbehave").await;
    let result = call(&host, "partial_then_trap", json!({})).await;
    assert_eq!(error(&result).name, "GuestTrapError");
    assert_eq!(
        (result.report.partials, result.report.metadata.len()),
        (1, 1),
        "{result:?}"
    );
    assert!(!result.report.logs.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_that_is_no_json_is_refused_and_named() {
    let host = host_with("misbehave").await;
    for part in ["structured", "custom-data"] {
        let result = call(&host, "bad_json", json!({"part": part, "text": "{nope"})).await;
        assert_eq!(
            error(&result).name,
            "InvalidOutputError",
            "{part}: {result:?}"
        );
    }
    let deep = call(
        &host,
        "deep_json",
        json!({"part": "structured", "depth": 100_000}),
    )
    .await;
    assert_eq!(error(&deep).name, "InvalidOutputError", "{deep:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_with_nothing_in_it_is_null() {
    let host = host_with("misbehave").await;
    let result = call(&host, "empty_output", json!({})).await;
    assert_eq!(result.output().expect("done").structured, Some(json!(null)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_guests_standard_input_is_empty() {
    let host = host_with("misbehave").await;
    let result = call(&host, "read_stdin", json!({})).await;
    assert!(!result.is_error(), "{result:?}");
}
