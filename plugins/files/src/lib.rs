//! Files in granted directories, as tools.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`page`], [`kind`]: a part of a file, and what is no text
//! - [`replace`]: a file gets new content, or keeps its old
//! - [`edit`]: a text gets another part
//! - [`directory`]: what is in a directory
//! - [`failure`]: what the model reads when the system says no
//!
//! What paths mean and how files are searched is in `toolhost_plugin_tree`.

pub mod directory;
pub mod edit;
pub mod failure;
pub mod kind;
pub mod page;
pub mod replace;
pub mod tools;

toolhost_sdk::plugin!(
    tools::read::read_file,
    tools::write::write_file,
    tools::write::edit_file,
    tools::find::list_directory,
    tools::find::glob,
    tools::find::grep,
);
