//! Why a turn is not run, or does not go on. What goes wrong in a call is its
//! result; what is here concerns the caller, and nothing has run.

use toolhost_tool::Issue;

/// Why a turn is not run, or does not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// Two calls have the same id.
    #[error("two calls of the turn have the id `{id}`")]
    RepeatedId {
        /// The id.
        id: String,
    },
    /// A call has an empty id.
    #[error("call {position} of the turn, of `{tool}`, has no id")]
    NoId {
        /// Its tool.
        tool: String,
        /// Counted from 1.
        position: usize,
    },
    /// No call of the turn has this id.
    #[error("no call of the turn has the id `{id}`")]
    UnknownCall {
        /// The id.
        id: String,
        /// The ids that are waited for.
        waiting: Vec<String>,
    },
    /// The call does not wait for anything any more.
    #[error("the call `{id}` is done and waits for nothing")]
    NotWaiting {
        /// The id.
        id: String,
        /// The ids that are waited for.
        waiting: Vec<String>,
    },
    /// One call was decided about twice at once.
    #[error("there are two decisions about the call `{id}`")]
    DecidedTwice {
        /// The id.
        id: String,
    },
    /// The decision was made about something else than what is waiting.
    #[error("the decision about the call `{id}` is for something else than what is asked now")]
    OtherQuestion {
        /// The id.
        id: String,
    },
    /// The decision was applied before.
    #[error("the decision about the call `{id}` was used already")]
    AlreadyUsed {
        /// The id.
        id: String,
    },
    /// The call waits for another kind of reply.
    #[error("the call `{id}` waits for {expected}, not for {got}")]
    WrongReply {
        /// The id.
        id: String,
        /// What it waits for.
        expected: &'static str,
        /// What it was given.
        got: &'static str,
    },
    /// The answer does not match the schema of the question, or the edited
    /// arguments that of the tool.
    #[error(
        "what was given for the call `{id}` does not match its schema{}",
        list(issues)
    )]
    Invalid {
        /// The id.
        id: String,
        /// What is wrong.
        issues: Vec<Issue>,
    },
    /// The tool is not there.
    #[error("the tool `{tool}` of the call `{id}` is not loaded")]
    ToolMissing {
        /// The id.
        id: String,
        /// The tool.
        tool: String,
    },
    /// The plugin is another than the one that suspended the call, so the state
    /// it kept may mean something else.
    #[error("the plugin of `{tool}` is another than the one that suspended the call `{id}`")]
    PluginChanged {
        /// The id.
        id: String,
        /// The tool.
        tool: String,
    },
}

impl TurnError {
    /// What the caller can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::RepeatedId { .. } | Self::NoId { .. } => {
                Some("give every call of a turn an id of its own".into())
            }
            Self::UnknownCall { waiting, .. } | Self::NotWaiting { waiting, .. } => {
                Some(format!("waiting: {}", waiting.join(", ")))
            }
            Self::ToolMissing { .. } => Some("load its plugin; the turn still holds".into()),
            Self::PluginChanged { .. } => {
                Some("load the plugin as it was, or reject the call".into())
            }
            Self::OtherQuestion { .. } | Self::AlreadyUsed { .. } => {
                Some("look at what the turn waits for now, and decide again".into())
            }
            _ => None,
        }
    }
}

fn list(issues: &[Issue]) -> String {
    issues
        .iter()
        .take(8)
        .map(|issue| match issue.path.as_str() {
            "" => format!("; {}", issue.message),
            path => format!("; {path}: {}", issue.message),
        })
        .collect()
}

/// Why a text is not a suspended turn that can be gone on with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It is no whole JSON document.
    #[error("the state is cut short or is no JSON: {0}")]
    Json(String),
    /// It is JSON, but no suspended turn.
    #[error("this is not the state of a suspended turn")]
    Format,
    /// It is from another version of the host.
    #[error("the state has version {found}, and this host reads version {known}")]
    Version {
        /// The version of the state.
        found: u64,
        /// The version this host reads.
        known: u64,
    },
    /// Its digest does not match what is in it.
    #[error("the state was changed after it was written: its digest does not match")]
    Edited,
    /// Its digest matches, and still something in it cannot be.
    #[error("the state cannot be used: {0}")]
    Content(String),
}
