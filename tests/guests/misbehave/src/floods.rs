//! Too much of everything that crosses the boundary.

use guest_support::bindings::run::{self, Flow, LogLevel};

use guest_support::bindings::types::{
    ApprovalRequest, ContentBlock, Outcome, Output, Suspension, SuspensionKind,
};
use guest_support::{Answer, Request, Tool, done, failure, output, structured, text};
use serde_json::{Value, json};
use std::io::Write;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "flood_output",
        description: "Returns `bytes` bytes as `part`: one text block, a JSON string, custom data, the model's view or the state of a suspension.",
        properties: r#"{"bytes":{"type":"integer","minimum":0,"default":104857600},"part":{"type":"string","enum":["text","structured","custom-data","model-view","state"],"default":"text"}}"#,
        run: flood_output,
    },
    Tool {
        name: "flood_blocks",
        description: "Returns `n` empty text blocks: a small result made of many parts.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":1000000}}"#,
        run: flood_blocks,
    },
    Tool {
        name: "flood_log",
        description: "Logs `n` lines of `bytes` bytes.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":100000},"bytes":{"type":"integer","minimum":0,"default":1024}}"#,
        run: flood_log,
    },
    Tool {
        name: "flood_stdout",
        description: "Writes `n` lines of `bytes` bytes to stdout.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":100000},"bytes":{"type":"integer","minimum":0,"default":1024}}"#,
        run: flood_stdout,
    },
    Tool {
        name: "flood_stderr",
        description: "Writes `n` lines of `bytes` bytes to stderr.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":100000},"bytes":{"type":"integer","minimum":0,"default":1024}}"#,
        run: flood_stderr,
    },
    Tool {
        name: "flood_partials",
        description: "Emits `n` partial results of `bytes` bytes and reports how many were taken before a stop or an error.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":100000},"bytes":{"type":"integer","minimum":0,"default":1024}}"#,
        run: flood_partials,
    },
    Tool {
        name: "big_partial",
        description: "Emits one partial result of `bytes` bytes and returns what the host said.",
        properties: r#"{"bytes":{"type":"integer","minimum":0,"default":16777216}}"#,
        run: big_partial,
    },
    Tool {
        name: "flood_metadata",
        description: "Attaches `n` documents of `bytes` bytes and reports how many were taken.",
        properties: r#"{"n":{"type":"integer","minimum":0,"default":100000},"bytes":{"type":"integer","minimum":0,"default":1024}}"#,
        run: flood_metadata,
    },
    Tool {
        name: "huge_error",
        description: "Fails with a message of `bytes` bytes.",
        properties: r#"{"bytes":{"type":"integer","minimum":0,"default":1048576}}"#,
        run: huge_error,
    },
];

fn line(request: &Request) -> String {
    "x".repeat(request.size("bytes", 1024))
}

/// A JSON string of `bytes` bytes, its two quotes included.
fn json_string(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes.saturating_sub(2)))
}

fn flood_output(request: &Request) -> Answer {
    let bytes = request.size("bytes", 0);
    match request.text("part", "text") {
        "structured" => done(Output {
            structured: Some(json_string(bytes)),
            ..output()
        }),
        "custom-data" => done(Output {
            content: vec![ContentBlock::Text("small".to_owned())],
            custom_data: Some(json_string(bytes)),
            ..output()
        }),
        "model-view" => done(Output {
            content: vec![ContentBlock::Text("small".to_owned())],
            model_view: Some(vec![ContentBlock::Text("x".repeat(bytes))]),
            ..output()
        }),
        "state" => Ok(Outcome::Suspended(Suspension {
            kind: SuspensionKind::Approval(ApprovalRequest { reason: None }),
            state: vec![b'x'; bytes],
        })),
        _ => text("x".repeat(bytes)),
    }
}

fn flood_blocks(request: &Request) -> Answer {
    let empty = ContentBlock::Text(String::new());
    done(Output {
        content: vec![empty; request.size("n", 0)],
        ..output()
    })
}

fn flood_log(request: &Request) -> Answer {
    let line = line(request);
    for _ in 0..request.number("n", 0) {
        run::log(LogLevel::Info, &line);
    }
    text("logged")
}

fn flood_stdout(request: &Request) -> Answer {
    write_lines(request, &mut std::io::stdout().lock())
}

fn flood_stderr(request: &Request) -> Answer {
    write_lines(request, &mut std::io::stderr().lock())
}

/// Reports how many lines were taken; a refused write is a value.
fn write_lines(request: &Request, to: &mut dyn Write) -> Answer {
    let line = line(request);
    let mut written = 0u64;
    for _ in 0..request.number("n", 0) {
        if let Err(error) = writeln!(to, "{line}") {
            return structured(json!({ "written": written, "error": error.to_string() }));
        }
        written += 1;
    }
    structured(json!({ "written": written, "error": null }))
}

fn flood_partials(request: &Request) -> Answer {
    let snapshot = json_string(request.size("bytes", 0));
    let mut taken = 0u64;
    let mut end = Value::Null;
    for _ in 0..request.number("n", 0) {
        match run::emit_partial(&snapshot) {
            Ok(Flow::Continue) => taken += 1,
            Ok(Flow::Stop) => {
                end = "stop".into();
                break;
            }
            Err(error) => {
                end = format!("{error:?}").into();
                break;
            }
        }
    }
    structured(json!({ "taken": taken, "end": end }))
}

fn big_partial(request: &Request) -> Answer {
    let said = run::emit_partial(&json_string(request.size("bytes", 0)));
    structured(json!({ "said": format!("{said:?}") }))
}

fn flood_metadata(request: &Request) -> Answer {
    let document = json_string(request.size("bytes", 0));
    let mut taken = 0u64;
    for _ in 0..request.number("n", 0) {
        if let Err(error) = run::attach_metadata(&document) {
            return structured(json!({ "taken": taken, "end": format!("{error:?}") }));
        }
        taken += 1;
    }
    structured(json!({ "taken": taken, "end": null }))
}

fn huge_error(request: &Request) -> Answer {
    Err(failure("HugeError", "x".repeat(request.size("bytes", 0))))
}
