//! Ways out of a granted directory that lead nowhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{Playground, answer, effects};

/// Somebody with access to the folder puts a link in the place of a file while
/// the tool works: what is opened is checked, not a name that was looked at before.
#[test]
fn a_link_that_is_swapped_in_while_a_tool_works_leads_nowhere() {
    let playground = Playground::new();
    let door = playground.given("door");
    let over = AtomicBool::new(false);
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| {
            // The file, the link to the secret, the file …: each takes the place
            // of the one before as a whole.
            let (file, link) = (playground.given("file"), playground.given("link"));
            while !over.load(Ordering::Relaxed) {
                fs::write(&file, "inside").unwrap();
                fs::rename(&file, &door).unwrap();
                symlink("../secret", &link).unwrap();
                fs::rename(&link, &door).unwrap();
            }
        });
        scope.spawn(|| {
            let folder = playground.given("folder");
            let link = playground.given("out");
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("secret"), "inside").unwrap();
            while !over.load(Ordering::Relaxed) {
                fs::rename(&folder, playground.given("path")).unwrap();
                fs::rename(playground.given("path"), &folder).unwrap();
                symlink("..", &link).unwrap();
                fs::rename(&link, playground.given("path")).unwrap();
                fs::remove_file(playground.given("path")).unwrap();
            }
        });
        let often = |path: &str| {
            let often = json!({ "path": path, "n": 2_000 });
            playground.call(
                "rw",
                "try_often",
                &often,
                &["--timeout", "60s", "--fuel", "100G"],
            )
        };
        let ran = [often("/given/door"), often("/given/path/secret")];
        over.store(true, Ordering::Relaxed);
        ran
    });
    for ran in ran {
        let seen = answer(&ran.ends_with(0));
        let seen = seen.as_object().unwrap();
        assert!(
            seen.keys().any(|what| what.starts_with("not read")),
            "{seen:?}"
        );
        assert!(
            !seen.keys().any(|what| what.contains("the secret")),
            "{seen:?}"
        );
    }
    let secret = fs::read_to_string(playground.root().join("secret")).unwrap();
    assert_eq!(secret, "the secret");
}

#[test]
fn a_hard_link_takes_nothing_in_from_outside() {
    let playground = Playground::new();
    for path in ["../secret", "/given/../secret", "/secret", "/etc/hostname"] {
        let link = json!({ "path": path, "to": "/given/mine" });
        let ran = playground.call("rw", "hard_link", &link, &[]).ends_with(0);
        assert!(answer(&ran).get("error").is_some(), "{path}: {ran:#?}");
        assert!(!playground.given("mine").exists(), "{path}");
    }
    // And nothing out.
    let link = json!({ "path": "/given/a", "to": "/given/../mine" });
    let ran = playground.call("rw", "hard_link", &link, &[]).ends_with(0);
    assert!(answer(&ran).get("error").is_some(), "{ran:#?}");
    assert!(!playground.root().join("mine").exists());
}

/// Nobody but the guest would follow it inside a sandbox; what comes later in the
/// folder, a person or a program, would.
#[test]
fn no_link_is_left_behind_that_leads_out() {
    let playground = Playground::new();
    for (path, to) in [
        ("l", "../secret"),
        ("l", ".."),
        ("l", "sub/../../secret"),
        ("l", "./../secret"),
        ("l", "/etc/hostname"),
        // Inside as it is, and outside once it is moved.
        ("sub/l", "../a"),
    ] {
        let link = json!({ "path": path, "to": to });
        let ran = playground
            .call("rw", "raw_symlink", &link, &[])
            .ends_with(0);
        let error = answer(&ran)["error"].to_string();
        assert!(error.contains("not-permitted"), "{to}: {ran:#?}");
        assert!(!playground.given(path).is_symlink(), "{to}");
        let happened = effects(&ran).iter().any(|(_, state, _)| state != "none");
        assert!(!happened, "{to}: {ran:#?}");
    }
    let link = json!({ "path": "l", "to": "../secret" });
    let ran = playground.call("rw", "raw_symlink", &link, &[]);
    let denials = &ran.json()["report"]["denials"];
    assert_eq!(denials[0]["target"], "/given/l -> ../secret");
    assert_eq!(denials[0].get("allowWith"), None, "no grant allows it");
    // What leads down may be made.
    let link = json!({ "path": "l", "to": "sub/a" });
    playground.call("rw", "raw_symlink", &link, &[]);
    assert!(playground.given("l").is_symlink());
}

#[test]
fn a_link_of_somebody_else_is_not_moved_to_where_it_leads_out() {
    let playground = Playground::new();
    symlink("../a", playground.given("sub/up")).unwrap();
    for tool in ["rename", "hard_link"] {
        let arguments = json!({ "path": "/given/sub/up", "to": "/given/up" });
        let ran = playground.call("rw", tool, &arguments, &[]).ends_with(0);
        assert!(answer(&ran)["error"].is_string(), "{tool}: {ran:#?}");
        assert!(!playground.given("up").is_symlink(), "{tool}");
    }
    let arguments = json!({ "path": "/given/sub/up", "to": "/given/sub/other" });
    let ran = playground
        .call("rw", "rename", &arguments, &[])
        .ends_with(0);
    assert!(answer(&ran).get("error").is_none(), "{ran:#?}");
    assert!(playground.given("sub/other").is_symlink());
}

/// Names are what they are: no folding of case, dots or slashes makes another one.
#[test]
fn a_name_in_other_letters_is_another_name() {
    let playground = Playground::new();
    for path in [
        "/GIVEN/a",
        "/given/A",
        "/Given/a",
        "/given/a.",
        "/given/a ",
        "/given/a::$DATA",
        "/given/sub\\..\\a",
        "/given\u{2215}a",
        "/given/..%2fsecret",
        "/given/%2e%2e/secret",
        "/given/．．/secret",
    ] {
        let ran = playground.call("rw", "read_file", &json!({ "path": path }), &[]);
        assert!(answer(&ran).get("error").is_some(), "{path}: {ran:#?}");
    }
}

#[test]
fn proc_leads_nowhere_even_where_it_is_granted() {
    let playground = Playground::new();
    let secret = playground.root().join("secret").display().to_string();
    for path in ["/p/self/root", "/p/self/cwd", "/p/1/root"] {
        let path = format!("{path}{secret}");
        let more = ["--dir", "/proc::/p:ro"];
        let ran = playground.call("ro", "read_file", &json!({ "path": path }), &more);
        assert!(answer(&ran).get("error").is_some(), "{path}: {ran:#?}");
    }
}

/// Each function that changes anything, on a directory that may only be read.
#[test]
fn a_read_only_directory_refuses_each_way_of_writing() {
    let playground = Playground::new();
    let before = fs::metadata(playground.given("a"))
        .unwrap()
        .modified()
        .unwrap();
    for (tool, arguments) in [
        ("write_file", json!({ "path": "/given/a" })),
        ("append_file", json!({ "path": "/given/a" })),
        ("write_at", json!({ "path": "/given/a" })),
        ("set_len", json!({ "path": "/given/a" })),
        ("truncate", json!({ "path": "/given/a" })),
        ("set_times", json!({ "path": "/given/a" })),
        ("make_many", json!({ "path": "/given", "what": "files" })),
        ("make_many", json!({ "path": "/given", "what": "dirs" })),
        ("make_many", json!({ "path": "/given", "what": "links" })),
        ("remove_file", json!({ "path": "/given/a" })),
        ("remove_dir", json!({ "path": "/given/sub" })),
        ("rename", json!({ "path": "/given/a", "to": "/given/b" })),
        ("raw_write", json!({ "path": "a" })),
        ("raw_symlink", json!({ "path": "b", "to": "a" })),
    ] {
        let ran = playground.call("ro", tool, &arguments, &[]).ends_with(0);
        let error = &answer(&ran)["error"];
        assert!(error.is_string(), "{tool} {arguments}: {ran:#?}");
        let effects = ran.json()["report"]["effects"].clone();
        let happened = |effect: &Value| effect["state"] != "none";
        let effects = effects.as_array().cloned().unwrap_or_default();
        assert!(!effects.iter().any(happened), "{tool}: {effects:?}");
    }
    assert_eq!(fs::read_to_string(playground.given("a")).unwrap(), "hello");
    let after = fs::metadata(playground.given("a"))
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(after, before);
    assert_eq!(fs::read_dir(playground.given("")).unwrap().count(), 2);
}
