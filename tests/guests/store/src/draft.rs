//! The older version of the interface, on the same buckets as the newer one.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};

use crate::bindings::wasi::keyvalue0_2_0_draft::{atomics, store};
use store::Error;

pub(crate) const TOOLS: &[Tool] = &[Tool {
    name: "draft",
    description: "Sets `key`, counts at `n`, and lists all keys, by `0.2.0-draft`.",
    properties: r#"{"key":{"type":"string","default":"key"},"value":{"type":"string","default":"value"}}"#,
    run: draft,
}];

fn draft(request: &Request) -> Answer {
    let act = || -> Result<Value, Error> {
        let bucket = store::open("default")?;
        let (key, value) = (request.text("key", ""), request.text("value", ""));
        bucket.set(key, value.as_bytes())?;
        let sum = atomics::increment(&bucket, "n", 2)?;
        let (mut keys, mut cursor) = (Vec::new(), None);
        loop {
            let page = bucket.list_keys(cursor)?;
            keys.extend(page.keys);
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        keys.sort();
        Ok(json!({ "sum": sum, "keys": keys, "exists": bucket.exists(key)? }))
    };
    structured(said(act()))
}
