//! Configuration and storage: standard interfaces, in both versions of
//! `wasi:keyvalue` that toolchains generate from. Plugins import them only where
//! they use them.

wasmtime::component::bindgen!({
    inline: "
        package toolhost:host;
        world storage {
            import wasi:config/store@0.2.0-rc.1;
            import wasi:keyvalue/store@0.2.0-draft;
            import wasi:keyvalue/atomics@0.2.0-draft;
            import wasi:keyvalue/batch@0.2.0-draft;
            import wasi:keyvalue/store@0.2.0-draft2;
            import wasi:keyvalue/atomics@0.2.0-draft2;
            import wasi:keyvalue/batch@0.2.0-draft2;
        }
    ",
    path: "../../wit",
    imports: {
        "wasi:config/store": trappable,
        default: async | trappable,
    },
    with: {
        "wasi:keyvalue/store.bucket": crate::storage::Bucket,
        "wasi:keyvalue/atomics.cas": crate::capability::keyvalue::Cas,
    },
});

pub(crate) use wasi::config::store as config;
pub(crate) use wasi::keyvalue0_2_0_draft as keyvalue_draft;
pub(crate) use wasi::keyvalue0_2_0_draft2 as keyvalue_draft2;
