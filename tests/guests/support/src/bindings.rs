//! The generated side of the contract. Only names that guests use in their code
//! are re-exported, under short paths.
#![expect(missing_docs, reason = "generated from wit/, which is documented")]
#![allow(clippy::all, clippy::pedantic, unsafe_code, reason = "generated")]

wit_bindgen::generate!({
    world: "plugin",
    path: "../../../wit",
    with: { "wasi:io/poll@0.2.0": wasip2::io::poll },
    generate_all,
    pub_export_macro: true,
    export_macro_name: "export_tools",
    default_bindings_module: "guest_support::bindings",
    generate_unused_types: true,
    additional_derives: [Clone],
});

pub use exports::toolhost::plugin::tools;
pub use toolhost::plugin::{calls, run, secrets, types};
