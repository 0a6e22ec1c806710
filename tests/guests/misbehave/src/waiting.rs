//! Blocking: nothing burns fuel here, so only the wall clock can end it.

use guest_support::bindings::run;
use guest_support::{Answer, Request, Tool, failure, structured, text};
use serde_json::json;
use std::time::{Duration, Instant};
use wasip2::clocks::monotonic_clock::subscribe_duration;
use wasip2::io::poll::poll;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "sleep",
        description: "Sleeps `ms` milliseconds, deaf to the abort signal.",
        properties: r#"{"ms":{"type":"integer","minimum":0,"default":3600000}}"#,
        run: sleep,
    },
    Tool {
        name: "block_on_signal",
        description: "Waits for the abort signal, at most `ms` milliseconds (0: for ever), and returns at once when it comes.",
        properties: r#"{"ms":{"type":"integer","minimum":0,"default":0}}"#,
        run: block_on_signal,
    },
    Tool {
        name: "ignore_abort",
        description: "Waits for the abort signal and then goes on regardless, by `how`: spin, sleep or partials.",
        properties: r#"{"how":{"type":"string","enum":["spin","sleep","partials"],"default":"spin"}}"#,
        run: ignore_abort,
    },
    Tool {
        name: "busy_wait",
        description: "Spins on the clock for `ms` milliseconds, then returns: fuel and host calls and time together.",
        properties: r#"{"ms":{"type":"integer","minimum":0,"default":100}}"#,
        run: busy_wait,
    },
    Tool {
        name: "read_stdin",
        description: "Reads standard input to its end, which must be empty and not the host's.",
        properties: "{}",
        run: read_stdin,
    },
];

fn sleep(request: &Request) -> Answer {
    std::thread::sleep(Duration::from_millis(request.number("ms", 0)));
    text("woke up")
}

fn block_on_signal(request: &Request) -> Answer {
    let started = Instant::now();
    let signal = run::abort_signal();
    match request.number("ms", 0) {
        0 => signal.block(),
        ms => {
            let timer = subscribe_duration(ms.saturating_mul(1_000_000));
            poll(&[&signal, &timer]);
        }
    }
    let waited = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    structured(json!({ "aborted": run::is_aborted(), "waitedMs": waited }))
}

fn ignore_abort(request: &Request) -> Answer {
    run::abort_signal().block();
    match request.text("how", "spin") {
        "sleep" => std::thread::sleep(Duration::from_hours(1)),
        "partials" => loop {
            let _ = run::emit_partial("{}");
        },
        _ => guest_support::spin(),
    }
    text("nobody stopped me")
}

fn busy_wait(request: &Request) -> Answer {
    let end = Instant::now() + Duration::from_millis(request.number("ms", 0));
    while Instant::now() < end {}
    text("done waiting")
}

fn read_stdin(_: &Request) -> Answer {
    std::io::read_to_string(std::io::stdin())
        .map_err(|error| failure("StdinError", error.to_string()))
        .and_then(text)
}
