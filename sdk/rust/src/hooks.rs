//! What the functions given on `#[tool(…)]` return.

use crate::definition::Definition;

/// Whether a call needs a person's agreement: what `needs_approval` returns.
///
/// A `bool` stands for it as well: `true` asks, without a reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalDecision {
    /// It runs unasked.
    NotNeeded,
    /// A person is asked; the text says why.
    Ask(Option<String>),
    /// It is refused; the text says why.
    Deny(String),
}

impl ApprovalDecision {
    /// A person is asked, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask(Some(reason.into()))
    }

    /// It is refused, for this reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

impl From<bool> for ApprovalDecision {
    fn from(ask: bool) -> Self {
        if ask {
            Self::Ask(None)
        } else {
            Self::NotNeeded
        }
    }
}

/// One thing that is wrong with the arguments of a call: `validate` returns a
/// list of them, empty when all is well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentIssue {
    /// JSON Pointer to the value; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

impl ArgumentIssue {
    /// An issue with the value at `path`, such as `/from`.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }
}

/// Whether a tool is offered to the model in this turn: what `prepare` returns.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Offer {
    /// As it is.
    Unchanged,
    /// Not at all.
    Hide,
    /// With another definition; its name stays.
    OfferAs(Box<Definition>),
}

impl From<Definition> for Offer {
    fn from(definition: Definition) -> Self {
        Self::OfferAs(Box::new(definition))
    }
}
