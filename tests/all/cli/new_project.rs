//! `host new`: from nothing to a tool that runs.

use std::path::Path;
use std::process::Command;

use toolhost_tests::scratch_dir;

use super::program::{host, host_in};

#[test]
fn a_new_project_builds_and_runs_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let said = host_in(dir.path(), ["new", "hello"])
        .ends_with(0)
        .without_output();
    assert!(
        said.starts_with("note: wrote the plugin `hello` to `hello`\n"),
        "{said}"
    );
    assert!(
        said.contains("  cargo build --release --target wasm32-wasip2\n"),
        "{said}"
    );

    // Dependencies are built once for all runs of this test.
    let target = scratch_dir("new-project");
    build(&dir.path().join("hello"), &target);
    let plugin = target
        .join("wasm32-wasip2/release/hello.wasm")
        .display()
        .to_string();
    let ran = host(["run", "--plugin", &plugin, "--args", r#"{"name": "Ada"}"#]);
    assert_eq!(ran.ends_with(0).quietly(), "Hello, Ada!\n");
    let shown = host(["inspect", &plugin]).ends_with(0).quietly();
    assert!(
        shown.contains("\n  name  string, required  Who to greet.\n"),
        "{shown}"
    );
}

fn build(project: &Path, target: &Path) {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--target", "wasm32-wasip2"])
        .current_dir(project)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_name_that_does_not_fit_is_answered_with_one_that_does() {
    let dir = tempfile::tempdir().unwrap();
    let said = host_in(dir.path(), ["new", "my tool"])
        .ends_with(2)
        .without_output();
    assert!(said.contains("how about `my-tool`?"), "{said}");
    host_in(dir.path(), ["new", "my-tool"]).ends_with(0);
    assert!(dir.path().join("my-tool/vendor/wit/world.wit").is_file());

    let said = host_in(dir.path(), ["new", "my-tool"])
        .ends_with(2)
        .without_output();
    let expected = "\
error: `my-tool` is there already

hint: choose another name, or another folder with `--dir`
";
    assert_eq!(said, expected);
    host_in(dir.path(), ["new", "my-tool", "--dir", "elsewhere/mine"]).ends_with(0);
    assert!(dir.path().join("elsewhere/mine/Cargo.toml").is_file());
}
