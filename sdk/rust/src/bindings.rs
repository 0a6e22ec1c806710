//! The contract, generated from the WIT package at the root of the repository.
//!
//! Two worlds are generated, not one: `plain` is the contract's `plugin`, and
//! `hooked` holds nothing but the export of `hooks`. A plugin with hooks uses
//! both, which together are `plugin-with-hooks`; one without never mentions
//! the second, so its component has no such export. Generated types stay in
//! this module; everything else uses the types beside it.

mod context;
mod definition;
mod outcome;
mod output;

/// The world `plugin`.
#[expect(clippy::pedantic, reason = "generated from wit/")]
#[doc(hidden)]
pub mod plain {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "plugin",
        generate_all,
        pub_export_macro: true,
        export_macro_name: "export_tools",
    });
}

/// What `plugin-with-hooks` has beside `plugin`.
#[expect(clippy::pedantic, reason = "generated from wit/")]
#[doc(hidden)]
pub mod hooked {
    wit_bindgen::generate!({
        inline: "
            package toolhost:sdk;
            world hooks-only {
                export toolhost:plugin/hooks@0.1.0;
            }
        ",
        path: "../../wit",
        pub_export_macro: true,
        export_macro_name: "export_hooks",
        with: {
            "toolhost:plugin/types@0.1.0": super::plain::toolhost::plugin::types,
            "toolhost:plugin/hooks@0.1.0": generate,
        },
    });
}

/// Standard interfaces that the contract does not name. Only a plugin that calls
/// one of their functions imports them.
#[cfg(target_arch = "wasm32")]
#[expect(clippy::pedantic, reason = "generated from wit/deps")]
#[doc(hidden)]
pub(crate) mod storage {
    wit_bindgen::generate!({
        inline: "
            package toolhost:sdk-storage;
            world storage {
                import wasi:config/store@0.2.0-rc.1;
                import wasi:keyvalue/store@0.2.0-draft2;
                import wasi:keyvalue/atomics@0.2.0-draft2;
            }
        ",
        path: "../../wit",
        generate_all,
    });
}

pub(crate) use hooked::exports::toolhost::plugin::hooks;
pub(crate) use plain::exports::toolhost::plugin::tools;
pub(crate) use plain::toolhost::plugin::{calls, run, secrets, types};
#[cfg(target_arch = "wasm32")]
pub(crate) use plain::wasi::io::poll::Pollable;
