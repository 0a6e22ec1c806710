//! What a plugin may reach: nothing, until a flag or the configuration says so.

use std::fs;

use serde_json::json;

use super::program::{copy_guest, host, host_in, run};

#[test]
fn a_variable_is_seen_when_it_is_granted() {
    assert_eq!(run("env", "env_vars", &[]).ends_with(0).json(), json!({}));
    let ran = run(
        "env",
        "env_vars",
        &["--env", "CITY=Wien", "--env", "EMPTY="],
    )
    .ends_with(0);
    assert_eq!(ran.json(), json!({ "CITY": "Wien", "EMPTY": "" }));
    run("env", "env_vars", &["--env", "CITY"])
        .ends_with(2)
        .without_output();
}

#[test]
fn a_directory_is_read_only_unless_it_is_granted_for_writing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("note.txt"), "hello").unwrap();
    let grant = |access: &str| format!("{}::/data{access}", dir.path().display());
    let read = r#"{"path": "/data/note.txt"}"#;
    let write = r#"{"path": "/data/new.txt", "text": "from the guest"}"#;

    let ran = run("env", "read_file", &["--args", read]).ends_with(0);
    assert!(ran.stdout.contains("error"), "{ran:#?}");
    let ran = run("env", "read_file", &["--args", read, "--dir", &grant("")]).ends_with(0);
    assert_eq!(ran.json(), json!({ "ok": "hello" }));
    let ran = run(
        "env",
        "write_file",
        &["--args", write, "--dir", &grant(":ro")],
    )
    .ends_with(0);
    assert!(ran.stdout.contains("error"), "{ran:#?}");
    run(
        "env",
        "write_file",
        &["--args", write, "--dir", &grant(":rw")],
    )
    .ends_with(0);
    assert_eq!(
        fs::read_to_string(dir.path().join("new.txt")).unwrap(),
        "from the guest"
    );
}

#[test]
fn messages_are_granted_by_the_flag_that_the_refusal_names() {
    let line = [
        "--context",
        r#"{"messages": [{"role": "user", "content": "hi"}]}"#,
    ];
    let ran = run("contract", "messages", &[line[0], line[1], "--verbose"]);
    assert!(ran.stderr.contains("--allow-messages"), "{ran:#?}");
    let ran = run(
        "contract",
        "messages",
        &[line[0], line[1], "--allow-messages"],
    )
    .ends_with(0);
    assert!(ran.stdout.contains("hi"), "{ran:#?}");
}

#[test]
fn a_configuration_names_plugins_and_flags_win_over_it() {
    let dir = tempfile::tempdir().unwrap();
    copy_guest("misbehave", &dir.path().join("bad.wasm"));
    copy_guest("env", &dir.path().join("env.wasm"));
    let config = r#"
        [limits]
        fuel = 1000000

        [plugins.bad]
        path = "bad.wasm"

        [plugins.env]
        path = "env.wasm"
        [plugins.env.grants]
        env = { CITY = "Wien" }
    "#;
    let file = dir.path().join("host.toml");
    fs::write(&file, config).unwrap();
    let file = file.display().to_string();
    let with = |plugin: &str, tool: &str, more: &[&str]| {
        let mut line = vec![
            "run", "--config", &file, "--plugin", plugin, "--tool", tool, "--json",
        ];
        line.extend(more);
        host(line)
    };
    // The paths are relative to the file, wherever one stands.
    assert_eq!(
        with("env", "env_vars", &[]).ends_with(0).json()["result"]["CITY"],
        "Wien"
    );
    let ran = with("bad", "spin", &[]).ends_with(4);
    assert_eq!(ran.json()["result"]["limit"]["allowed"], 1_000_000);
    let ran = with("bad", "spin", &["--fuel", "2M"]).ends_with(4);
    assert_eq!(ran.json()["result"]["limit"]["allowed"], 2_000_000);
    // What is granted to a plugin by its name is not granted to its file.
    let file_of_env = dir.path().join("env.wasm").display().to_string();
    assert_eq!(
        with(&file_of_env, "env_vars", &[]).ends_with(0).json()["result"],
        json!({})
    );
}

#[test]
fn a_configuration_that_is_wrong_is_told_where() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("host.toml"), "[limits]\nfule = 7\n").unwrap();
    let line = ["run", "--config", "host.toml", "--plugin", "x.wasm"];
    let said = host_in(dir.path(), line).ends_with(2).without_output();
    let expected = "\
error: cannot use the configuration
  caused by: host.toml:2:1: the key `fule` is not known: did you mean `fuel`?
";
    assert_eq!(said, expected);

    let line = ["run", "--config", "hots.toml", "--plugin", "x.wasm"];
    let said = host_in(dir.path(), line).ends_with(2).without_output();
    assert!(
        said.starts_with("error: cannot read the configuration `hots.toml`\n"),
        "{said}"
    );
}

/// Advice to grant writing where a path only leads elsewhere would open a directory
/// to a plugin and help nobody.
#[test]
fn a_refused_path_gets_advice_that_would_help() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/etc/hostname", dir.path().join("out")).unwrap();
    let grant = format!("{}::/data:ro", dir.path().display());
    let advice = |tool: &str, args: &str| {
        let ran = run("env", tool, &["-v", "--dir", &grant, "--args", args]).ends_with(0);
        let found = ran.stderr.lines().find(|line| line.contains("was refused"));
        found.unwrap_or_default().to_owned()
    };
    let said = advice("read_file", r#"{"path": "/data/out"}"#);
    assert!(
        said.ends_with("refused `/data/out` (dir); nothing can allow it"),
        "{said}"
    );
    let said = advice("read_file", r#"{"path": "/data/../x"}"#);
    assert!(said.contains("refused `/data/../x` (dir)"), "{said}");
    let said = advice("write_file", r#"{"path": "/data/new", "text": "x"}"#);
    assert!(said.ends_with("::/data:rw` would allow it"), "{said}");
}

#[test]
fn a_directory_that_is_not_there_is_answered_with_what_counts() {
    let ran = run("env", "preopens", &["--dir", "no-such-folder::/data"]).ends_with(2);
    let said = ran.without_output();
    assert!(
        said.contains("cannot open the granted directory `no-such-folder`")
            && said.contains("hint: ")
            && said.contains("counts from the current folder"),
        "{said}"
    );
}
