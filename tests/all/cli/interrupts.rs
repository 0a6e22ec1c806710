//! Ctrl-C, and the other signals that end a program.

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
    send("-INT", child);
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
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

/// A service manager stops the host, or its terminal is closed.
#[test]
fn other_signals_that_end_a_program_cancel_the_call_and_leave_their_line() {
    for signal in ["-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let audit = folder.path().join("audit.jsonl");
        let file = audit.display().to_string();
        let (mut child, mut stderr) = start(&["--timeout", "60s", "--audit", &file]);
        send(signal, &child);
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}: {said}");
        assert!(said.contains("error: ToolAbortedError: "), "{said}");
        let lines = std::fs::read_to_string(&audit).unwrap();
        let line: serde_json::Value = serde_json::from_str(lines.trim_end()).unwrap();
        assert_eq!(line["error"]["name"], "ToolAbortedError", "{signal}");
    }
}

/// `nohup host run …` goes on when the terminal is closed.
#[cfg(target_os = "linux")]
#[test]
fn a_hang_up_that_is_to_be_ignored_is_ignored() {
    let script = "trap '' HUP; exec \"$@\"";
    let line = run_line(
        "contract",
        "partials",
        &["--args", r#"{"n": 3, "delay": 300}"#],
    );
    let host = command(line);
    let mut child = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(host.get_program())
        .args(host.get_args())
        .envs(
            host.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell runs");
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
    let mut said = String::new();
    stderr.read_line(&mut said).unwrap();
    assert!(said.contains("\"step\":1"), "{said}");
    send("-HUP", &child);
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
}

/// The result is larger than what a pipe holds, and nobody reads it.
#[test]
fn whoever_does_not_take_the_result_does_not_keep_the_host_from_ending() {
    let text = "x".repeat(200_000);
    let arguments = serde_json::json!({ "text": text }).to_string();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arguments.json");
    std::fs::write(&file, arguments).unwrap();
    let arguments = format!("@{}", file.display());
    let audit = folder.path().join("audit.jsonl");
    let log = audit.display().to_string();
    let line = run_line("relay", "inner", &["--args", &arguments, "--audit", &log]);
    let mut child = command(line)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("host runs");
    let started = Instant::now();
    while std::fs::read_to_string(&audit)
        .unwrap_or_default()
        .is_empty()
    {
        assert!(started.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(20));
    }
    // The call is over. The first may come before it is left for good.
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_mins(1));
        send("-TERM", &child);
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
