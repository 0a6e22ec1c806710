//! `call_tool`: for models whose list of tools cannot change within a
//! conversation. It is no tool of its own: a call of it *is* a call of the tool
//! it names, with that tool's schema, approval and rules.

use serde_json::{Value, json};
use toolhost_tool::json::{self, JsonLimits};
use toolhost_tool::{Arguments, Call};

use super::{CALL_TOOL, SOURCE};
use crate::error::Error;
use crate::native::{NativeTool, ToolContext, ToolError};
use crate::tool::Tool;

/// The definition that the model sees. A call comes here only when it names no
/// tool that could be called in its stead.
pub(crate) fn tool() -> Result<Tool, Error> {
    NativeTool::builder(CALL_TOOL)
        .source(SOURCE)
        .description(
            "Calls a tool that `tool_search` has found. Give its name, and its arguments as its \
             `inputSchema` describes them.",
        )
        .input_schema(json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The name of the tool."},
                "arguments": {"type": "object", "description": "What it is called with."},
            },
            "required": ["name"],
            "additionalProperties": false,
        }))
        .execute(async |_: Value, _: ToolContext| {
            Err::<(), _>(ToolError::message(
                "`call_tool` cannot call itself; give the name of the tool that was found",
            ))
        })
        .build()
}

/// The call that `call` stands for: the one it names when it is a call of
/// `call_tool`, else itself. One that is not well-formed stays as it is, and
/// the schema of `call_tool` says what is wrong with it.
pub(crate) fn redirect(call: Call) -> Call {
    if call.tool_name != CALL_TOOL {
        return call;
    }
    let parsed = match &call.arguments {
        Arguments::Value(value) => parts(value),
        Arguments::Text(text) => json::parse(text, &JsonLimits::default())
            .ok()
            .as_ref()
            .and_then(parts),
        Arguments::Absent => None,
    };
    match parsed {
        Some((tool_name, arguments)) => Call {
            tool_call_id: call.tool_call_id,
            tool_name,
            arguments,
        },
        None => call,
    }
}

fn parts(value: &Value) -> Option<(String, Arguments)> {
    let members = value.as_object()?;
    let known = members
        .keys()
        .all(|key| key == "name" || key == "arguments");
    let name = members.get("name")?.as_str()?;
    let arguments = match members.get("arguments") {
        None => Arguments::Absent,
        Some(object) if object.is_object() => Arguments::Value(object.clone()),
        Some(_) => return None,
    };
    (known && name != CALL_TOOL).then(|| (name.to_owned(), arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_of_it_is_a_call_of_what_it_names() {
        let call = Call::from_text("c", CALL_TOOL, r#"{"name": "add", "arguments": {"a": 1}}"#);
        assert_eq!(redirect(call), Call::new("c", "add", json!({"a": 1})));
        let call = redirect(Call::new("c", CALL_TOOL, json!({"name": "now"})));
        assert!(call.arguments.is_absent());
    }

    #[test]
    fn a_call_of_another_tool_stays_as_it_is() {
        let call = Call::new("c", "add", json!({"name": "drop", "arguments": {}}));
        assert_eq!(redirect(call.clone()), call);
    }

    #[test]
    fn what_is_not_well_formed_stays_a_call_of_it() {
        for arguments in [
            json!({"name": CALL_TOOL}),
            json!({"name": 1}),
            json!({"name": "add", "arguments": "{}"}),
            json!({"name": "add", "args": {}}),
            json!([]),
        ] {
            let call = Call::new("c", CALL_TOOL, arguments);
            assert_eq!(redirect(call.clone()), call);
        }
    }
}
