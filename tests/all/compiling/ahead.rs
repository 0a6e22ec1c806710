//! `host compile`: ahead of time, into the cache that `host run` looks into.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use toolhost_tests::{guest, host_program};

use super::SMALL;

fn compile(cache: &Path, more: &[&str]) -> Output {
    Command::new(host_program())
        .args(["compile", "--cache-dir"])
        .arg(cache)
        .args(more)
        .output()
        .unwrap()
}

#[test]
fn a_plugin_is_compiled_once_and_found_by_the_first_call() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let (one, two) = (guest(SMALL), guest("multi-memory"));
    let (one, two) = (one.display().to_string(), two.display().to_string());
    let output = compile(&cache, &[&one, &two]);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 2, "{printed}");
    for file in [&one, &two] {
        let line = printed.lines().find(|line| line.starts_with(file.as_str()));
        assert!(line.unwrap().contains(": compiled in "), "{printed}");
    }
    let again = compile(&cache, &[&one]);
    let printed = String::from_utf8(again.stdout).unwrap();
    assert!(
        printed.contains(": was compiled already, 1 tool, sha256:"),
        "{printed}"
    );

    let inspect = Command::new(host_program())
        .args(["inspect", "--json", "--cache-dir"])
        .arg(&cache)
        .arg(&two)
        .output()
        .unwrap();
    let page: Value = serde_json::from_slice(&inspect.stdout).unwrap();
    assert_eq!(page["cached"], true, "{page:#}");
}

#[test]
fn one_bad_plugin_keeps_no_other_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let (bad, good) = (guest("other-import"), guest(SMALL));
    let (bad, good) = (bad.display().to_string(), good.display().to_string());
    let output = compile(&cache, &[&bad, &good]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let (printed, said) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(printed.starts_with(&good), "{printed}");
    assert!(
        said.starts_with("error: cannot load the plugin `"),
        "{said}"
    );
}

/// Whoever builds an image would find out at the first call otherwise.
#[test]
fn a_plugin_that_cannot_be_kept_was_compiled_for_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let (bad, good) = (guest(SMALL), guest("multi-memory"));
    let (bad, good) = (bad.display().to_string(), good.display().to_string());
    assert!(compile(&cache, &[&bad]).status.success());
    // A folder stands where the code would be, for root too.
    let mut files = fs::read_dir(&cache)
        .unwrap()
        .map(|file| file.unwrap().path());
    let code = files.find(|path| path.extension().is_some_and(|end| end == "cwasm"));
    let code = code.expect("an entry");
    fs::remove_file(&code).unwrap();
    fs::create_dir(&code).unwrap();

    let output = compile(&cache, &[&bad, &good]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with(&good), "{printed}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains(&format!(
            "error: `{bad}` was compiled and cannot be kept in `"
        )),
        "{said}"
    );
    assert!(said.contains("\nhint: make room there "), "{said}");

    let output = compile(&cache, &["--json", &bad]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&told["isError"], &told["file"]),
        (&json!(true), &json!(bad))
    );

    fs::remove_dir(&code).unwrap();
    assert!(compile(&cache, &[&bad]).status.success());
    assert!(code.is_file());
}

#[test]
fn a_program_reads_why_nothing_is_compiled() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let output = compile(&file, &["--json", &guest(SMALL).display().to_string()]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        told["error"]["hints"].to_string().contains("--cache-dir"),
        "{told}"
    );
}

/// The fast compiler is for one plugin that its operator named, and a host that
/// has none says so.
#[test]
fn a_plugin_that_is_compiled_fast_is_marked() {
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("host.toml");
    let text = format!(
        "[cache]\ndir = 'cache'\n[plugins.mine]\npath = '{}'\nfast-compile = true\n",
        guest(SMALL).display()
    );
    fs::write(&config, text).unwrap();
    let inspect = |what: &str| {
        let inspect = Command::new(host_program())
            .args(["inspect", "--json", what, "--config"])
            .arg(&config)
            .output()
            .unwrap();
        assert!(inspect.status.success(), "{inspect:?}");
        serde_json::from_slice::<Value>(&inspect.stdout).unwrap()
    };
    let named = inspect("mine");
    let warned = named["warnings"].to_string().contains("`fast-compile`");
    assert_ne!(named["fastCompiled"].as_bool(), Some(warned), "{named:#}");
    let line = [
        "run",
        "--json",
        "--plugin",
        "mine",
        "--args",
        r#"{"n": 1}"#,
        "--config",
    ];
    let run = Command::new(host_program())
        .args(line)
        .arg(&config)
        .output();
    let result: Value = serde_json::from_slice(&run.unwrap().stdout).unwrap();
    let reported = result["report"]["fastCompiled"] == true;
    assert_eq!(
        named["fastCompiled"].as_bool(),
        Some(reported),
        "{result:#}"
    );

    let by_file = inspect(&guest(SMALL).display().to_string());
    assert_eq!(by_file["fastCompiled"], false);
    assert_eq!(by_file["warnings"], json!([]));
}
