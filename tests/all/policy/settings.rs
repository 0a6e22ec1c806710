//! Answers of `host policy explain` that depend on more than grants, and that the call
//! then agrees with.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::program::{Ran, command, copy_guest};

const CONFIG: &str = r#"
[permissions]
rules = [{ action = "deny", tool = "nap" }]

[secrets.token]
env = "EXPLAIN_TOKEN"
hosts = ["localhost"]
headers = ["x-key"]
principals = ["ada"]

[plugins.relay]
path = "relay.wasm"
grants = { tools = ["*"] }
[plugins.csv]
path = "fetcher.wasm"
grants = { secrets = ["token"], http = [{ allow = "https://localhost:1/", allow-private = true }] }
"#;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("host.toml"), CONFIG).unwrap();
    for guest in ["relay", "fetcher"] {
        copy_guest(guest, &dir.path().join(format!("{guest}.wasm")));
    }
    dir
}

fn host(dir: &Path, token: Option<&str>, line: &[&str]) -> Ran {
    let mut command = command(line);
    command.current_dir(dir).env_remove("EXPLAIN_TOKEN");
    if let Some(token) = token {
        command.env("EXPLAIN_TOKEN", token);
    }
    command.output().unwrap().into()
}

fn explain(dir: &Path, token: Option<&str>, question: &[&str]) -> Ran {
    host(dir, token, &[&["policy", "explain"], question].concat())
}

#[test]
fn what_is_said_of_tools_is_what_happens() {
    let dir = folder();
    let relay = ["--config", "host.toml", "--plugin", "relay"];
    for (tool, code, why) in [
        ("wider", 0, ""),
        ("nap", 3, "rule 1 (deny `nap`) under `[permissions]`"),
        ("for_models", 3, "does not let programs call it"),
        ("asked", 3, "cannot wait"),
        ("fetch", 3, "does not let programs call it"),
        ("weather", 3, "no plugin that is named has a tool `weather`"),
    ] {
        let question = [&relay[..], &["--tool", tool]].concat();
        let said = explain(dir.path(), None, &question).ends_with(code);
        assert!(said.stdout.contains(why), "{tool}: {said:#?}");

        let given = if tool == "nap" {
            json!({ "ms": 1 })
        } else {
            json!({})
        };
        let arguments = json!({ "tool": tool, "arguments": given }).to_string();
        let call = [
            &["run", "--tool", "relay", "--args", &arguments],
            &relay[..],
        ]
        .concat();
        let called = host(dir.path(), None, &call);
        let answer: Value = serde_json::from_str(&called.stdout).unwrap_or_default();
        let kind = answer[0]["kind"].as_str().unwrap_or_default();
        let refused = ["denied", "not-found"].contains(&kind);
        assert_eq!(refused, code == 3, "{tool}: {called:#?}");
    }
}

#[test]
fn a_secret_is_answered_for_a_principal_with_its_terms_and_its_value_has_to_be_there() {
    let dir = folder();
    let question = [
        "--config",
        "host.toml",
        "--plugin",
        "csv",
        "--secret",
        "token",
    ];
    let said = explain(dir.path(), Some("correct-horse"), &question).ends_with(3);
    assert!(said.stdout.contains("`--principal ID`"), "{said:#?}");
    let question = [&question[..], &["--principal", "ada"]].concat();
    let said = explain(dir.path(), Some("correct-horse"), &question).ends_with(0);
    assert!(
        said.stdout.contains("in the header `x-key` only"),
        "{said:#?}"
    );
    assert!(!said.stdout.contains("horse"), "{said:#?}");

    let said = explain(dir.path(), None, &question).ends_with(3);
    assert!(said.stdout.contains("`EXPLAIN_TOKEN`"), "{said:#?}");
    // Whatever else is asked: no call starts.
    let question = &[
        "--config",
        "host.toml",
        "--plugin",
        "csv",
        "--url",
        "https://localhost:1/",
    ];
    let said = explain(dir.path(), None, question).ends_with(0);
    assert!(said.stdout.contains("but no call starts: "), "{said:#?}");
    let call = [
        "run",
        "--config",
        "host.toml",
        "--plugin",
        "csv",
        "--tool",
        "fetch",
    ];
    host(dir.path(), None, &call).ends_with(2);
}

#[test]
fn flags_of_a_call_mean_the_same_here() {
    let dir = folder();
    let said = explain(
        dir.path(),
        Some("correct-horse"),
        &[
            "--plugin",
            "fetcher.wasm",
            "--secret",
            "mine=env:EXPLAIN_TOKEN@localhost",
            "--secret",
            "mine",
            "--allow-private-host",
            "https://localhost:1/",
            "--url",
            "https://localhost:1/",
        ],
    );
    let said = said.ends_with(0).quietly();
    assert!(
        said.starts_with("allowed: the secret mine in GET "),
        "{said}"
    );
}

#[test]
fn this_machine_is_no_public_host() {
    let dir = folder();
    for url in [
        "http://localhost:7/",
        "http://a.localhost:7/",
        "http://127.0.0.1:7/",
    ] {
        let question = ["--plugin", "fetcher.wasm", "--url", url];
        let more = [&question[..], &["--allow-host", url, "--json"]].concat();
        let denied = explain(dir.path(), None, &more).ends_with(3).json();
        let flag = denied["allowWith"]["flag"].as_str().unwrap();
        let (flag, grant) = flag.split_once(' ').unwrap();
        assert_eq!(flag, "--allow-private-host", "{url}");
        assert_eq!(
            denied["allowWith"]["section"], "[grants]",
            "no section is for a file"
        );
        let more = [&question[..], &[flag, grant.trim_matches('"')]].concat();
        explain(dir.path(), None, &more).ends_with(0);
    }
}
