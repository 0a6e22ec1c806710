//! The parts of a turn in the form in which its document holds them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use toolhost_tool::{Arguments, Call, CallError, ExecutionContext, Outcome, Output, Report};

use super::error::StateError;
use super::pending::Pending;
use super::slot::{Leg, Slot, State};
use crate::approval::Consent;
use crate::result::CallResult;

/// An execution context, with its whole transcript. The keys are those it is read
/// by.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SavedContext(Map<String, Value>);

impl SavedContext {
    pub(super) fn of(context: &ExecutionContext) -> Self {
        let mut fields = Map::new();
        let mut add = |key: &str, value: Value| {
            if !value.is_null() {
                fields.insert(key.into(), value);
            }
        };
        add("sessionId", json!(context.session_id));
        add("runId", json!(context.run_id));
        add("requestId", json!(context.request_id));
        add("principal", json!(context.principal));
        add("traceParent", json!(context.trace_parent));
        add("deadlineMs", json!(context.deadline_ms));
        add("metadata", json!(context.metadata));
        add("usage", json!(context.usage));
        if context.attempt > 0 {
            add("attempt", json!(context.attempt));
        }
        let messages = context.messages.read(0..context.messages.len());
        if !messages.is_empty() {
            add("messages", Value::Array(messages));
        }
        Self(fields)
    }

    pub(super) fn into_context(self) -> Result<ExecutionContext, StateError> {
        serde_json::from_value(Value::Object(self.0)).map_err(|error| unusable(&error))
    }
}

/// A call and how far it has come. Its arguments are text, as the model wrote
/// them: nobody has looked at them yet when they did not validate.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SavedCall {
    tool_call_id: String,
    tool_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arguments: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    consent: Option<Consent>,
    /// What it used and did before it suspended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spent: Option<Report>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pending: Option<Box<Pending>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<SavedResult>,
}

/// How a call ended. An output is text too: it may be nested as deep as any JSON
/// that is read, and the document around it may not be deeper.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SavedResult {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    output: Option<SavedOutput>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Box<CallError>>,
    report: Report,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SavedOutput {
    #[serde(flatten)]
    shallow: Output,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structured_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    custom_data_text: Option<String>,
}

impl SavedCall {
    pub(super) fn of(slot: &Slot) -> Self {
        Self {
            tool_call_id: slot.call.tool_call_id.clone(),
            tool_name: slot.call.tool_name.clone(),
            arguments: match &slot.call.arguments {
                Arguments::Absent => None,
                Arguments::Text(text) => Some(text.clone()),
                Arguments::Value(value) => Some(value.to_string()),
            },
            consent: slot.consent.clone(),
            spent: slot.pending().map(|_| slot.spent.clone()),
            pending: slot.pending().cloned().map(Box::new),
            result: match &slot.state {
                State::Settled(result) => Some(SavedResult::of(result)),
                State::Ready(_) | State::Waiting(_) => None,
            },
        }
    }

    pub(super) fn into_slot(self) -> Result<Slot, StateError> {
        let call = Call {
            tool_call_id: self.tool_call_id,
            tool_name: self.tool_name,
            arguments: self.arguments.map_or(Arguments::Absent, Arguments::Text),
        };
        let state = match (self.pending, self.result) {
            (None, None) => State::Ready(Leg::Start),
            (Some(pending), None) => State::Waiting(pending),
            (None, Some(result)) => State::Settled(Box::new(result.into_result(&call)?)),
            (Some(_), Some(_)) => {
                let id = &call.tool_call_id;
                return Err(StateError::Content(format!(
                    "the call `{id}` is done and waits at once"
                )));
            }
        };
        Ok(Slot {
            call,
            consent: self.consent,
            spent: self.spent.unwrap_or_default(),
            state,
        })
    }
}

impl SavedResult {
    pub(crate) fn of(result: &CallResult) -> Self {
        let (output, error) = match &result.outcome {
            Ok(Outcome::Done(output)) => (Some(SavedOutput::of(output)), None),
            // A settled call is never suspended.
            Ok(Outcome::Suspended(_)) => (None, None),
            Err(error) => (None, Some(Box::new(error.clone()))),
        };
        Self {
            output,
            error,
            report: result.report.clone(),
        }
    }

    fn into_result(self, call: &Call) -> Result<CallResult, StateError> {
        Ok(CallResult {
            tool_call_id: call.tool_call_id.clone(),
            tool_name: call.tool_name.clone(),
            report: self.report.clone(),
            outcome: self.into_outcome()?,
        })
    }

    pub(crate) fn into_outcome(self) -> Result<Result<Outcome, CallError>, StateError> {
        match (self.output, self.error) {
            (Some(output), None) => Ok(Ok(Outcome::Done(output.into_output()?))),
            (None, Some(error)) => Ok(Err(*error)),
            _ => Err(StateError::Content(
                "a call that is done has no one result".into(),
            )),
        }
    }
}

impl SavedOutput {
    fn of(output: &Output) -> Self {
        let text = |value: &Option<Value>| value.as_ref().map(ToString::to_string);
        Self {
            structured_text: text(&output.structured),
            custom_data_text: text(&output.custom_data),
            shallow: Output {
                structured: None,
                custom_data: None,
                ..output.clone()
            },
        }
    }

    fn into_output(self) -> Result<Output, StateError> {
        let value = |text: Option<String>| {
            text.map(|text| serde_json::from_str(&text).map_err(|error| unusable(&error)))
                .transpose()
        };
        Ok(Output {
            structured: value(self.structured_text)?,
            custom_data: value(self.custom_data_text)?,
            ..self.shallow
        })
    }
}

fn unusable(error: &serde_json::Error) -> StateError {
    StateError::Content(error.to_string())
}
