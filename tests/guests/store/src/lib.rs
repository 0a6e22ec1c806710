//! Keys and values, and the configuration, by the standard interfaces: each tool
//! makes the host calls it is named after and returns `{"ok": …}` or
//! `{"error": …}`.
//!
//! # Layout
//! - [`keys`]: one key at a time, and many of them.
//! - [`draft`]: the older version of the same interface.
//! - [`ends`]: writes that are followed by a bad end.

mod draft;
mod ends;
mod keys;

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};

/// Generated from the standard interfaces.
#[allow(
    clippy::all,
    clippy::pedantic,
    unsafe_code,
    missing_docs,
    reason = "generated"
)]
mod bindings {
    wit_bindgen::generate!({
        inline: "
            package toolhost:store-guest;
            world store {
                import wasi:config/store@0.2.0-rc.1;
                import wasi:keyvalue/store@0.2.0-draft;
                import wasi:keyvalue/atomics@0.2.0-draft;
                import wasi:keyvalue/store@0.2.0-draft2;
                import wasi:keyvalue/atomics@0.2.0-draft2;
                import wasi:keyvalue/batch@0.2.0-draft2;
            }
        ",
        path: "../../../wit",
        generate_all,
    });
}

use bindings::wasi::config::store as config;

const CONFIG: &[Tool] = &[
    Tool {
        name: "config",
        description: "Returns the value of the configuration at `key`.",
        properties: r#"{"key":{"type":"string"}}"#,
        run: |request| structured(said(config::get(request.text("key", "")))),
    },
    Tool {
        name: "config_all",
        description: "Returns the whole configuration.",
        properties: "{}",
        run: config_all,
    },
];

fn config_all(_: &Request) -> Answer {
    let all = config::get_all().map(|pairs| {
        let object = pairs.into_iter().map(|(key, value)| (key, json!(value)));
        Value::Object(object.collect())
    });
    structured(said(all))
}

fn tools() -> &'static [Tool] {
    const TABLES: &[&[Tool]] = &[CONFIG, keys::TOOLS, draft::TOOLS, ends::TOOLS];
    TABLES.concat().leak()
}

guest_support::plugin!(tools());
