//! Directories that were granted, and what is in them: which files there are and
//! what they contain. Plugins that look at files share it; it is no plugin.
//!
//! # Layout
//! - [`grants`]: which directories there are, and what a path means
//! - [`walk`], [`path_filter`]: which files are looked at
//! - [`query`], `scan`, `line`: what is looked for in one file
//! - [`search`], [`listing`]: two tools, without their wrapping
//! - [`findings`], [`hit`], [`text`]: what comes out
//! - [`budget`], `crowd`: what bounds a call

pub mod budget;
mod crowd;
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
pub mod walk;
