//! What a plugin wants is in its file, and is as much as it can get.

use std::path::Path;

use serde_json::json;
use toolhost_tests::plugin;

use super::run;
use crate::cli::program::host;

fn inspect(name: &str) -> String {
    let plugin = plugin(name).display().to_string();
    host(["inspect", &plugin]).ends_with(0).quietly()
}

#[test]
fn every_plugin_of_ours_says_what_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        if !manifest.contains("cdylib") {
            continue;
        }
        let name = folder.file_name().unwrap().to_str().unwrap();
        let shown = inspect(name);
        assert!(
            shown.contains(&format!("manifest  {name} 0.1.0\n")),
            "{shown}"
        );
        assert!(shown.contains("license   Apache-2.0\n"), "{shown}");
        seen += 1;
    }
    assert!(seen >= 9, "only {seen} plugins were found");
}

#[test]
fn what_a_plugin_wants_is_shown_with_its_reason() {
    let shown = inspect("files");
    assert!(
        shown.contains("reads, writes and edits the files that the model names"),
        "{shown}"
    );
}

#[test]
fn what_a_plugin_does_not_want_it_does_not_get() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.txt"), "needle\n").unwrap();
    let grant = format!("{}::/data:rw", dir.path().display());
    let arguments = json!({ "expression": "1 + 1" });
    let ran = run("calc", "calc", &arguments, &["--dir", &grant]).ends_with(0);
    assert_eq!(ran.stdout, "2\n");
    assert!(
        ran.stderr.starts_with("warning: ") && ran.stderr.contains("manifest does not ask for it"),
        "{ran:#?}"
    );
}
