use toolhost_sdk::{Context, tool};

/// Documented.
#[tool]
fn owned(ctx: Context) {
    let _ = ctx;
}

/// Documented.
#[tool]
fn changing(ctx: &mut Context) {
    let _ = ctx;
}

/// Documented.
#[tool]
fn hello(ctx: &Context, again: &Context) {
    let _ = (ctx, again);
}

/// Documented.
#[tool]
fn hello_two(#[tool(args)] ctx: &Context) {
    let _ = ctx;
}

fn main() {}
