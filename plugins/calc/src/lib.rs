//! A calculator with units and big numbers, as a tool.
//!
//! # Layout
//! - [`tool`]: the tool as the model sees it
//! - [`calculation`]: the lines of a calculation, one after the other
//! - `reading`: what the calculator would misread is refused before it does
//! - `advice`: what to write instead, added to the calculator's own words
//! - `stop`: ends a calculation that would take too long

mod advice;
pub mod calculation;
mod reading;
mod stop;
pub mod tool;

toolhost_sdk::plugin!(tool::calc);
