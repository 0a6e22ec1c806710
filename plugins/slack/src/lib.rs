//! Slack, as tools: messages to post and to read.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`api`]: requests to Slack; [`failure`]: what its refusals mean
//! - [`channel`]: from the name of a channel to its id
//! - [`message`]: what Slack tells, without what no model needs

pub mod api;
pub mod channel;
pub mod failure;
pub mod message;
pub mod tools;

toolhost_sdk::plugin!(tools::post_message, tools::read_messages);
