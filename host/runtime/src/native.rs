//! Native tools: Rust functions of the program that embeds the host, behind the
//! same pipeline as a plugin's.
//!
//! | module | noun |
//! |---|---|
//! | `builder` | how a tool is put together |
//! | `runner` | the tool itself: its functions, and what runs them |
//! | `context`, `error`, `returns`, `hooks` | what its functions get, fail with and return |
//! | `sandbox` | the sandboxed path of a tool |
//! | `schema`, `counter`, `work` | schemas of types, sizes of results, racing a deadline |

mod builder;
mod context;
mod counter;
mod error;
mod hooks;
mod returns;
mod runner;
mod sandbox;
mod schema;
mod work;

pub use builder::{NativeTool, NativeToolBuilder};
pub use context::{Flow, ToolContext};
pub use error::ToolError;
pub use hooks::IntoAnswer;
pub use returns::IntoReturn;
pub(crate) use runner::NativeRunner;
pub(crate) use sandbox::AdapterSlot;
pub use sandbox::{PluginSandbox, SandboxAdapter, SandboxCall, SandboxHandle, SandboxResult};

#[cfg(test)]
pub(crate) mod tests;
