//! Finding a component among the messages cargo prints while it builds.
//!
//! File names follow package names and cargo's own rules; the messages say where
//! the files really are.

use std::path::Path;

use serde_json::Value;

/// Reads one message; gives the component's name and the path of its file when
/// it announces one.
pub(crate) fn parse(line: &str) -> Option<(String, String)> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || !is_component(&message["target"]) {
        return None;
    }
    let files = message["filenames"].as_array()?;
    let file = files.iter().filter_map(Value::as_str).find(|file| {
        Path::new(file)
            .extension()
            .is_some_and(|ending| ending == "wasm")
    })?;
    Some((folder_name(&message)?, file.to_owned()))
}

/// Whether a target of a crate is compiled to a file others can load.
pub(crate) fn is_component(target: &Value) -> bool {
    let kinds = target["kind"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "cdylib"))
}

/// The name of the folder that a package lies in.
pub(crate) fn folder_name(package: &Value) -> Option<String> {
    let manifest = Path::new(package["manifest_path"].as_str()?);
    Some(manifest.parent()?.file_name()?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A message of cargo for the crate in `plugins/jq`.
    fn message(reason: &str, kind: &str, files: &[&str]) -> String {
        serde_json::json!({
            "reason": reason,
            "manifest_path": "/clone/plugins/jq/Cargo.toml",
            "target": { "kind": [kind], "name": "toolhost_plugin_jq" },
            "filenames": files,
        })
        .to_string()
    }

    #[test]
    fn the_component_is_named_after_its_folder() {
        let files = [
            "/t/release/libtoolhost_plugin_jq.rlib",
            "/t/release/toolhost_plugin_jq.wasm",
        ];
        assert_eq!(
            parse(&message("compiler-artifact", "cdylib", &files)),
            Some(("jq".into(), "/t/release/toolhost_plugin_jq.wasm".into()))
        );
    }

    #[test]
    fn other_messages_announce_nothing() {
        let wasm = ["/t/release/x.wasm"];
        assert_eq!(parse(&message("compiler-message", "cdylib", &wasm)), None);
        assert_eq!(parse(&message("compiler-artifact", "bin", &wasm)), None);
        assert_eq!(
            parse(&message("compiler-artifact", "cdylib", &["/t/libx.so"])),
            None
        );
        assert_eq!(
            parse("{\"reason\":\"build-finished\",\"success\":true}"),
            None
        );
        assert_eq!(parse("not a message"), None);
    }
}
