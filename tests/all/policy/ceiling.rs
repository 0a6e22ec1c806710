//! A manifest is a ceiling: it grants nothing, and no grant goes above it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::json;

use super::wanting;
use crate::cli::program::{Ran, host};

const WANTS: &str = r#"{
    "env": [{"name": "CITY", "why": "says where you are"}],
    "dirs": [{"guest": "/data", "why": "reads tables"}]
}"#;

fn run(plugin: &str, tool: &str, more: &[&str]) -> Ran {
    let mut line = vec!["run", "--plugin", plugin, "--tool", tool];
    line.extend(more);
    host(line)
}

#[test]
fn a_variable_that_was_not_asked_for_is_not_seen_and_that_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = wanting("env", WANTS, &dir.path().join("env.wasm"));

    let ran = run(&plugin, "env_vars", &[]).ends_with(0);
    assert_eq!(ran.json(), json!({}), "asking grants nothing");

    let flags = ["--env", "CITY=Wien", "--env", "LANG=de"];
    let ran = run(&plugin, "env_vars", &flags).ends_with(0);
    assert_eq!(ran.json(), json!({"CITY": "Wien"}));
    assert_eq!(
        ran.stderr,
        "warning: plugin `env`: `env.LANG` (flag --env LANG) is not granted: the plugin's manifest \
         does not ask for it\n"
    );
}

#[test]
fn a_plugin_that_asks_for_nothing_gets_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = wanting("env", "{}", &dir.path().join("env.wasm"));
    fs::write(dir.path().join("note.txt"), "hello").unwrap();
    let grant = format!("{}::/data:rw", dir.path().display());

    let flags = ["--env", "CITY=Wien", "--dir", &grant];
    let ran = run(&plugin, "env_vars", &flags).ends_with(0);
    assert_eq!(ran.json(), json!({}));
    assert_eq!(ran.stderr.lines().count(), 2, "{ran:#?}");
    let read = ["--dir", &grant, "--args", r#"{"path": "/data/note.txt"}"#];
    let ran = run(&plugin, "read_file", &read).ends_with(0);
    assert!(ran.json()["error"].is_string(), "{ran:#?}");
}

#[test]
fn a_directory_is_no_more_writable_than_was_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = wanting("env", WANTS, &dir.path().join("env.wasm"));
    fs::write(dir.path().join("note.txt"), "hello").unwrap();
    let grant = format!("{}::/data:rw", dir.path().display());
    let tried = |tool: &str, arguments: &str| {
        let flags = ["--json", "--dir", &grant, "--args", arguments];
        run(&plugin, tool, &flags).ends_with(0).json()
    };

    let read = tried("read_file", r#"{"path": "/data/note.txt"}"#);
    assert_eq!(read["result"], json!({"ok": "hello"}));
    let written = tried("write_file", r#"{"path": "/data/new.txt", "text": "x"}"#);
    assert!(written["result"]["error"].is_string(), "{written:#}");
    assert!(!dir.path().join("new.txt").exists());
}

#[test]
fn messages_stay_closed_and_no_vain_flag_is_advised() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = wanting("contract", "{}", &dir.path().join("contract.wasm"));
    let context = r#"{"messages": [{"role": "user", "content": "a secret word"}]}"#;
    let flags = ["--json", "--allow-messages", "--context", context];
    let ran = run(&plugin, "messages", &flags);
    assert!(!ran.stdout.contains("a secret word"), "{ran:#?}");
    let denial = &ran.json()["report"]["denials"][0];
    assert_eq!(denial["capability"], "messages", "{ran:#?}");
    assert!(denial.get("allowWith").is_none(), "{denial}");
}

#[test]
fn a_request_is_sent_when_both_sides_allow_it() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = server.local_addr().unwrap();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = [0; 1024];
        let read = stream.read(&mut request).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi")
            .unwrap();
        String::from_utf8_lossy(&request[..read]).into_owned()
    });
    let dir = tempfile::tempdir().unwrap();
    let wants = format!(r#"{{"http": [{{"allow": "http://{address}/v1", "why": "reads"}}]}}"#);
    let plugin = wanting("fetcher", &wants, &dir.path().join("fetcher.wasm"));
    let grant = format!("* http://{address}/");
    let fetch = |arguments: serde_json::Value| {
        let arguments = arguments.to_string();
        let flags = [
            "--json",
            "--allow-private-host",
            &grant,
            "--args",
            &arguments,
        ];
        run(&plugin, "fetch", &flags).ends_with(0).json()
    };

    // More than was asked for, though it is granted: nothing leaves.
    for arguments in [
        json!({"url": format!("http://{address}/v2")}),
        json!({"url": format!("http://{address}/v1/x"), "method": "POST"}),
    ] {
        let ended = fetch(arguments);
        assert!(ended["result"]["error"].is_string(), "{ended:#}");
        let denial = &ended["report"]["denials"][0];
        assert_eq!(denial["capability"], "http", "{ended:#}");
        assert!(denial.get("allowWith").is_none(), "{denial}");
    }
    let ended = fetch(json!({"url": format!("http://{address}/v1/x")}));
    assert_eq!(ended["result"]["ok"]["body"], "hi", "{ended:#}");
    let request = answering.join().unwrap();
    assert!(request.starts_with("GET /v1/x HTTP/1.1\r\n"), "{request}");
}
