//! Every way to trap or to leave that Rust has. Bare traps are in `wat/raw.wat`.

use guest_support::bindings::run::{self, LogLevel};
use guest_support::{Answer, Request, Tool, structured};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "panic",
        description: "Panics with `message`.",
        properties: r#"{"message":{"type":"string","default":"the tool gave up"}}"#,
        run: panic,
    },
    Tool {
        name: "abort",
        description: "Aborts without a word.",
        properties: "{}",
        run: abort,
    },
    Tool {
        name: "exit",
        description: "Leaves by `exit(code)`, as a command would.",
        properties: r#"{"code":{"type":"integer","default":0}}"#,
        run: exit,
    },
    Tool {
        name: "unreachable",
        description: "Runs the `unreachable` instruction.",
        properties: "{}",
        run: unreachable,
    },
    Tool {
        name: "divide_by_zero",
        description: "Divides by zero; Rust makes a panic of it.",
        properties: r#"{"by":{"type":"integer","minimum":0,"default":0}}"#,
        run: divide_by_zero,
    },
    Tool {
        name: "stdout_then_panic",
        description: "Writes a line to stdout and one to stderr, then panics with `message`.",
        properties: r#"{"message":{"type":"string","default":"after writing"}}"#,
        run: stdout_then_panic,
    },
    Tool {
        name: "partial_then_trap",
        description: "Emits a partial result, attaches metadata, logs a line, then traps.",
        properties: "{}",
        run: partial_then_trap,
    },
];

fn panic(request: &Request) -> Answer {
    panic!("{}", request.text("message", "the tool gave up"));
}

fn abort(_: &Request) -> Answer {
    std::process::abort();
}

fn exit(request: &Request) -> Answer {
    let code = request
        .get("code")
        .and_then(serde_json::Value::as_i64)
        .unwrap_or(0);
    std::process::exit(i32::try_from(code).unwrap_or(i32::MAX));
}

fn unreachable(_: &Request) -> Answer {
    std::arch::wasm32::unreachable();
}

fn divide_by_zero(request: &Request) -> Answer {
    structured((1 / std::hint::black_box(request.number("by", 0))).into())
}

fn stdout_then_panic(request: &Request) -> Answer {
    println!("a line on stdout");
    eprintln!("a line on stderr");
    panic!("{}", request.text("message", "after writing"));
}

fn partial_then_trap(_: &Request) -> Answer {
    let _ = run::emit_partial(r#"{"state":"half-way"}"#);
    let _ = run::attach_metadata(r#"{"written":true}"#);
    run::log(LogLevel::Warn, "about to trap");
    std::arch::wasm32::unreachable();
}
