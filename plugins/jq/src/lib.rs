//! A jq filter over JSON, as a tool.
//!
//! # Layout
//! - [`tool`]: the tool as the model sees it
//! - [`query`]: one run, from arguments to outputs, with its limits
//! - [`filter`]: a compiled filter; `position` shows where it is wrong and
//!   `complaint` says how, `functions` knows what it can call
//! - [`input`]: JSON values from text or a file, one at a time
//! - [`json`]: the way out, as JSON that every reader takes
//! - [`failure`]: what the model reads when something goes wrong

mod complaint;
pub mod failure;
pub mod filter;
mod functions;
pub mod input;
pub mod json;
mod position;
pub mod query;
mod scan;
mod stderr;
pub mod tool;

toolhost_sdk::plugin!(tool::jq);
