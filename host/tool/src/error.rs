//! The one shape in which a model is told that a call did not work.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::arguments::Issue;
use crate::effect::Effect;
use crate::report::Report;

/// Most characters a message may have; longer ones are cut and end in
/// [`TRUNCATED`]. It bounds what one failure costs of a model's context.
pub const MAX_MESSAGE_CHARS: usize = 2_000;

/// What a cut text ends in.
pub const TRUNCATED: &str = "… (truncated)";

/// A call that failed, as the model and the caller's program read it.
///
/// As JSON: `{"error": NAME, "toolName": …, "message": …, "kind": KIND, …}`;
/// fields that do not apply are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallError {
    /// The name of the error: the tool's own, or one of the host's.
    #[serde(rename = "error")]
    pub name: String,
    /// The tool that was called.
    pub tool_name: String,
    /// What went wrong and what would help, at most [`MAX_MESSAGE_CHARS`].
    pub message: String,
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// The tool's own code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The tool's own details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the same call may succeed later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retryable: bool,
    /// Whether the whole run ends with this error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub propagate: bool,
    /// What is wrong with the arguments, all at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Issue>,
    /// Names that are close to the one that was not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// Why the call was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the reviewer wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The limit that was hit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitHit>,
    /// What may have happened outside before the call was cut short: the first
    /// [`MAX_EFFECTS_IN_ERROR`] of the report.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Most effects an error repeats; all of them are in the report.
pub const MAX_EFFECTS_IN_ERROR: usize = 20;

impl CallError {
    /// An error without extra fields. The message is cut to
    /// [`MAX_MESSAGE_CHARS`].
    pub fn new(
        kind: ErrorKind,
        name: impl Into<String>,
        tool_name: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            tool_name: tool_name.into(),
            message: truncate_chars(message.into(), MAX_MESSAGE_CHARS),
            kind,
            code: None,
            details: None,
            retryable: false,
            propagate: false,
            issues: Vec::new(),
            suggestions: Vec::new(),
            reason: None,
            note: None,
            limit: None,
            effects: Vec::new(),
        }
    }

    /// The arguments do not match the tool's schema.
    #[must_use]
    pub fn validation(tool_name: &str, issues: Vec<Issue>) -> Self {
        let message = with_issues(
            &format!("the arguments of `{tool_name}` are not valid"),
            &issues,
        );
        let name = "ToolArgumentsValidationError";
        Self {
            issues,
            ..Self::new(ErrorKind::Validation, name, tool_name, message)
        }
    }

    /// The result does not match the schema that the tool itself declared.
    #[must_use]
    pub fn invalid_output(tool_name: &str, issues: Vec<Issue>) -> Self {
        let message = with_issues(
            &format!("the result of `{tool_name}` does not match its own schema"),
            &issues,
        );
        Self {
            issues,
            ..Self::new(
                ErrorKind::Execution,
                "InvalidOutputError",
                tool_name,
                message,
            )
        }
    }

    /// There is no such tool.
    #[must_use]
    pub fn not_found(tool_name: &str, suggestions: Vec<String>) -> Self {
        let shown = truncate_chars(tool_name.to_owned(), crate::definition::MAX_NAME_LENGTH);
        let near = suggestions.first();
        let near = near.map_or_else(String::new, |best| format!("; did you mean `{best}`?"));
        let message = format!("there is no tool `{shown}`{near}");
        Self {
            suggestions,
            ..Self::new(ErrorKind::NotFound, "ToolNotFoundError", shown, message)
        }
    }

    /// A rule, a mode or a hook refused the call.
    #[must_use]
    pub fn denied(tool_name: &str, reason: &str) -> Self {
        let reason = truncate_chars(reason.to_owned(), MAX_MESSAGE_CHARS);
        Self {
            reason: Some(reason.clone()),
            ..Self::new(
                ErrorKind::Denied,
                "ToolDeniedError",
                tool_name,
                format!("the call was refused: {reason}"),
            )
        }
    }

    /// The error of a call that was cut short, with what it may have done before.
    /// A call that came to its own end says itself what it did.
    #[must_use]
    pub fn with_effects(mut self, report: &Report) -> Self {
        if matches!(self.kind, ErrorKind::Aborted | ErrorKind::Sandbox) {
            let happened = report.all_effects().into_iter();
            self.effects = happened
                .filter(|effect| effect.may_have_happened())
                .take(MAX_EFFECTS_IN_ERROR)
                .cloned()
                .collect();
        }
        self
    }

    /// The caller cancelled the call.
    #[must_use]
    pub fn aborted(tool_name: &str, message: &str) -> Self {
        Self::new(ErrorKind::Aborted, "ToolAbortedError", tool_name, message)
    }
}

fn with_issues(what: &str, issues: &[Issue]) -> String {
    let shown = issues.iter().take(MAX_ISSUES_IN_MESSAGE).map(|issue| {
        if issue.path.is_empty() {
            format!("; {}", issue.message)
        } else {
            format!("; {}: {}", issue.path, issue.message)
        }
    });
    std::iter::once(what.to_owned()).chain(shown).collect()
}

/// Issues repeated in the message of a validation error; all of them are in
/// `issues`.
const MAX_ISSUES_IN_MESSAGE: usize = 8;

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.name, self.message)
    }
}

impl std::error::Error for CallError {}

/// What kind of failure it is, and so whose turn it is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The tool, or a hook of it, said that it failed.
    Execution,
    /// The arguments do not match.
    Validation,
    /// There is no such tool.
    NotFound,
    /// A reviewer said no.
    Rejected,
    /// The call never started.
    NotRun,
    /// A rule, a mode, a hook or a missing grant refused it.
    Denied,
    /// A limit was hit, the guest broke, or it could not be loaded.
    Sandbox,
    /// A server of the Model Context Protocol answered with an error.
    Mcp,
    /// The caller cancelled it.
    Aborted,
}

/// A limit that was hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LimitHit {
    /// The limit, named as in the configuration.
    pub name: String,
    /// What it allows, in the unit of the limit: bytes, milliseconds, units.
    pub allowed: u64,
    /// What was used or asked for.
    pub used: u64,
}

/// Cuts `text` to at most `max` characters, the last of which are [`TRUNCATED`]
/// when something was cut. Never splits a character.
#[must_use]
pub fn truncate_chars(mut text: String, max: usize) -> String {
    // A character has at most four bytes: short texts are not counted.
    if text.len() <= max || text.chars().nth(max).is_none() {
        return text;
    }
    let keep = max.saturating_sub(TRUNCATED.chars().count());
    let cut = text
        .char_indices()
        .nth(keep)
        .map_or(text.len(), |(index, _)| index);
    text.truncate(cut);
    text.push_str(TRUNCATED);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_failure_reads_as_one_small_object() {
        let mut error = CallError::new(ErrorKind::Sandbox, "FuelExhaustedError", "spin", "stopped");
        error.limit = Some(LimitHit {
            name: "fuel".into(),
            allowed: 10,
            used: 10,
        });
        assert_eq!(
            serde_json::to_value(&error).unwrap(),
            json!({
                "error": "FuelExhaustedError", "toolName": "spin", "message": "stopped",
                "kind": "sandbox", "limit": {"name": "fuel", "allowed": 10, "used": 10},
            })
        );
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let error = CallError::new(ErrorKind::Execution, "E", "t", "é".repeat(5_000));
        assert_eq!(error.message.chars().count(), MAX_MESSAGE_CHARS);
        assert!(error.message.ends_with(TRUNCATED));
        let exact = "é".repeat(MAX_MESSAGE_CHARS);
        assert_eq!(truncate_chars(exact.clone(), MAX_MESSAGE_CHARS), exact);
    }
}
