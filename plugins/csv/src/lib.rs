//! Profiles and queries CSV tables, as tools.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`profile`]: what is in a table
//! - [`query`]: rows and groups out of a table
//! - [`table`]: a table, read row by row; [`source`] and [`dialect`] open it
//! - [`value`], [`number`]: what cells hold
//! - [`watch`]: partial results and cancelling
//! - [`failure`]: what the model reads when something goes wrong

pub mod dialect;
pub mod failure;
mod names;
pub mod number;
pub mod profile;
pub mod query;
pub mod source;
pub mod table;
pub mod tools;
pub mod value;
pub mod watch;

toolhost_sdk::plugin!(tools::profile::csv_profile, tools::query::csv_query);
