//! One call into a guest, in a straight line: wait for a free sandbox, make it,
//! enter the guest, and settle what happened. Every limit holds from the first
//! instruction of a start function to the last of `execute`.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::sync::SemaphorePermit;
use toolhost_policy::{CallSecrets, Grants, Limits, Redactor};
use toolhost_tool::{Durations, Report};
use wasmtime::component::ResourceTable;
use wasmtime::{AsContext, PoolConcurrencyLimitError, Store};
use wasmtime_wasi_http::WasiHttpCtx;

use crate::cancel::CancelHandle;
use crate::capability::clocks::SteadyClock;
use crate::capability::filesystem::Open;
use crate::capability::http::HttpCtx;
use crate::capability::keyvalue::{Owner, StorageCtx};
use crate::capability::random::Sequence;
use crate::capability::run::{Live, RunCtx};
use crate::capability::wasi;
use crate::engine::Shared;
use crate::export::Export;
use crate::failure::{Failure, explain};
use crate::ledger::{Ledger, Mark};
use crate::log::Log;
use crate::memory::Memory;
use crate::plugin::Inner;
use crate::state::{CallState, Clock, FUEL_BETWEEN_YIELDS, Stop};
use crate::storage::PluginStore;

/// What one call may use.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// How much.
    pub limits: Limits,
    /// What outside the sandbox.
    pub grants: Arc<Grants>,
    /// Where it may keep keys and values, if that is granted.
    pub storage: Option<PluginStore>,
    /// The secrets it may use, and all that are kept out of what leaves it.
    pub secrets: Option<CallSecrets>,
    /// Whether clocks and random numbers are the same in every call, for tests of
    /// tools.
    pub deterministic: bool,
}

impl Budget {
    /// Takes the secrets of the host out of what leaves the sandbox.
    pub(crate) fn redactor(&self) -> Redactor {
        let secrets = self.secrets.as_ref();
        secrets
            .map(|secrets| secrets.redactor().clone())
            .unwrap_or_default()
    }
}

/// What one call knows of its run.
#[derive(Default)]
pub(crate) struct Invocation {
    pub(crate) cancel: CancelHandle,
    /// A deadline that the caller set, when it is shorter than the limit.
    pub(crate) deadline: Option<Duration>,
    /// What the functions of `run` answer from.
    pub(crate) live: Option<Live>,
    /// Where outward acts are written down.
    pub(crate) ledger: Ledger,
    /// Whose keys and values it may see.
    pub(crate) owner: Owner,
}

/// How a call ended, and what it used.
pub(crate) struct Ended<A> {
    pub(crate) result: Result<A, Failure>,
    pub(crate) report: Report,
    /// The last partial result, as the guest wrote it.
    pub(crate) last_partial: Option<String>,
}

impl<A> Ended<A> {
    fn unstarted(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            report: Report::default(),
            last_partial: None,
        }
    }
}

/// Calls `export` of `plugin` in a fresh sandbox.
pub(crate) async fn run<E: Export>(
    plugin: &Inner,
    budget: &Budget,
    invocation: Invocation,
    export: E,
) -> Ended<E::Answer> {
    let shared = &plugin.sandbox.shared;
    let clock = clock(budget, &invocation);
    let _permit = match wait_for_slot(shared, plugin.places, &clock).await {
        Ok(permit) => permit,
        Err(failure) => return Ended::unstarted(failure),
    };
    let started = Instant::now();
    let queued = started - clock.started;
    let log = Log::new(budget.limits.log, budget.redactor());
    let mark = invocation.ledger.mark();
    let state = match state(shared, budget, clock, &log, invocation) {
        Ok(state) => state,
        Err(failure) => return Ended::unstarted(failure),
    };
    let mut store = store(shared, state);
    let result = race(&mut store, plugin, export).await;
    let mut ended = settle(store, result, queued, &mark);
    ended.report.fast_compiled = shared.is_fast;
    ended
}

/// Makes a sandbox and calls nothing in it; `None` when the pool has no place.
pub(crate) async fn hold(
    plugin: &Inner,
    budget: &Budget,
    invocation: Invocation,
) -> Result<Option<Store<CallState>>, Failure> {
    let shared = &plugin.sandbox.shared;
    let clock = clock(budget, &invocation);
    let log = Log::new(budget.limits.log, budget.redactor());
    let mut store = store(shared, state(shared, budget, clock, &log, invocation)?);
    match plugin.pre.instantiate_async(&mut store).await {
        Ok(_) => Ok(Some(store)),
        Err(error) if error.is::<PoolConcurrencyLimitError>() => Ok(None),
        Err(error) => {
            let fuel_left = store.get_fuel().unwrap_or(0);
            Err(failure(&error, store.data(), fuel_left))
        }
    }
}

fn clock(budget: &Budget, invocation: &Invocation) -> Clock {
    let started = Instant::now();
    let limit = budget.limits.wall_clock;
    let allowed = invocation.deadline.map_or(limit, |asked| asked.min(limit));
    // A limit of centuries is a limit that nobody reaches.
    let deadline = started
        .checked_add(allowed)
        .unwrap_or(started + Duration::from_hours(24 * 365));
    Clock::new(started, deadline, invocation.cancel.clone())
}

/// Waits no longer than the call may take.
async fn wait_for_slot<'a>(
    shared: &'a Shared,
    places: u32,
    clock: &Clock,
) -> Result<SemaphorePermit<'a>, Failure> {
    if clock.cancel.is_cancelled() {
        return Err(Failure::Aborted);
    }
    if let Ok(permit) = shared.slots.try_acquire_many(places) {
        return Ok(permit);
    }
    tokio::select! {
        permit = shared.slots.acquire_many(places) => {
            permit.map_err(|_| Failure::Internal("the engine is shut down".into()))
        }
        () = clock.cancel.cancelled() => Err(Failure::Aborted),
        () = tokio::time::sleep_until(clock.deadline.into()) => Err(Failure::Busy(
            "no sandbox became free within the time of the call; try again later".into(),
        )),
    }
}

fn state(
    shared: &Shared,
    budget: &Budget,
    clock: Clock,
    log: &Log,
    invocation: Invocation,
) -> Result<CallState, Failure> {
    let limits = budget.limits;
    invocation.ledger.redact_with(&budget.redactor());
    let mut table = ResourceTable::new();
    table.set_max_capacity(limits.resources as usize);
    let mut http = WasiHttpCtx::new();
    http.set_field_size_limit(usize::try_from(limits.http_fields).unwrap_or(usize::MAX));
    let steady = budget.deterministic.then(SteadyClock::default);
    Ok(CallState {
        table,
        wasi: wasi::context(&budget.grants, &limits, log, steady.as_ref())?,
        http,
        http_hooks: HttpCtx::new(
            Arc::clone(&shared.network),
            Arc::clone(&budget.grants),
            &limits,
            invocation.ledger.clone(),
            budget.secrets.clone(),
        ),
        run: RunCtx::new(log.clone(), budget.redactor(), invocation.live),
        secrets: budget.secrets.clone(),
        storage: StorageCtx::new(budget, invocation.owner),
        steady,
        sequence: budget.deterministic.then(Sequence::default),
        ledger: invocation.ledger,
        memory: Memory::new(&limits),
        open: Open::new(&limits),
        grants: Arc::clone(&budget.grants),
        clock,
        entries: 0,
        stop: None,
        reading_result: false,
        instantiated: None,
        limits,
    })
}

fn store(shared: &Shared, state: CallState) -> Store<CallState> {
    let limits = state.limits;
    let mut store = Store::new(&shared.engine, state);
    store.limiter(|state| &mut state.memory);
    store.set_fuel(limits.fuel).expect("the engine counts fuel");
    store.set_hostcall_fuel(usize::try_from(limits.host_call_bytes).unwrap_or(usize::MAX));
    store.call_hook(|mut context, crossing| {
        if !context.data_mut().at_crossing(crossing) {
            return Ok(());
        }
        let fuel_left = context.as_context().get_fuel()?;
        context.data_mut().check_host_calls(fuel_left)
    });
    store
        .fuel_async_yield_interval(Some(FUEL_BETWEEN_YIELDS))
        .expect("the engine counts fuel");
    store
}

/// Enters the guest and lets the deadline and the caller's cancel race it. It is
/// stopped by dropping the call, whether it computes or waits in the host.
async fn race<E: Export>(
    store: &mut Store<CallState>,
    plugin: &Inner,
    export: E,
) -> Result<wasmtime::Result<E::Answer>, Stopped> {
    let (limits, mut clock) = (store.data().limits, store.data().clock.clone());
    let (deadline, cancel) = (clock.deadline, clock.cancel.clone());
    let started = clock.started;
    let guest = AssertUnwindSafe(enter(store, plugin, export)).catch_unwind();
    let mut guest = std::pin::pin!(guest);
    // A guest that yields is looked at here: where all threads compute, a timer
    // may come late.
    let guest = std::future::poll_fn(|context| match guest.as_mut().poll(context) {
        Poll::Ready(Ok(result)) => Poll::Ready(Ok(result)),
        Poll::Ready(Err(panic)) => Poll::Ready(Err(Stopped::Panic(panic_message(&*panic)))),
        Poll::Pending => match clock.check(&limits) {
            Some(stop) => Poll::Ready(Err(Stopped::By(stop))),
            None => Poll::Pending,
        },
    });
    tokio::select! {
        biased;
        result = guest => result,
        () = tokio::time::sleep_until(deadline.into()) => {
            let used = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            Err(Stopped::By(Stop::Deadline(used)))
        }
        () = after_grace(&cancel, limits.grace) => Err(Stopped::By(Stop::Cancelled)),
    }
}

/// Why a call did not come to an end by itself.
enum Stopped {
    By(Stop),
    Panic(String),
}

async fn after_grace(cancel: &CancelHandle, grace: Duration) {
    cancel.cancelled().await;
    tokio::time::sleep(grace).await;
}

async fn enter<E: Export>(
    store: &mut Store<CallState>,
    plugin: &Inner,
    export: E,
) -> wasmtime::Result<E::Answer> {
    let instance = plugin.pre.instantiate_async(&mut *store).await?;
    store.data_mut().instantiated = Some(Instant::now());
    export.call(store, &instance, plugin).await
}

fn settle<A>(
    mut store: Store<CallState>,
    result: Result<wasmtime::Result<A>, Stopped>,
    queued: Duration,
    mark: &Mark,
) -> Ended<A> {
    let fuel_left = store.get_fuel().unwrap_or(0);
    let result = match result {
        // A guest that returns after the cancel, within its grace time, has
        // done as it was told; the call is cancelled all the same.
        Ok(Ok(_)) if store.data().clock.cancel.is_cancelled() => Err(Failure::Aborted),
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failure(&error, store.data(), fuel_left)),
        Err(Stopped::By(stop)) => {
            store.data_mut().stop = Some(stop);
            Err(explain(
                &wasmtime::Error::msg("stopped"),
                store.data(),
                fuel_left,
            ))
        }
        Err(Stopped::Panic(mut message)) => {
            if let Some(secrets) = &store.data().secrets {
                secrets.redactor().redact_string(&mut message);
            }
            tracing::error!("the host panicked during a call: {message}");
            Err(Failure::Internal(
                "the host failed during the call; this is a bug in it".into(),
            ))
        }
    };
    let mut state = store.into_data();
    let last_partial = state.run.last_partial.take();
    Ended {
        result,
        report: report(state, fuel_left, queued, mark),
        last_partial,
    }
}

fn failure(error: &wasmtime::Error, state: &CallState, fuel_left: u64) -> Failure {
    if error.is::<PoolConcurrencyLimitError>() {
        return Failure::Busy("all sandboxes of the pool are in use; try again later".into());
    }
    explain(error, state, fuel_left)
}

fn report(state: CallState, fuel_left: u64, queued: Duration, mark: &Mark) -> Report {
    let ended = Instant::now();
    let entered = state.clock.started + queued;
    let instantiated = state.instantiated.unwrap_or(ended);
    let (logs, logs_dropped_bytes) = state.run.log.take();
    let host_calls = state.host_calls(fuel_left);
    let mut denials = state.run.denials;
    denials.extend(state.http_hooks.denials());
    denials.extend(state.open.denials());
    let (effects, effects_dropped) = state.ledger.since(mark);
    Report {
        fuel: state.limits.fuel.saturating_sub(fuel_left),
        memory_peak_bytes: state.memory.peak(),
        host_calls,
        duration_ms: Durations {
            queue: Durations::milliseconds(queued),
            instantiate: Durations::milliseconds(instantiated - entered),
            invoke: Durations::milliseconds(ended - instantiated),
            total: Durations::milliseconds(ended - state.clock.started),
            ..Durations::default()
        },
        logs,
        logs_dropped_bytes,
        partials: state.run.partials,
        metadata: state.run.metadata,
        denials,
        effects,
        effects_dropped,
        calls: Vec::new(),
        fast_compiled: false,
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
