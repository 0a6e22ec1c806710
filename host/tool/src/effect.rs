//! What a call did to the world outside its sandbox. After a failure it tells
//! whoever decides about a second try what may have happened already.

use serde::{Deserialize, Serialize};

/// One outward act of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Effect {
    /// What was acted on.
    pub kind: EffectKind,
    /// Which one: a method with a URL, a path, a key, a tool.
    pub target: String,
    /// Whether it happened.
    pub state: EffectState,
    /// Bytes that went out.
    pub bytes: u64,
}

impl Effect {
    /// Whether something has happened, or may have.
    #[must_use]
    pub fn may_have_happened(&self) -> bool {
        self.state != EffectState::None
    }
}

/// What a call acts on outside its sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum EffectKind {
    /// A request was sent.
    Http,
    /// A file or directory was created, changed or deleted.
    File,
    /// A key was set or deleted.
    Storage,
    /// Another tool was called.
    Tool,
}

/// Whether an outward act happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectState {
    /// It was tried, and certainly nothing happened.
    None,
    /// It was begun, and how it ended is not known.
    Possible,
    /// It happened.
    Confirmed,
}
