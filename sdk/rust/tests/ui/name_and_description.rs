use toolhost_sdk::tool;

/// Documented.
#[tool(name = "say hello")]
fn hello() {}

/// Documented.
#[tool]
fn größe() {}

#[tool]
fn hello_two() {}

#[doc = concat!("a", "b")]
#[tool]
fn hello_three() {}

fn main() {}
