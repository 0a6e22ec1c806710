//! Every place where a guest can say something.

use std::io::Write;

use guest_support::bindings::types::{
    Call, ClientCall, ContentBlock, File, Media, MediaSource, OtherContent, Outcome, Output,
    Question, SignIn, Suspension, SuspensionKind,
};
use guest_support::bindings::{calls, run, types::ToolError};
use guest_support::{Answer, done, failure, output, structured, text};
use serde_json::{Value, json};

/// Says `told`, which is made of `secret`, at a place. An unknown place is a fault
/// of the test.
pub(crate) fn tell(told: &str, secret: &str, place: &str) -> Answer {
    match place {
        "log" => run::log(run::LogLevel::Info, told),
        "stdout" => println!("{told}"),
        "stdout-in-pieces" => {
            for byte in told.bytes() {
                let _ = std::io::stdout().write_all(&[byte]);
                let _ = std::io::stdout().flush();
            }
        }
        "stderr" => eprint!("{told}"),
        "stderr-past-a-line" => eprint!("{}{told}", "x".repeat(8 * 1024 - 5)),
        "partial" => drop(run::emit_partial(
            &json!({ "so far": told, told: 1 }).to_string(),
        )),
        "last-partial" => {
            let _ = run::emit_partial(&json!([told]).to_string());
            return done(output());
        }
        "event" => drop(run::emit_event(
            "keeper.told",
            &json!({ "told": told }).to_string(),
        )),
        "metadata" => drop(run::attach_metadata(&json!({ told: [told] }).to_string())),
        "panic" => panic!("the secret is {told}"),
        "assert" => assert_eq!(secret, "something else"),
        "debug" => return text(format!("{:?}", Some(secret))),
        "call" => return call(told),
        other => return ending(told, other),
    }
    text("told")
}

fn ending(told: &str, place: &str) -> Answer {
    let blocks = |block| {
        done(Output {
            content: vec![block],
            ..output()
        })
    };
    let media = |source| Media {
        mime_type: "text/plain".into(),
        source,
    };
    match place {
        "text" => text(format!("the secret is {told}.")),
        "structured" => structured(json!({ "told": [told] })),
        "key" => structured(json!({ told: 1, "other": 2 })),
        "model-view" => done(Output {
            model_view: Some(vec![ContentBlock::Text(told.into())]),
            ..output()
        }),
        "custom-data" => done(Output {
            custom_data: Some(json!(told).to_string()),
            ..output()
        }),
        "bytes" => blocks(ContentBlock::Image(media(MediaSource::Bytes(told.into())))),
        "uri" => blocks(ContentBlock::Audio(media(MediaSource::Uri(format!(
            "https://x.example/?{told}"
        ))))),
        "file-name" => blocks(ContentBlock::File(File {
            name: Some(told.into()),
            media: media(MediaSource::Bytes(Vec::new())),
        })),
        "other-content" => blocks(ContentBlock::Other(OtherContent {
            kind: told.into(),
            data: json!(told).to_string(),
        })),
        "error-name" => Err(failure(told, "told")),
        "error-message" => Err(failure("ToldError", told)),
        "long-error-message" => Err(failure("ToldError", format!("{}{told}", "x".repeat(1_990)))),
        "error-details" => Err(ToolError {
            code: Some(told.into()),
            details: Some(json!({ "told": told }).to_string()),
            ..failure("ToldError", "told")
        }),
        "bad-json" => done(Output {
            structured: Some(format!("{{{told}")),
            ..output()
        }),
        "other-outcome" => Ok(Outcome::Other(told.into())),
        _ => Ok(suspension(told, place)),
    }
}

fn suspension(told: &str, place: &str) -> Outcome {
    let kind = match place {
        "question" => SuspensionKind::Question(Question {
            prompt: told.into(),
            schema: None,
        }),
        "sign-in" => SuspensionKind::SignIn(SignIn {
            url: format!("https://x.example/{told}"),
            prompt: Some(told.into()),
        }),
        "client-call" => SuspensionKind::ClientTools(vec![ClientCall {
            tool_call_id: told.into(),
            tool_name: told.into(),
            arguments: json!({ "told": told }).to_string(),
        }]),
        other => panic!("no place {other}"),
    };
    Outcome::Suspended(Suspension {
        kind,
        state: told.into(),
    })
}

/// Calls another tool with it, and tells what came back.
fn call(told: &str) -> Answer {
    let ended = calls::call_tool(&Call {
        tool_name: "inner".into(),
        arguments: Some(json!({ "text": told }).to_string()),
    });
    match ended {
        Ok(output) => structured(output.structured.map_or(Value::Null, Value::String)),
        Err(failed) => structured(json!({ "error": failed.message })),
    }
}
