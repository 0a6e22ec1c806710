//! A store has limits, each with its name; what does not fit is refused and
//! nothing else is lost.

use std::fs;

use serde_json::{Value, json};

use super::{Shelf, report};
use crate::cli::program::Ran;

/// A call under limits of a configuration file.
fn limited(shelf: &Shelf, limits: &str, tool: &str, arguments: &Value) -> Ran {
    let config = shelf.folder.path().join("host.toml");
    fs::write(&config, format!("[limits]\n{limits}\n")).unwrap();
    let config = config.display().to_string();
    let more = ["--config", &config, "--json"];
    shelf.call(tool, arguments, &more)
}

/// The limit that the report names.
fn named(ran: &Ran) -> Value {
    report(ran)["denials"][0]["allowWith"].clone()
}

#[test]
fn a_store_holds_so_many_keys() {
    let shelf = Shelf::new();
    let limits = "storage-keys = 5";
    let ran = limited(&shelf, limits, "fill", &json!({ "n": 9 }));
    assert_eq!(ran.json()["result"]["set"], 5);
    let said = ran.json()["result"]["error"].to_string();
    assert!(said.contains("storage-keys"), "{said}");
    assert_eq!(named(&ran), "limits.storage-keys");
    // In all buckets together; a key that is there may be changed, and one that
    // is deleted makes room.
    let other = json!({ "bucket": "other" });
    assert_eq!(
        named(&limited(&shelf, limits, "set", &other)),
        "limits.storage-keys"
    );
    let there = json!({ "key": "key-0" });
    assert_eq!(named(&limited(&shelf, limits, "set", &there)), Value::Null);
    limited(&shelf, limits, "delete", &there);
    assert_eq!(named(&limited(&shelf, limits, "set", &other)), Value::Null);
    let counted = limited(&shelf, limits, "increment", &json!({}));
    assert_eq!(named(&counted), "limits.storage-keys");
}

#[test]
fn a_store_holds_so_many_bytes() {
    let shelf = Shelf::new();
    let limits = "storage-bytes = '10KiB'";
    let ran = limited(&shelf, limits, "fill", &json!({ "n": 99, "bytes": 1_000 }));
    assert_eq!(ran.json()["result"]["set"], 10);
    assert_eq!(named(&ran), "limits.storage-bytes");
    let last = &report(&ran)["effects"][10];
    assert_eq!(last["state"], "none", "{last}");
    // Names count too.
    let shelf = Shelf::new();
    let ran = limited(&shelf, limits, "fill", &json!({ "n": 9_999, "bytes": 0 }));
    let set = ran.json()["result"]["set"].as_u64().unwrap();
    assert!((500..1_000).contains(&set), "{set}");
}

#[test]
fn a_value_and_a_key_have_so_many_bytes() {
    let shelf = Shelf::new();
    let limits = "storage-value = 100\nstorage-key = 20";
    let fits = json!({ "key": "k".repeat(20), "value": "v".repeat(100) });
    assert_eq!(named(&limited(&shelf, limits, "set", &fits)), Value::Null);
    let value = json!({ "value": "v".repeat(101) });
    assert_eq!(
        named(&limited(&shelf, limits, "set", &value)),
        "limits.storage-value"
    );
    assert_eq!(
        named(&limited(&shelf, limits, "swap", &value)),
        "limits.storage-value"
    );
    let key = "k".repeat(21);
    for tool in ["set", "get", "delete", "exists", "increment", "swap"] {
        let ran = limited(&shelf, limits, tool, &json!({ "key": key }));
        assert_eq!(named(&ran), "limits.storage-key", "{tool}");
    }
    let bucket = json!({ "bucket": key });
    assert_eq!(
        named(&limited(&shelf, limits, "get", &bucket)),
        "limits.storage-key"
    );
}

/// Values that were allowed one by one may be too much to carry at once.
#[test]
fn what_is_read_at_once_is_bounded() {
    let shelf = Shelf::new();
    let many = json!({ "n": 100, "bytes": 9_000 });
    let limits = "host-call-bytes = '500kB'";
    let said = limited(&shelf, limits, "many", &many).json();
    // The host is handed no more than that either.
    assert!(
        said["isError"] == true || said["result"].get("error").is_some(),
        "{said}"
    );
}

/// What is too large for one call into the host is told as that, and not as a result.
#[test]
fn a_value_too_large_to_hand_over_names_its_own_limit() {
    let shelf = Shelf::new();
    let value = json!({ "n": 1, "bytes": 9_000_000 });
    let ran = shelf.call("fill", &value, &["--json"]).ends_with(4);
    let error = &ran.json()["result"];
    assert_eq!(error["error"], "HostCallLimitError", "{error}");
    assert_eq!(error["limit"]["name"], "host-call-bytes", "{error}");
}
