//! The tools as the model sees them.

pub mod find;
pub mod read;
pub mod write;
