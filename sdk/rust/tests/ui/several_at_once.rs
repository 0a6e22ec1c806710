use toolhost_sdk::tool;

#[tool(nmae = "hello")]
async fn hello(ctx: &mut toolhost_sdk::Context, #[tool(default = 1)] count: Option<u8>) {
    let _ = (ctx, count);
}

toolhost_sdk::plugin!(hello);

fn main() {}
