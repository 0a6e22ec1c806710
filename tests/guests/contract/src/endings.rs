//! Every way a call ends: content, suspension, error.

use guest_support::bindings::types::{
    ApprovalRequest, ClientCall, ContentBlock, File, Media, MediaSource, OtherContent,
    OtherSuspension, Outcome, Output, Question, Resumption, SignIn, Suspension, SuspensionKind,
    ToolError,
};
use guest_support::{Answer, Request, Tool, done, structured};
use serde_json::{Value, json};

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "content",
        description: "Returns every kind of content block, a structured result, a view for the model and custom data.",
        properties: "{}",
        run: content,
    },
    Tool {
        name: "suspend",
        description: "Suspends for the reason `kind` with `state`; run again, returns the state and the answer it got.",
        properties: r#"{"kind":{"type":"string","enum":["approval","client-tools","question","sign-in","other"],"default":"approval"},"state":{"type":"string","default":"page 2"}}"#,
        run: suspend,
    },
    Tool {
        name: "fail",
        description: "Fails with an error of exactly these fields.",
        properties: r#"{"name":{"type":"string","default":"TestError"},"message":{"type":"string","default":"it failed as asked"},"code":{"type":"string"},"retryable":{"type":"boolean","default":false},"details":{},"propagate":{"type":"boolean","default":false}}"#,
        run: fail,
    },
    Tool {
        name: "fail_until",
        description: "Fails with a retryable error until the attempt is `attempt`, then returns it.",
        properties: r#"{"attempt":{"type":"integer","minimum":0,"default":2}}"#,
        run: fail_until,
    },
    Tool {
        name: "other_outcome",
        description: "Ends in a way that this version of the contract does not name.",
        properties: "{}",
        run: other_outcome,
    },
];

/// A red picture of one pixel.
const PNG: &[u8] = include_bytes!("red.png");

fn media(mime_type: &str, source: MediaSource) -> Media {
    Media {
        mime_type: mime_type.to_owned(),
        source,
    }
}

fn content(_: &Request) -> Answer {
    let recording = MediaSource::Uri("https://example.org/recording.mp3".to_owned());
    let report = MediaSource::Bytes(b"a,b\n1,2\n".to_vec());
    let content = vec![
        ContentBlock::Text("some text".to_owned()),
        ContentBlock::Image(media("image/png", MediaSource::Bytes(PNG.to_vec()))),
        ContentBlock::Audio(media("audio/mpeg", recording)),
        ContentBlock::File(File {
            name: Some("report.csv".to_owned()),
            media: media("text/csv", report),
        }),
        ContentBlock::File(File {
            name: None,
            media: media("application/pdf", MediaSource::Other("shelf:7".to_owned())),
        }),
        ContentBlock::Other(OtherContent {
            kind: "map".to_owned(),
            data: r#"{"lat":48.2,"lon":16.4}"#.to_owned(),
        }),
    ];
    done(Output {
        content,
        structured: Some(r#"{"rows":1}"#.to_owned()),
        model_view: Some(vec![ContentBlock::Text("what the model sees".to_owned())]),
        custom_data: Some(r#"{"for":"the program"}"#.to_owned()),
    })
}

fn suspend(request: &Request) -> Answer {
    if let Some(resumption) = &request.context.resumption {
        return structured(resumed(resumption));
    }
    let kind = match request.text("kind", "approval") {
        "client-tools" => SuspensionKind::ClientTools(vec![client_call(1), client_call(2)]),
        "question" => SuspensionKind::Question(Question {
            prompt: "Which city?".to_owned(),
            schema: Some(r#"{"type":"string"}"#.to_owned()),
        }),
        "sign-in" => SuspensionKind::SignIn(SignIn {
            url: "https://example.org/sign-in".to_owned(),
            prompt: Some("to read your calendar".to_owned()),
        }),
        "other" => SuspensionKind::Other(OtherSuspension {
            kind: "payment".to_owned(),
            data: r#"{"amount":3}"#.to_owned(),
        }),
        _ => SuspensionKind::Approval(ApprovalRequest {
            reason: Some("it costs money".to_owned()),
        }),
    };
    let state = request.text("state", "").as_bytes().to_vec();
    Ok(Outcome::Suspended(Suspension { kind, state }))
}

fn client_call(number: u8) -> ClientCall {
    ClientCall {
        tool_call_id: format!("client-{number}"),
        tool_name: "open_page".to_owned(),
        arguments: json!({ "page": number }).to_string(),
    }
}

fn resumed(resumption: &Resumption) -> Value {
    json!({
        "state": String::from_utf8_lossy(&resumption.state),
        "answer": resumption.answer,
    })
}

fn fail(request: &Request) -> Answer {
    Err(ToolError {
        name: request.text("name", "").to_owned(),
        message: request.text("message", "").to_owned(),
        code: request
            .get("code")
            .and_then(Value::as_str)
            .map(str::to_owned),
        retryable: request.flag("retryable"),
        details: request.get("details").map(Value::to_string),
        propagate: request.flag("propagate"),
    })
}

fn fail_until(request: &Request) -> Answer {
    let attempt = request.context.attempt;
    if u64::from(attempt) < request.number("attempt", 0) {
        let mut error = guest_support::failure("NotYetError", format!("attempt {attempt}"));
        error.retryable = true;
        return Err(error);
    }
    structured(json!({ "attempt": attempt, "idempotencyKey": request.context.idempotency_key }))
}

#[expect(clippy::unnecessary_wraps, reason = "a row of the table")]
fn other_outcome(_: &Request) -> Answer {
    Ok(Outcome::Other("paused".to_owned()))
}
