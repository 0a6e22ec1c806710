//! Search for AI agents: regular expressions through the files of a granted
//! directory, and lists of those files, both with respect for ignore files.
//!
//! # Layout
//! - [`tool`]: the tools as the model sees them; the work is done by
//!   `toolhost_plugin_tree`, which the plugin `files` uses as well

pub mod tool;

toolhost_sdk::plugin!(tool::search, tool::list_files);
