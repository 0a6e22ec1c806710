//! One tool per misdeed. Each shows what a careless or hostile plugin does in one
//! call; the arguments say how much of it. `tests/guests/README.md` lists what the
//! host must answer.
//!
//! # Layout
//! - [`well`]: the tools that behave, to show that the host lets them.
//! - [`compute`], [`memory`]: burning fuel, stack and memory.
//! - [`crash`]: every way to trap or leave.
//! - [`waiting`]: blocking for too long.
//! - [`floods`]: too much of something.
//! - [`json`]: texts that are no JSON, or too deep.
//! - [`handles`]: too many host calls and handles.

mod compute;
mod crash;
mod floods;
mod handles;
mod json;
mod memory;
mod waiting;
mod well;

use guest_support::Tool;

fn tools() -> &'static [Tool] {
    const TABLES: &[&[Tool]] = &[
        well::TOOLS,
        compute::TOOLS,
        memory::TOOLS,
        crash::TOOLS,
        waiting::TOOLS,
        floods::TOOLS,
        json::TOOLS,
        handles::TOOLS,
    ];
    TABLES.concat().leak()
}

guest_support::plugin!(tools());
