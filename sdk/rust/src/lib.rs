//! Write a tool for AI agents as a plain Rust function and ship it as a
//! sandboxed plugin.
//!
//! ```
//! use toolhost_sdk::tool;
//!
//! /// Greets someone by name.
//! #[tool]
//! fn hello(
//!     /// Who to greet.
//!     name: String,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//! toolhost_sdk::plugin!(hello);
//!
//! assert_eq!(hello("Ada".into()), "Hello, Ada!");
//! ```
//!
//! Build it with `cargo build --release --target wasm32-wasip2`. Everything
//! compiles natively as well: a tool stays a function that a unit test calls,
//! and [`testing`] calls it the way the host does.
//!
//! # Layout
//!
//! | module | what is in it |
//! |---|---|
//! | [`macro@tool`], [`plugin!`] | from function to plugin |
//! | `context` | [`Context`]: what a call knows about its run |
//! | `content`, `output`, `outcome`, `suspension` | what a tool returns |
//! | `error` | [`ToolError`]: how a tool fails |
//! | `definition` | [`Definition`]: what the host learns about a tool |
//! | `hooks` | what the functions on the attribute return |
//! | [`files`] | opening granted files, with errors a model can act on |
//! | [`store`], [`config()`] | what a tool keeps between calls, and what the operator sets |
//! | `http` | requests, with the feature `http` |
//! | [`testing`] | calling a tool natively, through JSON |
//! | `tool`, `export`, `schema`, `returns` | what the macros expand to |
//! | `bindings` | the contract, generated from `wit/` |

mod bindings;
mod content;
mod context;
mod definition;
mod error;
mod export;
pub mod files;
mod hooks;
#[cfg(feature = "http")]
pub mod http;
mod outcome;
mod output;
#[doc(hidden)]
pub mod returns;
mod schema;
pub mod store;
mod suspension;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
mod tool;

pub use content::{Audio, Content, File, Image, IntoContent, Media, MediaSource};
pub use context::{
    AbortSignal, Approval, CallFailure, Context, Flow, LogLevel, Principal, PrincipalKind,
    Resumption, RunError, TokenUsage,
};
#[cfg(not(target_arch = "wasm32"))]
pub use context::{FakeContext, Recording};
pub use definition::{Annotations, ApprovalRequirement, Behaviour, Definition, HookSet};
pub use error::ToolError;
pub use hooks::{ApprovalDecision, ArgumentIssue, Offer};
pub use outcome::Outcome;
pub use output::Output;
pub use store::config;
pub use suspension::{ClientCall, Suspension, SuspensionKind};
pub use tool::Tool;
pub use toolhost_sdk_macros::{plugin, tool};

pub use {schemars, serde, serde_json};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// What the macros name in the code they write. Not for use by hand: it may
/// change with any version.
#[doc(hidden)]
pub mod __private {
    pub use crate::bindings::{hooked, plain};
    pub use crate::export::Plugin;

    pub use crate::returns::RawOutcome;
    pub use crate::schema::input_schema;
    pub use crate::tool::{Entry, arguments, have_same_name, json};
}
