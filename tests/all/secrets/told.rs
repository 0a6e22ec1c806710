//! Whatever a guest does with a secret it was handed, it is not in what the host
//! passes on.

use serde_json::{Value, json};
use toolhost::{Call, CallResult, Emitted, ExecutionContext, Host, LimitsPatch};

use super::{TOKEN, revealing};
use crate::support::{call, structured};

/// What the guest makes of [`TOKEN`]. Of base64, the part that is its own.
const FORMS: [(&str, &str); 13] = [
    ("plain", TOKEN),
    (
        "percent",
        "%63%6F%72%72%65%63%74%2D%68%6F%72%73%65%20%62%61%74%74%65%72%79%22%39%79",
    ),
    (
        "percent-lower",
        "%63%6f%72%72%65%63%74%2d%68%6f%72%73%65%20%62%61%74%74%65%72%79%22%39%79",
    ),
    ("percent-partly", "correct%2Dhorse%20battery\"9y"),
    ("hex", "636f72726563742d686f7273652062617474657279223979"),
    (
        "hex-upper",
        "636F72726563742D686F7273652062617474657279223979",
    ),
    (
        "json",
        r"\u0063\u006f\u0072\u0072\u0065\u0063\u0074\u002d\u0068",
    ),
    (
        "json-in-json",
        r"\\u0063\\u006F\\u0072\\u0072\\u0065\\u0063\\u0074",
    ),
    ("base64", "Y29ycmVjdC1ob3JzZSBiYXR0ZXJ5Ijl5"),
    ("base64-second", "vcnJlY3QtaG9yc2UgYmF0dGVyeSI5"),
    ("base64-third", "jb3JyZWN0LWhvcnNlIGJhdHRlcnkiOX"),
    ("base64-url", "NvcnJlY3QtaG9yc2UgYmF0dGVyeSI5e"),
    ("base64-percent", "Y29%79cmVjdC1ob3JzZSBiYXR0ZXJ5Ijl5"),
];

const PLACES: [&str; 34] = [
    "text",
    "structured",
    "key",
    "model-view",
    "custom-data",
    "bytes",
    "uri",
    "file-name",
    "other-content",
    "error-name",
    "error-message",
    "long-error-message",
    "error-details",
    "bad-json",
    "other-outcome",
    "question",
    "sign-in",
    "client-call",
    "log",
    "stdout",
    "stdout-in-pieces",
    "stderr",
    "stderr-past-a-line",
    "partial",
    "last-partial",
    "event",
    "metadata",
    "panic",
    "assert",
    "debug",
    "call",
    // Said again, so that what a call leaves behind is seen by the next.
    "text",
    "log",
    "panic",
];

fn tell(form: &str, place: &str) -> Value {
    json!({ "name": "token", "form": form, "place": place })
}

/// Fails when a secret can be read in a text, in any form.
#[track_caller]
pub(super) fn assert_clean(text: &str, what: &str) {
    for (form, needle) in FORMS {
        let quoted = Value::from(needle).to_string();
        for needle in [needle, quoted.trim_matches('"')] {
            assert!(!text.contains(needle), "{what}: {form} in {text}");
        }
    }
    // Nor half of it.
    assert!(!text.contains("correct-h"), "{what}: half of it in {text}");
}

/// What a program can see of a result.
fn all(result: &CallResult) -> String {
    format!("{}\n{result:?}", result.to_json())
}

#[tokio::test]
async fn no_form_at_no_place_holds_a_secret() {
    let host = revealing().await;
    for place in PLACES {
        for (form, _) in FORMS {
            let result = call(&host, "tell", tell(form, place)).await;
            let what = format!("{form} {place}");
            let text = all(&result);
            assert_clean(&text, &what);
            // The guest did get it, and said it.
            // As text, or as bytes that `Debug` lists.
            let said = ["[REDACTED]", "91, 82, 69, 68, 65, 67, 84, 69, 68, 93"];
            // Sent while the call runs, cut off, or not repeated.
            let quiet = ["event", "partial", "long-error-message", "bad-json"];
            assert!(
                quiet.contains(&place) || said.iter().any(|said| text.contains(said)),
                "{what}: {text}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_sent_while_the_call_runs_holds_no_secret() {
    let host = revealing().await;
    for place in ["partial", "last-partial", "event"] {
        for (form, _) in FORMS {
            let emitted = watch(&host, tell(form, place)).await;
            let text = format!("{emitted:?}");
            assert_clean(&text, place);
            assert!(text.contains("[REDACTED]"), "{form} {place}: {text}");
        }
    }
}

async fn watch(host: &Host, arguments: Value) -> Vec<Emitted> {
    let call = Call::new("call-1", "tell", arguments);
    let mut running = host.start(call, ExecutionContext::default(), LimitsPatch::default());
    let mut emitted = Vec::new();
    while let Some(next) = running.next().await {
        emitted.push(next);
    }
    assert!(!running.result().await.is_error());
    emitted
}

#[tokio::test]
async fn another_tool_is_not_told_a_secret() {
    let host = revealing().await;
    let result = call(&host, "tell", tell("plain", "call")).await;
    // It was called with the arguments as they left the sandbox.
    let told: Value = serde_json::from_str(structured(&result).as_str().unwrap()).unwrap();
    assert_eq!(told["text"], "[REDACTED]");
}

#[tokio::test]
async fn text_around_a_secret_stays() {
    let host = revealing().await;
    let result = call(&host, "tell", tell("plain", "text")).await;
    let text = result.output().unwrap().joined_text();
    assert_eq!(text.as_deref(), Some("the secret is [REDACTED]."));
    let result = call(&host, "tell", tell("plain", "key")).await;
    assert_eq!(structured(&result), &json!({ "[REDACTED]": 1, "other": 2 }));
}
