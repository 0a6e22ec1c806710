//! `wasi:sockets`: not offered. Every Python plugin imports it, used or not, so
//! its functions are there and answer `access-denied`; no code of a socket lies
//! behind them. They are made from the plugin's own imports, whatever version it
//! was built with.

use std::sync::Arc;

use toolhost_tool::Denial;
use wasmtime::component::types::{ComponentFunc, ComponentItem, Type};
use wasmtime::component::{Component, Linker, Resource, ResourceType, Val};
use wasmtime::{Engine, StoreContextMut};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable};

use crate::state::CallState;

/// The package, as it stands before the interface in the name of an import.
pub(crate) const PACKAGE: &str = "wasi:sockets/";

/// Stands for every resource of the package.
struct Nothing;

/// Defines what `component` imports of the package.
pub(crate) fn add_to_linker(
    linker: &mut Linker<CallState>,
    engine: &Engine,
    component: &Component,
) -> wasmtime::Result<()> {
    for (interface, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(exports) = item.ty else {
            continue;
        };
        if !interface.starts_with(PACKAGE) {
            continue;
        }
        let mut instance = linker.instance(interface)?;
        for (name, export) in exports.exports(engine) {
            match export.ty {
                ComponentItem::Resource(_) => {
                    instance.resource(name, resource(name), |_, _| Ok(()))?;
                }
                ComponentItem::ComponentFunc(_) => {
                    let target: Arc<str> = format!("{interface}#{name}").into();
                    instance.func_new_async(name, move |store, ty, arguments, results| {
                        Box::new(deny(store, Arc::clone(&target), ty, arguments, results))
                    })?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The resources of `wasi:io` that the package refers to are the real ones: the
/// plugin uses them elsewhere too.
fn resource(name: &str) -> ResourceType {
    match name {
        "pollable" => ResourceType::host::<DynPollable>(),
        "input-stream" => ResourceType::host::<DynInputStream>(),
        "output-stream" => ResourceType::host::<DynOutputStream>(),
        _ => ResourceType::host::<Nothing>(),
    }
}

async fn deny(
    mut store: StoreContextMut<'_, CallState>,
    target: Arc<str>,
    ty: ComponentFunc,
    arguments: &[Val],
    results: &mut [Val],
) -> wasmtime::Result<()> {
    for argument in arguments {
        if let Val::Resource(handle) = argument {
            handle.resource_drop_async(&mut store).await?;
        }
    }
    let run = &mut store.data_mut().run;
    run.deny(Denial {
        capability: "sockets".into(),
        target: target.to_string(),
        allow_with: None,
    });
    for (result, ty) in results.iter_mut().zip(ty.results()) {
        *result = denial(&mut store, &ty).ok_or_else(|| {
            wasmtime::Error::msg(format!("`{target}` is not offered; use `wasi:http`"))
        })?;
    }
    Ok(())
}

/// The value that says no: an error with the case `access-denied`. A function
/// that cannot fail hands out a handle with which nothing can be done.
fn denial(store: &mut StoreContextMut<'_, CallState>, ty: &Type) -> Option<Val> {
    match ty {
        Type::Result(ty) => match ty.err()? {
            Type::Enum(codes) if codes.names().any(|name| name == DENIED) => {
                Some(Val::Result(Err(Some(Box::new(Val::Enum(DENIED.into()))))))
            }
            _ => None,
        },
        Type::Own(_) => {
            let handle = Resource::<Nothing>::new_own(0)
                .try_into_resource_any(store)
                .ok()?;
            Some(Val::Resource(handle))
        }
        _ => None,
    }
}

const DENIED: &str = "access-denied";
