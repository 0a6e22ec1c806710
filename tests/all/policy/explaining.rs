//! `host policy explain`: an operator asks, gets the line that decides, and what it
//! says is what happens.

use std::fs;

use serde_json::json;

use super::wanting;
use crate::cli::program::{Ran, command, copy_guest, host_in};

const CONFIG: &str = r#"
[grants]
env = { CITY = "Wien" }

[secrets.github-token]
env = "GITHUB_TOKEN"
hosts = ["api.github.com"]

[plugins.github]
path = "github.wasm"
[plugins.github.grants]
http = ["GET,POST https://api.github.com/repos/", "https://other.example"]
secrets = ["github-token"]
allow-messages = true
"#;

/// A folder with a configuration and a plugin that has a manifest.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("host.toml"), CONFIG).unwrap();
    let wants = r#"{
        "http": [{"allow": "* https://api.github.com/", "why": "reads and comments"}],
        "secrets": [{"name": "github-token", "why": "acts for you"}],
        "storage": {"why": "remembers what it has read"}
    }"#;
    wanting("env", wants, &dir.path().join("github.wasm"));
    dir
}

fn explain(dir: &tempfile::TempDir, question: &[&str]) -> Ran {
    let mut line = vec![
        "policy",
        "explain",
        "--config",
        "host.toml",
        "--plugin",
        "github",
    ];
    line.extend(question);
    let mut command = command(line);
    command.env("GITHUB_TOKEN", "correct-horse");
    command.current_dir(dir.path()).output().unwrap().into()
}

#[test]
fn one_screen_says_what_a_plugin_may_do() {
    let dir = folder();
    let shown = explain(&dir, &[]).ends_with(0).quietly();
    let (_, shown) = shown.split_once("\n\n").unwrap();
    assert_eq!(
        shown,
        "\
allowed
  http = \"GET,POST https://api.github.com/repos\"  host.toml:12
  secrets = \"github-token\"                        host.toml:13

granted in vain: the manifest does not want it
  http = \"https://other.example/\"  host.toml:12
  env.CITY                         host.toml:3
  allow-messages = true            host.toml:14

wanted, and not or not wholly granted
  http * https://api.github.com/  reads and comments
    add --allow-host \"* https://api.github.com/\"
  storage                         remembers what it has read
    add --storage SCOPE
"
    );
    let object = explain(&dir, &["--json"]).ends_with(0).json();
    assert_eq!(
        object["allowed"][1],
        json!({"capability": "secrets", "grant": "github-token", "file": "host.toml", "line": 13})
    );
    assert_eq!(object["manifest"]["name"], "env");
}

#[test]
fn the_line_that_allows_is_named() {
    let dir = folder();
    let url = "https://api.github.com/repos/a/issues";
    let said = explain(&dir, &["--url", url]).ends_with(0).quietly();
    assert_eq!(
        said,
        "\
allowed: GET https://api.github.com/repos/a/issues
  host.toml:12: http = \"GET,POST https://api.github.com/repos\"
  manifest of `github`: wants http \"* https://api.github.com/\" (reads and comments)
  each address of the host is checked when the request is sent
"
    );
    explain(&dir, &["--secret", "github-token", "--url", url]).ends_with(0);
    let flags = ["--storage", "session", "--json", "--secret", "github-token"];
    let object = explain(&dir, &flags).ends_with(0).json();
    assert_eq!(object["decidedBy"]["line"], 13, "{object:#}");
}

#[test]
fn a_denial_names_the_flag_and_with_the_flag_it_is_allowed() {
    let dir = folder();
    let url = ["--url", "https://api.github.com/user", "--method", "PATCH"];
    let ran = explain(&dir, &[url[0], url[1], url[2], url[3], "--json"]).ends_with(3);
    let object = ran.json();
    assert_eq!(object["allowed"], false);
    assert_eq!(object["decidedBy"]["by"], "nothing");
    let flag = object["allowWith"]["flag"].as_str().unwrap();
    let (flag, grant) = flag.split_once(' ').unwrap();
    let more = [
        url[0],
        url[1],
        url[2],
        url[3],
        flag,
        grant.trim_matches('"'),
    ];
    let said = explain(&dir, &more).ends_with(0).quietly();
    assert!(
        said.contains(&format!("\n  flag {flag} {grant}\n")),
        "{said}"
    );

    // The line is as good as the flag.
    let line = object["allowWith"]["line"].as_str().unwrap();
    let config = CONFIG.replace(
        "http = [\"GET,POST https://api.github.com/repos/\", \"https://other.example\"]",
        line,
    );
    fs::write(dir.path().join("host.toml"), config).unwrap();
    let said = explain(&dir, &url).ends_with(0).quietly();
    assert!(said.contains("\n  host.toml:12: http = "), "{said}");
}

#[test]
fn what_the_manifest_does_not_want_is_denied_whatever_is_granted() {
    let dir = folder();
    let said = explain(&dir, &["--messages"]).ends_with(3).quietly();
    assert_eq!(
        said,
        "\
denied: the messages of the context
  manifest of `github`: does not want it
  host.toml:14: allow-messages = true would grant it
  only the plugin's author can have it ask for more
"
    );
    let said = explain(&dir, &["--tool", "csv_query"])
        .ends_with(3)
        .quietly();
    assert!(said.contains("so no grant would allow it"), "{said}");
}

#[test]
fn a_secret_goes_to_its_host_and_in_a_request_that_is_allowed() {
    let dir = folder();
    for (url, code, said) in [
        (
            "https://api.github.com/repos/x",
            0,
            "secrets = \"github-token\"",
        ),
        ("https://api.github.com/user", 3, "no grant"),
        ("https://other.example/", 3, "does not want it"),
        ("http://api.github.com/repos/x", 3, "nothing grants it"),
    ] {
        let ran = explain(&dir, &["--secret", "github-token", "--url", url]);
        let shown = ran.ends_with(code).quietly();
        assert!(
            shown.contains(said) || url.ends_with("/user") && shown.contains("do not allow"),
            "{url}: {shown}"
        );
    }
    let said = explain(&dir, &["--secret", "gitlab-token"])
        .ends_with(3)
        .quietly();
    assert!(said.contains("there is no secret `gitlab-token`"), "{said}");
}

/// The same flags for the question and for the call: what is said is what happens.
#[test]
fn what_is_said_of_files_is_what_happens() {
    let dir = tempfile::tempdir().unwrap();
    copy_guest("env", &dir.path().join("env.wasm"));
    for folder in ["in", "out"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
        fs::write(dir.path().join(folder).join("a.txt"), "a").unwrap();
    }
    let grants = ["--dir", "in::/data", "--dir", "out::/data/out:rw"];
    for (path, write) in [
        ("/data/a.txt", false),
        ("/data/a.txt", true),
        ("/data/out/a.txt", false),
        ("/data/out/a.txt", true),
        ("/database/a.txt", false),
        ("/data/../a.txt", false),
    ] {
        let mut question = vec!["policy", "explain", "--plugin", "env.wasm", "--path", path];
        question.extend(write.then_some("--write"));
        question.extend(grants);
        let said = host_in(dir.path(), question);

        let arguments = json!({ "path": path, "text": "b" }).to_string();
        let reading = json!({ "path": path }).to_string();
        let (tool, arguments) = if write {
            ("write_file", &arguments)
        } else {
            ("read_file", &reading)
        };
        let mut call = vec![
            "run", "--plugin", "env.wasm", "--tool", tool, "--args", arguments,
        ];
        call.extend(grants);
        let happened = host_in(dir.path(), call).ends_with(0).json();
        let worked = happened.get("error").is_none();
        assert_eq!(
            said.code == Some(0),
            worked,
            "{path} {write}: {said:#?} {happened}"
        );
    }
}

#[test]
fn one_thing_is_asked_at_a_time() {
    let dir = folder();
    let said = explain(&dir, &["--messages", "--storage"])
        .ends_with(2)
        .without_output();
    assert!(
        said.starts_with("error: two things are asked at once\n"),
        "{said}"
    );
    let said = explain(&dir, &["--method", "GET"])
        .ends_with(2)
        .without_output();
    assert!(said.contains("--url <URL>"), "{said}");
    assert!(
        said.contains("hint: `host policy explain --help`"),
        "{said}"
    );
}
