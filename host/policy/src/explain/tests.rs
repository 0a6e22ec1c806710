//! What an operator asks, and the line that answers.

use std::path::Path;

mod setting;

use super::*;
use crate::Config;

const CONFIG: &str = r#"
[grants]
env = { TZ = "UTC" }
[secrets.token]
env = "TOKEN"
hosts = ["api.example.com"]
[secrets.bound]
env = "BOUND"
hosts = ["api.example.com"]
plugins = ["other"]
[plugins.github]
path = "github.wasm"
[plugins.github.grants]
http = ["GET,POST https://api.example.com/v1/", "https://b.example"]
dirs = ["data::/data"]
tools = ["csv_*"]
secrets = ["token"]
allow-messages = true
[plugins.other]
path = "other.wasm"
"#;

const MANIFEST: &str = r#"{"name": "github", "version": "1", "wants": {
    "http": [{"allow": "GET,DELETE https://api.example.com/", "why": "reads issues"}],
    "dirs": [{"guest": "/data", "access": "rw", "why": "keeps files"}],
    "secrets": [{"name": "token", "why": "acts for you"}],
    "tools": [{"name": "csv_read", "why": "reads tables"}],
    "storage": {"why": "remembers"}
}}"#;

/// The answer as one reads it: allowed or denied, who decides, notes, what would help.
fn ask(manifest: Option<&str>, question: &Question<'_>) -> (bool, Vec<String>) {
    let config = Config::parse(CONFIG, Path::new("host.toml")).unwrap();
    ask_of(&config, manifest, Setting::default(), question)
}

fn ask_of(
    config: &Config,
    manifest: Option<&str>,
    setting: Setting<'_>,
    question: &Question<'_>,
) -> (bool, Vec<String>) {
    let granted = config.grants.clone();
    let granted = granted
        .merge(config.plugins["github"].grants.clone())
        .unwrap();
    let manifest = manifest.map(|text| Manifest::parse(text.as_bytes()).unwrap());
    let policy = Policy {
        plugin: "github",
        manifest: manifest.as_ref(),
        granted: &granted,
        effective: &effective(manifest.as_ref(), &granted),
        secrets: &config.secrets,
        setting,
    };
    let answer = policy.explain(question);
    let mut lines = vec![answer.decider.to_string()];
    lines.extend(answer.notes);
    lines.extend(
        answer
            .allow_with
            .map(|with| format!("add {}, or {} under {}", with.flag, with.line, with.section)),
    );
    (answer.allowed, lines)
}

fn request<'a>(method: &'a str, url: &'a str) -> Question<'a> {
    Question::Request { method, url }
}

#[test]
fn what_is_allowed_names_the_line_and_the_want() {
    let question = request("GET", "https://api.example.com/v1/issues");
    let (allowed, lines) = ask(Some(MANIFEST), &question);
    assert!(allowed);
    assert_eq!(
        lines,
        [
            "host.toml:14: http = \"GET https://api.example.com/v1\"",
            "manifest of `github`: wants http \"DELETE,GET https://api.example.com/\" (reads issues)",
            "each address of the host is checked when the request is sent",
        ]
    );
    let (allowed, lines) = ask(None, &Question::Env("TZ"));
    assert_eq!((allowed, &*lines[0]), (true, "host.toml:3: env.TZ"));
}

#[test]
fn what_the_manifest_does_not_want_names_the_grant_in_vain() {
    let (allowed, lines) = ask(Some(MANIFEST), &Question::Messages);
    assert!(!allowed);
    assert_eq!(
        lines,
        [
            "manifest of `github`: does not want it",
            "host.toml:18: allow-messages = true would grant it",
            "only the plugin's author can have it ask for more",
        ]
    );
    // Without the manifest nothing is in the way.
    assert!(ask(None, &Question::Messages).0);
}

#[test]
fn what_nothing_grants_names_the_grant_that_would() {
    let (allowed, lines) = ask(
        Some(MANIFEST),
        &request("DELETE", "https://api.example.com/v1/x"),
    );
    assert!(!allowed);
    assert_eq!(
        lines,
        [
            "nothing grants it",
            "the grants for this host do not allow the method `DELETE`",
            "add --allow-host \"DELETE https://api.example.com/v1\", or http = [\"DELETE \
             https://api.example.com/v1\"] under [plugins.github.grants]",
        ]
    );
    let (_, lines) = ask(Some(MANIFEST), &Question::Storage);
    assert_eq!(
        lines,
        [
            "nothing grants it",
            "there is no storage",
            "add --storage plugin, or storage = \"plugin\" under [plugins.github.grants]",
        ]
    );
    let path = Question::Path {
        path: "/data/in/../new.txt",
        write: true,
    };
    let (_, lines) = ask(Some(MANIFEST), &path);
    assert_eq!(
        lines,
        [
            "nothing grants it",
            "`data::/data:ro` is read-only",
            "add --dir data::/data:rw, or dirs = [\"data::/data:rw\"] under [plugins.github.grants]",
        ]
    );
}

#[test]
fn a_grant_that_would_not_help_is_not_advised() {
    let (allowed, lines) = ask(Some(MANIFEST), &request("GET", "https://c.example/"));
    assert!(!allowed);
    assert_eq!(
        lines,
        [
            "nothing grants it",
            "no grant allows the host `c.example`",
            "the manifest of `github` does not want it either, so no grant would allow it",
        ]
    );
    let (_, lines) = ask(None, &request("GET", "https://c.example/"));
    assert!(lines[2].starts_with("add --allow-host"), "{lines:?}");
}

#[test]
fn what_nothing_can_allow_names_the_rule() {
    for (question, rule) in [
        (
            request("GET", "https://me:pw@api.example.com/v1"),
            "a URL with a user or a password is not sent: use a header",
        ),
        (
            Question::Path {
                path: "",
                write: false,
            },
            "the path is empty: name a file of the sandbox, such as `/data/a.csv`",
        ),
        (
            Question::Secret {
                name: "tokn",
                request: None,
            },
            "there is no secret `tokn`: say under `[secrets.tokn]` where it comes from",
        ),
        (
            Question::Env("A=B"),
            "the environment variable `A=B` cannot be set: its name holds `=` or a zero byte",
        ),
    ] {
        assert_eq!(ask(None, &question), (false, vec![rule.to_owned()]));
    }
}

#[test]
fn a_file_lies_in_the_innermost_directory_after_its_dots() {
    let read = |path| ask(None, &Question::Path { path, write: false }).0;
    assert!(read("/data/a/../b"));
    assert!(read("/data"));
    // A plugin starts at the root.
    assert!(read("data/a") && read("./data") && !read("a"));
    assert!(!read("/data/../etc/passwd"));
    assert!(!read("/database"));
}

#[test]
fn a_secret_needs_its_grant_its_host_and_the_request() {
    let secret = |name, url| {
        ask(
            Some(MANIFEST),
            &Question::Secret {
                name,
                request: Some(("GET", url)),
            },
        )
    };
    let (allowed, lines) = secret("token", "https://api.example.com/v1/x");
    assert!(allowed, "{lines:?}");
    assert_eq!(lines[0], "host.toml:17: secrets = \"token\"");
    assert!(lines.contains(&"manifest of `github`: wants secrets \"token\" (acts for you)".into()));

    let (allowed, lines) = secret("token", "https://b.example/");
    assert!(!allowed);
    let said = lines.join("\n");
    assert!(said.contains("carry `token` is not allowed"), "{said}");
    // Granting the request would not be enough.
    assert!(said.contains("nor would `token` be sent: "), "{said}");
    assert!(!said.contains("add "), "{said}");

    let bound = Question::Secret {
        name: "bound",
        request: None,
    };
    let (allowed, lines) = ask(None, &bound);
    assert!(!allowed);
    assert_eq!(lines[0], "nothing grants it");
    assert!(lines[2].contains("is bound to other plugins"), "{lines:?}");
    // The request is granted, the secret may not go there.
    let elsewhere = Question::Secret {
        name: "token",
        request: Some(("GET", "https://b.example/")),
    };
    let (allowed, lines) = ask(None, &elsewhere);
    assert!(!allowed);
    assert!(
        lines[0].contains("may not be sent to `b.example`"),
        "{lines:?}"
    );
}

#[test]
fn a_tool_is_called_when_a_pattern_of_both_sides_is_for_it() {
    assert!(ask(Some(MANIFEST), &Question::Tool("csv_read")).0);
    assert!(!ask(Some(MANIFEST), &Question::Tool("csv_write")).0);
    assert!(ask(None, &Question::Tool("csv_write")).0);
    let (_, lines) = ask(None, &Question::Tool("jq"));
    assert_eq!(
        lines.last().unwrap(),
        "add --allow-tool jq, or tools = [\"jq\"] under [plugins.github.grants]"
    );
}
