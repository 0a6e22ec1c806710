//! Whether a call may run: the operator's rules, then the mode, then what the tool
//! itself requires. One pure function, [`Permissions::decide`], and no other place
//! that decides.
//!
//! | step | what decides | gives |
//! |---|---|---|
//! | 1 | a `deny` rule that matches | denied |
//! | 2 | mode `plan`, when the tool is not marked read-only | denied |
//! | 3 | an `ask` rule that matches | asked |
//! | 4 | an `allow` rule that matches | runs |
//! | 5 | mode `accept-edits`, when the tool is marked `edits-files` | runs |
//! | 6 | the tool's requirement: `never`, `always`, or its hook | runs, asked, or the hook's answer |
//!
//! In mode `unattended` whatever would be asked is denied. The order of the rules
//! does not matter; of several that say the same, the first is named.
//!
//! # What a rule matches
//!
//! The tool pattern is compared with the name the model calls, a toolset's prefix
//! and renaming included, and upper and lower case differ. An argument pattern is
//! compared with the *text* of the value at a JSON Pointer, after validation, so
//! with defaults filled in:
//!
//! | value | text |
//! |---|---|
//! | string | itself, without quotes |
//! | number | decimal, shortest: `10`, `10.0` and `1e1` are all `10` |
//! | `true`, `false`, `null` | the word |
//! | array, object | each value inside it; `deny` and `ask` need one that matches, `allow` needs all |
//! | nothing there, `[]`, `{}` | absent: a match for `deny` and `ask`, none for `allow` |
//!
//! A deny rule therefore never fails open because a model left an argument out. A
//! rule that should not apply then says `when-absent = "skip"`. `null` is a value,
//! not an absent one.
//!
//! **Patterns match text, not files.** `/tmp/*` also matches `/tmp/../etc/passwd`
//! and any link below `/tmp`. Rules decide what is asked about; what a tool can
//! reach is decided by its grants, which check the opened file.
//!
//! # Empty means
//!
//! No rules and no mode: mode `default`, every tool's own requirement decides. A
//! rule without `arguments` matches every call of its tools.
//!
//! The read-only and edits-files marks are claims of the tool's author. Mode `plan`
//! keeps an honest tool from acting; only grants hold against a dishonest one.

mod glob;
mod pointer;
mod rule;
#[cfg(test)]
mod tests;
mod verdict;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ApprovalRequirement, ToolDefinition};
pub use glob::{Glob, GlobError};
pub use pointer::{ArgumentPointer, PointerError};
pub use rule::{Action, Rule, RuleError, WhenAbsent};
pub use verdict::{Decider, HookAnswer, Verdict};

/// How a run treats calls that no rule speaks about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The tool's own requirement decides. The default.
    #[default]
    Default,
    /// Only tools marked read-only run, whatever the rules allow.
    Plan,
    /// Tools marked `edits-files` run unasked.
    AcceptEdits,
    /// Nobody is there to ask: what would ask is denied.
    Unattended,
}

impl Mode {
    /// The mode as it is written in `host.toml`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Plan => "plan",
            Self::AcceptEdits => "accept-edits",
            Self::Unattended => "unattended",
        }
    }
}

/// The operator's rules and mode; the section `[permissions]` of `host.toml`.
///
/// ```
/// use serde_json::json;
/// use toolhost_tool::permission::{Permissions, Verdict};
/// # use toolhost_tool::{ApprovalRequirement, permission::CallFacts};
///
/// let permissions: Permissions = serde_json::from_value(json!({
///     "mode": "default",
///     "rules": [
///         {"action": "allow", "tool": "write_*", "arguments": {"/path": "/tmp/*"}},
///         {"action": "deny", "tool": "*", "arguments": {"/path": "*..*"}, "when-absent": "skip"},
///     ],
/// }))?;
///
/// # let facts = |arguments| CallFacts {
/// #     tool_name: "write_file", arguments, read_only: false, edits_files: true,
/// #     requirement: &ApprovalRequirement::Always, has_hook: false };
/// # let (tmp, up, etc) = (json!({"path": "/tmp/a"}), json!({"path": "/tmp/../a"}), json!({"path": "/etc/a"}));
/// assert!(matches!(permissions.decide(&facts(&tmp)), Verdict::Allow { .. }));
/// assert!(matches!(permissions.decide(&facts(&up)), Verdict::Deny { .. }));
/// assert!(matches!(permissions.decide(&facts(&etc)), Verdict::Ask { .. }));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Permissions {
    /// How calls are treated that no rule speaks about.
    pub mode: Mode,
    /// The rules, in the order they are written.
    pub rules: Vec<Rule>,
}

/// What the decision about a call depends on.
#[derive(Clone, Copy, Debug)]
pub struct CallFacts<'a> {
    /// The name the model calls, a toolset's prefix and renaming included.
    pub tool_name: &'a str,
    /// The arguments after validation.
    pub arguments: &'a Value,
    /// Whether the tool is marked read-only.
    pub read_only: bool,
    /// Whether the tool is marked `edits-files`.
    pub edits_files: bool,
    /// What the tool itself requires.
    pub requirement: &'a ApprovalRequirement,
    /// Whether the tool has a `needs-approval` hook.
    pub has_hook: bool,
}

impl<'a> CallFacts<'a> {
    /// The facts of a call of `tool`; its name is the one the model sees.
    #[must_use]
    pub fn of(tool: &'a ToolDefinition, arguments: &'a Value) -> Self {
        Self {
            tool_name: &tool.name,
            arguments,
            read_only: tool.annotations.read_only == Some(true),
            edits_files: tool.behaviour.edits_files,
            requirement: &tool.approval,
            has_hook: tool.hooks.needs_approval,
        }
    }
}

impl Permissions {
    /// Decides about a call.
    ///
    /// [`Verdict::AskTool`] means that rules and mode leave it open and the tool's
    /// hook has to be asked; its answer goes through
    /// [`after_hook`](Self::after_hook). The hook of a call that is denied or
    /// allowed here is never run.
    ///
    /// For a call that a reviewer has approved, decide again before it runs: a
    /// [`Verdict::Deny`] holds against an approval, a [`Verdict::Ask`] is answered
    /// by it.
    #[must_use]
    pub fn decide(&self, facts: &CallFacts) -> Verdict {
        if let Some((decider, rule)) = self.matching(Action::Deny, facts) {
            let reason = rule.denial(facts);
            return Verdict::Deny {
                reason,
                by: decider,
            };
        }
        if self.mode == Mode::Plan && !facts.read_only {
            return Verdict::Deny {
                reason: "in mode `plan` only tools marked read-only run".into(),
                by: Decider::Mode(Mode::Plan),
            };
        }
        if let Some((decider, rule)) = self.matching(Action::Ask, facts) {
            return self.ask(rule.reason.clone(), decider);
        }
        if let Some((decider, _)) = self.matching(Action::Allow, facts) {
            return Verdict::Allow { by: decider };
        }
        if self.mode == Mode::AcceptEdits && facts.edits_files {
            return Verdict::Allow {
                by: Decider::Mode(Mode::AcceptEdits),
            };
        }
        let by = Decider::Requirement(facts.requirement.clone());
        match facts.requirement {
            ApprovalRequirement::Never => Verdict::Allow { by },
            ApprovalRequirement::AskHook if facts.has_hook => Verdict::AskTool,
            // A tool that asks for a hook it does not have, or for what this
            // version does not know, is not waved through.
            ApprovalRequirement::Always
            | ApprovalRequirement::AskHook
            | ApprovalRequirement::Other(_) => self.ask(None, by),
        }
    }

    /// What the hook's answer comes to in this mode. Never gives
    /// [`Verdict::AskTool`].
    #[must_use]
    pub fn after_hook(&self, answer: HookAnswer) -> Verdict {
        let by = Decider::Hook;
        match answer {
            HookAnswer::NotNeeded => Verdict::Allow { by },
            HookAnswer::Ask { reason } => self.ask(reason, by),
            HookAnswer::Deny { reason } => Verdict::Deny { reason, by },
        }
    }

    /// The rules that match none of these tools, with their positions: misspelt,
    /// most likely. A deny rule without a tool guards nothing, so a host says so.
    pub fn rules_without_tool<'a>(
        &'a self,
        names: &'a [&'a str],
    ) -> impl Iterator<Item = (usize, &'a Rule)> {
        let idle = |rule: &Rule| !names.iter().any(|name| rule.tool.matches(name));
        self.rules
            .iter()
            .enumerate()
            .filter(move |(_, rule)| idle(rule))
    }

    fn matching(&self, action: Action, facts: &CallFacts) -> Option<(Decider, &Rule)> {
        let mut rules = self.rules.iter().enumerate();
        let (index, rule) = rules.find(|(_, rule)| rule.action == action && rule.matches(facts))?;
        let text = rule.to_string();
        Some((Decider::Rule { index, text }, rule))
    }

    fn ask(&self, reason: Option<String>, by: Decider) -> Verdict {
        if self.mode != Mode::Unattended {
            return Verdict::Ask { reason, by };
        }
        let why = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        Verdict::Deny {
            reason: format!("the call needs approval, and nobody is there to ask{why}"),
            by,
        }
    }
}
