use toolhost_sdk::tool;

struct Opaque;

/// Documented.
#[tool]
fn hello() -> Opaque {
    Opaque
}

/// Documented.
#[tool]
fn hello_two() -> Result<String, Opaque> {
    Err(Opaque)
}

/// Documented.
#[tool(validate = check)]
fn hello_three(name: String) {
    let _ = name;
}

fn check(args: &HelloThreeArgs) -> bool {
    args.name.is_empty()
}

fn main() {}
