//! What one call may write: bytes, files, the size of a file, and files open at a
//! time. Each limit has a name, and the report says which one was hit.

use std::fs;

use serde_json::json;

use super::{Playground, advice, answer, effects};
use crate::cli::program::Ran;

/// Whether the guest was given the code for it.
fn is_quota(ran: &Ran) -> bool {
    answer(ran)["error"].to_string().contains("quota")
}

#[test]
fn a_call_writes_so_many_bytes() {
    let playground = Playground::new();
    let limits = "written-bytes = 10_000";
    let some = json!({ "path": "/given/new", "n": 10, "bytes": 1_000 });
    let ran = playground.limited(limits, "append_file", &some);
    assert!(answer(&ran).get("ok").is_some(), "{ran:#?}");
    let more = json!({ "path": "/given/more", "n": 11, "bytes": 1_000 });
    let ran = playground.limited(limits, "append_file", &more);
    assert!(answer(&ran).get("error").is_some(), "{ran:#?}");
    assert_eq!(advice(&ran), ["limits.written-bytes"]);
    assert_eq!(
        fs::metadata(playground.given("more")).unwrap().len(),
        10_000
    );
    assert_eq!(effects(&ran)[0].2, 10_000);
    // Over all files of the call, and by bare host calls too.
    for tool in ["raw_write", "raw_stream"] {
        let arguments = match tool {
            "raw_write" => json!({ "path": "a" }),
            _ => json!({ "path": "a", "bytes": 4 }),
        };
        let ran = playground.limited("written-bytes = 3", tool, &arguments);
        assert!(is_quota(&ran), "{tool}: {ran:#?}");
    }
    let kept = fs::read_to_string(playground.given("a")).unwrap();
    assert_eq!(kept, "hello");
}

/// A hole costs no disk at first, and whoever copies the file pays for it.
#[test]
fn a_file_gets_no_larger_by_any_way() {
    let playground = Playground::new();
    let limits = "file-size = 1_000";
    for (tool, arguments) in [
        ("write_at", json!({ "offset": 1_000_000_000_000_u64 })),
        ("write_at", json!({ "offset": 1_000 })),
        ("write_at", json!({ "offset": 990, "bytes": 11 })),
        ("set_len", json!({ "bytes": 1_001 })),
        ("set_len", json!({ "bytes": 1_000_000_000_000_u64 })),
        ("append_file", json!({ "n": 1, "bytes": 996 })),
        ("append_file", json!({ "n": 996, "bytes": 1 })),
    ] {
        fs::write(playground.given("a"), "hello").unwrap();
        let mut arguments = arguments;
        arguments["path"] = json!("/given/a");
        let ran = playground.limited(limits, tool, &arguments);
        assert!(
            answer(&ran).get("error").is_some(),
            "{tool} {arguments}: {ran:#?}"
        );
        assert_eq!(advice(&ran), ["limits.file-size"], "{tool} {arguments}");
        let size = fs::metadata(playground.given("a")).unwrap().len();
        assert!(size <= 1_000, "{tool} {arguments}: {size}");
    }
    for (tool, arguments) in [
        ("write_at", json!({ "path": "/given/a", "offset": 999 })),
        ("set_len", json!({ "path": "/given/b", "bytes": 1_000 })),
        (
            "append_file",
            json!({ "path": "/given/c", "n": 10, "bytes": 100 }),
        ),
    ] {
        let ran = playground.limited(limits, tool, &arguments);
        assert!(answer(&ran).get("error").is_none(), "{tool}: {ran:#?}");
    }
}

/// Making a file longer writes zeros, whoever stores them.
#[test]
fn growing_a_file_counts_as_writing() {
    let playground = Playground::new();
    let limits = "written-bytes = 500";
    for (tool, arguments) in [
        ("set_len", json!({ "path": "/given/x", "bytes": 501 })),
        ("write_at", json!({ "path": "/given/y", "offset": 500 })),
    ] {
        let ran = playground.limited(limits, tool, &arguments);
        assert_eq!(advice(&ran), ["limits.written-bytes"], "{tool}: {ran:#?}");
    }
    let ran = playground.limited(
        limits,
        "set_len",
        &json!({ "path": "/given/x", "bytes": 500 }),
    );
    assert_eq!(advice(&ran), [""; 0], "{ran:#?}");
}

#[test]
fn a_call_makes_so_many_files() {
    for what in ["files", "dirs", "links"] {
        let playground = Playground::new();
        let many = json!({ "path": "/given", "n": 9, "what": what });
        let ran = playground.limited("created-files = 4", "make_many", &many);
        assert_eq!(answer(&ran)["made"], 4, "{what}: {ran:#?}");
        assert_eq!(advice(&ran), ["limits.created-files"], "{what}");
        let there = fs::read_dir(playground.given("")).unwrap().count();
        assert_eq!(there, 2 + 4, "{what}");
        // What is there already may be written.
        let ran = playground.limited(
            "created-files = 0",
            "write_file",
            &json!({ "path": "/given/a" }),
        );
        assert!(answer(&ran).get("error").is_none(), "{ran:#?}");
        let ran = playground.limited("created-files = 0", "raw_symlink", &json!({}));
        assert!(is_quota(&ran), "{ran:#?}");
    }
}

#[test]
fn a_call_has_so_many_files_open() {
    let playground = Playground::new();
    let many = json!({ "path": "/given/a", "n": 5_000 });
    let ran = playground.limited("open-files = 10", "open_many", &many);
    // The granted directory is one of them.
    assert_eq!(answer(&ran)["opened"], 9, "{ran:#?}");
    assert_eq!(advice(&ran), ["limits.open-files"]);
}
