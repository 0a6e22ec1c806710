//! The cache, completions and help.

use super::program::{guest_path, host};

#[test]
fn the_cache_is_filled_listed_and_cleared() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("cache").display().to_string();
    let cache = |action: &str| host(["cache", action, "--cache-dir", &dir]).ends_with(0);
    assert_eq!(cache("path").quietly(), format!("{dir}\n"));
    assert_eq!(
        cache("list").without_output(),
        "note: no compiled plugin is kept\n"
    );
    assert!(
        !std::path::Path::new(&dir).exists(),
        "looking must not make the folder"
    );

    let plugin = guest_path("misbehave");
    let inspect = || {
        let ran = host(["inspect", &plugin, "--json", "--cache-dir", &dir]).ends_with(0);
        ran.json()["cached"] == true
    };
    assert!(!inspect());
    assert!(inspect());
    let listed = cache("list").quietly();
    assert!(
        listed.starts_with("misbehave  ") && listed.contains("  sha256:"),
        "{listed}"
    );
    assert_eq!(listed.lines().count(), 1);

    let said = cache("clear").without_output();
    assert!(
        said.starts_with("note: freed ") && said.contains("iB"),
        "{said}"
    );
    assert!(!inspect());
}

#[test]
fn shells_complete_commands_and_flags() {
    for shell in ["bash", "zsh", "fish"] {
        let script = host(["completions", shell]).ends_with(0).quietly();
        assert!(
            script.contains("inspect") && script.contains("allow-messages"),
            "{shell}"
        );
    }
}

#[test]
fn help_goes_to_stdout_and_names_units_examples_and_exit_codes() {
    let help = host(["run", "--help"]).ends_with(0).quietly();
    for part in [
        "Usage: host run ",
        "Units:",
        "Examples:",
        "Exit codes:",
        "  130  interrupted",
    ] {
        assert!(help.contains(part), "{part:?} is not in\n{help}");
    }
    assert!(
        host(["--version"])
            .ends_with(0)
            .quietly()
            .starts_with("host ")
    );
    let said = host::<&str>([]).ends_with(2).without_output();
    assert!(said.contains("Usage: host "), "{said}");
}
