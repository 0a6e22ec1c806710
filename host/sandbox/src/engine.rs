//! The engine: everything that is the same for all plugins and calls, made once.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::Semaphore;
use wasmtime::component::{Component, Linker};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy,
};

use crate::cache::Cache;
use crate::capability;
use crate::capability::http::Network;
use crate::compile::Compiler;
use crate::error::SetupError;
use crate::state::CallState;

/// Stack of a guest. Interpreters compiled to wasm recurse deeply on honest
/// programs, so it is twice wasmtime's default.
pub(crate) const MAX_WASM_STACK_BYTES: usize = 1024 * 1024;

/// Stack of the fiber a call runs on: the guest's and as much again for the host
/// functions it calls.
const FIBER_STACK_BYTES: usize = 2 * MAX_WASM_STACK_BYTES;

/// Frames kept of a trap's backtrace; so many nested calls are taken for
/// endless recursion.
pub(crate) const MAX_BACKTRACE_FRAMES: usize = 100;

/// Calls that run at once by default; more wait for a free sandbox.
pub const DEFAULT_MAX_CALLS: u32 = 1_000;

/// A component may hold several core modules with a memory or a table of their
/// own. A call of one that has more takes the place of several in the pool.
const POOLED_MEMORIES_PER_CALL: u32 = 2;
const POOLED_TABLES_PER_CALL: u32 = 4;

/// The most a single component may have of each; scanned before it is compiled.
const MAX_MEMORIES_PER_COMPONENT: u32 = 64;
const MAX_TABLES_PER_COMPONENT: u32 = 64;
const MAX_CORE_INSTANCES_PER_COMPONENT: u32 = 512;

/// Room for the bookkeeping of one instance. `CPython` with its extension modules
/// is the largest seen, at well under 1 MiB.
const MAX_INSTANCE_BYTES: usize = 4 * 1024 * 1024;

/// Elements of one pooled table. `SpiderMonkey` and `CPython` have some 10,000.
const POOLED_TABLE_ELEMENTS: usize = 100_000;

/// Memory of a slot that is kept and cleared by hand when a call ends, instead of
/// being given back to the kernel page by page, to be asked for again by the next
/// call. Measured: a small guest needs 64 KiB of it, an interpreter gains up to
/// 512 KiB. It is what a call can leave behind, so it is not more.
const KEPT_MEMORY_BYTES: u64 = 512 * 1024;

/// The same of each table. `SpiderMonkey` fills 80 KiB; giving back a table of a few
/// entries took a third of a small call.
const KEPT_TABLE_BYTES: u64 = 128 * 1024;

/// What the place of one call keeps if all that is of use is kept.
const KEPT_BYTES_PER_CALL: u64 = POOLED_MEMORIES_PER_CALL as u64 * KEPT_MEMORY_BYTES
    + POOLED_TABLES_PER_CALL as u64 * KEPT_TABLE_BYTES;

const PAGE_BYTES: u128 = 4096;

/// Memory that sandboxes keep by default while no call uses them, at most: all that
/// is of use, in a pool of the default size.
pub const DEFAULT_IDLE_BYTES: u64 = DEFAULT_MAX_CALLS as u64 * KEPT_BYTES_PER_CALL;

/// How an engine is set up. [`Default`] is what a host wants.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// Where compiled plugins are kept; `None` compiles each time. The default
    /// is [`Cache::default_dir`].
    pub cache_dir: Option<PathBuf>,
    /// Calls that run at once; more wait. Default [`DEFAULT_MAX_CALLS`].
    pub max_calls: u32,
    /// Bytes of memory that sandboxes may keep together while no call uses them, at
    /// most: after a burst of calls the pages that those have touched stay, up to
    /// 512 KiB a memory and 128 KiB a table, since the next calls are cheaper with
    /// them. Less makes each place of the pool keep less, at 0 each call asks the
    /// kernel for all its pages. Default [`DEFAULT_IDLE_BYTES`], 1.5 GiB. Plugins
    /// compiled fast have a pool of their own, which keeps as much again.
    pub idle_bytes: u64,
    /// The program that compiles plugins, each in a process of its own with limits on
    /// memory and time: this very program, which calls
    /// [`compile_when_asked`](crate::compile_when_asked) first of all. What it writes
    /// is run. Default: none; plugins are compiled in this process, where nothing
    /// limits what that takes but a cautious estimate.
    pub compiler: Option<PathBuf>,
    /// A file of certificates in PEM that are trusted beside those of the system.
    /// Default: none.
    pub ca_file: Option<PathBuf>,
}

impl Default for SandboxConfig {
    fn default() -> Self {
        Self {
            cache_dir: Cache::default_dir(),
            max_calls: DEFAULT_MAX_CALLS,
            idle_bytes: DEFAULT_IDLE_BYTES,
            compiler: None,
            ca_file: None,
        }
    }
}

/// Compiles plugins and runs their calls. Cheap to clone: all clones are one
/// engine.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) linker: Linker<CallState>,
    pub(crate) slots: Semaphore,
    pub(crate) network: Arc<Network>,
    max_calls: u32,
    pub(crate) cache: Option<Cache>,
    pub(crate) compiler: Option<Compiler>,
    /// Whether its plugins are compiled by the fast compiler.
    pub(crate) is_fast: bool,
    pooled: bool,
    /// The engine of plugins that are compiled fast, once there are some.
    #[cfg(feature = "winch")]
    fast: std::sync::Mutex<Option<Sandbox>>,
    #[cfg(feature = "winch")]
    config: SandboxConfig,
}

impl Sandbox {
    /// Sets up an engine.
    ///
    /// # Errors
    ///
    /// When no call may run, the cache folder cannot be used safely, or the
    /// machine cannot run wasmtime at all.
    pub fn new(config: &SandboxConfig) -> Result<Self, SetupError> {
        Self::build(config, false)
    }

    fn build(config: &SandboxConfig, is_fast: bool) -> Result<Self, SetupError> {
        if config.max_calls == 0 {
            return Err(SetupError::NoCalls);
        }
        let cache = config.cache_dir.as_deref().map(Cache::open).transpose()?;
        let (engine, pooled) = engine(config, is_fast)?;
        let mut linker = Linker::new(&engine);
        capability::wasi::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::run::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::calls::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::config::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::keyvalue::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::secrets::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        capability::http::add_to_linker(&mut linker).map_err(SetupError::Engine)?;
        let network = Arc::new(Network::new(config.ca_file.as_deref())?);
        let slots = Semaphore::new(config.max_calls as usize);
        Ok(Self {
            shared: Arc::new(Shared {
                engine,
                linker,
                slots,
                network,
                max_calls: config.max_calls,
                cache,
                compiler: config
                    .compiler
                    .clone()
                    .map(|program| Compiler::new(program, is_fast)),
                is_fast,
                pooled,
                #[cfg(feature = "winch")]
                fast: std::sync::Mutex::default(),
                #[cfg(feature = "winch")]
                config: config.clone(),
            }),
        })
    }

    /// The sandbox of plugins that are compiled by the fast compiler: code of two
    /// compilers cannot be in one engine. `None` where this host is built without.
    #[cfg(feature = "winch")]
    pub(crate) fn fast(&self) -> Result<Option<Self>, SetupError> {
        use std::sync::PoisonError;
        let fast = self.shared.fast.lock();
        let mut fast = fast.unwrap_or_else(PoisonError::into_inner);
        if fast.is_none() {
            *fast = Some(Self::build(&self.shared.config, true)?);
        }
        Ok(fast.clone())
    }

    /// None: this host is built without the fast compiler.
    #[cfg(not(feature = "winch"))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the same with the fast compiler"
    )]
    pub(crate) fn fast(&self) -> Result<Option<Self>, SetupError> {
        Ok(None)
    }

    /// How many places of the pool a call of `component` takes. A plugin of many
    /// memories would use up the pool of all others otherwise.
    pub(crate) fn places(&self, component: &Component) -> u32 {
        let Some(needed) = component.resources_required() else {
            return 1;
        };
        let memories = needed.num_memories.div_ceil(POOLED_MEMORIES_PER_CALL);
        let tables = needed.num_tables.div_ceil(POOLED_TABLES_PER_CALL);
        memories.max(tables).clamp(1, self.shared.max_calls)
    }

    /// Whether sandboxes come from a pool. Where the address space for one
    /// cannot be had, each is allocated by itself, at about four times the cost.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.shared.pooled
    }

    /// The compile cache, unless it is off.
    #[must_use]
    pub fn cache(&self) -> Option<&Cache> {
        self.shared.cache.as_ref()
    }
}

/// The pool reserves address space, terabytes of it, which a container or a
/// `ulimit` may refuse.
fn engine(sandbox: &SandboxConfig, fast: bool) -> Result<(Engine, bool), SetupError> {
    let mut config = config(fast);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(sandbox)));
    match Engine::new(&config) {
        Ok(engine) => Ok((engine, true)),
        Err(error) => {
            tracing::warn!("no pool of sandboxes, calls will be slower: {error:#}");
            config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
            Ok((Engine::new(&config).map_err(SetupError::Engine)?, false))
        }
    }
}

/// What the code of a plugin is made for: the same in all processes.
pub(crate) fn config(fast: bool) -> Config {
    let mut config = Config::new();
    if fast {
        config.strategy(Strategy::Winch);
    }
    config
        .consume_fuel(true)
        // The contract is a synchronous world; support for guests that run
        // concurrently costs a third of a small call.
        .concurrency_support(false)
        .max_wasm_stack(MAX_WASM_STACK_BYTES)
        .async_stack_size(FIBER_STACK_BYTES)
        .wasm_backtrace_max_frames(NonZeroUsize::new(MAX_BACKTRACE_FRAMES))
        // Proposals that no plugin needs and that widen what a guest can do.
        .wasm_memory64(false)
        .wasm_custom_page_sizes(false);
    config
}

pub(crate) fn pool(config: &SandboxConfig) -> PoolingAllocationConfig {
    let max_calls = config.max_calls;
    let (kept_memory, kept_table) = kept(config.idle_bytes, max_calls);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(max_calls)
        // A count and no memory: CPython has sixty-six of them.
        .total_core_instances(u32::MAX)
        .total_memories(max_calls.saturating_mul(POOLED_MEMORIES_PER_CALL))
        .total_tables(max_calls.saturating_mul(POOLED_TABLES_PER_CALL))
        .total_stacks(max_calls)
        .max_memories_per_component(MAX_MEMORIES_PER_COMPONENT)
        .max_memories_per_module(MAX_MEMORIES_PER_COMPONENT)
        .max_tables_per_component(MAX_TABLES_PER_COMPONENT)
        .max_tables_per_module(MAX_TABLES_PER_COMPONENT)
        .max_core_instances_per_component(MAX_CORE_INSTANCES_PER_COMPONENT)
        .max_component_instance_size(MAX_INSTANCE_BYTES)
        .max_core_instance_size(MAX_INSTANCE_BYTES)
        .max_memory_size(1 << 32)
        .table_elements(POOLED_TABLE_ELEMENTS)
        .linear_memory_keep_resident(kept_memory)
        .table_keep_resident(kept_table)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// Bytes that each memory and each table of a pool may keep, in whole pages, so that
/// all of them keep no more than `total`.
fn kept(total: u64, max_calls: u32) -> (usize, usize) {
    let call = u128::from(total) / u128::from(max_calls);
    let share = |of_use: u64| {
        let share = call * u128::from(of_use) / u128::from(KEPT_BYTES_PER_CALL);
        let pages = share.min(u128::from(of_use)) / PAGE_BYTES;
        usize::try_from(pages * PAGE_BYTES).unwrap_or_default()
    };
    (share(KEPT_MEMORY_BYTES), share(KEPT_TABLE_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept_together(total: u64, max_calls: u32) -> u64 {
        let (memory, table) = kept(total, max_calls);
        let call = memory as u64 * u64::from(POOLED_MEMORIES_PER_CALL)
            + table as u64 * u64::from(POOLED_TABLES_PER_CALL);
        call * u64::from(max_calls)
    }

    #[test]
    fn idle_sandboxes_keep_what_is_of_use_and_no_more_than_they_may() {
        assert_eq!(
            kept(DEFAULT_IDLE_BYTES, DEFAULT_MAX_CALLS),
            (512 << 10, 128 << 10)
        );
        assert_eq!(kept(u64::MAX, 1), (512 << 10, 128 << 10));
        assert_eq!(kept(0, DEFAULT_MAX_CALLS), (0, 0));
        for calls in [1, 7, 1_000, u32::MAX] {
            for total in [4096, 1 << 20, 100 << 20, DEFAULT_IDLE_BYTES] {
                assert!(kept_together(total, calls) <= total, "{total} for {calls}");
            }
        }
        assert!(kept_together(100 << 20, 100) > 90 << 20);
    }
}
