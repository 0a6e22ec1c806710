//! The tools that behave: they must run however the others fare.

use guest_support::{Answer, Request, Tool, structured};
use serde_json::{Map, Value};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "ok",
        description: "Behaves: returns its arguments.",
        properties: r#"{"text":{"type":"string"},"number":{"type":"number"},"list":{"type":"array"},"flag":{"type":"boolean"}}"#,
        run: ok,
    },
    Tool {
        name: "count_calls",
        description: "Behaves: counts calls in a global. Always 1 where each call has an instance of its own.",
        properties: "{}",
        run: count_calls,
    },
];

fn ok(request: &Request) -> Answer {
    let given = ["text", "number", "list", "flag"]
        .into_iter()
        .filter_map(|key| Some((key.to_owned(), request.get(key)?.clone())));
    structured(Value::Object(given.collect::<Map<_, _>>()))
}

fn count_calls(_: &Request) -> Answer {
    use std::sync::atomic::{AtomicU64, Ordering};
    static CALLS: AtomicU64 = AtomicU64::new(0);
    structured((CALLS.fetch_add(1, Ordering::Relaxed) + 1).into())
}
