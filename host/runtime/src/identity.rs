//! By which name the storage and the secrets of a plugin are told from those of others.
//!
//! | loaded | identity |
//! |---|---|
//! | under a name, such as one of `[plugins]` | that name |
//! | from a file, without a name | `file:` and the real path of the file |
//! | from memory, without a name | `memory:` and the name it has in messages |
//!
//! The name of a file is whatever its author, or who copied it, calls it: a plugin that
//! is called like another must not get what is kept or meant for that one.

use std::path::Path;

use toolhost_sandbox::PluginSource;

/// The identity of a plugin that is loaded from `source`, under `name` if it has one.
pub(crate) async fn of(name: Option<&str>, source: &PluginSource) -> String {
    match (name, source) {
        (Some(name), _) => name.to_owned(),
        (None, PluginSource::Path(path)) => format!("file:{}", real(path).await),
        (None, PluginSource::Bytes { name, .. }) => format!("memory:{name}"),
        _ => "unknown:".to_owned(),
    }
}

/// The path without links, `.` and `..`: the same file is the same plugin from wherever
/// it is named. A file that is not there fails when it is read.
async fn real(path: &Path) -> String {
    let path = path.to_owned();
    // A folder of the network may take its time.
    let found = tokio::task::spawn_blocking(move || {
        let real = std::fs::canonicalize(&path);
        real.or_else(|_| std::path::absolute(&path)).unwrap_or(path)
    });
    found
        .await
        .map_or_else(|_| String::new(), |path| path.display().to_string())
}
