//! The task of the comparison as a program of its own: reads JSON from its first
//! argument, adds two numbers, prints JSON. A process is started for each call.

use std::process::ExitCode;

use serde_json::{Value, json};

fn main() -> ExitCode {
    let arguments = std::env::args().nth(1).unwrap_or_default();
    let Ok(arguments) = serde_json::from_str::<Value>(&arguments) else {
        eprintln!("error: give a JSON object as the first argument");
        return ExitCode::FAILURE;
    };
    let number = |key: &str| arguments[key].as_f64();
    let (Some(a), Some(b)) = (number("a"), number("b")) else {
        eprintln!("error: give both `a` and `b`");
        return ExitCode::FAILURE;
    };
    println!("{}", json!({ "sum": a + b }));
    ExitCode::SUCCESS
}
