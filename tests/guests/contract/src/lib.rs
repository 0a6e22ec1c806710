//! Shows every part of the contract crossing the boundary: each tool returns what
//! it saw, so that a test compares it with what the host was given, and each hook
//! answers as the arguments or the metadata of the call ask it to.
//!
//! # Layout
//! - [`context`]: the execution context and the transcript.
//! - [`live`]: abort signal, partial results, metadata and logs.
//! - [`endings`]: content blocks, suspensions and errors.
//! - [`described`]: a definition with every field set.
//! - [`hooks`]: the second exported interface.

mod context;
mod described;
mod endings;
mod hooks;
mod live;

use guest_support::Tool;

fn tools() -> &'static [Tool] {
    const TABLES: &[&[Tool]] = &[
        context::TOOLS,
        live::TOOLS,
        endings::TOOLS,
        described::TOOLS,
        hooks::TOOLS,
    ];
    TABLES.concat().leak()
}

guest_support::plugin!(tools(), described::describe(tools()));
