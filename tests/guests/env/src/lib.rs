//! Reports what it can see of the world: environment, files, clocks, randomness,
//! standard input. Nothing may be visible that was not granted, so each tool
//! returns either `{"ok": …}` or `{"error": …}` and leaves the judgement to the
//! test.
//!
//! # Layout
//! - [`process`]: variables, arguments, streams, clocks, randomness.
//! - [`files`]: files by the standard library, as an honest tool uses them.
//! - [`changes`]: what runs into quotas, or leaves a mark.
//! - [`raw`]: files by bare host calls. The C library refuses `..` and absolute paths
//!   before the host sees them; these tools ask the host itself.

mod changes;
mod files;
mod process;
mod raw;

use guest_support::Tool;

fn tools() -> &'static [Tool] {
    const TABLES: &[&[Tool]] = &[process::TOOLS, files::TOOLS, changes::TOOLS, raw::TOOLS];
    TABLES.concat().leak()
}

guest_support::plugin!(tools());
