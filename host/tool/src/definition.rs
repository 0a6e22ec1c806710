//! What a model and a host know about a tool before it is called.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longest name a tool may have, in bytes.
pub const MAX_NAME_LENGTH: usize = 64;

/// A tool as its plugin, or the program that embeds the host, declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinition {
    /// The name the model calls, `^[a-zA-Z0-9_-]{1,64}$`.
    pub name: String,
    /// A name for people, when it differs from `name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// What the tool does and when to use it, written for the model.
    pub description: String,
    /// JSON Schema (2020-12) of the arguments.
    pub input_schema: Value,
    /// JSON Schema (2020-12) of the structured result, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// Hints about the effect of the tool.
    #[serde(default, skip_serializing_if = "Annotations::is_empty")]
    pub annotations: Annotations,
    /// Whether a person has to agree before the tool runs.
    #[serde(default)]
    pub approval: ApprovalRequirement,
    /// How the host treats calls of this tool.
    #[serde(default)]
    pub behaviour: Behaviour,
    /// The plugin hooks that apply to this tool.
    #[serde(default)]
    pub hooks: HookSet,
    /// How often the host may call again after a retryable failure.
    #[serde(default)]
    pub max_retries: u32,
    /// Whatever the contract has no field for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
}

/// Hints about the effect of a tool, as in the Model Context Protocol. They are
/// claims of the tool's author: nothing is enforced from them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Annotations {
    /// A title for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool changes nothing.
    #[serde(
        default,
        rename = "readOnlyHint",
        skip_serializing_if = "Option::is_none"
    )]
    pub read_only: Option<bool>,
    /// The tool may delete or overwrite.
    #[serde(
        default,
        rename = "destructiveHint",
        skip_serializing_if = "Option::is_none"
    )]
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    #[serde(
        default,
        rename = "idempotentHint",
        skip_serializing_if = "Option::is_none"
    )]
    pub idempotent: Option<bool>,
    /// The tool reaches things outside the host's control.
    #[serde(
        default,
        rename = "openWorldHint",
        skip_serializing_if = "Option::is_none"
    )]
    pub open_world: Option<bool>,
}

impl Annotations {
    /// Whether no hint is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Whether a person has to agree before a tool runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalRequirement {
    /// It runs unasked. The default.
    #[default]
    Never,
    /// Each call is asked about.
    Always,
    /// The plugin's `needs-approval` hook decides for each call.
    AskHook,
    /// A requirement this version does not know; treated like `Always`.
    Other(String),
}

/// How the host treats calls of a tool. All flags are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of the WIT contract"
)]
pub struct Behaviour {
    /// The tool changes files that the user works on.
    pub edits_files: bool,
    /// The definition is withheld from the model until it is searched for.
    pub defer_loading: bool,
    /// Calls of sequential tools never overlap one another in a run.
    pub sequential: bool,
    /// The run ends with this tool's result.
    pub ends_run: bool,
    /// The caller runs the tool, not the plugin.
    pub client_side: bool,
    /// Only programs call the tool; the model does not see it.
    pub programmatic_only: bool,
    /// Programs may call the tool as well: other tools that were granted it.
    pub programmatic: bool,
}

impl Behaviour {
    /// Whether other tools may call the tool.
    #[must_use]
    pub fn allows_programs(self) -> bool {
        self.programmatic || self.programmatic_only
    }
}

/// The plugin hooks that apply to a tool. All are off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags of the WIT contract"
)]
pub struct HookSet {
    /// `needs-approval` decides whether a call is asked about.
    pub needs_approval: bool,
    /// `validate` checks what a schema cannot say.
    pub validate: bool,
    /// `prepare` decides each turn whether the tool is offered.
    pub prepare: bool,
    /// `model-output` writes what the model sees of a result.
    pub model_output: bool,
}

impl HookSet {
    /// Whether any hook applies.
    #[must_use]
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// Why a tool's name cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It has no characters.
    #[error("the name is empty; a tool name has 1 to {MAX_NAME_LENGTH} characters")]
    Empty,
    /// It has more than [`MAX_NAME_LENGTH`] bytes.
    #[error("the name has {0} bytes; a tool name has 1 to {MAX_NAME_LENGTH} characters")]
    TooLong(usize),
    /// It has a character that models cannot call.
    #[error("the name has the character {0:?}; use letters, digits, `_` and `-` only")]
    Character(char),
}

/// Checks a tool name against `^[a-zA-Z0-9_-]{1,64}$`, the form that every model
/// provider accepts.
///
/// # Errors
///
/// Says which rule the name breaks.
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if name.len() > MAX_NAME_LENGTH {
        return Err(NameError::TooLong(name.len()));
    }
    match name
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-'))
    {
        Some(character) => Err(NameError::Character(character)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_every_provider_accepts_pass() {
        for name in ["a", "read_file", "Read-File-2", &"x".repeat(64)] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_bad_name_is_told_which_rule_it_breaks() {
        assert_eq!(check_name(""), Err(NameError::Empty));
        assert_eq!(check_name(&"x".repeat(65)), Err(NameError::TooLong(65)));
        assert_eq!(check_name("a b"), Err(NameError::Character(' ')));
        assert_eq!(check_name("größe"), Err(NameError::Character('ö')));
        assert_eq!(check_name("a\n"), Err(NameError::Character('\n')));
    }
}
