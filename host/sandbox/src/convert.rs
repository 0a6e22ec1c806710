//! From the generated types to ours and back. Everything a plugin says is
//! checked here: sizes before JSON is parsed, names before they are shown.

mod definition;
mod input;
mod output;

pub(crate) use definition::{definition, definition_to_wit, definitions};
pub use input::Input;
pub(crate) use input::{context, wit_call};
pub(crate) use output::{approval_decision, content, issues, outcome, output_to_wit, tool_error};

use serde_json::Value;
use toolhost_tool::json::{self, JsonLimits};

/// Parses JSON that a plugin wrote. `what` names it in the message.
fn parse(text: &str, what: &str) -> Result<Value, String> {
    let limits = JsonLimits::default().with_bytes(usize::MAX);
    json::parse(text, &limits).map_err(|error| format!("{what} is not usable JSON: {error}"))
}

fn parse_option(text: Option<&String>, what: &str) -> Result<Option<Value>, String> {
    text.map(|text| parse(text, what)).transpose()
}
