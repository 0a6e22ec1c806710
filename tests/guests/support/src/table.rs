//! A plugin as a table of tools.

use crate::answer::{Answer, failure};
use crate::bindings::types::{Call, ExecutionContext, ToolDefinition};
use crate::definition::{definition, schema};
use crate::request::Request;

/// One row: what is described and what is run.
#[derive(Clone, Copy)]
pub struct Tool {
    /// Name of the tool.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// `properties` of the input schema, as JSON text.
    pub properties: &'static str,
    /// Runs a call.
    pub run: fn(&Request) -> Answer,
}

/// The definitions of a table.
#[must_use]
pub fn describe(tools: &[Tool]) -> Vec<ToolDefinition> {
    tools
        .iter()
        .map(|tool| definition(tool.name, tool.description, &schema(tool.properties)))
        .collect()
}

/// Runs a call with the tool of its name.
///
/// # Errors
/// What the tool says, or `NoSuchToolError`: the host must not call a tool that
/// was not described.
pub fn execute(tools: &[Tool], call: Call, context: ExecutionContext) -> Answer {
    let Some(tool) = tools.iter().find(|tool| tool.name == call.tool_name) else {
        return Err(failure("NoSuchToolError", call.tool_name));
    };
    (tool.run)(&Request::new(call, context)?)
}

/// Exports a table of tools as the plugin. With a second expression, that one
/// gives the definitions, and the table only runs.
#[macro_export]
macro_rules! plugin {
    ($tools:expr) => {
        $crate::plugin!($tools, $crate::table::describe($tools));
    };
    ($tools:expr, $definitions:expr) => {
        struct Plugin;

        impl $crate::bindings::tools::Guest for Plugin {
            fn describe() -> Vec<$crate::bindings::types::ToolDefinition> {
                $definitions
            }

            fn execute(
                call: $crate::bindings::types::Call,
                context: $crate::bindings::types::ExecutionContext,
            ) -> $crate::Answer {
                $crate::table::execute($tools, call, context)
            }
        }

        $crate::bindings::export_tools!(Plugin with_types_in $crate::bindings);
    };
}
