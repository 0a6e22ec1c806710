//! Tells the date and the time, as tools.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`moment`]: what is told about a time and about a day
//! - [`zone`]: what a time zone is called

pub mod moment;
pub mod tools;
pub mod zone;

toolhost_sdk::plugin!(tools::current_date, tools::day_name);
