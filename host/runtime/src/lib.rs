//! The tool host as a library: load plugins, list their tools, call them.
//!
//! ```no_run
//! use toolhost::{Call, ExecutionContext, Host, PluginOptions};
//!
//! # async fn example() -> Result<(), toolhost::Error> {
//! let host = Host::builder().build()?;
//! host.load("target/plugins/calc.wasm", PluginOptions::default()).await?;
//!
//! let call = Call::from_text("call-1", "calc", r#"{"expression": "2^64"}"#);
//! let result = host.call(call, ExecutionContext::default()).await;
//! println!("{}", result.to_json());
//! # Ok(())
//! # }
//! ```
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `host` | the host and its builder |
//! | `registry`, `tool`, `toolset` | the tools it knows, and under which names |
//! | `reload` | plugins whose files change |
//! | `native` | tools that are functions of the program |
//! | `shell` | a native tool that runs commands, for programs that want one |
//! | `prepare`, `search` | which tools the model is told of, and how it finds others |
//! | `pipeline` | one call: resolve, validate, permit, budget, invoke, decode, settle |
//! | `permit`, `approval`, `hooks` | whether it runs, and what was agreed to |
//! | `secret` | where the values of secrets come from |
//! | `identity` | which plugin its storage and its secrets belong to |
//! | `storage` | where plugins keep keys and values |
//! | `database` | files of `SQLite` |
//! | `granted` | whether what is granted is there |
//! | `retry`, `journal` | running it again, and not again |
//! | `nested`, `sequence` | calls that a tool makes of others, and tools that run one at a time |
//! | `audit` | what is written down of each call |
//! | `running` | a call on its way: partial results and cancelling |
//! | `turn`, `event` | the calls of one message, together: suspending, going on, watching |
//! | `result` | how it ended |
//! | `export` | definitions in the form a protocol expects |
//! | `error` | why a host cannot be built, or a tool not be added |

mod approval;
mod audit;
mod database;
mod error;
mod event;
pub mod export;
mod granted;
mod hooks;
mod host;
mod identity;
mod journal;
mod native;
mod nested;
mod permit;
mod pipeline;
mod prepare;
mod registry;
mod reload;
mod result;
mod retry;
mod running;
mod search;
mod secret;
mod sequence;
#[cfg(unix)]
mod shell;
mod storage;
mod tool;
mod toolset;
mod turn;

pub use audit::{AuditFile, AuditLog};
pub use error::Error;
pub use event::Event;
pub use hooks::{BeforeCall, CallHooks, Ended, HookCall, HookError};
pub use host::{Host, HostBuilder, LoadedPlugin, PluginOptions};
pub use journal::{CallKey, Journal, JournalError, Known, SqliteJournal};
pub use native::{
    Flow, IntoAnswer, IntoReturn, NativeTool, NativeToolBuilder, PluginSandbox, SandboxAdapter,
    SandboxCall, SandboxHandle, SandboxResult, ToolContext, ToolError,
};
pub use prepare::{Discovered, PreparedTurn};
pub use reload::{PluginWatch, Reload};
pub use result::CallResult;
pub use running::{CallOptions, Running};
pub use secret::{ReadSecret, SecretReadError, SecretSource, SystemSecrets};
#[cfg(unix)]
pub use shell::{ShellGrant, shell};
pub use storage::{OpenStoreError, SqliteStore, default_store_file};
pub use tool::Tool;
pub use toolset::Toolset;
pub use turn::{
    Decision, FinishedTurn, Pending, Reply, StateError, SuspendedTurn, Turn, TurnError,
    TurnOptions, TurnResult,
};

pub use toolhost_policy as policy;
pub use toolhost_policy::{Access, Config, DirGrant, Grants, Limits, LimitsPatch, LoadLimits};
pub use toolhost_sandbox::{
    ApprovalDecision, Bucket, Cache, CacheEntry, CacheError, CancelHandle, Digest, Emitted, Floor,
    KeyPage, KeyValueStore, LoadError, LoadOptions, Namespace, Offer, Plugin, PluginInfo,
    PluginOutline, PluginSource, Quota, SetupError, Slot, StoreError, Stored, Swapped,
    compile_when_asked,
};
pub use toolhost_tool::permission;
pub use toolhost_tool::spec;
pub use toolhost_tool::{
    Annotations, Approval, ApprovalRequirement, Arguments, Behaviour, Call, CallError, ClientCall,
    ContentBlock, Denial, Durations, Effect, EffectKind, EffectState, ErrorKind, ExecutionContext,
    HookSet, Issue, LimitHit, LogLevel, LogLine, LogSource, Media, MediaSource, Messages,
    NestedCall, Outcome, Output, Principal, PrincipalKind, Report, Resumption, Suspension,
    SuspensionKind, TokenUsage, ToolDefinition, Transcript, json, reword, suggest, truncate_chars,
};
pub use toolhost_tool::{
    Format, MAX_CALLS, MessageError, ToolResult, is_made_up_id, read_calls, write_results,
};
