//! Imports `acme:custom/thing@1.0.0`, which no host offers: it is refused when
//! loaded, with a message that names the import.

use guest_support::{Answer, Request, Tool, text};

mod bindings {
    //! The interface of a made-up vendor.
    #![allow(
        clippy::all,
        clippy::pedantic,
        unsafe_code,
        missing_docs,
        reason = "generated"
    )]

    wit_bindgen::generate!({
        inline: "
            package acme:custom@1.0.0;
            interface thing { ask: func(question: string) -> string; }
            world asks { import thing; }
        ",
    });

    pub(crate) use acme::custom::thing;
}

const TOOLS: &[Tool] = &[Tool {
    name: "ask",
    description: "Asks the vendor's host.",
    properties: r#"{"question":{"type":"string","default":"why?"}}"#,
    run: ask,
}];

fn ask(request: &Request) -> Answer {
    text(bindings::thing::ask(request.text("question", "why?")))
}

guest_support::plugin!(TOOLS);
