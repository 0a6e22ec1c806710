//! How a call ended, for the model and for the caller's program.

use serde_json::{Value, json};
use toolhost_tool::{CallError, ContentBlock, Outcome, Output, Report};

/// How a call ended, with what it used and did.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    /// The id of the call.
    pub tool_call_id: String,
    /// The tool that was called.
    pub tool_name: String,
    /// Its outcome, or the error a model can act on.
    pub outcome: Result<Outcome, CallError>,
    /// What it used and did.
    pub report: Report,
}

impl CallResult {
    /// Whether the model is told that the call did not work.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.outcome.is_err()
    }

    /// The result, when the call is done.
    #[must_use]
    pub fn output(&self) -> Option<&Output> {
        match &self.outcome {
            Ok(Outcome::Done(output)) => Some(output),
            _ => None,
        }
    }

    /// One JSON object: `{toolCallId, toolName, isError, result, content?,
    /// customData?, suspended?, report}`. `result` is the structured result or
    /// else the text, or the error; it is `null` while suspended.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "toolCallId": self.tool_call_id,
            "toolName": self.tool_name,
            "isError": self.is_error(),
            "result": null,
        });
        match &self.outcome {
            Ok(Outcome::Done(output)) => {
                object["result"] = result(output);
                if !output.content.is_empty() {
                    object["content"] = to_value(&output.content);
                }
                if let Some(view) = &output.model_view {
                    object["modelView"] = to_value(view);
                }
                if let Some(data) = &output.custom_data {
                    object["customData"] = data.clone();
                }
            }
            Ok(Outcome::Suspended(suspension)) => object["suspended"] = to_value(suspension),
            Err(error) => object["result"] = to_value(error),
        }
        object["report"] = to_value(&self.report);
        object
    }

    /// What the model sees: the tool's own view of its result if it has one,
    /// else its content, else its structured result as text, else the error.
    /// Empty while suspended.
    #[must_use]
    pub fn model_content(&self) -> Vec<ContentBlock> {
        let text = |text: String| vec![ContentBlock::Text { text }];
        match &self.outcome {
            Ok(Outcome::Done(output)) => match (&output.model_view, &output.structured) {
                (Some(view), _) => view.clone(),
                (None, Some(value)) if output.content.is_empty() => text(value.to_string()),
                (None, _) => output.content.clone(),
            },
            Ok(Outcome::Suspended(_)) => Vec::new(),
            Err(error) => text(to_value(error).to_string()),
        }
    }
}

fn result(output: &Output) -> Value {
    match &output.structured {
        Some(value) => value.clone(),
        None => output.joined_text().map_or(Value::Null, Value::String),
    }
}

fn to_value(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("our types have string keys and no failing serializer")
}
