//! Sends requests over bare `wasi:http`, as an honest tool does and as a hostile one
//! does. Each tool returns `{"ok": …}` or `{"error": …}` with the code that the host
//! gave, and leaves the judgement to the test.
//!
//! # Layout
//! - [`request`]: a request from arguments, sent.
//! - [`response`]: a response read to its end, or to where it breaks.
//! - [`fetch`]: tools that send one request or many.
//! - [`misuse`]: tools that misuse the interface.

mod fetch;
mod misuse;
mod request;
mod response;

use guest_support::Tool;

fn tools() -> &'static [Tool] {
    const TABLES: &[&[Tool]] = &[fetch::TOOLS, misuse::TOOLS];
    TABLES.concat().leak()
}

guest_support::plugin!(tools());
