use toolhost_sdk::tool;

/// Documented.
#[tool("hello")]
fn hello() {}

/// Documented.
#[tool(read_only, read_only = false)]
fn hello_two() {}

/// Documented.
#[tool(readonly)]
fn hello_three() {}

/// Documented.
#[tool(colour = "red")]
fn painted() {}

/// Documented.
#[tool(
    title = Hello,
    display_name,
    sequential = "yes",
    max_retries = -1,
    validate = "check",
    prepare,
    meta
)]
fn hello_four() {}

fn main() {}
