//! What `#[tool]` makes of a function.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json as json_literal};

use crate::context::Context;
use crate::definition::Definition;
use crate::error::{ARGUMENTS_NAME, ToolError};
use crate::hooks::{ApprovalDecision, ArgumentIssue, Offer};
use crate::returns::RawOutcome;
use crate::{Content, Output};

/// A tool, as the host calls it.
///
/// `#[tool] fn hello(…)` writes a unit type `HelloTool` that implements it; the
/// name stands for the tool in [`testing`](crate::testing). It is not meant to
/// be implemented by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    note = "`#[tool] fn hello(…)` makes a type `HelloTool` that is one"
)]
pub trait Tool {
    /// The name the model calls.
    const NAME: &'static str;

    /// What the host learns about the tool.
    fn definition() -> Definition;

    /// Parses the arguments, runs the function and converts what it returns.
    #[doc(hidden)]
    fn execute(arguments: Option<&str>, ctx: &Context) -> Result<RawOutcome, ToolError>;

    /// The hook of the same name.
    #[doc(hidden)]
    fn needs_approval(
        arguments: Option<&str>,
        ctx: &Context,
    ) -> Result<ApprovalDecision, ToolError> {
        let _ = (arguments, ctx);
        Err(no_hook(Self::NAME, "needs_approval"))
    }

    /// The hook of the same name.
    #[doc(hidden)]
    fn validate(arguments: Option<&str>) -> Result<Vec<ArgumentIssue>, ToolError> {
        let _ = arguments;
        Err(no_hook(Self::NAME, "validate"))
    }

    /// The hook of the same name.
    #[doc(hidden)]
    fn prepare(definition: &Definition, ctx: &Context) -> Result<Offer, ToolError> {
        let _ = (definition, ctx);
        Err(no_hook(Self::NAME, "prepare"))
    }

    /// The hook of the same name.
    #[doc(hidden)]
    fn model_output(output: &Output) -> Result<Vec<Content>, ToolError> {
        let _ = output;
        Err(no_hook(Self::NAME, "model_output"))
    }
}

/// The host calls a hook only where the definition names it, so this is seen
/// only by a host that does not keep to the contract.
fn no_hook(tool: &str, hook: &str) -> ToolError {
    ToolError::new(
        "HookNotFoundError",
        format!("the tool `{tool}` has no hook `{hook}`"),
    )
}

/// One line of the table that `plugin!` writes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    pub(crate) name: &'static str,
    pub(crate) definition: fn() -> Definition,
    pub(crate) execute: fn(Option<&str>, &Context) -> Result<RawOutcome, ToolError>,
    pub(crate) needs_approval: fn(Option<&str>, &Context) -> Result<ApprovalDecision, ToolError>,
    pub(crate) validate: fn(Option<&str>) -> Result<Vec<ArgumentIssue>, ToolError>,
    pub(crate) prepare: fn(&Definition, &Context) -> Result<Offer, ToolError>,
    pub(crate) model_output: fn(&Output) -> Result<Vec<Content>, ToolError>,
}

impl Entry {
    /// The line of one tool.
    #[must_use]
    pub const fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            definition: T::definition,
            execute: T::execute,
            needs_approval: T::needs_approval,
            validate: T::validate,
            prepare: T::prepare,
            model_output: T::model_output,
        }
    }
}

/// Whether two entries share a name; `plugin!` asks while compiling.
#[doc(hidden)]
#[must_use]
pub const fn have_same_name(entries: &[Entry]) -> bool {
    let mut left = 0;
    while left < entries.len() {
        let mut right = left + 1;
        while right < entries.len() {
            if is_same(
                entries[left].name.as_bytes(),
                entries[right].name.as_bytes(),
            ) {
                return true;
            }
            right += 1;
        }
        left += 1;
    }
    false
}

/// `==` on slices cannot run while compiling.
const fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Parses the arguments of a call; none at all mean an empty object. The host
/// has checked them against the schema, so this fails only where the Rust type
/// takes less than its schema says.
#[doc(hidden)]
pub fn arguments<T: DeserializeOwned>(text: Option<&str>) -> Result<T, ToolError> {
    serde_json::from_str(text.unwrap_or("{}")).map_err(|error| bad_arguments(&error))
}

fn bad_arguments(error: &serde_json::Error) -> ToolError {
    let mut text = error.to_string();
    // The model wrote values, not a file with lines.
    let place = format!(" at line {} column {}", error.line(), error.column());
    if text.ends_with(&place) {
        text.truncate(text.len() - place.len());
    }
    let issues = json_literal!([{ "path": "", "message": text }]);
    ToolError::new(ARGUMENTS_NAME, format!("the arguments do not fit: {text}"))
        .details(json_literal!({ "issues": issues }))
}

/// The value of `meta = …`. What cannot be written as JSON becomes `null`.
#[doc(hidden)]
pub fn json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
