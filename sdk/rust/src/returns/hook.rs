//! What the functions on the attribute may return.

use crate::content::{Content, IntoContent};
use crate::definition::Definition;
use crate::hooks::{ApprovalDecision, ArgumentIssue, Offer};

/// What a hook may return where the host wants a `T`.
#[diagnostic::on_unimplemented(
    message = "#[tool] wants this hook to return `{T}`, not `{Self}`",
    label = "returns `{Self}`",
    note = "`needs_approval` returns `ApprovalDecision` or `bool`, `validate` a `Vec<ArgumentIssue>`, `prepare` an `Offer`, `model_output` text or content; each also in a `Result`"
)]
pub trait HookReturn<T> {
    /// What the host wants.
    fn into_hook(self) -> T;
}

impl HookReturn<ApprovalDecision> for ApprovalDecision {
    fn into_hook(self) -> ApprovalDecision {
        self
    }
}

impl HookReturn<ApprovalDecision> for bool {
    fn into_hook(self) -> ApprovalDecision {
        self.into()
    }
}

impl HookReturn<Vec<ArgumentIssue>> for Vec<ArgumentIssue> {
    fn into_hook(self) -> Vec<ArgumentIssue> {
        self
    }
}

impl HookReturn<Offer> for Offer {
    fn into_hook(self) -> Offer {
        self
    }
}

impl HookReturn<Offer> for Definition {
    fn into_hook(self) -> Offer {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntoContent> HookReturn<Vec<Content>> for T {
    fn into_hook(self) -> Vec<Content> {
        self.into_content()
    }
}
