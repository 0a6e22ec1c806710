//! The facts that come with a call.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Who a run acts for.
#[derive(Debug, Clone, PartialEq)]
pub struct Principal {
    /// A stable identifier.
    pub id: String,
    /// What it is.
    pub kind: PrincipalKind,
    /// What is known of it; an object.
    pub claims: Option<Value>,
    /// Whether the host checked the claims, or only repeats them.
    pub verified: bool,
}

/// What a principal is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrincipalKind {
    /// A person.
    User,
    /// A program.
    Service,
    /// An agent that acts on its own.
    Agent,
    /// A kind this version does not name.
    Other(String),
}

/// An approval that was given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approval {
    /// What the reviewer wrote.
    pub note: Option<String>,
    /// Who the reviewer is.
    pub by: Option<String>,
}

/// Tokens used by a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TokenUsage {
    /// Tokens sent to the model.
    pub input_tokens: u64,
    /// Tokens that the model wrote.
    pub output_tokens: u64,
}

/// Why a call is run again after it suspended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resumption {
    /// The bytes that the suspension carried. They were outside of the sandbox
    /// in the meantime: parse them as you would parse an argument.
    pub state: Vec<u8>,
    /// What came back: the answer to a question, the results of client tools.
    pub answer: Option<Value>,
}

impl Resumption {
    /// The answer as a type of yours; `None` when there is none or it does not
    /// fit.
    #[must_use]
    pub fn answer_as<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_value(self.answer.clone()?).ok()
    }
}

/// JSON that the host vouches for; `None` should it break its word.
pub(super) fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
