//! `wasi:http`, outgoing, and a clock to wait by. A world of its own: only a
//! plugin that sends requests imports it.

/// The world of the HTTP client.
#[expect(clippy::pedantic, reason = "generated from wit/")]
mod client {
    wit_bindgen::generate!({
        inline: "
            package toolhost:sdk;
            world http-client {
                import wasi:http/outgoing-handler@0.2.0;
                import wasi:clocks/monotonic-clock@0.2.0;
            }
        ",
        path: "../../wit",
        generate_all,
        with: {
            "wasi:io/poll@0.2.0": crate::bindings::plain::wasi::io::poll,
        },
    });
}

pub(crate) use client::wasi::clocks::monotonic_clock;
pub(crate) use client::wasi::http::{outgoing_handler, types};
pub(crate) use client::wasi::io::streams;
