//! Measuring a call: what is refused, what a program reads, and what Ctrl-C leaves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::program::{Ran, command, guest_path, host};

/// Far less than the calls here would take.
const PROMPTLY: Duration = Duration::from_mins(1);

fn bench(more: &[&str]) -> Ran {
    let plugin = guest_path("misbehave");
    host([&["bench", "--plugin", &plugin], more].concat())
}

fn start(line: &[&str]) -> Child {
    command(line)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("host runs")
}

/// Starts to measure a call that waits for an answer of a server, and never gets one.
/// Returns when the server was asked.
fn start_endless(more: &[&str]) -> (Child, TcpStream) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", server.local_addr().unwrap());
    let plugin = guest_path("fetcher");
    let arguments = format!(r#"{{"url": "{url}"}}"#);
    let line = ["bench", "--plugin", &plugin, "--tool", "fetch"];
    let call = ["--args", &arguments, "--allow-private-host", &url];
    let child = start(&[&line[..], &call, more].concat());
    let (asked, _) = server.accept().unwrap();
    (child, asked)
}

fn press_ctrl_c(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
}

#[test]
fn ctrl_c_ends_the_call_that_runs_and_with_it_the_measurement() {
    let (child, _asked) = start_endless(&["--timeout", "10m"]);
    let pressed = Instant::now();
    press_ctrl_c(&child);
    let ran = Ran::from(child.wait_with_output().unwrap()).ends_with(130);
    assert!(pressed.elapsed() < PROMPTLY, "{ran:#?}");
    assert_eq!(
        ran.without_output(),
        "note: cancelling the call; Ctrl-C once more ends at once\nnote: interrupted\n"
    );
}

#[test]
fn a_second_ctrl_c_does_not_wait_for_the_call() {
    let config = tempfile::NamedTempFile::new().unwrap();
    fs::write(&config, "[limits]\ngrace = \"10m\"\nwall-clock = \"20m\"\n").unwrap();
    let config = config.path().display().to_string();
    let (mut child, _asked) = start_endless(&["--config", &config]);
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
    let pressed = Instant::now();
    press_ctrl_c(&child);
    let mut said = String::new();
    stderr.read_line(&mut said).unwrap();
    assert!(said.starts_with("note: cancelling the call"), "{said}");
    press_ctrl_c(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(pressed.elapsed() < PROMPTLY);
}

/// The call takes longer than a side's turn, so each counts for itself: one to look
/// how it ends, one to warm up, and then those that are told of.
#[test]
fn what_was_measured_until_ctrl_c_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    for json in [true, false] {
        let audit = folder.path().join(format!("audit-{json}.jsonl"));
        let (plugin, log) = (guest_path("misbehave"), audit.display().to_string());
        let line = ["bench", "--plugin", &plugin, "--tool", "sleep"];
        let call = ["--args", r#"{"ms": 250}"#, "--duration", "1h"];
        let more: &[&str] = if json { &["--json"] } else { &[] };
        let child = start(&[&line[..], &call, &["--audit", &log], more].concat());
        wait_for_calls(4, &audit);
        press_ctrl_c(&child);
        let ran = Ran::from(child.wait_with_output().unwrap()).ends_with(130);
        if json {
            let measured = ran.json();
            assert_eq!(measured["interrupted"], true, "{ran:#?}");
            assert!(
                measured["pipeline"]["calls"].as_u64() >= Some(1),
                "{ran:#?}"
            );
        } else {
            let first = "misbehave · sleep · one call at a time · interrupted\n";
            assert!(ran.stdout.starts_with(first), "{ran:#?}");
            assert!(ran.stdout.contains("\npipeline "), "{ran:#?}");
        }
        assert!(ran.stderr.ends_with("note: interrupted\n"), "{ran:#?}");
    }
}

fn wait_for_calls(count: usize, audit: &Path) {
    let started = Instant::now();
    let calls = || {
        fs::read_to_string(audit)
            .unwrap_or_default()
            .lines()
            .count()
    };
    while calls() < count {
        assert!(started.elapsed() < Duration::from_mins(2));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_measurement_to_its_end_says_that_nothing_cut_it_short() {
    let ran = bench(&["--tool", "ok", "--json", "--duration", "100ms"]).ends_with(0);
    let measured = ran.json();
    assert_eq!(measured["interrupted"], false, "{ran:#?}");
    assert!(measured["floor"]["calls"].as_u64() >= Some(1), "{ran:#?}");
}

#[test]
fn what_cannot_begin_is_told_to_programs_as_by_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.wasm");
    fs::write(&text, "no plugin").unwrap();
    let (text, good) = (text.display().to_string(), guest_path("misbehave"));
    for line in [
        ["--plugin", "no-such.wasm", "--args", "{}"],
        ["--plugin", &text, "--args", "{}"],
        ["--plugin", &good, "--args", "{}"],
        ["--plugin", &good, "--args", "@no-such.json"],
        ["--plugin", &good, "--context", "[]"],
        ["--plugin", &good, "--timeout", "0s"],
        ["--plugin", &good, "--config", "no-such.toml"],
    ] {
        let of = |command| host([&[command, "--json"], &line[..]].concat()).ends_with(2);
        let (run, bench) = (of("run"), of("bench"));
        assert_eq!(bench.json(), run.json(), "{line:?}");
        assert_eq!(bench.json()["isError"], true, "{line:?}");
        bench.quietly();
    }
}

#[test]
fn a_measurement_of_nothing_is_refused_with_the_least_that_is_something() {
    for (flag, values, least) in [
        ("--duration", ["0s", "99ms"], "`100ms` or more"),
        ("--concurrency", ["0", "-1"], "1..=1000"),
    ] {
        for value in values {
            let said = bench(&["--tool", "ok", flag, value]).ends_with(2);
            let said = said.without_output();
            let start = format!("error: invalid value '{value}' for '{flag} ");
            assert!(said.starts_with(&start) && said.contains(least), "{said}");
        }
    }
    let said = bench(&["--tool", "ok", "--duration", "-1s"]).ends_with(2);
    said.without_output();
}

/// Each of them is for a result, and there is none.
#[test]
fn flags_that_a_measurement_would_not_heed_are_unknown_to_it() {
    for flag in ["--watch", "--stream", "--out=x.png"] {
        let name = flag.split('=').next().unwrap();
        let said = bench(&["--tool", "ok", "--json", flag]).ends_with(2);
        let start = format!("error: unexpected argument '{name}' found\n");
        assert!(said.stderr.starts_with(&start), "{said:#?}");
        assert!(!host(["bench", "--help"]).stdout.contains(name));
    }
}
