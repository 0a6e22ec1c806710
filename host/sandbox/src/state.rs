//! What the store of one call holds: everything its guest can reach, and the
//! facts from which its end is explained.

use std::sync::Arc;
use std::time::Instant;

use toolhost_policy::{CallSecrets, Grants, Limits};
use toolhost_tool::LimitHit;
use wasmtime::CallHook;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtx, WasiHttpCtxView, WasiHttpView};
use wasmtime_wasi_io::IoView;

use crate::cancel::CancelHandle;
use crate::capability::clocks::SteadyClock;
use crate::capability::filesystem::Open;
use crate::capability::http::HttpCtx;
use crate::capability::keyvalue::StorageCtx;
use crate::capability::random::Sequence;
use crate::capability::run::RunCtx;
use crate::ledger::Ledger;
use crate::memory::Memory;

/// Fuel after which a guest that computes yields, so that others run, timers too,
/// and its deadline is looked at: less than 0.1 ms of a tight loop, less than 10 ms
/// where every instruction misses the caches.
pub(crate) const FUEL_BETWEEN_YIELDS: u64 = 250_000;

/// Why the host ended a guest. Set before the guest is stopped, so that the end
/// is never guessed from the trap it produces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The wall clock ran out; milliseconds used.
    Deadline(u64),
    /// The caller cancelled and the grace time is over.
    Cancelled,
    /// Too many calls into the host.
    HostCalls(LimitHit),
}

/// The `T` of a call's `Store<T>`.
pub(crate) struct CallState {
    pub(crate) table: ResourceTable,
    pub(crate) wasi: WasiCtx,
    pub(crate) http: WasiHttpCtx,
    pub(crate) http_hooks: HttpCtx,
    pub(crate) run: RunCtx,
    /// The secrets that the host has, and those of them that the plugin may use.
    pub(crate) secrets: Option<CallSecrets>,
    /// The store of the plugin, where it may be used.
    pub(crate) storage: StorageCtx,
    /// Clock and random numbers that are the same in every call, where asked for.
    pub(crate) steady: Option<SteadyClock>,
    pub(crate) sequence: Option<Sequence>,
    pub(crate) ledger: Ledger,
    pub(crate) memory: Memory,
    pub(crate) open: Open,
    pub(crate) grants: Arc<Grants>,
    pub(crate) clock: Clock,
    /// How often the guest entered the host, its yields among them.
    pub(crate) entries: u64,
    pub(crate) stop: Option<Stop>,
    /// The guest has returned and its result is being read.
    pub(crate) reading_result: bool,
    /// When the start functions were through.
    pub(crate) instantiated: Option<Instant>,
    pub(crate) limits: Limits,
}

/// When a call has to end.
#[derive(Clone)]
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) deadline: Instant,
    pub(crate) cancel: CancelHandle,
    cancelled_at: Option<Instant>,
}

impl Clock {
    pub(crate) fn new(started: Instant, deadline: Instant, cancel: CancelHandle) -> Self {
        Self {
            started,
            deadline,
            cancel,
            cancelled_at: None,
        }
    }

    /// Whether the call is over, and why.
    pub(crate) fn check(&mut self, limits: &Limits) -> Option<Stop> {
        let now = Instant::now();
        if self.cancel.is_cancelled() {
            let since = *self.cancelled_at.get_or_insert(now);
            if now.duration_since(since) >= limits.grace {
                return Some(Stop::Cancelled);
            }
        }
        (now >= self.deadline).then(|| Stop::Deadline(self.elapsed_ms()))
    }

    pub(crate) fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl CallState {
    /// Asked whenever the guest enters or leaves the host. True when it may have
    /// entered too often, see [`check_host_calls`](Self::check_host_calls).
    pub(crate) fn at_crossing(&mut self, crossing: CallHook) -> bool {
        match crossing {
            CallHook::CallingHost => {
                self.reading_result = false;
                self.entries += 1;
            }
            CallHook::CallingWasm => self.reading_result = false,
            CallHook::ReturningFromWasm => self.reading_result = true,
            CallHook::ReturningFromHost => {}
        }
        self.entries > self.limits.host_calls
    }

    /// Calls of the host. A yield enters the host as well, and the guest did not
    /// ask for it; how many there were follows from the fuel.
    pub(crate) fn host_calls(&self, fuel_left: u64) -> u64 {
        let used = self.limits.fuel.saturating_sub(fuel_left);
        self.entries.saturating_sub(used / FUEL_BETWEEN_YIELDS)
    }

    /// Refuses more calls of the host than are allowed.
    pub(crate) fn check_host_calls(&mut self, fuel_left: u64) -> wasmtime::Result<()> {
        let (allowed, used) = (self.limits.host_calls, self.host_calls(fuel_left));
        if used <= allowed {
            return Ok(());
        }
        self.stop = Some(Stop::HostCalls(LimitHit {
            name: "host-calls".into(),
            allowed,
            used,
        }));
        Err(wasmtime::Error::msg("too many host calls"))
    }
}

impl WasiView for CallState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl IoView for CallState {
    fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }
}

impl WasiHttpView for CallState {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView {
            ctx: &mut self.http,
            table: &mut self.table,
            hooks: &mut self.http_hooks,
        }
    }
}
