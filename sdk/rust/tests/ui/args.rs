use toolhost_sdk::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Everything {
    name: String,
}

/// Documented.
#[tool]
fn hello(#[tool(args)] one: Everything, #[tool(args)] two: Everything) {
    let _ = (one.name, two.name);
}

/// Documented.
#[tool]
fn hello_two(#[tool(args, default)] args: Everything) {
    let _ = args.name;
}

/// Documented.
#[tool]
fn hello_three(#[tool(args)] args: Everything, count: u8) {
    let _ = (args.name, count);
}

fn main() {}
