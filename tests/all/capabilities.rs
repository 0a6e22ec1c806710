//! What a plugin can reach outside its sandbox: what was granted, and by no trick
//! more. Each refusal is a value that the guest can handle.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolhost::{CallResult, Denial, DirGrant, Grants, Host, LimitsPatch, PluginOptions};

use crate::support::{call, call_limited, error, host, host_with, load, structured};
use toolhost_tests::guest;

/// A host with the guest `env` and these directories, as `HOST::GUEST` texts.
async fn granted(dirs: &[String]) -> Host {
    let dirs = dirs.iter().map(|dir| dir.parse::<DirGrant>().unwrap());
    let grants = Grants {
        dirs: dirs.collect(),
        ..Grants::default()
    };
    let options = PluginOptions {
        grants,
        ..PluginOptions::default()
    };
    load("env", options).await.0
}

/// A folder `given` to grant, beside a file `secret` that is not granted.
fn playground() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("secret"), "the secret").unwrap();
    let given = root.path().join("given");
    fs::create_dir(&given).unwrap();
    fs::write(given.join("a"), "hello").unwrap();
    fs::create_dir(given.join("sub")).unwrap();
    root
}

fn grant(root: &Path, access: &str) -> String {
    format!("{}::/given:{access}", root.join("given").display())
}

/// What a tool of `env` got: `{ok: …}` or `{error: …}`.
fn refused(result: &CallResult) -> bool {
    structured(result).get("error").is_some()
}

fn denials(result: &CallResult) -> &[Denial] {
    &result.report.denials
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_grant_there_is_nothing_to_see() {
    let host = granted(&[]).await;
    assert_eq!(
        structured(&call(&host, "env_vars", json!({})).await),
        &json!({})
    );
    for (tool, arguments) in [
        ("read_file", json!({"path": "/etc/passwd"})),
        ("list_dir", json!({"path": "/"})),
        ("write_file", json!({"path": "/tmp/from-a-guest"})),
        ("stat", json!({"path": "/proc/self"})),
    ] {
        let result = call(&host, tool, arguments).await;
        assert!(refused(&result), "{tool}: {result:?}");
    }
    assert!(!Path::new("/tmp/from-a-guest").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_variables_that_were_granted_are_there() {
    let options = PluginOptions {
        grants: Grants {
            env: [("CITY".to_owned(), "Wien".to_owned())].into(),
            ..Grants::default()
        },
        ..PluginOptions::default()
    };
    let (host, _) = load("env", options).await;
    let seen = call(&host, "env_vars", json!({})).await;
    assert_eq!(structured(&seen), &json!({"CITY": "Wien"}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_granted_directory_is_read_and_written_as_it_was_granted() {
    let root = playground();
    let host = granted(&[grant(root.path(), "rw")]).await;
    let read = call(&host, "read_file", json!({"path": "/given/a"})).await;
    assert_eq!(structured(&read)["ok"], "hello");
    let written = call(&host, "write_file", json!({"path": "/given/b"})).await;
    assert!(!refused(&written), "{written:?}");
    assert!(root.path().join("given/b").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_directory_cannot_be_changed_in_any_way() {
    let root = playground();
    let host = granted(&[grant(root.path(), "ro")]).await;
    let before = snapshot(root.path());
    for (tool, arguments) in [
        ("write_file", json!({"path": "/given/a"})),
        ("write_file", json!({"path": "/given/new"})),
        ("append_file", json!({"path": "/given/a"})),
        ("make_dir", json!({"path": "/given/new"})),
        ("remove_file", json!({"path": "/given/a"})),
        ("remove_dir", json!({"path": "/given/sub"})),
        ("rename", json!({"path": "/given/a", "to": "/given/b"})),
        ("hard_link", json!({"path": "/given/a", "to": "/given/b"})),
        ("raw_symlink", json!({"path": "b", "to": "a"})),
        ("raw_write", json!({"path": "a"})),
    ] {
        let result = call(&host, tool, arguments).await;
        assert!(refused(&result), "{tool}: {result:?}");
        assert_eq!(snapshot(root.path()), before, "after {tool}");
        let denial = denials(&result)
            .first()
            .unwrap_or_else(|| panic!("{tool}: nothing recorded"));
        assert_eq!(denial.capability, "dir", "{tool}");
        assert!(denial.allow_with.as_ref().unwrap().contains("--dir"));
    }
}

/// A file of a read-only directory could be changed through another name of it in
/// one that may be written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_read_only_gets_no_name_where_writing_is_allowed() {
    let root = playground();
    let out = root.path().join("out");
    fs::create_dir(&out).unwrap();
    let host = granted(&[
        grant(root.path(), "ro"),
        format!("{}::/out:rw", out.display()),
    ])
    .await;
    for tool in ["hard_link", "rename"] {
        let arguments = json!({"path": "/given/a", "to": "/out/a"});
        assert!(refused(&call(&host, tool, arguments).await), "{tool}");
    }
    let link = json!({"dir": "/out", "path": "link", "to": "../given/a"});
    call(&host, "raw_symlink", link).await;
    call(&host, "write_file", json!({"path": "/out/link"})).await;
    assert_eq!(
        fs::read_to_string(root.path().join("given/a")).unwrap(),
        "hello"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_path_leads_out_of_a_granted_directory() {
    let root = playground();
    let given = root.path().join("given");
    symlink("../secret", given.join("relative")).unwrap();
    symlink(root.path().join("secret"), given.join("absolute")).unwrap();
    symlink("..", given.join("up")).unwrap();
    symlink("/proc/self/root", given.join("root")).unwrap();
    symlink("relative", given.join("twice")).unwrap();
    let host = granted(&[grant(root.path(), "rw")]).await;
    let absolute = root.path().join("secret").display().to_string();
    let through_root = format!("root{absolute}");
    for path in [
        "../secret",
        "sub/../../secret",
        "./../secret",
        "relative",
        "absolute",
        "up/secret",
        "twice",
        "sub/../relative",
        &absolute,
        &through_root,
        "/etc/passwd",
        "",
        "a/",
        "a\u{0}b",
    ] {
        for tool in ["raw_read", "raw_write"] {
            let result = call(&host, tool, json!({"path": path})).await;
            assert!(refused(&result), "{tool} {path:?}: {result:?}");
        }
    }
    for path in ["..", "up", "/", "root", "sub/../.."] {
        let result = call(&host, "raw_list", json!({"path": path})).await;
        assert!(refused(&result), "raw_list {path:?}: {result:?}");
    }
    let secret = fs::read_to_string(root.path().join("secret")).unwrap();
    assert_eq!(secret, "the secret");
}

/// The guest may write links, but none that lead out, and it follows none out.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn links_that_a_guest_makes_lead_nowhere_new() {
    let root = playground();
    let host = granted(&[grant(root.path(), "rw")]).await;
    for (path, to) in [
        ("one", "../secret"),
        ("two", "/etc/passwd"),
        ("three", ".."),
    ] {
        let made = call(&host, "raw_symlink", json!({"path": path, "to": to})).await;
        assert!(refused(&made), "{to}: {made:?}");
        // Somebody else makes it.
        symlink(to, root.path().join("given").join(path)).unwrap();
        for read in [path.to_owned(), format!("{path}/secret")] {
            let result = call(&host, "raw_read", json!({"path": read})).await;
            assert!(refused(&result), "{read}: {result:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_that_cannot_be_given_is_told_with_its_directory() {
    let root = playground();
    for (dir, name) in [("gone", "gone"), ("secret", "secret")] {
        let dir = format!("{}::/x", root.path().join(dir).display());
        let grants = Grants {
            dirs: vec![dir.parse().unwrap()],
            ..Grants::default()
        };
        let options = PluginOptions {
            grants,
            ..PluginOptions::default()
        };
        let loaded = host().load(guest("env"), options).await;
        let error = loaded.err().expect("it does not load").to_string();
        assert!(
            error.contains("granted directory") && error.contains(name),
            "{error}"
        );
    }
}

/// A pipe that nobody writes to is never read to its end, and the thread that
/// tries is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pipes_and_devices_in_a_granted_directory_cannot_be_opened() {
    let root = playground();
    let made = std::process::Command::new("mkfifo")
        .arg(root.path().join("given/pipe"))
        .status();
    assert!(made.unwrap().success());
    symlink("pipe", root.path().join("given/link")).unwrap();
    let host = granted(&[grant(root.path(), "rw"), "/dev::/dev".into()]).await;
    let started = Instant::now();
    for path in ["/given/pipe", "/given/link", "/dev/zero", "/dev/null"] {
        for tool in ["read_file", "append_file"] {
            let result = call(&host, tool, json!({"path": path})).await;
            assert!(refused(&result), "{tool} {path}: {result:?}");
        }
    }
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// Each open file takes a descriptor of the host process, which has some
/// thousand for everything it does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_cannot_use_up_the_files_of_the_host() {
    let root = playground();
    let host = granted(&[grant(root.path(), "ro")]).await;
    let many = json!({"path": "/given/a", "n": 5_000});
    let result = call(&host, "open_many", many).await;
    let opened = structured(&result)["opened"].as_u64().unwrap();
    assert!((100..=200).contains(&opened), "{result:?}");
    // They are closed when the call is over.
    for _ in 0..20 {
        let again = json!({"path": "/given/a", "n": 150});
        let result = call(&host, "open_many", again).await;
        assert_eq!(structured(&result)["opened"], 150, "{result:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_socket_can_be_used_and_each_try_is_recorded() {
    let host = host_with("sockets").await;
    for tool in ["connect", "listen", "send", "resolve"] {
        // A name, as an address would need no looking up.
        let address = match tool {
            "resolve" => "host.invalid:80",
            _ => "127.0.0.1:1",
        };
        let result = call(&host, tool, json!({"address": address})).await;
        assert!(refused(&result), "{tool}: {result:?}");
        let recorded = denials(&result);
        assert!(
            recorded.iter().any(|denial| denial.capability == "sockets"),
            "{tool}: {recorded:?}"
        );
        assert!(recorded.len() <= 64, "{tool}: {}", recorded.len());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_waits_for_files_runs_into_its_deadline() {
    let root = playground();
    let host = granted(&[grant(root.path(), "rw")]).await;
    let limits: LimitsPatch = serde_json::from_value(json!({"wall-clock": "300ms"})).unwrap();
    let arguments = json!({"path": "/given/a", "n": 10_000_000, "bytes": 1});
    let started = Instant::now();
    let result = call_limited(&host, "append_file", arguments, limits).await;
    assert_eq!(error(&result).name, "DeadlineExceededError", "{result:?}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

/// All names under `root` with what is in the files.
fn snapshot(root: &Path) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(snapshot(&path));
        }
        let text = fs::read_to_string(&path).map_or(Value::Null, Value::from);
        found.push((path.display().to_string(), text));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}
