//! Manifests as SDKs write them, and as hostile plugins do.

use super::*;
use crate::{Access, Capability};

const WHOLE: &str = r#"{
  "name": "github", "version": "1.2.0", "license": "Apache-2.0",
  "source": "https://git.example.org/github-plugin", "description": "Issues and files.",
  "wants": {
    "http": [{"allow": "GET,POST https://api.github.com/", "why": "reads and comments"}],
    "dirs": [
      {"guest": "/work", "access": "rw", "why": "saves downloads"},
      {"guest": "/in", "why": "reads"}
    ],
    "env": [{"name": "TZ", "why": "shows local times"}],
    "secrets": [{"name": "github-token", "why": "acts for you"}],
    "config": [{"key": "language", "why": "translates labels"}],
    "tools": [{"name": "csv_*", "why": "reads tables"}],
    "storage": {"why": "remembers what it has read"},
    "messages": {"why": "answers what was asked"}
  }
}"#;

fn refused(text: &str) -> String {
    Manifest::parse(text.as_bytes()).unwrap_err().to_string()
}

/// A manifest that wants one thing.
fn wanting(wants: &str) -> String {
    format!(r#"{{"name": "x", "version": "1", "wants": {wants}}}"#)
}

#[test]
fn everything_that_can_be_said() {
    let manifest = Manifest::parse(WHOLE.as_bytes()).unwrap();
    assert_eq!(manifest.license.as_deref(), Some("Apache-2.0"));
    assert_eq!(manifest.wants.dirs[0].access, Access::ReadWrite);
    assert_eq!(manifest.wants.dirs[1].access, Access::ReadOnly);
    let items = manifest.wants.items();
    let flags: Vec<&str> = items.iter().map(|want| &*want.flag).collect();
    assert_eq!(
        flags,
        [
            "--allow-host \"GET,POST https://api.github.com/\"",
            "--dir HOST::/work:rw",
            "--dir HOST::/in:ro",
            "--env TZ=VALUE",
            "--secret github-token",
            "--config-value language=VALUE",
            "--allow-tool \"csv_*\"",
            "--storage SCOPE",
            "--allow-messages",
        ]
    );
    assert_eq!(items[4].capability, Capability::Secrets);
    assert_eq!(items[4].why, "acts for you");
}

#[test]
fn what_is_written_reads_back_the_same() {
    let manifest = Manifest::parse(WHOLE.as_bytes()).unwrap();
    let written = serde_json::to_vec(&manifest).unwrap();
    assert_eq!(Manifest::parse(&written), Ok(manifest));
}

#[test]
fn a_manifest_without_wants_asks_for_nothing() {
    let manifest = Manifest::parse(br#"{"name": "x", "version": "1"}"#).unwrap();
    assert!(manifest.wants.is_empty() && manifest.wants.items().is_empty());
}

#[test]
fn a_key_that_is_not_known_is_an_error_with_the_one_that_was_meant() {
    for (text, message) in [
        (
            r#"{"name": "x", "version": "1", "licence": "MIT"}"#.to_owned(),
            "line 1, column 39: the key `licence` is not known: did you mean `license`?",
        ),
        (
            wanting(r#"{"htpp": []}"#),
            "line 1, column 46: the key `htpp` is not known: did you mean `http`?",
        ),
        (
            wanting(r#"{"env": [{"name": "TZ", "reason": "y"}]}"#),
            "line 1, column 71: the key `reason` is not known: did you mean `why`?",
        ),
        (
            wanting(r#"{"gpu": []}"#),
            "line 1, column 45: the key `gpu` is not known: the keys here are `http`, `dirs`, \
             `env`, `secrets`, `config`, `tools`, `storage`, `messages`",
        ),
    ] {
        assert_eq!(refused(&text), message);
    }
}

#[test]
fn what_is_missing_or_of_another_type_is_told() {
    assert_eq!(
        refused(r#"{"name": "x"}"#),
        "line 1, column 13: the key `version` is missing"
    );
    assert_eq!(
        refused(&wanting(r#"{"env": ["TZ"]}"#)),
        "`wants.env[0]` is not an object"
    );
    assert_eq!(
        refused(&wanting(r#"{"storage": true}"#)),
        "`wants.storage` is not an object"
    );
    // By their order, the texts would be a name and a version.
    assert_eq!(refused(r#"["x", "1"]"#), "it is not an object");
    assert_eq!(refused(&wanting("[]")), "`wants` is not an object");
    assert_eq!(
        refused(&wanting(r#"{"env": 3}"#)),
        "`wants.env` is not a list"
    );
}

#[test]
fn nothing_is_asked_for_without_a_reason() {
    assert_eq!(
        refused(&wanting(r#"{"messages": {"why": " "}}"#)),
        "`wants.messages.why` is empty: say it in a few words"
    );
    let long = "x".repeat(501);
    assert_eq!(
        refused(&wanting(&format!(
            r#"{{"env": [{{"name": "TZ", "why": "{long}"}}]}}"#
        ))),
        "`wants.env[0].why` has 501 characters; at most 500 are allowed"
    );
}

#[test]
fn what_could_never_be_granted_is_refused() {
    for (wants, message) in [
        (
            r#"{"dirs": [{"guest": "/a/../b", "why": "y"}]}"#,
            "`wants.dirs[0].guest` cannot be used: `/a/../b` cannot be the name of a directory in \
             the sandbox: it cannot hold `.` or `..`",
        ),
        (
            r#"{"tools": [{"name": "fs.*", "why": "y"}]}"#,
            "`wants.tools[0].name` cannot be used: `fs.*` matches no tool: names of tools have only \
             letters, digits, `_` and `-`",
        ),
        (
            r#"{"secrets": [{"name": "a b", "why": "y"}]}"#,
            "`wants.secrets[0].name` cannot be used: `a b` cannot be the name of a secret: use \
             1 to 64 letters, digits, `-`, `_` or `.`",
        ),
        (
            r#"{"http": [{"allow": {"allow": "intranet", "allow-private": true}, "why": "y"}]}"#,
            "`wants.http[0].allow` is not a text",
        ),
    ] {
        assert_eq!(refused(&wanting(wants)), message);
    }
}

/// Shown as a wish for everything, it would be granted nothing.
#[test]
fn a_pattern_for_variables_or_values_is_refused() {
    for wants in [
        r#"{"env": [{"name": "*", "why": "x"}]}"#,
        r#"{"env": [{"name": "LC_*", "why": "x"}]}"#,
        r#"{"config": [{"key": "*", "why": "x"}]}"#,
    ] {
        let said = refused(&wanting(wants));
        assert!(said.contains("ask for each by its name"), "{said}");
    }
    Manifest::parse(wanting(r#"{"secrets": [{"name": "*", "why": "x"}]}"#).as_bytes()).unwrap();
}

#[test]
fn a_manifest_is_bounded_in_every_direction() {
    let many = vec![r#"{"name": "A", "why": "y"}"#; 65].join(",");
    assert_eq!(
        refused(&wanting(&format!(r#"{{"env": [{many}]}}"#))),
        "`wants.env` has 65 entries; at most 64 are allowed"
    );
    assert_eq!(
        refused(&" ".repeat(MAX_MANIFEST_BYTES + 1)),
        "it has 65537 bytes; at most 65536 are allowed"
    );
    assert!(refused(&"[".repeat(60_000)).contains("nested more than 8 deep"));
    assert!(refused(r#"{"name": "x", "version": "1", "name": "y"}"#).contains("twice"));
    let name = "n".repeat(129);
    assert!(
        refused(&format!(r#"{{"name": "{name}", "version": "1"}}"#)).contains("`name` has 129")
    );
    assert_eq!(
        Manifest::parse(b"\xff").unwrap_err(),
        ManifestError::NotUtf8
    );
    assert!(refused("").contains("the text is empty"));
    // A long word of the manifest does not make a long message.
    let key = "k".repeat(60_000);
    assert!(refused(&format!(r#"{{"{key}": 1}}"#)).chars().count() < 400);
}
