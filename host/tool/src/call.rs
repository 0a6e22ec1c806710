//! One use of a tool.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One use of a tool, as a model asks for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// The id the model gave the call; its result carries the same.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
    /// What it is called with.
    #[serde(default, skip_serializing_if = "Arguments::is_absent")]
    pub arguments: Arguments,
}

impl Call {
    /// A call of `tool_name` with arguments that are already parsed.
    pub fn new(
        tool_call_id: impl Into<String>,
        tool_name: impl Into<String>,
        arguments: Value,
    ) -> Self {
        Self {
            tool_call_id: tool_call_id.into(),
            tool_name: tool_name.into(),
            arguments: Arguments::Value(arguments),
        }
    }

    /// A call of `tool_name` with arguments as JSON text, the form in which
    /// models send them. The text is parsed, and checked, when the call runs.
    pub fn from_text(
        tool_call_id: impl Into<String>,
        tool_name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            tool_call_id: tool_call_id.into(),
            tool_name: tool_name.into(),
            arguments: Arguments::Text(arguments.into()),
        }
    }
}

/// The arguments of a call. Absent ones are not `null`: a tool can tell the two
/// apart.
///
/// As JSON, a [`Text`](Arguments::Text) is written as a string; what is read is
/// always a [`Value`](Arguments::Value).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Arguments {
    /// None were given.
    #[default]
    Absent,
    /// Already parsed.
    Value(Value),
    /// JSON text that nobody has looked at yet.
    Text(String),
}

impl Arguments {
    /// Whether none were given.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::Value)
    }
}
