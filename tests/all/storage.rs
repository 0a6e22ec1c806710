//! What plugins keep from one call to the next, and what the operator sets for
//! them, told with the guest `store`. Each call is a process of its own.

mod crashes;
mod limits;
mod owners;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::program::{Ran, command, copy_guest, host, run, run_line};

/// A folder with a store in it.
struct Shelf {
    folder: TempDir,
}

impl Shelf {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("state.db")
    }

    /// The line of a call that may use the store.
    fn line(&self, tool: &str, arguments: &Value, more: &[&str]) -> Vec<String> {
        let (file, arguments) = (self.file().display().to_string(), arguments.to_string());
        let mut line = vec!["--storage-file", &file, "--args", &arguments];
        line.extend(more);
        if !more.contains(&"--storage") {
            line.extend(["--storage", "plugin"]);
        }
        run_line("store", tool, &line)
    }

    fn call(&self, tool: &str, arguments: &Value, more: &[&str]) -> Ran {
        host(self.line(tool, arguments, more))
    }

    /// What a tool answers.
    fn ask(&self, tool: &str, arguments: &Value) -> Value {
        self.call(tool, arguments, &[]).ends_with(0).json()
    }
}

/// The report of a call, with `--json`.
fn report(ran: &Ran) -> Value {
    ran.json()["report"].clone()
}

#[test]
fn what_a_plugin_keeps_is_there_in_the_next_process() {
    let shelf = Shelf::new();
    assert_eq!(shelf.ask("get", &json!({})), json!({ "ok": null }));
    shelf.ask("set", &json!({ "value": "hello" }));
    assert_eq!(shelf.ask("get", &json!({})), json!({ "ok": "hello" }));
    assert_eq!(shelf.ask("exists", &json!({})), json!({ "ok": true }));
    shelf.ask("delete", &json!({}));
    assert_eq!(shelf.ask("exists", &json!({})), json!({ "ok": false }));
    // A key that is not there may be deleted too.
    assert_eq!(shelf.ask("delete", &json!({})), json!({ "ok": null }));
}

#[test]
fn storage_is_granted_by_the_flag_that_the_refusal_names() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.db").display().to_string();
    for tool in [
        "get",
        "set",
        "delete",
        "list",
        "increment",
        "swap",
        "many",
        "draft",
    ] {
        let ran = run("store", tool, &["-v", "--storage-file", &file]).ends_with(0);
        assert_eq!(
            ran.json(),
            json!({ "error": "Error::AccessDenied" }),
            "{tool}"
        );
        let said = "the plugin was refused `default` (storage); `--storage plugin` would allow it";
        assert!(ran.stderr.contains(said), "{tool}: {ran:#?}");
    }
    assert!(!folder.path().join("state.db").exists());
    run(
        "store",
        "set",
        &["--storage", "plugin", "--storage-file", &file],
    )
    .ends_with(0);
    assert!(folder.path().join("state.db").exists());
}

/// Without a word about it the store is in the user's data folder, and only the
/// user can read it.
#[test]
fn the_store_is_in_the_data_folder() {
    let home = tempfile::tempdir().unwrap();
    let mut command = command(run_line("store", "set", &["--storage", "plugin"]));
    command.env("XDG_DATA_HOME", home.path());
    Ran::from(command.output().unwrap()).ends_with(0);
    let file = home.path().join("toolhost/state.db");
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

/// An update keeps what the plugin had; another plugin sees nothing of it.
#[test]
fn a_store_belongs_to_the_name_of_a_plugin() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    copy_guest("store", &path("notes.wasm"));
    copy_guest("store", &path("other.wasm"));
    let config = "[grants]\nstorage = 'plugin'\n[storage]\nfile = 'state.db'\n\
                  [plugins.notes]\npath = 'notes.wasm'\n[plugins.mine]\npath = 'notes.wasm'\n";
    fs::write(path("host.toml"), config).unwrap();
    let config = path("host.toml").display().to_string();
    let call = |plugin: &str, tool: &str| {
        let plugin = match plugin.strip_prefix("./") {
            Some(file) => path(file).display().to_string(),
            None => plugin.to_owned(),
        };
        let line = [
            "run", "--config", &config, "--plugin", &plugin, "--tool", tool,
        ];
        host(line).ends_with(0).json()
    };
    let kept = json!({ "ok": "value" });
    let update = |file: &str| {
        let mut bytes = fs::read(path(file)).unwrap();
        // A custom section more: another digest.
        bytes.extend([0, 2, 1, b'x']);
        fs::write(path(file), bytes).unwrap();
    };
    for (one, file, others) in [
        (
            "notes",
            "notes.wasm",
            &["mine", "./notes.wasm", "./other.wasm"][..],
        ),
        ("./other.wasm", "other.wasm", &["mine", "./notes.wasm"]),
    ] {
        call(one, "set");
        update(file);
        assert_eq!(call(one, "get"), kept, "{one}");
        for other in others {
            assert_eq!(call(other, "get"), json!({ "ok": null }), "{other}");
        }
    }
}

#[test]
fn buckets_are_apart_and_the_first_has_two_names() {
    let shelf = Shelf::new();
    for bucket in ["", "other", "../default", "default/", "default\0"] {
        shelf.ask("set", &json!({ "bucket": bucket, "value": bucket }));
    }
    for bucket in ["other", "../default", "default/", "default\0"] {
        let found = shelf.ask("get", &json!({ "bucket": bucket }));
        assert_eq!(found, json!({ "ok": bucket }));
    }
    let found = shelf.ask("get", &json!({ "bucket": "default" }));
    assert_eq!(found, json!({ "ok": "" }));
    let names: Vec<_> = fs::read_dir(shelf.folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn any_text_is_a_key() {
    let shelf = Shelf::new();
    let mut keys = vec![
        "",
        "a\0b",
        "a",
        "/etc/passwd",
        "../../x",
        "a/b",
        "🦀",
        "'; --",
    ];
    for key in &keys {
        shelf.ask("set", &json!({ "key": key, "value": key }));
    }
    for key in &keys {
        let found = shelf.ask("get", &json!({ "key": key }));
        assert_eq!(found, json!({ "ok": key }));
    }
    keys.sort_unstable();
    assert_eq!(shelf.ask("list", &json!({}))["ok"]["keys"], json!(keys));
}

#[test]
fn many_keys_come_in_pages() {
    let shelf = Shelf::new();
    shelf.ask("fill", &json!({ "n": 2_500 }));
    let listed = &shelf.ask("list", &json!({}))["ok"];
    assert_eq!(listed["pages"], json!([1_000, 1_000, 500]));
    assert_eq!(listed["keys"].as_array().unwrap().len(), 2_500);
}

#[test]
fn both_versions_of_the_interface_see_the_same_keys() {
    let shelf = Shelf::new();
    shelf.ask("increment", &json!({ "delta": 40 }));
    let old = shelf.ask("draft", &json!({ "value": "from the draft" }));
    assert_eq!(
        old,
        json!({ "ok": { "sum": 42, "keys": ["key", "n"], "exists": true } })
    );
    let found = shelf.ask("get", &json!({}));
    assert_eq!(found, json!({ "ok": "from the draft" }));
    // The older one has no negative numbers.
    shelf.ask("increment", &json!({ "delta": -100 }));
    let refused = shelf.ask("draft", &json!({}));
    assert!(refused["error"].as_str().unwrap().contains("not between"));
}

#[test]
fn a_swap_fails_when_the_value_has_changed() {
    let shelf = Shelf::new();
    let swapped = shelf.ask("swap", &json!({ "value": "1" }));
    assert_eq!(swapped, json!({ "ok": { "before": null, "tries": 1 } }));
    let failed = shelf.ask("swap", &json!({ "value": "2", "meddle": true }));
    let expected = json!({ "before": "1", "now": "meddled", "again": true });
    assert_eq!(failed, json!({ "ok": expected }));
    assert_eq!(shelf.ask("get", &json!({})), json!({ "ok": "2" }));
}

#[test]
fn several_keys_cross_in_one_call() {
    let shelf = Shelf::new();
    let done = shelf.ask("many", &json!({ "n": 500 }));
    assert_eq!(done, json!({ "ok": { "found": 500, "left": 0 } }));
    let refused = shelf.ask("many", &json!({ "n": 1_001 }));
    assert!(refused["error"].as_str().unwrap().contains("ask for fewer"));
}

/// What was done is told, and what was only tried.
#[test]
fn every_change_is_in_the_ledger() {
    let shelf = Shelf::new();
    let effects = |tool: &str, arguments: Value| {
        let ran = shelf.call(tool, &arguments, &["--json"]);
        report(&ran)["effects"].clone()
    };
    let effect = |target: &str, state: &str, bytes: u64| json!([{ "kind": "storage", "target": target, "state": state, "bytes": bytes }]);
    let set = effects("set", json!({ "bucket": "b", "key": "k" }));
    assert_eq!(set, effect("b/k", "confirmed", 5));
    let counted = effects("increment", json!({}));
    assert_eq!(counted, effect("default/n", "confirmed", 0));
    let gone = effects("delete", json!({ "key": "not there" }));
    assert_eq!(gone, effect("default/not there", "none", 0));
    for reading in ["get", "exists", "list", "config_all"] {
        assert_eq!(effects(reading, json!({})), Value::Null, "{reading}");
    }
    let swapped = effects("swap", json!({ "key": "s", "meddle": true }));
    let states: Vec<_> = swapped
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["state"])
        .collect();
    assert_eq!(states, ["confirmed", "none", "confirmed"]);
}

/// A number that the operator set, and one that nobody did.
#[test]
fn a_plugin_reads_the_values_that_were_set_for_it() {
    let set = ["--config-value", "units=metric", "--config-value", "empty="];
    let ask = |key: &str, more: &[&str]| {
        let arguments = json!({ "key": key }).to_string();
        let line = [&["--args", &arguments], more].concat();
        run("store", "config", &line).ends_with(0).json()
    };
    assert_eq!(ask("units", &[]), json!({ "ok": null }));
    assert_eq!(ask("units", &set), json!({ "ok": "metric" }));
    assert_eq!(ask("empty", &set), json!({ "ok": "" }));
    assert_eq!(ask("Units", &set), json!({ "ok": null }));
    let all = run("store", "config_all", &set).ends_with(0).json();
    assert_eq!(all, json!({ "ok": { "units": "metric", "empty": "" } }));
}

/// Who tests a tool wants the same answer twice.
#[test]
fn with_deterministic_two_calls_see_the_same_world() {
    let see = |more: &[&str]| {
        let random = run("env", "random", more).ends_with(0).json();
        let mut clocks = run("env", "clocks", more).ends_with(0).json();
        // Sleeping takes as long as it takes.
        let slept = clocks["sleptUs"].take().as_u64().unwrap();
        assert!(slept >= 1_000, "{slept}");
        (random, clocks)
    };
    let fixed = see(&["--deterministic"]);
    assert_eq!(fixed, see(&["--deterministic"]));
    assert_eq!(fixed.1["unixSeconds"]["ok"], 1_767_225_600);
    let (random, clocks) = see(&[]);
    assert_ne!(random, fixed.0);
    assert_ne!(clocks, fixed.1);
}
