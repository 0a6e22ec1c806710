use toolhost_sdk::tool;

/// Documented.
#[tool]
fn hello((left, right): (u8, u8)) {
    let _ = (left, right);
}

/// Documented.
#[tool]
fn hello_two(#[tool] name: String, #[tool(defualt = 1)] count: u8) {
    let _ = (name, count);
}

/// Documented.
#[tool]
fn hello_three(name: impl Into<String>) {
    let _: String = name.into();
}

/// Documented.
#[tool]
fn hello_four(name: &mut String) {
    name.clear();
}

/// Documented.
#[tool]
fn hello_five(name: &'static str) {
    let _ = name;
}

/// Documented.
#[tool]
fn hello_six(#[tool(default = 1)] count: Option<u8>) {
    let _ = count;
}

fn main() {}
