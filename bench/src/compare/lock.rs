//! Versions of the crates that were compiled in, read from a lock file. The program of
//! `bench/peers` has this file too: it uses nothing but the standard library.

/// The version of the crate; `None` when the lock file does not have it.
pub(crate) fn version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let line = format!("name = \"{name}\"");
    let mut lines = lock.lines();
    lines.find(|found| *found == line)?;
    let version = lines.next()?.strip_prefix("version = \"")?;
    version.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_a_crate_is_found() {
        let lock = "[[package]]\nname = \"wasmtime\"\nversion = \"48.0.8\"\n";
        assert_eq!(version(lock, "wasmtime"), Some("48.0.8"));
        assert_eq!(version(lock, "wasm"), None);
    }
}
