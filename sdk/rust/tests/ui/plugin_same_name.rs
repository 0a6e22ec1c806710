use toolhost_sdk::{plugin, tool};

/// Documented.
#[tool]
fn hello() {}

/// Documented.
#[tool(name = "hello")]
fn other() {}

plugin!(hello, other);

fn main() {}
