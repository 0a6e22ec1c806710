//! What a tool is: its definition, the arguments it is called with, the context
//! of a call, and how a call ends. Plain data and its rules; no sandbox, no
//! runtime.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `definition` | a tool as its author declares it |
//! | `call`, `context` | a call, and what it knows about its run |
//! | `json`, `schema`, `arguments` | untrusted JSON, schemas, and checking one by the other |
//! | `outcome`, `output`, `report` | how a call ends and what it used |
//! | `permission` | whether a call may run: rules, modes, the tool's requirement |
//! | `provider` | definitions as each provider takes them |
//! | `spec` | arguments in a line or two |
//! | `message` | assistant messages with calls, and their results, as the model APIs write them |
//! | `error` | the one shape of a failure |

mod arguments;
mod call;
mod context;
mod definition;
mod effect;
mod error;
mod event_name;
pub mod json;
mod message;
mod outcome;
mod output;
pub mod permission;
pub mod provider;
mod report;
mod reword;
mod schema;
pub mod spec;
mod suggest;

pub use arguments::Issue;
pub use call::{Arguments, Call};
pub use context::{
    Approval, ExecutionContext, Messages, Principal, PrincipalKind, Resumption, TokenUsage,
    Transcript,
};
pub use definition::{
    Annotations, ApprovalRequirement, Behaviour, HookSet, MAX_NAME_LENGTH, NameError,
    ToolDefinition, check_name,
};
pub use effect::{Effect, EffectKind, EffectState};
pub use error::{
    CallError, ErrorKind, LimitHit, MAX_EFFECTS_IN_ERROR, MAX_MESSAGE_CHARS, TRUNCATED,
    truncate_chars,
};
pub use event_name::check_event_name;
pub use message::{
    Format, MAX_CALLS, MessageError, ToolResult, is_made_up_id, read_calls, read_calls_value,
    write_results,
};
pub use outcome::{ClientCall, Outcome, Suspension, SuspensionKind};
pub use output::{ContentBlock, Media, MediaSource, Output};
pub use report::{Denial, Durations, LogLevel, LogLine, LogSource, NestedCall, Report};
pub use reword::reword;
pub use schema::{SchemaError, SchemaLimits, ToolSchema};
pub use suggest::{KnownNames, suggest};
