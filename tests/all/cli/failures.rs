//! Calls that fail: each kind with its exit code, and what helps.

use std::time::{Duration, Instant};

use super::program::{host, run};

#[test]
fn a_tool_that_fails_is_quoted() {
    let args = r#"{"message": "no such city", "code": "E42", "details": {"city": "Wein"}, "retryable": true}"#;
    let said = run("contract", "fail", &["--args", args])
        .ends_with(1)
        .without_output();
    let expected = "\
error: TestError: no such city
  code: E42
  details: {\"city\":\"Wein\"}

hint: the same call may work later
";
    assert_eq!(said, expected);
}

#[test]
fn a_tool_cannot_draw_on_the_terminal() {
    let args = r#"{"message": "\u001b[2J\nhint: run this\u202e"}"#;
    let said = run("contract", "fail", &["--args", args])
        .ends_with(1)
        .without_output();
    assert_eq!(
        said,
        "error: TestError: \\u001b[2J\n  hint: run this\\u202e\n"
    );
}

#[test]
fn wrong_arguments_are_told_all_at_once() {
    let args = r#"{"number": "many", "flag": 7}"#;
    let said = run("misbehave", "ok", &["--args", args])
        .ends_with(6)
        .without_output();
    assert!(
        said.starts_with(
            "error: ToolArgumentsValidationError: the arguments of `ok` are not valid\n"
        ),
        "{said}"
    );
    assert!(
        said.contains("\n  /number: ") && said.contains("\n  /flag: "),
        "{said}"
    );
    assert!(
        said.ends_with("hint: `host inspect FILE` shows what the tool takes\n"),
        "{said}"
    );

    let said = run("misbehave", "ok", &["--args", "{oops"])
        .ends_with(6)
        .without_output();
    assert!(said.contains("line 1, column 2"), "{said}");
}

#[test]
fn an_endless_loop_ends_at_its_deadline() {
    // The plugin is compiled by now, whichever test comes first.
    run("misbehave", "ok", &[]).ends_with(0);
    let started = Instant::now();
    let said = run("misbehave", "spin", &["--timeout", "200ms"])
        .ends_with(4)
        .without_output();
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
    assert!(said.starts_with("error: DeadlineExceededError: "), "{said}");
    assert!(
        said.ends_with("\nhint: `--timeout TIME` raises the limit\n"),
        "{said}"
    );
}

#[test]
fn fuel_and_memory_have_their_own_limits() {
    let ran = run("misbehave", "spin", &["--fuel", "1M", "--json"]).ends_with(4);
    assert_eq!(ran.json()["isError"], true);
    assert_eq!(ran.json()["result"]["error"], "FuelExhaustedError");
    assert_eq!(ran.json()["result"]["limit"]["allowed"], 1_000_000);
    ran.quietly();

    let said = run("misbehave", "alloc", &["--memory", "16MiB"])
        .ends_with(4)
        .without_output();
    assert!(said.starts_with("error: MemoryLimitError: "), "{said}");
    assert!(
        said.ends_with("\nhint: `--memory SIZE` raises the limit\n"),
        "{said}"
    );
}

#[test]
fn a_panic_is_told_in_its_own_words() {
    let args = r#"{"message": "the tool gave up"}"#;
    let said = run("misbehave", "panic", &["--args", args])
        .ends_with(5)
        .without_output();
    assert!(
        said.starts_with("error: GuestTrapError: the plugin panicked at "),
        "{said}"
    );
    assert!(said.contains("the tool gave up"), "{said}");
}

#[test]
fn a_denied_call_says_why() {
    let args = r#"{"decision": "deny"}"#;
    let said = run("contract", "guarded", &["--args", args])
        .ends_with(3)
        .without_output();
    assert!(said.starts_with("error: ToolDeniedError: "), "{said}");
    assert!(said.contains("not on a Sunday"), "{said}");
}

#[test]
fn a_typing_error_is_answered_with_what_was_meant() {
    let said = host(["run", "--plugin", "x.wasm", "--tol", "a"])
        .ends_with(2)
        .without_output();
    let expected = "\
error: unexpected argument '--tol' found

hint: did you mean `--tool`?
hint: `host run --help` tells how it is used
";
    assert_eq!(said, expected);
    let said = host(["inspec", "x.wasm"]).ends_with(2).without_output();
    assert!(said.contains("hint: did you mean `inspect`?\n"), "{said}");
    for (flag, value) in [
        ("--memory", "64MiBs"),
        ("--timeout", "200"),
        ("--fuel", "lots"),
    ] {
        let ran = host(["run", "--plugin", "x.wasm", flag, value]).ends_with(2);
        let said = ran.without_output();
        assert!(
            said.starts_with(&format!("error: invalid value '{value}' for '{flag} ")),
            "{said}"
        );
    }
    let said = host(["run", "--plugin", "x.wasm", "--timeout", "0s"]).ends_with(2);
    said.without_output();
}

/// Opening a pipe waits for whoever holds its other end, and `/dev/zero` has none.
#[test]
fn what_never_ends_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe").display().to_string();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for place in [pipe.as_str(), "/dev/zero"] {
        for flag in ["--config", "--ca-file", "--storage-file"] {
            let line = ["--storage", "plugin", flag, place];
            let said = run("store", "get", &line).ends_with(2).without_output();
            assert!(
                said.contains("not a regular file"),
                "{flag} {place}: {said}"
            );
        }
    }
    let said = run("store", "get", &["--audit", &pipe]).ends_with(2);
    assert!(said.stderr.contains("it is a pipe"), "{said:#?}");
    let large = dir.path().join("large.pem").display().to_string();
    std::fs::File::create(&large)
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    let said = run("store", "get", &["--ca-file", &large]).ends_with(2);
    assert!(said.stderr.contains("more than 8 MiB"), "{said:#?}");
}
