use toolhost_sdk::tool;

/// Documented.
#[tool]
async fn later() {}

/// Documented.
#[tool]
unsafe fn danger() {}

/// Documented.
#[tool]
extern "C" fn foreign() {}

/// Documented.
#[tool]
fn hello<T>(name: T) -> String {
    String::new()
}

struct Greeter;

impl Greeter {
    /// Documented.
    #[tool]
    fn hello_two(&self) {}
}

/// Documented.
#[tool]
fn hello_three() -> impl std::fmt::Display {
    "hello"
}

/// Documented.
#[tool]
struct Hello;

fn main() {}
