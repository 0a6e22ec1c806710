//! The secrets of a host: read from their sources when the first plugin is loaded,
//! all of them, and again when the program says so.
//!
//! Between the two the values stay in memory, so a call never waits for a source,
//! and every call is redacted of all that was read, whichever plugin it is for.

mod file;
mod keyring;
mod reader;
mod source;
mod vault;

pub use source::{ReadSecret, SecretReadError, SecretSource, SystemSecrets};
pub(crate) use vault::{SecretSettings, Vault};
