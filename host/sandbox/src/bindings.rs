//! What wasmtime generates from the WIT contract in `wit/`. Generated types
//! stop here and in `convert` and `capability`; everybody else uses
//! `toolhost-tool`.

mod storage;

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "plugin-with-hooks",
    imports: {
        "toolhost:plugin/run.emit-partial": async | trappable,
        "toolhost:plugin/run.emit-event": async | trappable,
        "toolhost:plugin/calls.call-tool": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    with: {
        "wasi:io/poll": wasmtime_wasi::p2::bindings::io::poll,
    },
});

pub(crate) use exports::toolhost::plugin::{hooks, tools};
pub(crate) use storage::{config, keyvalue_draft, keyvalue_draft2};
pub(crate) use toolhost::plugin::{calls, run, secrets, types};
