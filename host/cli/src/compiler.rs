//! Plugins are compiled by this very program, in a process of its own: hostile ones
//! may take all the memory and time that they get.

use std::path::{Path, PathBuf};

/// The running program, even when another was put in its place meanwhile.
const RUNNING: &str = "/proc/self/exe";

/// The program that compiles; `None` where the system does not tell which one this
/// is, and plugins are compiled in this process.
pub(crate) fn program() -> Option<PathBuf> {
    let running = Path::new(RUNNING);
    if cfg!(target_os = "linux") && running.exists() {
        return Some(running.to_owned());
    }
    std::env::current_exe().ok()
}
