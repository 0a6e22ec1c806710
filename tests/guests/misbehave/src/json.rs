//! Texts where the contract wants one JSON document.

use guest_support::bindings::run;
use guest_support::bindings::types::Output;
use guest_support::{Answer, Request, Tool, done, failure, output, structured, text};
use serde_json::json;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "deep_json",
        description: "Returns arrays nested `depth` deep as `part`.",
        properties: r#"{"depth":{"type":"integer","minimum":0,"default":100000},"part":{"type":"string","enum":["structured","custom-data","details","partial","metadata"],"default":"structured"}}"#,
        run: deep_json,
    },
    Tool {
        name: "bad_json",
        description: "Returns `text`, which need not be JSON, as `part`.",
        properties: r#"{"text":{"type":"string","default":"{\"half\":"},"part":{"type":"string","enum":["structured","custom-data","details","partial","metadata"],"default":"structured"}}"#,
        run: bad_json,
    },
    Tool {
        name: "empty_output",
        description: "Returns neither content nor a structured result, which the contract forbids.",
        properties: "{}",
        run: empty_output,
    },
];

fn deep_json(request: &Request) -> Answer {
    let depth = request.size("depth", 0);
    hand_over(request, "[".repeat(depth) + &"]".repeat(depth))
}

fn bad_json(request: &Request) -> Answer {
    hand_over(request, request.text("text", "{\"half\":").to_owned())
}

fn empty_output(_: &Request) -> Answer {
    done(output())
}

/// Hands a text to the host where the argument `part` says; what a host function
/// answers is the result.
fn hand_over(request: &Request, json: String) -> Answer {
    match request.text("part", "structured") {
        "custom-data" => {
            let mut answer = text("small")?;
            if let guest_support::bindings::types::Outcome::Done(output) = &mut answer {
                output.custom_data = Some(json);
            }
            Ok(answer)
        }
        "details" => {
            let mut error = failure("DetailedError", "see the details");
            error.details = Some(json);
            Err(error)
        }
        "partial" => structured(json!({ "said": format!("{:?}", run::emit_partial(&json)) })),
        "metadata" => structured(json!({ "said": format!("{:?}", run::attach_metadata(&json)) })),
        _ => done(Output {
            structured: Some(json),
            ..output()
        }),
    }
}
