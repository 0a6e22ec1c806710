//! Writes that are followed by a bad end: what happened must be told all the same.

use guest_support::{Answer, Request, Tool, structured};
use serde_json::json;

use crate::bindings::wasi::keyvalue0_2_0_draft2::store;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "set_then",
        description: "Sets the key `done`, then ends by `how`: `trap`, `spin`.",
        properties: r#"{"how":{"type":"string","default":"trap"}}"#,
        run: set_then,
    },
    Tool {
        name: "set_for_ever",
        description: "Sets keys, one after the other, and never ends.",
        properties: "{}",
        run: set_for_ever,
    },
];

fn set_then(request: &Request) -> Answer {
    let set = store::open("").and_then(|bucket| bucket.set("done", b"yes"));
    match (set, request.text("how", "trap")) {
        (Ok(()), "spin") => loop {
            std::hint::spin_loop();
        },
        (Ok(()), _) => panic!("after setting `done`"),
        (Err(error), _) => structured(json!({ "error": format!("{error:?}") })),
    }
}

fn set_for_ever(_: &Request) -> Answer {
    let bucket = match store::open("") {
        Ok(bucket) => bucket,
        Err(error) => return structured(json!({ "error": format!("{error:?}") })),
    };
    for number in 0_u64.. {
        let value = format!("{number}{}", "x".repeat(500));
        if bucket
            .set(&format!("key-{}", number % 50), value.as_bytes())
            .is_err()
        {
            break;
        }
    }
    structured(json!({ "ended": true }))
}
