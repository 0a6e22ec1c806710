//! Cannot keep a secret: it is handed one and tells it, in every form and at every
//! place where a guest can say something. What is left of it is the test's to judge.
//!
//! # Layout
//! - [`form`]: what it makes of the secret.
//! - [`place`]: where it says it.

mod form;
mod place;

use guest_support::bindings::secrets;
use guest_support::{Answer, Request, Tool, failure, said, structured};

const TOOLS: &[Tool] = &[
    Tool {
        name: "ask",
        description: "Asks for the secret `name` and tells how many bytes it got, or what it was told.",
        properties: r#"{"name":{"type":"string"}}"#,
        run: ask,
    },
    Tool {
        name: "tell",
        description: "Tells the secret `name` in a `form` at a `place`.",
        properties: r#"{"name":{"type":"string"},"form":{"type":"string","default":"plain"},"place":{"type":"string","default":"text"}}"#,
        run: tell,
    },
];

fn ask(request: &Request) -> Answer {
    let got = secrets::get_token(request.text("name", ""));
    structured(said(got.map(|token| token.len())))
}

fn tell(request: &Request) -> Answer {
    let token = secrets::get_token(request.text("name", ""))
        .map_err(|error| failure("NoSecretError", format!("{error:?}")))?;
    let told = form::of(&token, request.text("form", "plain"));
    place::tell(&told, &token, request.text("place", "text"))
}

guest_support::plugin!(TOOLS);
