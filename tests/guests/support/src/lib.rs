//! What the test guests share: the raw bindings of the contract and the few
//! lines that turn a table of functions into a plugin.
//!
//! It is not the guest SDK and must not grow into one: the guests are written on
//! the bare contract so that a fault of the SDK cannot hide a fault of the host,
//! and so that a guest can say what the SDK would not let it say.
//!
//! # Layout
//! - [`bindings`]: generated from `wit/`, world `plugin`.
//! - [`answer`]: results and errors in one call.
//! - [`definition`]: a plain tool definition, every optional field empty.
//! - [`request`]: a call with its arguments read.
//! - [`table`]: tools as a table; [`plugin!`] exports it.

pub mod answer;
pub mod bindings;
pub mod definition;
pub mod request;
pub mod table;

pub use answer::{Answer, done, failure, output, said, structured, text};
pub use definition::{definition, named, schema};
pub use request::Request;
pub use table::Tool;

/// Never ends. Takes much time for little fuel, so that what ends it is a deadline, on
/// a fast machine too.
pub fn spin() -> ! {
    let mut value = std::hint::black_box(2.0_f64);
    loop {
        value = std::hint::black_box((value + 1.0).sqrt());
    }
}
