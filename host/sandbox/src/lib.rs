//! Runs third-party tools in wasmtime sandboxes: one engine, plugins compiled
//! and linked once, and for each call a fresh sandbox with limits on everything
//! and nothing but what was granted.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `engine` | the engine and its pool |
//! | `epoch` | the clock that interrupts guests |
//! | `plugin`, `scan`, `cache`, `digest` | a plugin: read, scanned, compiled or found compiled |
//! | `call` | one call, in a straight line |
//! | `export`, `invoke` | the functions of a plugin |
//! | `state`, `memory`, `log`, `cancel` | what a call holds |
//! | `capability` | what a guest can reach, one file each |
//! | `bindings`, `convert` | generated types, and ours |
//! | `failure`, `error` | how calls fail, and why plugins do not load |

mod bindings;
mod cache;
mod call;
mod cancel;
mod capability;
mod convert;
mod digest;
mod engine;
mod epoch;
mod error;
mod export;
mod failure;
mod invoke;
mod log;
mod memory;
mod plugin;
mod scan;
mod state;

pub use cache::{Cache, CacheEntry};
pub use call::Budget;
pub use cancel::CancelHandle;
pub use convert::Input;
pub use digest::{Digest, DigestError};
pub use engine::{DEFAULT_MAX_CALLS, Sandbox, SandboxConfig};
pub use error::{CacheError, LoadError, SetupError};
pub use failure::{Failure, LimitKind};
pub use invoke::{Answer, ApprovalDecision, Link, Offer};
pub use plugin::{Plugin, PluginInfo, PluginSource};

/// Version of the WIT package `toolhost:plugin` that this host offers.
pub const CONTRACT_VERSION: &str = "0.1.0";
