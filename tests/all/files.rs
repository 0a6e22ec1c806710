//! Files in granted directories: no trick leads out of them, what is written has
//! quotas, and every change is in the ledger. Told with the guest `env`.

mod escapes;
mod quotas;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::program::{Ran, run};

/// A folder `given` to grant, beside a file `secret` that is not granted.
struct Playground {
    root: TempDir,
}

impl Playground {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("secret"), "the secret").unwrap();
        let given = root.path().join("given");
        fs::create_dir(&given).unwrap();
        fs::write(given.join("a"), "hello").unwrap();
        fs::create_dir(given.join("sub")).unwrap();
        Self { root }
    }

    fn root(&self) -> &Path {
        self.root.path()
    }

    fn given(&self, name: &str) -> PathBuf {
        self.root().join("given").join(name)
    }

    fn grant(&self, access: &str) -> String {
        format!("{}::/given:{access}", self.root().join("given").display())
    }

    /// A call of a tool of `env` that is granted `given` with `access`.
    fn call(&self, access: &str, tool: &str, arguments: &Value, more: &[&str]) -> Ran {
        let (grant, arguments) = (self.grant(access), arguments.to_string());
        let mut line = vec!["--json", "--dir", &grant, "--args", &arguments];
        line.extend(more);
        run("env", tool, &line)
    }

    /// The same under limits, as lines of a configuration file.
    fn limited(&self, limits: &str, tool: &str, arguments: &Value) -> Ran {
        let config = self.root().join("host.toml");
        fs::write(&config, format!("[limits]\n{limits}\n")).unwrap();
        let config = config.display().to_string();
        self.call("rw", tool, arguments, &["--config", &config])
    }
}

/// What the tool answered.
fn answer(ran: &Ran) -> Value {
    ran.json()["result"].clone()
}

/// The flags and keys that the report names for what was refused.
fn advice(ran: &Ran) -> Vec<String> {
    let denials = ran.json()["report"]["denials"].clone();
    let denials = denials.as_array().cloned().unwrap_or_default();
    let advice = denials
        .iter()
        .filter_map(|denial| denial["allowWith"].as_str());
    advice.map(str::to_owned).collect()
}

/// The effects: target, state, bytes.
fn effects(ran: &Ran) -> Vec<(String, String, u64)> {
    let effects = ran.json()["report"]["effects"].clone();
    let effects = effects.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let each = effects.iter().map(|effect| {
        assert_eq!(effect["kind"], "file");
        let bytes = effect["bytes"].as_u64().unwrap();
        (text(&effect["target"]), text(&effect["state"]), bytes)
    });
    each.collect()
}

#[test]
fn each_change_is_in_the_ledger_with_its_path() {
    let playground = Playground::new();
    let change = |tool: &str, arguments: Value| {
        let ran = playground.call("rw", tool, &arguments, &[]).ends_with(0);
        assert!(answer(&ran).get("error").is_none(), "{tool}: {ran:#?}");
        effects(&ran)
    };
    let confirmed = |target: &str, bytes| vec![(target.to_owned(), "confirmed".to_owned(), bytes)];
    // One for each file that is opened, whatever is written in how many pieces.
    let written = change(
        "append_file",
        json!({ "path": "/given/new", "n": 50, "bytes": 1_000 }),
    );
    assert_eq!(written, confirmed("/given/new", 50_000));
    assert_eq!(
        change("truncate", json!({ "path": "/given/new" })),
        confirmed("/given/new", 0)
    );
    let times = change("set_times", json!({ "path": "/given/new" }));
    assert_eq!(times, confirmed("/given/new", 0));
    assert_eq!(
        change("set_len", json!({ "path": "/given/new", "bytes": 9 })),
        confirmed("/given/new", 0)
    );
    assert_eq!(
        change(
            "rename",
            json!({ "path": "/given/new", "to": "/given/sub/old" })
        ),
        confirmed("/given/new -> /given/sub/old", 0)
    );
    assert_eq!(
        change("hard_link", json!({ "path": "/given/a", "to": "/given/b" })),
        confirmed("/given/a -> /given/b", 0)
    );
    assert_eq!(
        change("raw_symlink", json!({ "path": "link", "to": "a" })),
        confirmed("/given/link", 0)
    );
    assert_eq!(
        change("make_dir", json!({ "path": "/given/dir" })),
        confirmed("/given/dir", 0)
    );
    assert_eq!(
        change("remove_file", json!({ "path": "/given/sub/old" })),
        confirmed("/given/sub/old", 0)
    );
    let removed = change("remove_dir", json!({ "path": "/given/dir" }));
    assert_eq!(removed, confirmed("/given/dir", 0));
    for reading in ["read_file", "stat"] {
        assert_eq!(change(reading, json!({ "path": "/given/a" })), []);
    }
    assert_eq!(change("list_dir", json!({ "path": "/given" })), []);
}

/// Tried, and certainly nothing happened.
#[test]
fn what_was_only_tried_is_told_as_such() {
    let playground = Playground::new();
    let ran = playground.call("rw", "make_dir", &json!({ "path": "/given/sub" }), &[]);
    assert_eq!(effects(&ran), [("/given/sub".into(), "none".into(), 0)]);
    let ran = playground.call("ro", "write_file", &json!({ "path": "/given/new" }), &[]);
    assert_eq!(effects(&ran), [("/given/new".into(), "none".into(), 0)]);
}

#[test]
fn a_read_only_directory_is_opened_by_the_flag_that_the_refusal_names() {
    let playground = Playground::new();
    let note = json!({ "path": "/given/new" });
    let ran = playground.call("ro", "write_file", &note, &[]).ends_with(0);
    let expected = format!("--dir {}", playground.grant("rw"));
    assert_eq!(advice(&ran), [expected]);
    playground.call("rw", "write_file", &note, &[]).ends_with(0);
    assert!(playground.given("new").exists());
}

#[test]
fn a_directory_that_is_not_there_is_told_before_anything_runs() {
    let playground = Playground::new();
    for name in ["gone", "secret"] {
        let grant = format!("{}::/x", playground.root().join(name).display());
        let said = run("env", "preopens", &["--dir", &grant]).ends_with(2);
        let said = said.without_output();
        assert!(said.contains("cannot open the granted directory"), "{said}");
        assert!(said.contains(name) && said.contains("hint: "), "{said}");
    }
}
