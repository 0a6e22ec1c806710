//! When calls end, and what is left of them: deadlines while others compute,
//! cancels at awkward moments, futures that are dropped, limits of absurd size.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{
    Call, CallOptions, CallResult, CancelHandle, ExecutionContext, Host, LimitsPatch, PluginOptions,
};
use toolhost_tests::guest;

use crate::support::{cache_dir, call, call_limited, error, host_with, structured};

fn patch(limits: Value) -> LimitsPatch {
    serde_json::from_value(limits).expect("a patch")
}

/// A host that runs so many calls at once.
async fn small_host(name: &str, max_calls: u32) -> Host {
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .max_calls(max_calls)
        .build()
        .unwrap();
    let loaded = host.load(guest(name), PluginOptions::default()).await;
    loaded.unwrap_or_else(|error| panic!("{error:?}"));
    host
}

async fn cancelled_call(
    host: &Host,
    tool: &str,
    limits: LimitsPatch,
    cancel: &CancelHandle,
) -> CallResult {
    let options = CallOptions {
        limits,
        cancel: cancel.clone(),
        ..CallOptions::default()
    };
    let call = Call::new("call-1", tool, json!({}));
    host.call_with(call, ExecutionContext::default(), options)
        .await
}

/// How late the deadline of 200 ms was, for `calls` guests that spin at once.
async fn lateness(host: &Host, calls: usize) -> Vec<Duration> {
    let allowed = Duration::from_millis(200);
    let spinning: Vec<_> = (0..calls)
        .map(|_| {
            let host = host.clone();
            tokio::spawn(async move {
                let started = Instant::now();
                let limits = patch(json!({"wall-clock": "200ms", "fuel": u64::MAX}));
                let result = call_limited(&host, "spin", json!({}), limits).await;
                assert_eq!(error(&result).name, "DeadlineExceededError");
                started.elapsed().saturating_sub(allowed)
            })
        })
        .collect();
    let mut late = Vec::new();
    for call in spinning {
        late.push(call.await.unwrap());
    }
    late.sort();
    eprintln!("{calls} guests were late by {late:?}");
    late
}

/// The bounds leave room for machines that are busy with something else; a guest
/// that never yields would end the test after a minute.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spinning_guests_end_in_time_with_as_many_threads() {
    let host = host_with("misbehave").await;
    let late = lateness(&host, 2).await;
    assert!(late[0] < Duration::from_secs(3), "{late:?}");
    let late = lateness(&host, 16).await;
    assert!(late[8] < Duration::from_secs(5), "{late:?}");
}

#[tokio::test(flavor = "current_thread")]
async fn spinning_guests_end_in_time_on_one_thread() {
    let host = host_with("misbehave").await;
    let late = lateness(&host, 4).await;
    assert!(late[2] < Duration::from_secs(2), "{late:?}");
    // The thread is free for others all the while.
    let ticks = tokio::spawn(async {
        let started = Instant::now();
        for _ in 0..10 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        started.elapsed()
    });
    lateness(&host, 1).await;
    assert!(ticks.await.unwrap() < Duration::from_secs(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_future_is_dropped_leaves_nothing_behind() {
    let host = small_host("misbehave", 3).await;
    let tools = ["spin", "sleep", "block_on_signal", "ok"];
    for (round, tool) in (0..300_u64).zip(tools.into_iter().cycle()) {
        let dropped = tokio::time::timeout(
            Duration::from_micros(round * 37 % 3_000),
            call(&host, tool, json!({})),
        );
        let _ = dropped.await;
    }
    // With a place lost for each, none would be free.
    let limits = patch(json!({"wall-clock": "2s"}));
    for _ in 0..3 {
        let result = call_limited(&host, "ok", json!({}), limits).await;
        assert!(!result.is_error(), "{result:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_cancelled_while_it_waits_its_turn_ends_at_once() {
    let host = small_host("misbehave", 1).await;
    let blocker = {
        let host = host.clone();
        tokio::spawn(async move { call(&host, "sleep", json!({"ms": 700})).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    let cancel = CancelHandle::new();
    let waiting = {
        let (host, cancel) = (host.clone(), cancel.clone());
        tokio::spawn(
            async move { cancelled_call(&host, "ok", LimitsPatch::default(), &cancel).await },
        )
    };
    tokio::time::sleep(Duration::from_millis(50)).await;
    cancel.cancel();
    let result = waiting.await.unwrap();
    assert_eq!(error(&result).name, "ToolAbortedError");
    assert!(!blocker.is_finished(), "it had waited for the other");
    blocker.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_place_in_time_is_an_error_that_can_be_tried_again() {
    let host = small_host("misbehave", 1).await;
    let blocker = {
        let host = host.clone();
        tokio::spawn(async move { call(&host, "sleep", json!({"ms": 600})).await })
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    let limits = patch(json!({"wall-clock": "100ms"}));
    let result = call_limited(&host, "ok", json!({}), limits).await;
    let error = error(&result);
    assert_eq!(
        (error.name.as_str(), error.retryable),
        ("SandboxBusyError", true)
    );
    blocker.await.unwrap();
}

/// The caller has cancelled, and hears so, whatever else happens meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_call_is_aborted_also_when_its_deadline_comes_first() {
    let host = host_with("misbehave").await;
    for tool in ["sleep", "spin"] {
        let cancel = CancelHandle::new();
        let limits = patch(json!({"wall-clock": "300ms", "grace": "60s"}));
        let handle = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(150)).await;
            handle.cancel();
        });
        let started = Instant::now();
        let result = cancelled_call(&host, tool, limits, &cancel).await;
        assert_eq!(error(&result).name, "ToolAbortedError", "{tool}");
        assert!(started.elapsed() < Duration::from_secs(10), "{tool}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absurd_limits_are_limits_like_others() {
    let host = host_with("misbehave").await;
    let all = json!({
        "fuel": u64::MAX, "wall-clock": "9999999h", "grace": "9999999h", "memory": "16GiB",
        "output": "16EiB", "partial": "16EiB", "log": "16EiB", "host-call-bytes": "16EiB",
        "host-calls": u64::MAX, "resources": u32::MAX, "instances": u32::MAX,
        "memories": u32::MAX, "tables": u32::MAX, "table-elements": u64::MAX,
        "random-bytes": "16EiB", "http-fields": "16EiB",
    });
    for (name, value) in all.as_object().unwrap() {
        let mut one = json!({});
        one[name] = value.clone();
        let Ok(limits) = serde_json::from_value::<LimitsPatch>(one) else {
            // A size that is no number of bytes is refused where it is read.
            continue;
        };
        let result = call_limited(&host, "ok", json!({"number": 1}), limits).await;
        assert!(!result.is_error(), "{name}: {result:?}");
        let panics = call_limited(&host, "panic", json!({}), limits).await;
        assert_eq!(error(&panics).name, "GuestTrapError", "{name}");
    }
    let nothing = patch(json!({"log": 0, "partial": 0, "host-calls": 100_000, "random-bytes": 64}));
    let result = call_limited(&host, "flood_log", json!({"n": 3, "bytes": 10}), nothing).await;
    assert!(result.report.logs.is_empty() && result.report.logs_dropped_bytes == 30);
    // What is over within a tick of the clock may be done.
    let instant = patch(json!({"wall-clock": "1ns"}));
    let result = call_limited(&host, "spin", json!({}), instant).await;
    let name = error(&result).name.as_str();
    assert!(
        ["DeadlineExceededError", "SandboxBusyError"].contains(&name),
        "{result:?}"
    );
    let tiny = patch(json!({"fuel": 1}));
    let result = call_limited(&host, "ok", json!({}), tiny).await;
    assert_eq!(error(&result).name, "FuelExhaustedError");
}

#[test]
fn a_host_that_may_run_no_call_is_refused() {
    let host = Host::builder().cache_dir(None).max_calls(0).build();
    let error = format!("{:?}", host.err().expect("it is refused"));
    assert!(error.contains("NoCalls"), "{error}");
}

/// A pool has two memories a call; a plugin of twelve waits for the places that
/// it needs instead of taking those of others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plugin_of_many_memories_does_not_use_up_the_pool() {
    let host = small_host("memories", 6).await;
    let loaded = host
        .load(guest("misbehave"), PluginOptions::default())
        .await;
    assert!(loaded.is_ok());
    let calls: Vec<_> = (0..24)
        .map(|index| {
            let host = host.clone();
            tokio::spawn(async move {
                match index % 2 {
                    0 => call(&host, "grow_memories", json!({"n": 1})).await,
                    _ => call(&host, "sleep", json!({"ms": 5})).await,
                }
            })
        })
        .collect();
    for call in calls {
        let result = call.await.unwrap();
        assert!(!result.is_error(), "{result:?}");
    }
}

/// wasmtime tells the host of growths that fail of themselves. A guest that
/// brings them about must not be credited with memory that it still holds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn growths_that_fail_do_not_make_room_for_others() {
    let host = host_with("memory-refund").await;
    let limits = patch(json!({"memory": "8MiB"}));
    let result = call_limited(&host, "grow_memory", json!({"n": 16}), limits).await;
    let grown = structured(&result).as_u64().expect("a count");
    assert!(grown < 8, "it holds {grown} MiB of 8");
    assert!(result.report.memory_peak_bytes <= 8 << 20, "{result:?}");
}

/// A refusal of long ago is not why a guest divides by zero.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_was_refused_memory_and_breaks_later_is_told_apart() {
    let host = host_with("misbehave").await;
    let limits = patch(json!({"memory": "16MiB", "fuel": 2_000_000_000}));
    let result = call_limited(&host, "alloc_then_spin", json!({}), limits).await;
    assert_eq!(error(&result).name, "FuelExhaustedError", "{result:?}");
}
