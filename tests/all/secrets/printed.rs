//! The same through the program: what is printed, said and written down.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::told::assert_clean;
use super::{TOKEN, secret_file};
use crate::cli::program::{Ran, command, guest_path, host_in};

/// A folder with a configuration in which `keeper` is handed the secret.
fn configured() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    secret_file(folder.path(), TOKEN);
    let config = format!(
        "[plugins.keeper]\npath = {:?}\ngrants = {{ secrets = ['token'] }}\n\
         [secrets.token]\nfile = 'token'\nhosts = []\nreveal = true\n\
         [audit]\nfile = 'audit.jsonl'\narguments = 'full'\n",
        guest_path("keeper")
    );
    fs::write(folder.path().join("host.toml"), config).unwrap();
    folder
}

fn tell(folder: &Path, place: &str, more: &[&str]) -> Ran {
    let arguments = json!({ "name": "token", "place": place }).to_string();
    let mut line = vec!["run", "--config", "host.toml", "--plugin", "keeper"];
    line.extend(["--tool", "tell", "--args", &arguments]);
    line.extend(more);
    host_in(folder, line)
}

#[test]
fn nothing_that_is_printed_or_said_holds_a_secret() {
    let folder = configured();
    for (place, code) in [
        ("text", 0),
        ("structured", 0),
        ("last-partial", 0),
        ("stdout", 0),
        ("stderr", 0),
        ("error-message", 1),
        ("panic", 5),
        ("assert", 5),
        ("question", 7),
    ] {
        for more in [&["--verbose"][..], &["--json"], &["--json", "--stream"]] {
            let ran = tell(folder.path(), place, more).ends_with(code);
            assert_clean(&ran.stdout, place);
            assert_clean(&ran.stderr, place);
            let said = ran.stdout + &ran.stderr;
            assert!(said.contains("[REDACTED]"), "{place} {more:?}: {said}");
        }
    }
}

#[test]
fn a_file_that_is_saved_holds_no_secret() {
    let folder = configured();
    tell(folder.path(), "bytes", &["--out", "saved"]).ends_with(0);
    let saved = fs::read_to_string(folder.path().join("saved")).unwrap();
    assert_eq!(saved, "[REDACTED]");
}

#[test]
fn the_audit_log_holds_no_secret_even_when_the_model_knew_it() {
    let folder = configured();
    let arguments = json!({ "name": TOKEN }).to_string();
    let line = [
        "run",
        "--config",
        "host.toml",
        "--plugin",
        "keeper",
        "--tool",
        "ask",
    ];
    host_in(
        folder.path(),
        line.into_iter().chain(["--args", &arguments]),
    )
    .ends_with(0);
    let log = fs::read_to_string(folder.path().join("audit.jsonl")).unwrap();
    assert!(log.contains("[REDACTED]"), "{log}");
    assert_clean(&log, "the audit log");
}

#[test]
fn a_secret_is_named_by_a_flag_and_a_missing_one_is_told_with_it() {
    let run = |flag: &str, value: Option<&str>| {
        let plugin = guest_path("keeper");
        let line = ["run", "--plugin", &plugin, "--tool", "ask", "--json"];
        let arguments = ["--args", r#"{"name": "token"}"#, "--secret", flag];
        let mut command = command(line.into_iter().chain(arguments));
        command.env_remove("KEEPER_TOKEN");
        if let Some(value) = value {
            command.env("KEEPER_TOKEN", value);
        }
        Ran::from(command.output().unwrap())
    };
    let flag = "token=env:KEEPER_TOKEN@api.example";
    // Granted, but a flag reveals nothing.
    let ran = run(flag, Some(TOKEN)).ends_with(0);
    assert_eq!(
        ran.json()["report"]["denials"][0]["allowWith"],
        "reveal = true in [secrets.token]"
    );
    for (flag, value, code, told) in [
        (
            flag,
            None,
            2,
            "the environment variable `KEEPER_TOKEN` cannot be used: it is not set",
        ),
        (flag, Some("short"), 2, "its value has 5 bytes"),
        ("token", None, 2, "there is no secret `token`"),
        ("token=hunter2-hunter2", None, 2, "names no host"),
        ("token=env:KEEPER_TOKEN@*", None, 2, "name the hosts"),
    ] {
        let ran = run(flag, value).ends_with(code);
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains(told), "{flag}: {said}");
        let said = said.replace("token=hunter2-hunter2", "");
        assert!(!said.contains("hunter2"), "{said}");
    }
}
