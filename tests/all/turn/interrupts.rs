//! Ctrl-C during a turn.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::words::{Desk, told};
use crate::cli::program::{command, guest_path};

#[test]
fn ctrl_c_aborts_what_runs_and_does_not_start_the_rest() {
    let desk = Desk::new();
    let calls = json!([{"id": "a", "name": "await_abort", "arguments": {"ms": 20_000}},
                       {"id": "b", "name": "echo_context"}]);
    desk.write("message.json", &calls.to_string());
    let plugin = guest_path("contract");
    let mut child = command(["turn", "--plugin", &plugin, "--message", "@message.json"])
        .args(["--stream", "--concurrency", "1"])
        .current_dir(desk.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("host runs");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("tool.start"), "{first}");

    let pressed = Instant::now();
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(pressed.elapsed() < Duration::from_secs(5));
    let last: Value = serde_json::from_str(rest.lines().last().unwrap()).unwrap();
    assert_eq!(told(&last["messages"], "a")["error"], "ToolAbortedError");
    assert_eq!(told(&last["messages"], "b")["error"], "ToolNotRunError");
}
