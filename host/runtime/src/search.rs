//! Finding tools whose definitions are withheld from the model: the host's own
//! tools `tool_search` and `call_tool`.

mod call_tool;
mod index;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use toolhost_policy::LoadLimits;
use toolhost_tool::{Annotations, ToolDefinition};

use crate::error::Error;
use crate::native::{NativeTool, ToolContext, ToolError};
use crate::prepare::offered;
use crate::tool::Tool;

pub(crate) use call_tool::redirect;
pub(crate) use index::Index;

/// The name of the tool that finds tools.
pub(crate) const TOOL_SEARCH: &str = "tool_search";
/// The name of the tool that calls a tool which is not in the model's list.
pub(crate) const CALL_TOOL: &str = "call_tool";

/// Where the host's own tools come from, in messages.
const SOURCE: &str = "the host itself";

/// Most tools one search may find; protects the model's context.
const MAX_FOUND: u64 = 20;
/// Most tools whose `prepare` hooks one search asks; each may run a sandbox.
const MAX_ASKED: usize = 100;
/// How many tools a search finds unless it says otherwise.
const DEFAULT_FOUND: u64 = 5;
/// Longest query; more words than that describe no tool.
const MAX_QUERY: u64 = 1_000;

/// The host's own tools, over `index`.
pub(crate) fn built_in(
    index: &Index,
    limits: LoadLimits,
) -> Result<BTreeMap<&'static str, Arc<Tool>>, Error> {
    Ok(BTreeMap::from([
        (TOOL_SEARCH, Arc::new(tool_search(index.clone(), limits)?)),
        (CALL_TOOL, Arc::new(call_tool::tool()?)),
    ]))
}

fn tool_search(index: Index, limits: LoadLimits) -> Result<Tool, Error> {
    NativeTool::builder(TOOL_SEARCH)
        .source(SOURCE)
        .description(
            "Finds more tools than are listed. Describe what you want to do; the answer has the \
             tools that fit best, with their parameters. What was found can be called from then on.",
        )
        .input_schema(json!({
            "type": "object",
            "properties": {
                "query": {
                    "type": "string", "minLength": 1, "maxLength": MAX_QUERY,
                    "description": "What the tool should do, in a few words.",
                },
                "limit": {
                    "type": "integer", "minimum": 1, "maximum": MAX_FOUND, "default": DEFAULT_FOUND,
                    "description": "Most tools to find.",
                },
            },
            "required": ["query"],
            "additionalProperties": false,
        }))
        .annotations(Annotations {
            idempotent: Some(true),
            open_world: Some(false),
            ..Annotations::default()
        })
        .read_only()
        .execute(move |arguments: Value, context: ToolContext| {
            let index = index.clone();
            async move { search(&index, &arguments, &context, &limits).await }
        })
        .build()
}

async fn search(
    index: &Index,
    arguments: &Value,
    context: &ToolContext,
    limits: &LoadLimits,
) -> Result<Value, ToolError> {
    let query = arguments["query"].as_str().unwrap_or_default();
    let limit = arguments["limit"].as_u64().unwrap_or(DEFAULT_FOUND);
    let mut found = Vec::new();
    for tool in index.rank(query).into_iter().take(MAX_ASKED) {
        if found.len() as u64 == limit {
            break;
        }
        // What a tool's own hook hides in this turn, or cannot decide about, is
        // not found either.
        if let Ok(Some(definition)) = offered(&tool, context.run(), limits).await {
            found.push(as_found(&definition));
        }
    }
    if found.is_empty() {
        let hint = "no tool fits; try other words, or do without";
        return Ok(json!({"tools": [], "hint": hint}));
    }
    Ok(json!({"tools": found}))
}

fn as_found(definition: &ToolDefinition) -> Value {
    json!({
        "name": definition.name,
        "description": definition.description,
        "inputSchema": definition.input_schema,
    })
}

#[cfg(test)]
mod tests;
