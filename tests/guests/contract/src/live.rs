//! The functions of `run` that work while the call runs.

use guest_support::bindings::run::{self, Flow, LogLevel, RunError};
use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wasip2::clocks::monotonic_clock::subscribe_duration;
use wasip2::io::poll::poll;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "await_abort",
        description: "Waits for the abort signal, at most `ms` milliseconds, then returns what it saw after `linger` more.",
        properties: r#"{"ms":{"type":"integer","minimum":0,"default":1000},"linger":{"type":"integer","minimum":0,"default":0}}"#,
        run: await_abort,
    },
    Tool {
        name: "poll_abort",
        description: "Asks `is-aborted` again and again, at most `ms` milliseconds, then returns what it saw.",
        properties: r#"{"ms":{"type":"integer","minimum":0,"default":1000}}"#,
        run: poll_abort,
    },
    Tool {
        name: "partials",
        description: "Emits `n` snapshots, `delay` milliseconds apart, until it is told to stop; returns what it was told.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":3},"delay":{"type":"integer","minimum":0,"default":0},"heedless":{"type":"boolean","default":false}}"#,
        run: partials,
    },
    Tool {
        name: "metadata",
        description: "Attaches `value` as metadata and logs a line at each level; returns nothing of it.",
        properties: r#"{"value":{"default":{"seen":true}}}"#,
        run: metadata,
    },
    Tool {
        name: "stdio",
        description: "Writes lines to stdout and stderr, the last of each without its end.",
        properties: "{}",
        run: stdio,
    },
];

fn waited(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn await_abort(request: &Request) -> Answer {
    let started = Instant::now();
    let signal = run::abort_signal();
    let ready_before = signal.ready();
    let timer = subscribe_duration(request.number("ms", 0).saturating_mul(1_000_000));
    let ready = poll(&[&signal, &timer]);
    let waited = waited(started);
    std::thread::sleep(Duration::from_millis(request.number("linger", 0)));
    structured(json!({
        "readyBefore": ready_before,
        "signal": ready.contains(&0),
        "aborted": run::is_aborted(),
        "waitedMs": waited,
    }))
}

fn poll_abort(request: &Request) -> Answer {
    let started = Instant::now();
    let mut asked = 0u64;
    while !run::is_aborted() && waited(started) < request.number("ms", 0) {
        asked += 1;
        std::thread::sleep(Duration::from_millis(1));
    }
    structured(json!({
        "aborted": run::is_aborted(),
        "asked": asked,
        "waitedMs": waited(started),
    }))
}

fn partials(request: &Request) -> Answer {
    let mut told = Vec::new();
    let n = request.number("n", 0);
    for step in 1..=n {
        let answer = run::emit_partial(&json!({ "step": step, "of": n }).to_string());
        told.push(flow(&answer));
        if !matches!(answer, Ok(Flow::Continue)) && !request.flag("heedless") {
            break;
        }
        std::thread::sleep(Duration::from_millis(request.number("delay", 0)));
    }
    structured(json!({ "told": told }))
}

fn flow(answer: &Result<Flow, RunError>) -> String {
    match answer {
        Ok(Flow::Continue) => "continue".to_owned(),
        Ok(Flow::Stop) => "stop".to_owned(),
        Err(error) => format!("{error:?}"),
    }
}

fn metadata(request: &Request) -> Answer {
    let value = request.get("value").unwrap_or(&Value::Null).to_string();
    let attached = run::attach_metadata(&value);
    for (level, line) in [
        (LogLevel::Trace, "a trace line"),
        (LogLevel::Debug, "a debug line"),
        (LogLevel::Info, "an info line"),
        (LogLevel::Warn, "a warn line"),
        (LogLevel::Error, "an error line"),
    ] {
        run::log(level, line);
    }
    structured(json!({ "attached": said(attached.map(|()| Value::Null)) }))
}

fn stdio(_: &Request) -> Answer {
    println!("first line on stdout");
    eprintln!("first line on stderr");
    print!("no end on stdout");
    eprint!("no end on stderr");
    guest_support::text("the result")
}
