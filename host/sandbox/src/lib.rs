//! Runs third-party tools in wasmtime sandboxes: one engine, plugins compiled
//! and linked once, and for each call a fresh sandbox with limits on everything
//! and nothing but what was granted.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `engine` | the engine and its pool |
//! | `plugin`, `scan`, `cache` | a plugin: read, scanned, compiled or found compiled |
//! | `compile` | compiling, in this process or in one of its own |
//! | `outline`, `manifest` | what a plugin says of itself, before any of that |
//! | `call` | one call, in a straight line |
//! | `export`, `invoke` | the functions of a plugin |
//! | `state`, `memory`, `log`, `ledger`, `cancel` | what a call holds |
//! | `storage` | where plugins keep keys and values |
//! | `capability` | what a guest can reach, one file each |
//! | `bindings`, `convert` | generated types, and ours |
//! | `redact` | secrets in what leaves a sandbox |
//! | `failure`, `error` | how calls fail, and why plugins do not load |

mod bindings;
mod cache;
mod call;
mod cancel;
mod capability;
mod compile;
mod convert;
mod engine;
mod error;
mod export;
mod failure;
mod floor;
mod hold;
mod invoke;
mod ledger;
mod log;
mod manifest;
mod memory;
mod outline;
mod plugin;
mod redact;
mod scan;
mod state;
mod storage;

pub use cache::{Cache, CacheEntry};
pub use call::Budget;
pub use cancel::CancelHandle;
pub use capability::calls::ToolCaller;
pub use capability::run::Emitted;
pub use compile::compile_when_asked;
pub use convert::Input;
pub use engine::{DEFAULT_IDLE_BYTES, DEFAULT_MAX_CALLS, Sandbox, SandboxConfig};
pub use error::{CacheError, LoadError, SetupError};
pub use failure::{Failure, LimitKind};
pub use floor::Floor;
pub use hold::Held;
pub use invoke::{Answer, ApprovalDecision, Link, Offer};
pub use ledger::Ledger;
pub use outline::PluginOutline;
pub use plugin::{LoadOptions, Plugin, PluginInfo, PluginSource};
pub use storage::{
    Bucket, KeyPage, KeyValueStore, Namespace, PluginStore, Quota, Slot, StoreError, Stored,
    Swapped,
};
pub use toolhost_policy::{Digest, DigestError};

/// Version of the WIT package `toolhost:plugin` that this host offers.
pub const CONTRACT_VERSION: &str = "0.1.0";
