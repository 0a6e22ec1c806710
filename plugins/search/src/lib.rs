//! Search for AI agents: regular expressions through the files of a granted
//! directory, and lists of those files, both with respect for ignore files.
//!
//! # Layout
//! - [`grants`]: which directories there are, and what a path means
//! - [`walk`], [`path_filter`]: which files are looked at
//! - [`query`], `scan`, `line`: what is looked for in one file
//! - [`search`], [`listing`]: the two tools, without their wrapping
//! - [`findings`], [`hit`], [`text`]: what comes out
//! - [`budget`]: what bounds a call
//! - [`tool`]: the tools as the model sees them

pub mod budget;
pub mod findings;
pub mod grants;
pub mod hit;
mod line;
pub mod listing;
pub mod path_filter;
pub mod query;
mod scan;
pub mod search;
pub mod text;
pub mod tool;
pub mod walk;

toolhost_sdk::plugin!(tool::search, tool::list_files);
