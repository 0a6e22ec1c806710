//! Every limit ends a call with an error of its own, which says what was
//! allowed and what was used.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{CallResult, LimitsPatch};

use crate::support::{call, call_limited, error, host_with, structured};

fn patch(toml: Value) -> LimitsPatch {
    serde_json::from_value(toml).expect("a patch")
}

/// What a misdeed must end in: the error's name, and the limit it names.
async fn ends_in(tool: &str, arguments: Value, limits: Value, name: &str, limit: &str) {
    let host = host_with("misbehave").await;
    let result = call_limited(&host, tool, arguments, patch(limits)).await;
    let error = error(&result);
    assert_eq!(error.name, name, "{tool}: {error:?}");
    let hit = error
        .limit
        .as_ref()
        .unwrap_or_else(|| panic!("{tool}: no limit in {error:?}"));
    assert_eq!(hit.name, limit, "{tool}");
    assert!(hit.used >= hit.allowed, "{tool}: {hit:?}");
    assert!(
        error.message.contains(limit),
        "{tool}: the message names it: {}",
        error.message
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_runs_out_of_fuel() {
    ends_in(
        "spin",
        json!({}),
        json!({"fuel": 1_000_000}),
        "FuelExhaustedError",
        "fuel",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_runs_into_its_deadline() {
    ends_in(
        "spin",
        json!({}),
        json!({"wall-clock": "100ms"}),
        "DeadlineExceededError",
        "wall-clock",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sleeper_runs_into_its_deadline() {
    let arguments = json!({"ms": 60_000});
    ends_in(
        "sleep",
        arguments,
        json!({"wall-clock": "100ms"}),
        "DeadlineExceededError",
        "wall-clock",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_waits_for_an_abort_that_never_comes_runs_into_its_deadline() {
    let limits = json!({"wall-clock": "100ms"});
    ends_in(
        "block_on_signal",
        json!({"ms": 0}),
        limits,
        "DeadlineExceededError",
        "wall-clock",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_wants_ever_more_memory_is_refused() {
    let limits = json!({"memory": "32MiB"});
    ends_in("alloc", json!({}), limits, "MemoryLimitError", "memory").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_may_grow_to_exactly_its_limit_and_not_a_page_further() {
    let host = host_with("misbehave").await;
    for (pages, refused) in [(512, false), (513, true)] {
        let limits = patch(json!({"memory": 512 * 65_536 + 8 * 4_096}));
        let result = call_limited(&host, "alloc_exact", json!({"pages": pages}), limits).await;
        assert_eq!(
            structured(&result)["refused"],
            refused,
            "{pages} pages: {result:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_survives_a_refusal_ends_for_what_it_does_next() {
    let limits = json!({"memory": "16MiB", "wall-clock": "300ms"});
    ends_in(
        "alloc_then_spin",
        json!({}),
        limits,
        "DeadlineExceededError",
        "wall-clock",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_limit_is_over_all_memories_of_a_call() {
    for guest in ["memories", "multi-memory"] {
        let host = host_with(guest).await;
        let tool = host.definitions()[0].name.clone();
        let limits = patch(json!({"memory": "4MiB"}));
        // Each memory alone would fit.
        let result = call_limited(&host, &tool, json!({"n": 40}), limits).await;
        if let Err(error) = &result.outcome {
            assert_eq!(error.name, "MemoryLimitError", "{guest}");
        } else {
            let grown = structured(&result).as_u64().expect("a count");
            assert!(
                grown < 3,
                "{guest}: {grown} memories of 40 pages fit into 64 pages"
            );
        }
        assert!(
            result.report.memory_peak_bytes <= 4 << 20,
            "{guest}: {result:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deep_recursion_overflows_the_stack() {
    ends_in(
        "recurse",
        json!({}),
        json!({}),
        "StackOverflowError",
        "stack",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recursion_that_overruns_the_stack_in_memory_is_told_as_such() {
    ends_in(
        "recurse_frames",
        json!({}),
        json!({}),
        "StackOverflowError",
        "stack",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_output_is_refused() {
    for bytes in [2 << 20, 20 << 20] {
        let arguments = json!({"bytes": bytes});
        ends_in(
            "flood_output",
            arguments,
            json!({}),
            "OutputLimitError",
            "output",
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_empty_blocks_are_output_too() {
    ends_in(
        "flood_blocks",
        json!({"n": 100_000}),
        json!({}),
        "OutputLimitError",
        "output",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn host_calls_are_counted() {
    let limits = json!({"host-calls": 1_000});
    ends_in(
        "many_host_calls",
        json!({"n": 5_000}),
        limits,
        "HostCallLimitError",
        "host-calls",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_are_counted() {
    for kind in ["signals", "timers"] {
        let arguments = json!({"n": 1_000_000, "kind": kind});
        ends_in(
            "leak_resources",
            arguments,
            json!({}),
            "HostCallLimitError",
            "resources",
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn handles_that_are_dropped_do_not_count() {
    let host = host_with("misbehave").await;
    let result = call(&host, "churn_resources", json!({"n": 20_000})).await;
    assert!(!result.is_error(), "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_much_random_at_once_is_refused() {
    let host = host_with("misbehave").await;
    let result = call(&host, "random_flood", json!({"bytes": 1 << 30, "times": 1})).await;
    assert_eq!(error(&result).name, "HostCallLimitError", "{result:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_partial_is_refused_as_a_value() {
    let host = host_with("misbehave").await;
    let result = call(&host, "big_partial", json!({"bytes": 300_000})).await;
    assert!(
        result.to_json()["result"].to_string().contains("TooLarge"),
        "{result:?}"
    );
    assert_eq!(result.report.partials, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_log_lines_is_cut_and_counted() {
    let host = host_with("misbehave").await;
    for tool in ["flood_log", "flood_stdout", "flood_stderr"] {
        let result = call(&host, tool, json!({"n": 10_000, "bytes": 100})).await;
        assert!(!result.is_error(), "{tool}: {result:?}");
        let kept: usize = result
            .report
            .logs
            .iter()
            .map(|line| line.message.len())
            .sum();
        assert!(kept <= 256 << 10, "{tool} kept {kept}");
        assert!(result.report.logs_dropped_bytes > 700_000, "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_huge_error_message_is_cut() {
    let host = host_with("misbehave").await;
    let result = call(&host, "huge_error", json!({"bytes": 1_000_000})).await;
    let error = error(&result);
    assert_eq!(error.message.chars().count(), 2_000);
    assert!(error.message.ends_with("… (truncated)"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_behind_the_result_is_limited_as_well() {
    let host = host_with("raw").await;
    let limits = || patch(json!({"wall-clock": "200ms", "fuel": 100_000_000}));
    let spins = call_limited(&host, "post_return_spin", json!({}), limits()).await;
    let name = &error(&spins).name;
    assert!(
        name == "FuelExhaustedError" || name == "DeadlineExceededError",
        "{spins:?}"
    );
    let traps = call_limited(&host, "post_return_trap", json!({}), limits()).await;
    assert_eq!(error(&traps).name, "GuestTrapError");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receiving_the_arguments_is_limited_as_well() {
    for (guest, names) in [
        (
            "realloc-spin",
            &["FuelExhaustedError", "DeadlineExceededError"][..],
        ),
        ("realloc-trap", &["GuestTrapError"]),
        ("realloc-lies", &["GuestTrapError"]),
    ] {
        let host = host_with(guest).await;
        let limits = patch(json!({"wall-clock": "300ms"}));
        let result = call_limited(&host, "never_reached", json!({}), limits).await;
        let name = error(&result).name.as_str();
        assert!(names.contains(&name), "{guest}: {result:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_cannot_grow_without_end() {
    let host = host_with("table-grow").await;
    let tool = host.definitions()[0].name.clone();
    let small = call(&host, &tool, json!({"n": 10})).await;
    assert_ne!(structured(&small), 0, "{small:?}");
    let large = call(&host, &tool, json!({"n": 50_000_000})).await;
    assert_eq!(structured(&large), 0, "{large:?}");
}

/// Two spinning guests on two worker threads leave no thread for a timer: the
/// guests have to notice their own deadlines. The bound is far above what is
/// measured, because machines are noisy; without the check the calls would take
/// the 30 s of their siblings.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spinning_guests_do_not_hold_up_each_others_deadlines() {
    let host = host_with("misbehave").await;
    let started = Instant::now();
    let mut calls = Vec::new();
    for index in 0..8 {
        let (host, sleeps) = (host.clone(), index % 4 == 0);
        calls.push(tokio::spawn(async move {
            let (tool, arguments) = if sleeps {
                ("sleep", json!({"ms": 60_000}))
            } else {
                ("spin", json!({}))
            };
            call_limited(
                &host,
                tool,
                arguments,
                patch(json!({"wall-clock": "200ms"})),
            )
            .await
        }));
    }
    for call in calls {
        let result: CallResult = call.await.expect("the call ends");
        assert_eq!(error(&result).name, "DeadlineExceededError");
    }
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sibling_that_is_ended_does_not_touch_a_good_call() {
    let host = host_with("misbehave").await;
    let bad = |tool: &'static str| {
        let host = host.clone();
        tokio::spawn(async move {
            call_limited(&host, tool, json!({}), patch(json!({"wall-clock": "50ms"}))).await
        })
    };
    let (spin, trap) = (bad("spin"), bad("unreachable"));
    for round in 0..50 {
        let result = call(&host, "ok", json!({"number": round})).await;
        assert!(!result.is_error(), "{result:?}");
    }
    assert_eq!(error(&spin.await.unwrap()).name, "DeadlineExceededError");
    assert_eq!(error(&trap.await.unwrap()).name, "GuestTrapError");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_a_call_reaches_the_next() {
    let host = host_with("misbehave").await;
    for _ in 0..3 {
        let counted = call(&host, "count_calls", json!({})).await;
        assert!(
            counted.to_json()["result"].to_string().contains('1'),
            "{counted:?}"
        );
        call(&host, "panic", json!({"message": "on purpose"})).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_full_of_calls_makes_the_next_one_wait() {
    let host = toolhost::Host::builder()
        .cache_dir(Some(crate::support::cache_dir()))
        .max_calls(1)
        .build()
        .unwrap();
    host.load(
        toolhost_tests::guest("misbehave"),
        toolhost::PluginOptions::default(),
    )
    .await
    .unwrap();
    let first = {
        let host = host.clone();
        tokio::spawn(async move { call(&host, "sleep", json!({"ms": 300})).await })
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    let second = call(&host, "ok", json!({})).await;
    assert!(!second.is_error() && !first.await.unwrap().is_error());
    assert!(
        second.report.duration_ms.queue > 0.0,
        "{:?}",
        second.report.duration_ms
    );
}
