//! `host new`: from nothing to a tool that runs.

use std::fs;
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
    let said = cargo_build(project, target);
    assert!(
        !said.contains("warning") && !said.contains("error"),
        "{said}"
    );
}

fn cargo_build(project: &Path, target: &Path) -> String {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--release", "--target", "wasm32-wasip2"])
        .current_dir(project)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    String::from_utf8_lossy(&output.stderr).into_owned()
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

const RELAY: &str = r#"//! A tool that works by way of another.

use toolhost_sdk::serde_json::json;
use toolhost_sdk::{Context, ToolError, tool};

/// Asks another tool.
#[tool]
fn relay(ctx: &Context) -> Result<String, ToolError> {
    ctx.emit_event("relay.asks", &json!({ "n": 20 }))?;
    let output = ctx.call_tool("double", &json!({ "n": 20 }))?;
    Ok(output.structured.unwrap_or_default().to_string())
}

/// Doubles a number.
#[tool(programmatic)]
fn double(n: u32) -> u32 {
    n * 2
}
toolhost_sdk::plugin!(relay, double);
"#;

#[test]
fn a_project_says_what_it_wants_and_gets_no_more() {
    let dir = tempfile::tempdir().unwrap();
    host_in(dir.path(), ["new", "relay"]).ends_with(0);
    let project = dir.path().join("relay");
    fs::write(project.join("src/lib.rs"), RELAY).unwrap();
    let target = scratch_dir("new-project");
    build(&project, &target);
    let plugin = target
        .join("wasm32-wasip2/release/relay.wasm")
        .display()
        .to_string();
    let line = ["run", "--plugin", &plugin, "--tool", "relay"];
    let granted = [&line[..], &["--allow-tool", "double"]].concat();
    let refused = host(granted.clone()).ends_with(1);
    let expected = "manifest does not ask for it";
    assert!(refused.stderr.contains(expected), "{refused:#?}");

    // A line in the manifest is enough for cargo to build anew.
    let manifest = project.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let wants = "[package.metadata.toolhost.wants]\n";
    let want = "tools = [{ name = \"double\", why = \"doubles numbers\" }]\n";
    let wanting = text.replace(wants, &format!("{wants}{want}"));
    fs::write(&manifest, &wanting).unwrap();
    build(&project, &target);
    let shown = host(["inspect", &plugin]).ends_with(0).quietly();
    assert!(shown.contains("doubles numbers"), "{shown}");
    let ran = host(granted).ends_with(0);
    assert_eq!(ran.stdout, "40\n");
    assert!(ran.stderr.contains("relay.asks"), "{ran:#?}");
    let refused = host(line).ends_with(1);
    assert!(
        refused.stderr.contains("--allow-tool double"),
        "{refused:#?}"
    );

    fs::write(&manifest, wanting.replace("tools =", "tool =")).unwrap();
    let said = cargo_build(&project, &target);
    assert!(
        said.contains("line 12: `tool` is not known here; did you mean `tools`?"),
        "{said}"
    );
}
