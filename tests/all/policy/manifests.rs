//! Manifests in plugins: shown, and refused when they cannot be used.

use serde_json::json;

use super::{wanting, with_manifests};
use crate::cli::program::{guest_path, host};

#[test]
fn inspect_shows_who_a_plugin_is_and_what_it_wants() {
    let dir = tempfile::tempdir().unwrap();
    let manifest = r#"{
        "name": "trip planner", "version": "2.1.0", "license": "MIT",
        "source": "https://git.example.org/trips", "description": "Plans trips.",
        "wants": {
            "http": [{"allow": "https://*.example.org/", "why": "looks up trains"}],
            "messages": {"why": "knows where you\nare going"}
        }
    }"#;
    let file = dir.path().join("trips.wasm");
    let plugin = with_manifests("env", &[manifest.as_bytes()], &file);
    let shown = host(["inspect", &plugin]).ends_with(0).quietly();
    for lines in [
        "  manifest  trip planner 2.1.0\n  license   MIT\n  source    https://git.example.org/trips\n  \
         about     Plans trips.\n",
        "\nwants\n  http https://*.example.org/  looks up trains\n  allow-messages               knows \
         where you\\nare going\n",
    ] {
        assert!(shown.contains(lines), "{lines:?} is not in\n{shown}");
    }
    let object = host(["inspect", &plugin, "--json"]).ends_with(0).json();
    assert_eq!(object["manifest"]["version"], "2.1.0");
    assert_eq!(
        object["manifest"]["wants"]["http"],
        json!([{"allow": "https://*.example.org/", "why": "looks up trains"}])
    );
}

#[test]
fn inspect_tells_a_plugin_without_a_manifest_from_one_that_wants_nothing() {
    let shown = host(["inspect", &guest_path("env")]).ends_with(0).quietly();
    let none = "  manifest  none: the operator's grants alone limit what it reaches\n";
    assert!(shown.contains(none), "{shown}");
    assert!(!shown.contains("\nwants\n"), "{shown}");

    let dir = tempfile::tempdir().unwrap();
    let plugin = wanting("env", "{}", &dir.path().join("env.wasm"));
    let shown = host(["inspect", &plugin]).ends_with(0).quietly();
    let nothing = "\nwants\n  nothing  whatever is granted, it gets nothing\n";
    assert!(shown.contains(nothing), "{shown}");
}

#[test]
fn a_manifest_that_cannot_be_used_keeps_the_plugin_out() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let large = vec![b' '; 70_000];
    let cases: [(&[&[u8]], &str); 6] = [
        (
            &[br#"{"name": "x", "version": "1", "wants": {"htpp": []}}"#],
            "line 1, column 46: the key `htpp` is not known: did you mean `http`?",
        ),
        (
            &[br#"{"name": "x", "version": "1", "wants": {"http": [{"allow": "ftp://a.example", "why": "y"}]}}"#],
            "the scheme `ftp` cannot be granted: write `https://` or `http://`",
        ),
        (
            &[br#"{"name": "x", "version": "1", "wants": {"env": [{"name": "TZ", "why": ""}]}}"#],
            "`wants.env[0].why` is empty: say it in a few words",
        ),
        (&[b"\xff\xfe"], "it is not UTF-8"),
        (&[&large], "it has 70000 bytes; at most 65536 are allowed"),
        (
            &[
                br#"{"name": "x", "version": "1"}"#,
                br#"{"name": "x", "version": "1", "wants": {"messages": {"why": "y"}}}"#,
            ],
            "there are two that differ",
        ),
    ];
    for (index, (manifests, cause)) in cases.into_iter().enumerate() {
        let file = dir.path().join(format!("{index}.wasm"));
        let plugin = with_manifests("env", manifests, &file);
        let cache_dir = cache.display().to_string();
        let line = [
            "run",
            "--plugin",
            &plugin,
            "--tool",
            "env_vars",
            "--cache-dir",
            &cache_dir,
        ];
        let said = host(line).ends_with(2).without_output();
        assert!(
            said.contains("its manifest (the custom section `toolhost:manifest`) cannot be used")
                && said.contains(cause)
                && said.contains("hint: "),
            "{cause}: {said}"
        );
        host(["policy", "explain", "--plugin", &plugin]).ends_with(2);
    }
    let kept = host([
        "cache",
        "list",
        "--json",
        "--cache-dir",
        &cache.display().to_string(),
    ]);
    assert_eq!(kept.json()["entries"], json!([]), "nothing was compiled");
}
