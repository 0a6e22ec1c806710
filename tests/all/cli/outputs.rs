//! Bytes to files, and pipes that close.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use super::program::{Ran, command, copy_guest, host_in, run_line};

fn content_in(dir: &std::path::Path, more: &[&str]) -> Ran {
    host_in(dir, run_line("contract", "content", more))
}

#[test]
fn bytes_are_written_when_a_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let ran = content_in(dir.path(), &[]).ends_with(0);
    assert_eq!(ran.stdout, "some text\n");
    assert!(ran.stderr.contains("`--out FILE` writes it"), "{ran:#?}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);

    let ran = content_in(dir.path(), &["--out", "picture.png"]).ends_with(0);
    assert_eq!(ran.stdout, "some text\n");
    assert!(
        ran.stderr
            .contains("note: wrote `picture.png`: image/png ("),
        "{ran:#?}"
    );
    assert!(
        fs::read(dir.path().join("picture.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    let table = fs::read_to_string(dir.path().join("picture-2.csv")).unwrap();
    assert_eq!(table, "a,b\n1,2\n");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_tool_runs() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    let said = content_in(dir.path(), &["--out", "folder"])
        .ends_with(2)
        .without_output();
    assert!(
        said.starts_with("error: `folder` is there and is not a regular file\n"),
        "{said}"
    );
    let said = content_in(dir.path(), &["--out", "no/where.png"])
        .ends_with(2)
        .without_output();
    assert!(
        said.ends_with("\nhint: there is no folder `no`\n"),
        "{said}"
    );
}

#[test]
fn a_result_without_bytes_leaves_the_file_alone() {
    let dir = tempfile::tempdir().unwrap();
    let line = run_line("contract", "stdio", &["--out", "nothing.bin"]);
    let ran = host_in(dir.path(), line).ends_with(0);
    assert_eq!(ran.stdout, "the result\n");
    let expected = "warning: the result has no bytes, so `nothing.bin` is not written\n";
    assert_eq!(ran.stderr, expected);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_pipe_that_closes_is_no_error() {
    let lines = [
        vec!["completions".to_owned(), "bash".to_owned()],
        vec!["--help".to_owned()],
        run_line("misbehave", "ok", &[]),
        run_line(
            "contract",
            "partials",
            &["--args", r#"{"n": 100000}"#, "--json", "--stream"],
        ),
    ];
    for line in lines {
        let mut child = command(&line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("host runs");
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), said.as_str()),
            (Some(0), ""),
            "{line:?}"
        );
    }
}

/// With `--out plugin.wasm` the tool would work once and never again.
#[test]
fn what_the_call_is_made_of_is_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = copy_guest("contract", &dir.path().join("mine.wasm"));
    fs::write(dir.path().join("a.json"), "{}").unwrap();
    fs::write(dir.path().join("host.toml"), "").unwrap();
    let before = fs::read(&plugin).unwrap();
    for (out, what) in [
        ("mine.wasm", "the plugin"),
        ("./a.json", "the file of `--args`"),
        ("host.toml", "the configuration"),
    ] {
        let line = [
            "run",
            "--plugin",
            "mine.wasm",
            "--tool",
            "content",
            "--args",
            "@a.json",
            "--config",
            "host.toml",
            "--out",
            out,
        ];
        let said = host_in(dir.path(), line).ends_with(2).without_output();
        let error = format!("error: `--out {out}` would overwrite {what}\n");
        assert!(said.starts_with(&error), "{said}");
    }
    assert_eq!(fs::read(&plugin).unwrap(), before);
}

#[test]
fn the_file_of_the_right_ending_gets_the_name() {
    let dir = tempfile::tempdir().unwrap();
    content_in(dir.path(), &["--out", "table.csv"]).ends_with(0);
    let table = fs::read_to_string(dir.path().join("table.csv")).unwrap();
    assert_eq!(table, "a,b\n1,2\n");
    let picture = fs::read(dir.path().join("table-2.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
}
