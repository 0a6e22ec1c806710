//! A list of things to do, as tools.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`list`]: the list, and how one follows another

pub mod list;
pub mod tools;

toolhost_sdk::plugin!(tools::todo_write, tools::todo_read);
