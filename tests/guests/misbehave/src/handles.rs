//! Host calls and handles without end.

use guest_support::bindings::run;
use guest_support::{Answer, Request, Tool, structured};
use serde_json::json;
use wasip2::clocks::monotonic_clock;
use wasip2::random::{insecure, random};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "leak_resources",
        description: "Opens `n` handles of a `kind` and never drops one.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":10000000},"kind":{"type":"string","enum":["timers","signals","streams","directories"],"default":"timers"}}"#,
        run: leak_resources,
    },
    Tool {
        name: "churn_resources",
        description: "Opens and drops `n` handles, one at a time: allowed, as only one is ever open.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":10000}}"#,
        run: churn_resources,
    },
    Tool {
        name: "many_host_calls",
        description: "Calls a cheap host function `n` times.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":1000000000}}"#,
        run: many_host_calls,
    },
    Tool {
        name: "random_flood",
        description: "Asks for `bytes` random bytes at once, `times` times, secure ones unless `insecure`.",
        properties: r#"{"bytes":{"type":"integer","minimum":0,"default":1073741824},"times":{"type":"integer","minimum":0,"default":1},"insecure":{"type":"boolean","default":false}}"#,
        run: random_flood,
    },
    Tool {
        name: "read_transcript",
        description: "Asks for the whole transcript `times` times over.",
        properties: r#"{"times":{"type":"integer","minimum":0,"default":100000}}"#,
        run: read_transcript,
    },
    Tool {
        name: "poll_many",
        description: "Polls a list of `n` timers at once.",
        properties: r#"{"n":{"type":"integer","minimum":1,"default":100000}}"#,
        run: poll_many,
    },
];

fn leak_resources(request: &Request) -> Answer {
    let n = request.number("n", 0);
    let kind = request.text("kind", "timers");
    for _ in 0..n {
        match kind {
            "signals" => std::mem::forget(run::abort_signal()),
            "streams" => std::mem::forget(wasip2::cli::stderr::get_stderr()),
            "directories" => std::mem::forget(wasip2::filesystem::preopens::get_directories()),
            _ => std::mem::forget(monotonic_clock::subscribe_duration(u64::MAX / 2)),
        }
    }
    structured(json!({ "opened": n }))
}

fn churn_resources(request: &Request) -> Answer {
    let n = request.number("n", 0);
    for _ in 0..n {
        drop(monotonic_clock::subscribe_duration(0));
    }
    structured(json!({ "opened": n }))
}

fn many_host_calls(request: &Request) -> Answer {
    let n = request.number("n", 0);
    let aborted = (0..n).filter(|_| run::is_aborted()).count();
    structured(json!({ "calls": n, "aborted": aborted }))
}

fn random_flood(request: &Request) -> Answer {
    let bytes = request.number("bytes", 0);
    let mut received = 0u64;
    for _ in 0..request.number("times", 1) {
        let random = if request.flag("insecure") {
            insecure::get_insecure_random_bytes(bytes)
        } else {
            random::get_random_bytes(bytes)
        };
        received += random.len() as u64;
    }
    structured(json!({ "bytes": received }))
}

fn read_transcript(request: &Request) -> Answer {
    let whole = run::MessageRange {
        start: 0,
        end: None,
    };
    let mut messages = 0;
    for _ in 0..request.number("times", 1) {
        match run::messages(whole) {
            Ok(list) => messages += list.len(),
            Err(error) => {
                return structured(json!({ "messages": messages, "error": format!("{error:?}") }));
            }
        }
    }
    structured(json!({ "messages": messages, "error": null }))
}

fn poll_many(request: &Request) -> Answer {
    let timers: Vec<_> = (0..request.number("n", 1))
        .map(|_| monotonic_clock::subscribe_duration(0))
        .collect();
    let ready = wasip2::io::poll::poll(&timers.iter().collect::<Vec<_>>());
    structured(json!({ "ready": ready.len() }))
}
