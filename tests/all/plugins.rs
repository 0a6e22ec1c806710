//! The plugins of this repository, as their users meet them. They have no
//! privilege of their own: each says in its manifest what it wants, and gets
//! what it is granted.

mod ask;
mod clock;
mod files;
mod github;
mod manifests;
mod secret;
mod server;
mod slack;
mod todo;
mod web;

use serde_json::Value;
use toolhost_tests::plugin;

use crate::cli::program::{Ran, host};

/// `host run` of a tool of one of our plugins.
fn run(name: &str, tool: &str, arguments: &Value, more: &[&str]) -> Ran {
    let plugin = plugin(name).display().to_string();
    let arguments = arguments.to_string();
    let mut line = vec![
        "run", "--plugin", &plugin, "--tool", tool, "--args", &arguments,
    ];
    line.extend(more);
    host(line)
}
