//! Definitions in the form a provider or a protocol expects, and whether they suit
//! its strict mode.
//!
//! Plain data, so it lives in `toolhost-tool`; here it is part of the library's face.

pub use toolhost_tool::provider::{
    ExportError, Exported, ExportedList, ListEntry, Note, Options, Problem, Provider, Strict,
    StrictSupport, export, export_all, mcp, strict_support,
};
