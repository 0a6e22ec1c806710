//! What lies outside the sandbox and how a guest reaches it: one file a
//! capability. All are closed until granted, and a denial is a value the guest
//! can handle, recorded in the report.

pub(crate) mod calls;
pub(crate) mod clocks;
pub(crate) mod config;
pub(crate) mod filesystem;
pub(crate) mod http;
pub(crate) mod keyvalue;
pub(crate) mod random;
pub(crate) mod run;
pub(crate) mod secrets;
pub(crate) mod sockets;
pub(crate) mod stdio;
pub(crate) mod wasi;
