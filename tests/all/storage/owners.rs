//! One store for each session or principal: nobody sees that of another, and who
//! has no id has no store.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::{Shelf, report};
use crate::cli::program::{copy_guest, host_in};

fn with(shelf: &Shelf, scope: &str, context: &Value, tool: &str) -> Value {
    let context = context.to_string();
    let more = ["--storage", scope, "--context", &context];
    shelf.call(tool, &json!({}), &more).ends_with(0).json()
}

#[test]
fn each_session_has_a_store_of_its_own() {
    let shelf = Shelf::new();
    let session = |id: &str| json!({ "sessionId": id });
    let ask = |id: &str, tool: &str| with(&shelf, "session", &session(id), tool);
    ask("one", "set");
    assert_eq!(ask("one", "get"), json!({ "ok": "value" }));
    for other in ["two", "ONE", "one ", "one\0"] {
        assert_eq!(ask(other, "get"), json!({ "ok": null }), "{other:?}");
    }
    // The plugin's own store is yet another, even where the session has no name.
    assert_eq!(shelf.ask("get", &json!({})), json!({ "ok": null }));
}

#[test]
fn each_principal_has_a_store_of_its_own() {
    let shelf = Shelf::new();
    let ada = |kind: &str| json!({ "sessionId": "s", "principal": { "id": "ada", "kind": kind } });
    let ask = |context: &Value, tool: &str| with(&shelf, "principal", context, tool);
    ask(&ada("user"), "set");
    let elsewhere = json!({ "sessionId": "t", "principal": { "id": "ada", "kind": "user" } });
    assert_eq!(ask(&elsewhere, "get"), json!({ "ok": "value" }));
    assert_eq!(ask(&ada("service"), "get"), json!({ "ok": null }));
    let bob = json!({ "principal": { "id": "bob", "kind": "user" } });
    assert_eq!(ask(&bob, "get"), json!({ "ok": null }));
}

#[test]
fn who_has_no_id_is_told_so() {
    let shelf = Shelf::new();
    for (scope, context, missing) in [
        ("session", json!({}), "sessionId"),
        ("session", json!({ "sessionId": "" }), "sessionId"),
        ("principal", json!({ "sessionId": "s" }), "principal"),
    ] {
        let context = context.to_string();
        let more = ["--storage", scope, "--context", &context, "--json"];
        let ran = shelf.call("set", &json!({}), &more).ends_with(0);
        let said = ran.json()["result"]["error"].to_string();
        assert!(said.contains("denied") && said.contains(missing), "{said}");
        let denial = &report(&ran)["denials"][0];
        assert_eq!(denial["capability"], "storage");
        assert!(
            denial["allowWith"].to_string().contains(missing),
            "{denial}"
        );
        assert_eq!(report(&ran)["effects"], Value::Null);
    }
    let long = json!({ "sessionId": "s".repeat(5_000) });
    let said = with(&shelf, "session", &long, "set")["error"].to_string();
    assert!(said.contains("too long"), "{said}");
}

/// A file is called whatever its author likes.
#[test]
fn a_file_that_is_called_like_another_plugin_sees_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for place in ["todo.wasm", "mine/todo.wasm", "evil/todo.wasm"] {
        fs::create_dir_all(path(place).parent().unwrap()).unwrap();
        copy_guest("store", &path(place));
    }
    symlink(path("mine"), path("link")).unwrap();
    let config = "[grants]\nstorage = 'plugin'\n[storage]\nfile = 'state.db'\n\
                  [plugins.todo]\npath = 'todo.wasm'\n";
    fs::write(path("host.toml"), config).unwrap();
    let call = |plugin: &str, tool: &str| {
        let line = [
            "run",
            "--config",
            "host.toml",
            "--plugin",
            plugin,
            "--tool",
            tool,
        ];
        host_in(folder.path(), line).ends_with(0).json()
    };
    let (kept, nothing) = (json!({ "ok": "value" }), json!({ "ok": null }));
    call("todo", "set");
    assert_eq!(call("todo", "get"), kept);
    // Not even the same file: it was not named by its name.
    for other in ["./todo.wasm", "mine/todo.wasm", "evil/todo.wasm"] {
        assert_eq!(call(other, "get"), nothing, "{other}");
    }
    // By its path a file is itself from everywhere.
    call("mine/todo.wasm", "set");
    assert_eq!(call("link/../mine/./todo.wasm", "get"), kept);
    assert_eq!(call("link/todo.wasm", "get"), kept);
    assert_eq!(call("evil/todo.wasm", "get"), nothing);
}
