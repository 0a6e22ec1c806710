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
//! | `registry`, `tool` | the tools it knows |
//! | `pipeline` | one call: resolve, validate, permit, budget, invoke, decode, settle |
//! | `running` | a call on its way: partial results and cancelling |
//! | `result` | how it ended |
//! | `export` | definitions in the form a protocol expects |
//! | `error` | why a host cannot be built or a plugin not be loaded |

mod approval;
mod error;
mod event;
pub mod export;
mod hooks;
mod host;
mod pipeline;
mod registry;
mod result;
mod retry;
mod running;
mod tool;
mod turn;

pub use error::Error;
pub use host::{Host, HostBuilder, LoadedPlugin, PluginOptions};
pub use result::CallResult;
pub use running::{CallOptions, Running};
pub use tool::Tool;

pub use toolhost_policy as policy;
pub use toolhost_policy::{Access, Config, DirGrant, Grants, Limits, LimitsPatch, LoadLimits};
pub use toolhost_sandbox::{
    Cache, CacheEntry, CacheError, CancelHandle, Digest, LoadError, Offer, Plugin, PluginInfo,
    PluginSource, SetupError,
};
pub use toolhost_tool::{
    Annotations, Approval, ApprovalRequirement, Arguments, Behaviour, Call, CallError, ClientCall,
    ContentBlock, Denial, Durations, ErrorKind, ExecutionContext, HookSet, Issue, LimitHit,
    LogLevel, LogLine, LogSource, Media, MediaSource, Messages, Outcome, Output, Principal,
    PrincipalKind, Report, Resumption, Suspension, SuspensionKind, TokenUsage, ToolDefinition,
    Transcript, suggest, truncate_chars,
};
