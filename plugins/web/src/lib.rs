//! The web, as tools: one request, or one page as text.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`hosts`]: which hosts they may ask, beside what is granted
//! - [`fetch`]: how far a response is followed and read
//! - [`body`], [`media`], [`charset`]: bytes to text
//! - [`page`]: HTML to text

pub mod body;
pub mod charset;
pub mod fetch;
pub mod hosts;
pub mod media;
pub mod page;
pub mod tools;

toolhost_sdk::plugin!(tools::request::http_request, tools::fetch::web_fetch);
