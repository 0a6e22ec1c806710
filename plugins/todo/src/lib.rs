//! A list of things to do, as tools.
//!
//! # Layout
//! - [`list`]: the list, and how one follows another

pub mod list;
