//! Whether a call runs, is refused, or waits for a person.
//!
//! Rules, mode and the tool's requirement are weighed by
//! [`Permissions::decide`]; here its verdict meets the approval that the call may
//! have been given. A denial holds against an approval; a question is answered by
//! it, if it covers exactly what would run.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolhost_sandbox::{ApprovalDecision, Input};
use toolhost_tool::permission::{CallFacts, HookAnswer, Mode, Permissions, Verdict};
use toolhost_tool::{CallError, Report, Suspension, SuspensionKind};

use crate::approval::{Consent, Shown};
use crate::pipeline::{Step, parsed};

/// What a call may do.
pub(crate) enum Permit {
    /// Run, with the approval that covers it.
    Run(Option<Consent>),
    /// Wait for a person. When an approval was given that does not cover it, why.
    Wait(Suspension, Option<&'static str>),
}

impl Step<'_> {
    /// Decides about a call. `consent` is the approval it was given, and what
    /// that covers.
    pub(crate) async fn permit(
        &self,
        input: &Input,
        consent: Option<(Consent, Shown)>,
        report: &mut Report,
    ) -> Result<Permit, CallError> {
        let difference = consent.as_ref().and_then(|(_, covered)| {
            covered.difference(&Shown::new(self.tool, input.arguments.as_deref()))
        });
        let consent = consent
            .filter(|_| difference.is_none())
            .map(|(consent, covered)| Consent {
                arguments_digest: Some(covered.arguments_digest),
                ..consent
            });
        // A context that already has an approval comes from the embedding
        // program, which is trusted; a turn never passes one on.
        let approved = consent.is_some() || self.context.approval.is_some();
        match self.verdict(input, approved, report).await? {
            Verdict::Deny { reason, .. } => {
                Err(CallError::denied(&self.tool.definition.name, &reason))
            }
            Verdict::Ask { reason, .. } if !approved => {
                let suspension = Suspension {
                    kind: SuspensionKind::Approval { reason },
                    state: Vec::new(),
                };
                Ok(Permit::Wait(suspension, difference))
            }
            _ => Ok(Permit::Run(consent)),
        }
    }

    /// What rules, mode and the tool say. The tool's hook runs only when all else
    /// leaves it open.
    async fn verdict(
        &self,
        input: &Input,
        approved: bool,
        report: &mut Report,
    ) -> Result<Verdict, CallError> {
        let permissions = self.permissions(approved);
        // Only rules about arguments look at them.
        let arguments = if permissions.rules.is_empty() {
            Value::Null
        } else {
            parsed(input).unwrap_or_else(|| json!({}))
        };
        let facts = CallFacts::of(&self.tool.definition, &arguments);
        let verdict = permissions.decide(&facts);
        if verdict != Verdict::AskTool || approved {
            return Ok(verdict);
        }
        let cancel = self.options.cancel.clone();
        let answer = self
            .tool
            .needs_approval(input, self.context, &self.left(report), cancel)
            .await;
        Ok(permissions.after_hook(match self.take(answer, report)? {
            ApprovalDecision::NotNeeded => HookAnswer::NotNeeded,
            ApprovalDecision::Ask(reason) => HookAnswer::Ask { reason },
            ApprovalDecision::Deny(reason) => HookAnswer::Deny { reason },
        }))
    }

    /// The host's rules, in the mode of this call. That nobody is there to be
    /// asked is no reason against a call that was approved already.
    fn permissions(&self, approved: bool) -> Cow<'_, Permissions> {
        let permissions = &self.host.policy().permissions;
        let mode = match self.options.mode.unwrap_or(permissions.mode) {
            Mode::Unattended if approved => Mode::Default,
            mode => mode,
        };
        if mode == permissions.mode {
            return Cow::Borrowed(permissions);
        }
        Cow::Owned(Permissions {
            mode,
            rules: permissions.rules.clone(),
        })
    }
}
