use toolhost_sdk::tool;

/// Documented.
#[tool(approval = "sometimes")]
fn hello() {}

/// Documented.
#[tool(approval = "always", needs_approval = ask)]
fn hello_two() {}

fn ask(_: &HelloArgs, _: &toolhost_sdk::Context) -> bool {
    true
}

fn main() {}
