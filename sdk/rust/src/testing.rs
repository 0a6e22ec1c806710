//! Calling a tool natively, the way the host does: JSON in, outcome out.
//!
//! A tool stays a function, and a unit test of what it does simply calls it.
//! This module is for what the macro adds: parsing, defaults, the schema, the
//! conversion of results and errors, and hooks. `HelloTool` is the type that
//! `#[tool]` writes beside `fn hello`.
//!
//! ```
//! use toolhost_sdk::{serde_json::json, testing, tool};
//!
//! /// Greets someone by name.
//! #[tool]
//! fn hello(
//!     /// Who to greet.
//!     #[tool(default = "world")]
//!     name: String,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! let output = testing::call::<HelloTool>(json!({}))?;
//! assert_eq!(output.text(), "Hello, world!");
//!
//! let schema = testing::definition::<HelloTool>().input_schema;
//! assert_eq!(schema["properties"]["name"]["default"], "world");
//! # Ok::<(), toolhost_sdk::ToolError>(())
//! ```
//!
//! The host checks arguments against the schema first. This module does not:
//! it shows what the tool does with arguments that get through.

use serde_json::Value;

use crate::content::Content;
use crate::context::Context;
use crate::definition::Definition;
use crate::error::ToolError;
use crate::hooks::{ApprovalDecision, ArgumentIssue, Offer};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::tool::Tool;

pub use crate::store::fake::{clear_store, deny_store, set_config};

/// What the host learns about a tool.
#[must_use]
pub fn definition<T: Tool>() -> Definition {
    T::definition()
}

/// Calls a tool with a fake context.
///
/// # Errors
/// What the tool fails with; also when it suspends, for which
/// [`call_with`] is the function.
#[expect(
    clippy::needless_pass_by_value,
    reason = "tests hand over `json!` literals"
)]
pub fn call<T: Tool>(arguments: Value) -> Result<Output, ToolError> {
    match call_with::<T>(&arguments, &Context::fake().build())? {
        Outcome::Done(output) => Ok(output),
        Outcome::Suspended(suspension) => Err(ToolError::message(format!(
            "the tool suspended: {suspension:?}"
        ))),
    }
}

/// Calls a tool with a context of your own.
///
/// # Errors
/// What the tool fails with.
pub fn call_with<T: Tool>(arguments: &Value, ctx: &Context) -> Result<Outcome, ToolError> {
    Ok(match T::execute(Some(&arguments.to_string()), ctx)? {
        Outcome::Done(output) => Outcome::Done(output.into()),
        Outcome::Suspended(suspension) => Outcome::Suspended(suspension),
    })
}

/// Asks the hook `needs_approval`.
///
/// # Errors
/// What the hook fails with; `HookNotFoundError` when the tool has none.
pub fn needs_approval<T: Tool>(
    arguments: &Value,
    ctx: &Context,
) -> Result<ApprovalDecision, ToolError> {
    T::needs_approval(Some(&arguments.to_string()), ctx)
}

/// Asks the hook `validate`.
///
/// # Errors
/// What the hook fails with; `HookNotFoundError` when the tool has none.
pub fn validate<T: Tool>(arguments: &Value) -> Result<Vec<ArgumentIssue>, ToolError> {
    T::validate(Some(&arguments.to_string()))
}

/// Asks the hook `prepare` about the tool's own definition.
///
/// # Errors
/// What the hook fails with; `HookNotFoundError` when the tool has none.
pub fn prepare<T: Tool>(ctx: &Context) -> Result<Offer, ToolError> {
    T::prepare(&T::definition(), ctx)
}

/// Asks the hook `model_output`.
///
/// # Errors
/// What the hook fails with; `HookNotFoundError` when the tool has none.
pub fn model_output<T: Tool>(output: &Output) -> Result<Vec<Content>, ToolError> {
    T::model_output(output)
}
