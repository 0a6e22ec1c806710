//! The floor under a call's cost: the same component in bare wasmtime, with the
//! same arguments and none of our limits, checks and reports. Only benchmarks use
//! it: a tool that is run this way is not contained.

use std::sync::Arc;

use http::{Request, Response};
use toolhost_policy::{Access, Grants};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, InstancePre, Linker, ResourceTable, ResourceType};
use wasmtime::{Engine, InstanceAllocationStrategy, Store};
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use wasmtime_wasi_http::{
    Error, RequestOptions, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks, WasiHttpView,
};

use crate::bindings::run::{Flow, LogLevel, RunError};
use crate::bindings::{tools, types};
use crate::engine::{self, SandboxConfig};
use crate::plugin::Plugin;
use crate::state::FUEL_BETWEEN_YIELDS;

/// A component, compiled and linked for calls without a host around them.
#[derive(Clone)]
pub struct Floor(Arc<Inner>);

struct Inner {
    pre: InstancePre<Bare>,
    tools: tools::GuestIndices,
    grants: Grants,
    /// Whether its code counts fuel.
    metered: bool,
}

/// What a store needs for WASI, and nothing else.
struct Bare {
    table: ResourceTable,
    wasi: WasiCtx,
    http: WasiHttpCtx,
    offline: Offline,
}

/// Sends nothing.
struct Offline;

impl WasiHttpHooks for Offline {
    fn send_request(
        &mut self,
        _: Request<WasiBody>,
        _: Option<RequestOptions>,
        _: Sending,
    ) -> Box<dyn Future<Output = Result<(Response<WasiBody>, Sending), Error>> + Send> {
        Box::new(async { Err(Error::HttpRequestDenied) })
    }
}

type Sending = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl WasiHttpView for Bare {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            ctx: &mut self.http,
            table: &mut self.table,
            hooks: &mut self.offline,
        }
    }
}

impl WasiView for Bare {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl Floor {
    /// Compiles a component, without fuel in its code. Whatever it
    /// imports beside WASI traps when it is called. Blocks while it compiles.
    ///
    /// # Errors
    ///
    /// When it does not compile or link.
    pub fn new(component: &[u8], grants: Grants) -> wasmtime::Result<Self> {
        let mut config = engine::config(false);
        config.consume_fuel(false);
        let pool = InstanceAllocationStrategy::Pooling(engine::pool(&SandboxConfig::default()));
        config.allocation_strategy(pool);
        let engine = Engine::new(&config)?;
        Self::link(&Component::new(&engine, component)?, grants, false)
    }

    /// The floor of a host that limits its guests by fuel, as every host has to that
    /// limits them alike on all machines: the code that `plugin` was compiled to, in
    /// bare wasmtime.
    ///
    /// # Errors
    ///
    /// When it does not link.
    pub fn metered(plugin: &Plugin, grants: Grants) -> wasmtime::Result<Self> {
        Self::link(plugin.inner.pre.component(), grants, true)
    }

    fn link(component: &Component, grants: Grants, metered: bool) -> wasmtime::Result<Self> {
        let engine = component.engine();
        let mut linker = Linker::<Bare>::new(engine);
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
        wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;
        add_stubs(&mut linker, engine, component)?;
        let pre = linker.instantiate_pre(component)?;
        let tools = tools::GuestIndices::new(&pre)?;
        Ok(Self(Arc::new(Inner {
            pre,
            tools,
            grants,
            metered,
        })))
    }

    /// Makes a store and an instance, calls the tool, and drops both.
    ///
    /// # Errors
    ///
    /// When the guest traps.
    pub async fn call(&self, tool_name: &str, arguments: &str) -> wasmtime::Result<bool> {
        let Inner {
            pre,
            tools,
            grants,
            metered,
        } = &*self.0;
        let bare = Bare {
            table: ResourceTable::new(),
            wasi: wasi(grants)?,
            http: WasiHttpCtx::new(),
            offline: Offline,
        };
        let mut store = Store::new(pre.engine(), bare);
        if *metered {
            store.set_fuel(u64::MAX)?;
            store.fuel_async_yield_interval(Some(FUEL_BETWEEN_YIELDS))?;
        }
        let instance = pre.instantiate_async(&mut store).await?;
        let guest = tools.load(&mut store, &instance)?;
        let call = types::Call {
            tool_name: tool_name.into(),
            arguments: Some(arguments.into()),
        };
        let ended = guest.call_execute(&mut store, &call, &context()).await?;
        Ok(ended.is_ok())
    }
}

/// Packages of which only the least works here: what many tools do in each call.
const STUBS: [&str; 3] = ["toolhost:plugin/", "wasi:config/", "wasi:keyvalue/"];

/// Stands for every resource of these packages.
struct Nothing;

fn add_stubs(
    linker: &mut Linker<Bare>,
    engine: &Engine,
    component: &Component,
) -> wasmtime::Result<()> {
    for (interface, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(exports) = item.ty else {
            continue;
        };
        if !STUBS.iter().any(|package| interface.starts_with(package)) {
            continue;
        }
        let mut instance = linker.instance(interface)?;
        for (name, export) in exports.exports(engine) {
            match export.ty {
                ComponentItem::Resource(_) if name == "pollable" => {
                    let ty = ResourceType::host::<DynPollable>();
                    instance.resource(name, ty, |_, _| Ok(()))?;
                }
                ComponentItem::Resource(_) => {
                    let ty = ResourceType::host::<Nothing>();
                    instance.resource(name, ty, |_, _| Ok(()))?;
                }
                ComponentItem::ComponentFunc(_) if name == "is-aborted" => {
                    instance.func_wrap(name, |_, (): ()| Ok((false,)))?;
                }
                ComponentItem::ComponentFunc(_) if name == "log" => {
                    instance.func_wrap(name, |_, (_, _): (LogLevel, String)| Ok(()))?;
                }
                ComponentItem::ComponentFunc(_) if name == "emit-partial" => {
                    instance.func_wrap(name, |_, (_,): (String,)| {
                        Ok((Ok::<_, RunError>(Flow::Continue),))
                    })?;
                }
                ComponentItem::ComponentFunc(_) => {
                    let message = format!("`{interface}#{name}` is not there on the floor");
                    instance.func_new(name, move |_, _, _, _| {
                        Err(wasmtime::Error::msg(message.clone()))
                    })?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn wasi(grants: &Grants) -> wasmtime::Result<WasiCtx> {
    let mut builder = WasiCtxBuilder::new();
    for (name, value) in &grants.env {
        builder.env(name, value);
    }
    for dir in &grants.dirs {
        let permissions = match dir.access {
            Access::ReadOnly => FsPerms::ReadOnly,
            Access::ReadWrite => FsPerms::ReadWrite,
        };
        builder.preopened_dir(&dir.host, &dir.guest, permissions)?;
    }
    Ok(builder.build())
}

fn context() -> types::ExecutionContext {
    types::ExecutionContext {
        tool_call_id: "call-1".into(),
        session_id: None,
        run_id: None,
        request_id: None,
        principal: None,
        approval: None,
        attempt: 0,
        deadline_ms: 30_000,
        trace_parent: None,
        idempotency_key: "call-1".into(),
        metadata: None,
        usage: None,
        resumption: None,
    }
}
