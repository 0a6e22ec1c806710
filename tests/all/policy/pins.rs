//! A plugin that is pinned to a digest is loaded when it is that very file.

use std::fs;

use serde_json::json;

use crate::cli::program::{copy_guest, guest_path, host, host_in};

fn digest_of(plugin: &str) -> String {
    let ran = host(["inspect", plugin, "--json"]).ends_with(0);
    ran.json()["digest"].as_str().unwrap().to_owned()
}

#[test]
fn the_flag_takes_the_digest_that_inspect_prints() {
    let plugin = guest_path("env");
    let digest = digest_of(&plugin);
    let run = |pin: &str| {
        host([
            "run", "--plugin", &plugin, "--tool", "env_vars", "--sha256", pin,
        ])
    };
    run(&digest).ends_with(0);
    run(&digest.replace("sha256:", "").to_uppercase()).ends_with(0);

    let other = "0".repeat(64);
    let said = run(&other).ends_with(2).without_output();
    let found = digest.replace("sha256:", "");
    assert!(said.contains(&other) && said.contains(&found), "{said}");
    let said = run("abc").ends_with(2).without_output();
    assert!(said.contains("64 hexadecimal digits"), "{said}");
}

#[test]
fn a_changed_file_is_refused_before_anything_of_it_is_compiled() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = copy_guest("env", &dir.path().join("env.wasm"));
    let digest = digest_of(&plugin.display().to_string());
    let pin = digest.replace("sha256:", "");
    let config = format!("[plugins.env]\npath = 'env.wasm'\nsha256 = '{pin}'\n");
    fs::write(dir.path().join("host.toml"), config).unwrap();
    let line = [
        "run",
        "--config",
        "host.toml",
        "--plugin",
        "env",
        "--tool",
        "env_vars",
        "--cache-dir",
        "cache",
    ];
    // Some other plugin under the same name, and one that cannot even be read.
    for guest in ["misbehave", "core-module"] {
        copy_guest(guest, &plugin);
        let said = host_in(dir.path(), line).ends_with(2).without_output();
        assert!(
            said.contains(&format!(
                "pinned to the SHA-256 digest {pin}, and the file has "
            )),
            "{said}"
        );
        host_in(
            dir.path(),
            [
                "policy",
                "explain",
                "--config",
                "host.toml",
                "--plugin",
                "env",
            ],
        )
        .ends_with(2);
    }
    let kept = host_in(
        dir.path(),
        ["cache", "list", "--json", "--cache-dir", "cache"],
    );
    assert_eq!(kept.json()["entries"], json!([]));

    copy_guest("env", &plugin);
    host_in(dir.path(), line).ends_with(0);
}
