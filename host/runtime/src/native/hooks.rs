//! What the hooks of a native tool may return.

use toolhost_sandbox::{ApprovalDecision, Offer};
use toolhost_tool::{ContentBlock, Issue};

use super::error::ToolError;

/// What a hook may return for the answer `T`:
///
/// | hook | returns |
/// |---|---|
/// | `needs_approval` | an [`ApprovalDecision`], or whether a person is asked |
/// | `validate` | the issues; none means that nothing is wrong |
/// | `prepare` | an [`Offer`], or whether the tool is offered |
/// | `model_output` | content blocks, or text |
///
/// or a `Result` of these whose error is a [`ToolError`] or becomes one.
pub trait IntoAnswer<T> {
    /// The answer.
    #[doc(hidden)]
    fn into_answer(self) -> Result<T, ToolError>;
}

impl<T, A: IntoAnswer<T>, E: Into<ToolError>> IntoAnswer<T> for Result<A, E> {
    fn into_answer(self) -> Result<T, ToolError> {
        self.map_err(Into::into).and_then(A::into_answer)
    }
}

impl IntoAnswer<Self> for ApprovalDecision {
    fn into_answer(self) -> Result<Self, ToolError> {
        Ok(self)
    }
}

impl IntoAnswer<ApprovalDecision> for bool {
    fn into_answer(self) -> Result<ApprovalDecision, ToolError> {
        Ok(if self {
            ApprovalDecision::Ask(None)
        } else {
            ApprovalDecision::NotNeeded
        })
    }
}

impl IntoAnswer<Self> for Vec<Issue> {
    fn into_answer(self) -> Result<Self, ToolError> {
        Ok(self)
    }
}

impl IntoAnswer<Self> for Offer {
    fn into_answer(self) -> Result<Self, ToolError> {
        Ok(self)
    }
}

impl IntoAnswer<Offer> for bool {
    fn into_answer(self) -> Result<Offer, ToolError> {
        Ok(if self { Offer::Unchanged } else { Offer::Hide })
    }
}

impl IntoAnswer<Self> for Vec<ContentBlock> {
    fn into_answer(self) -> Result<Self, ToolError> {
        Ok(self)
    }
}

impl IntoAnswer<Vec<ContentBlock>> for String {
    fn into_answer(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(vec![ContentBlock::Text { text: self }])
    }
}

impl IntoAnswer<Vec<ContentBlock>> for &str {
    fn into_answer(self) -> Result<Vec<ContentBlock>, ToolError> {
        self.to_owned().into_answer()
    }
}
