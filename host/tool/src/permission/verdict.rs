//! What was decided about a call, and by what.

use std::fmt;

use super::Mode;
use crate::ApprovalRequirement;

/// What was decided about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow {
        /// What decided.
        by: Decider,
    },
    /// A person is asked.
    Ask {
        /// Why, when the rule or the hook says.
        reason: Option<String>,
        /// What decided.
        by: Decider,
    },
    /// It does not run.
    Deny {
        /// Why, for the model.
        reason: String,
        /// What decided.
        by: Decider,
    },
    /// Neither rule nor mode decides: the tool's hook has to be asked.
    AskTool,
}

/// What decided about a call. Written as a sentence part: `rule 2 (deny …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decider {
    /// A rule of the operator.
    Rule {
        /// Its position, from 0.
        index: usize,
        /// The rule in one line.
        text: String,
    },
    /// The mode of the run.
    Mode(Mode),
    /// The tool's own requirement.
    Requirement(ApprovalRequirement),
    /// The tool's `needs-approval` hook.
    Hook,
}

/// What a tool's `needs-approval` hook answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookAnswer {
    /// The call needs no approval.
    NotNeeded,
    /// A person has to agree.
    Ask {
        /// Why.
        reason: Option<String>,
    },
    /// The call must not run.
    Deny {
        /// Why.
        reason: String,
    },
}

impl fmt::Display for Decider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // People count rules from one.
            Self::Rule { index, text } => write!(f, "rule {} ({text})", index + 1),
            Self::Mode(mode) => write!(f, "mode `{}`", mode.as_str()),
            Self::Requirement(requirement) => {
                let name = match requirement {
                    ApprovalRequirement::Never => "never",
                    ApprovalRequirement::Always => "always",
                    ApprovalRequirement::AskHook => "ask-hook",
                    ApprovalRequirement::Other(name) => name,
                };
                write!(f, "the tool's own approval requirement `{name}`")
            }
            Self::Hook => f.write_str("the tool's `needs-approval` hook"),
        }
    }
}
