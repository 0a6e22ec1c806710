//! One file for each command.

pub(crate) mod bench;
pub(crate) mod cache;
pub(crate) mod compile;
pub(crate) mod completions;
pub(crate) mod inspect;
pub(crate) mod new;
pub(crate) mod policy;
pub(crate) mod run;
pub(crate) mod tools;
pub(crate) mod turn;
