//! The program `host`, as its users meet it: they try something, read what comes
//! back, and get further.

mod bench;
mod calls;
mod contexts;
mod failures;
mod grants;
mod housekeeping;
mod inspecting;
mod interrupts;
mod loading;
mod new_project;
mod outputs;
pub(crate) mod program;
