//! The tools of a host: plugins and native tools side by side, under names that
//! fit, listed turn by turn, and native tools that work through a sandbox.

mod listing;
mod names;
mod sandboxed;
