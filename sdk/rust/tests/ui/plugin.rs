use toolhost_sdk::{plugin, tool};

/// Documented.
#[tool]
fn hello() {}

plugin!();

plugin!("hello");

plugin!(hello, hello);

fn main() {}
