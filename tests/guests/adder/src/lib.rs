//! The smallest useful tool: reads JSON, adds two numbers, returns JSON. What is
//! measured with it is what lies around it; `bench/` has the same task for others.

use guest_support::{Answer, Request, Tool, failure, structured};
use serde_json::{Value, json};

const TOOLS: &[Tool] = &[Tool {
    name: "add",
    description: "Returns the sum of `a` and `b`.",
    properties: r#"{"a":{"type":"number"},"b":{"type":"number"}}"#,
    run: add,
}];

fn add(request: &Request) -> Answer {
    let number = |key| request.get(key).and_then(Value::as_f64);
    let (Some(a), Some(b)) = (number("a"), number("b")) else {
        return Err(failure("MissingNumber", "give both `a` and `b`"));
    };
    structured(json!({ "sum": a + b }))
}

guest_support::plugin!(TOOLS);
