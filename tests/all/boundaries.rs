//! Dependencies between our crates go one way, and the pure ones stay pure.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// What each crate may depend on of ours; of others, what it may not.
const ALLOWED: [(&str, &[&str], &[&str]); 5] = [
    ("toolhost-tool", &[], &["wasmtime", "tokio", "clap"]),
    (
        "toolhost-policy",
        &["toolhost-tool"],
        &["wasmtime", "tokio", "clap"],
    ),
    (
        "toolhost-sandbox",
        &["toolhost-tool", "toolhost-policy"],
        &["clap"],
    ),
    (
        "toolhost",
        &["toolhost-tool", "toolhost-policy", "toolhost-sandbox"],
        &["wasmtime", "clap"],
    ),
    ("toolhost-cli", &["toolhost"], &["wasmtime"]),
];

fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let normal = dependencies
                .iter()
                .filter(|dependency| dependency["kind"].is_null());
            (name(package), normal.map(name).collect())
        })
        .collect()
}

#[test]
fn crates_depend_on_each_other_in_one_direction() {
    let dependencies = dependencies();
    for (name, ours, never) in ALLOWED {
        for dependency in &dependencies[name] {
            let is_ours = dependency.starts_with("toolhost");
            assert!(
                !is_ours || ours.contains(&dependency.as_str()),
                "{name} uses {dependency}"
            );
            assert!(
                !never.contains(&dependency.as_str()),
                "{name} uses {dependency}"
            );
        }
    }
}
