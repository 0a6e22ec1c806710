//! Asks the user, as a tool.
//!
//! # Layout
//! - [`tool`]: the tool as the model sees it
//! - [`form`]: from what the model asks to the schema of the answer
//! - [`answer`]: whether an answer is one to the question

pub mod answer;
pub mod form;
pub mod tool;

toolhost_sdk::plugin!(tool::ask_question);
