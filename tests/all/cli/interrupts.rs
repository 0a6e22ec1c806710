//! Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use super::program::{command, run_line};

/// Starts a call that goes on for minutes, and waits for its first sign of life.
fn start(more: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let arguments = ["--args", r#"{"n": 1000, "delay": 100}"#];
    let line = run_line("contract", "partials", &[&arguments[..], more].concat());
    let mut child = command(line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("host runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
    let mut first = String::new();
    stderr.read_line(&mut first).unwrap();
    assert_eq!(first, "… {\"step\":1,\"of\":1000}\n");
    (child, stderr)
}

fn press_ctrl_c(child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn ctrl_c_cancels_the_call() {
    let (mut child, mut stderr) = start(&["--timeout", "60s"]);
    let pressed = Instant::now();
    press_ctrl_c(&child);
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        pressed.elapsed() < Duration::from_secs(5),
        "{:?}",
        pressed.elapsed()
    );
    assert!(
        said.contains("note: cancelling the call; Ctrl-C once more ends at once\n"),
        "{said}"
    );
    assert!(said.contains("error: ToolAbortedError: "), "{said}");
}

#[test]
fn a_second_ctrl_c_does_not_wait_for_the_tool() {
    let config = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &config,
        "[limits]\ngrace = \"60s\"\nwall-clock = \"120s\"\n",
    )
    .unwrap();
    let config = config.path().display().to_string();
    let (mut child, mut stderr) = start(&["--config", &config]);
    let pressed = Instant::now();
    press_ctrl_c(&child);
    let mut said = String::new();
    while !said.contains("note: cancelling") {
        assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "{said}");
    }
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        pressed.elapsed() < Duration::from_secs(5),
        "{:?}",
        pressed.elapsed()
    );
}
