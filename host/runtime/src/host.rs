//! The host: what the embedding program holds.

mod replace;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use toolhost_policy::{Digest, Effective, Grants, Limits, LimitsPatch, LoadLimits};
use toolhost_sandbox::{
    Budget, Cache, LoadOptions, Offer, Plugin, PluginSource, Sandbox, SandboxConfig,
};
use toolhost_tool::{Call, CallError, ExecutionContext, ToolDefinition};

use crate::error::Error;
use crate::granted;
use crate::hooks::CallPolicy;
use crate::identity;
use crate::native::{AdapterSlot, SandboxAdapter};
use crate::pipeline;
use crate::registry::Registry;
use crate::result::CallResult;
use crate::running::{CallOptions, Running};
use crate::secret::{SecretSettings, Vault};
use crate::sequence::Sequences;
use crate::storage::StoreSlot;
use crate::tool::Tool;
use crate::toolset::Toolset;

/// Loads plugins and runs calls of their tools. Cheap to clone: all clones are
/// one host. It has no global state; a program may have several.
///
/// All of its asynchronous functions need a Tokio runtime with its timer on.
#[derive(Clone)]
pub struct Host {
    shared: Arc<Shared>,
}

struct Shared {
    sandbox: Sandbox,
    limits: Limits,
    load_limits: LoadLimits,
    registry: RwLock<Registry>,
    sandbox_adapter: AdapterSlot,
    policy: CallPolicy,
    store: StoreSlot,
    vault: Vault,
    sequences: Sequences,
}

/// Sets up a [`Host`]. By default: the limits of [`Limits::default`] and
/// [`LoadLimits::default`], the user's compile cache, 1,000 calls at once.
#[derive(Clone, Debug, Default)]
pub struct HostBuilder {
    sandbox: SandboxConfig,
    limits: Limits,
    load_limits: LoadLimits,
    pub(crate) policy: CallPolicy,
    pub(crate) store: StoreSlot,
    pub(crate) secrets: SecretSettings,
}

/// What a plugin may use. By default: the host's limits, and nothing outside the
/// sandbox.
#[derive(Clone, Debug, Default)]
pub struct PluginOptions {
    /// Limits that differ from the host's.
    pub limits: LimitsPatch,
    /// What outside the sandbox its tools may reach, as far as the plugin's manifest
    /// asks for it; see [`LoadedPlugin::effective`].
    pub grants: Grants,
    /// The only digest that its file may have. By default any.
    pub sha256: Option<Digest>,
    /// The name by which the operator knows it: its storage is kept under it, and
    /// secrets may be bound to it. By default the plugin has none, and what it stores
    /// belongs to its file, by the real path: a file that is called like another
    /// plugin gets nothing of that one.
    pub name: Option<String>,
    /// Whether clocks start at a fixed time and random numbers are the same in
    /// every call: for tests of tools. Nothing secret can be made of such numbers.
    pub deterministic: bool,
    /// Whether it is compiled by Winch: many times as fast, to code that is about half
    /// as fast. For plugins that one trusts, while developing them; see
    /// [`LoadOptions::fast_compile`].
    pub fast_compile: bool,
}

impl HostBuilder {
    /// Limits of every call, unless a plugin or a call has its own.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Limits on what can be loaded.
    #[must_use]
    pub fn load_limits(mut self, limits: LoadLimits) -> Self {
        self.load_limits = limits;
        self
    }

    /// Where compiled plugins are kept; `None` keeps none.
    #[must_use]
    pub fn cache_dir(mut self, dir: Option<PathBuf>) -> Self {
        self.sandbox.cache_dir = dir;
        self
    }

    /// The program that compiles plugins, each in a process of its own with limits on
    /// memory and time: this very program, which calls
    /// [`compile_when_asked`](crate::compile_when_asked) first of all in `main`. Other
    /// programs may not be named: what it writes is run. By default plugins are
    /// compiled in this process, where an estimate alone keeps out those that would
    /// take too much.
    #[must_use]
    pub fn compiler(mut self, program: Option<PathBuf>) -> Self {
        self.sandbox.compiler = program;
        self
    }

    /// A file of certificates in PEM that plugins' requests trust beside those of the
    /// system.
    #[must_use]
    pub fn ca_file(mut self, file: Option<PathBuf>) -> Self {
        self.sandbox.ca_file = file;
        self
    }

    /// How many calls run at once; more wait for their turn.
    #[must_use]
    pub fn max_calls(mut self, calls: u32) -> Self {
        self.sandbox.max_calls = calls;
        self
    }

    /// Bytes of memory that sandboxes may keep together while no call uses them, at
    /// most. By default 1.5 GiB with 1,000 calls at once: what a burst of calls has
    /// touched, up to 512 KiB for a memory and 128 KiB for a table, stays so that the
    /// next calls are cheaper. Less makes a host smaller after a burst and its calls
    /// dearer; with 0 nothing stays.
    #[must_use]
    pub fn idle_memory(mut self, bytes: u64) -> Self {
        self.sandbox.idle_bytes = bytes;
        self
    }

    /// Builds the host.
    ///
    /// # Errors
    ///
    /// When the engine cannot be set up or the cache folder is not safe to use.
    pub fn build(self) -> Result<Host, Error> {
        Ok(Host {
            shared: Arc::new(Shared {
                sandbox: Sandbox::new(&self.sandbox)?,
                limits: self.limits,
                load_limits: self.load_limits,
                registry: RwLock::new(Registry::new(self.load_limits)?),
                sandbox_adapter: AdapterSlot::default(),
                policy: self.policy,
                store: self.store,
                vault: Vault::new(self.secrets),
                sequences: Sequences::default(),
            }),
        })
    }
}

impl Host {
    /// Starts setting up a host.
    #[must_use]
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    /// Loads the plugin at `path` and adds its tools under their own names; see
    /// [`open`](Self::open) for other names. Returns the plugin and
    /// what is wrong with it, such as tools that were left out.
    ///
    /// # Errors
    ///
    /// When the plugin cannot be loaded, or has a tool whose name is taken; then
    /// none of its tools is added.
    pub async fn load(
        &self,
        path: impl AsRef<Path>,
        options: PluginOptions,
    ) -> Result<LoadedPlugin, Error> {
        let plugin = self.open(path, options).await?;
        self.register(&plugin)?;
        Ok(plugin)
    }

    /// Loads the plugin at `path` and adds none of its tools: for a
    /// [`Toolset`] that chooses among them, or a
    /// [`PluginSandbox`](crate::PluginSandbox).
    ///
    /// # Errors
    ///
    /// When the plugin cannot be loaded.
    pub async fn open(
        &self,
        path: impl AsRef<Path>,
        options: PluginOptions,
    ) -> Result<LoadedPlugin, Error> {
        self.open_source(PluginSource::Path(path.as_ref().into()), options)
            .await
    }

    /// Loads a plugin from memory. `name` stands for it in messages.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub async fn load_bytes(
        &self,
        name: impl Into<String>,
        bytes: Vec<u8>,
        options: PluginOptions,
    ) -> Result<LoadedPlugin, Error> {
        let source = PluginSource::Bytes {
            name: name.into(),
            bytes,
        };
        let plugin = self.open_source(source, options).await?;
        self.register(&plugin)?;
        Ok(plugin)
    }

    async fn open_source(
        &self,
        source: PluginSource,
        options: PluginOptions,
    ) -> Result<LoadedPlugin, Error> {
        let (shown, path) = match &source {
            PluginSource::Path(path) => (path.display().to_string(), Some(path.clone())),
            PluginSource::Bytes { name, .. } => (name.clone(), None),
            _ => ("plugin".to_owned(), None),
        };
        let shared = &self.shared;
        let limits = shared.limits.with(&options.limits)?;
        granted::check(&options.grants).await?;
        let identity = identity::of(options.name.as_deref(), &source).await;
        let plugin = shared
            .sandbox
            .load(
                source,
                LoadOptions {
                    sha256: options.sha256,
                    limits: shared.load_limits,
                    fast_compile: options.fast_compile,
                },
            )
            .await
            .map_err(|source| Error::Load {
                plugin: shown,
                source: Box::new(source),
            })?;
        let effective = granted::under_ceiling(&plugin, &options.grants);
        let (secrets, unsafe_secrets) = shared.vault.load(&identity, &effective.grants).await?;
        let budget = Budget {
            limits,
            grants: Arc::new(effective.grants.clone()),
            storage: shared.store.of_plugin(&identity),
            secrets: Some(secrets),
            deterministic: options.deterministic,
        };
        let mut warnings = plugin.warnings().to_vec();
        warnings.extend(unsafe_secrets);
        let tools = usable_tools(&plugin, &budget, &mut warnings);
        Ok(LoadedPlugin {
            plugin,
            tools,
            warnings,
            effective,
            path,
            options,
        })
    }

    /// Adds tools: a native tool, those of a plugin that was
    /// [opened](Self::open), or a [`Toolset`] of both.
    ///
    /// # Errors
    ///
    /// When a name cannot be called by a model, or is taken; then none of the
    /// tools is added.
    pub fn register(&self, tools: impl Into<Toolset>) -> Result<(), Error> {
        let tools = self.adopt(tools)?;
        self.registry_to_change().add(&tools)
    }

    /// Sets the sandbox of native tools that have a sandboxed path and none of
    /// their own. There is none at first: tools that require one are refused.
    pub fn set_sandbox(&self, sandbox: impl SandboxAdapter + 'static) {
        self.shared.sandbox_adapter.set(Arc::new(sandbox));
    }

    /// The definitions of all tools that were added, by name. See
    /// [`prepare_turn`](Self::prepare_turn) for those that a model is told of.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.registry().definitions()
    }

    /// The tool `name`.
    ///
    /// # Errors
    ///
    /// When there is none: names that are close to it.
    pub fn tool(&self, name: &str) -> Result<Arc<Tool>, Vec<String>> {
        self.registry().find(name)
    }

    /// Runs a call to its end. Partial results are dropped; see
    /// [`start`](Self::start) for a call that can be watched and cancelled.
    ///
    /// The embedding program is trusted: an `approval` in `context` lets a call run
    /// that would be asked about, and nothing is checked of it. Where a model or a
    /// user has a say in the context, use [`run_turn`](Self::run_turn), in which an
    /// approval holds only for what was shown. A denial holds in both.
    ///
    /// Dropping the future ends the call at once, without its grace time.
    pub async fn call(&self, call: Call, context: ExecutionContext) -> CallResult {
        self.call_with(call, context, CallOptions::default()).await
    }

    /// Runs a call with options of its own.
    pub async fn call_with(
        &self,
        call: Call,
        context: ExecutionContext,
        options: CallOptions,
    ) -> CallResult {
        let entry = pipeline::Entry::default();
        let ran = pipeline::run(self, call, context, &options, entry).await;
        ran.result
    }

    /// Starts a call on the current Tokio runtime and returns at once.
    ///
    /// # Panics
    ///
    /// Outside a Tokio runtime.
    #[must_use]
    pub fn start(&self, call: Call, context: ExecutionContext, limits: LimitsPatch) -> Running {
        Running::start(self.clone(), call, context, limits)
    }

    /// Asks a tool's `prepare` hook whether the tool is offered to the model in
    /// the turn of `context`. Tools without the hook are offered as they are.
    ///
    /// # Errors
    ///
    /// When there is no such tool, or its hook fails.
    pub async fn prepare(
        &self,
        name: &str,
        context: &ExecutionContext,
    ) -> Result<Offer, CallError> {
        let tool = self
            .tool(name)
            .map_err(|suggestions| CallError::not_found(name, suggestions))?;
        if !tool.definition.hooks.prepare {
            return Ok(Offer::Unchanged);
        }
        let limits = &self.shared.load_limits;
        let answer = tool.prepare(context, limits).await;
        answer.result.map_err(|failure| failure.into_error(name))
    }

    /// The tools that were added, by name.
    pub(crate) fn tools(&self) -> Vec<Arc<Tool>> {
        self.registry().tools()
    }

    /// The definition of one of the host's own tools.
    pub(crate) fn built_in(&self, name: &str) -> Option<ToolDefinition> {
        self.registry().built_in(name)
    }

    /// The limits on what a plugin may define.
    pub(crate) fn load_limits(&self) -> &LoadLimits {
        &self.shared.load_limits
    }

    /// The compile cache, unless it is off.
    #[must_use]
    pub fn cache(&self) -> Option<&Cache> {
        self.shared.sandbox.cache()
    }

    /// Whether sandboxes come from a pool; see [`Sandbox::is_pooled`].
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.shared.sandbox.is_pooled()
    }

    /// Where the sequential tools of a run wait for one another.
    pub(crate) fn sequences(&self) -> &Sequences {
        &self.shared.sequences
    }

    /// The secrets of this host.
    pub(crate) fn vault(&self) -> &Vault {
        &self.shared.vault
    }

    /// What holds for every call of this host.
    pub(crate) fn policy(&self) -> &CallPolicy {
        &self.shared.policy
    }

    /// Tools with the limits of this host and its sandbox.
    fn adopt(&self, tools: impl Into<Toolset>) -> Result<Vec<Arc<Tool>>, Error> {
        let shared = &self.shared;
        let tools = tools.into().into_tools().into_iter().map(|tool| {
            tool.at_host(&shared.limits, &shared.sandbox_adapter)
                .map(Arc::new)
        });
        Ok(tools.collect::<Result<_, _>>()?)
    }

    fn registry_to_change(&self) -> RwLockWriteGuard<'_, Registry> {
        let registry = self.shared.registry.write();
        registry.unwrap_or_else(PoisonError::into_inner)
    }

    fn registry(&self) -> RwLockReadGuard<'_, Registry> {
        // Tools are added one by one: after a panic the map is still a map.
        self.shared
            .registry
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tools of a plugin that can be called; a warning for each other one, and for what
/// is odd about one.
fn usable_tools(plugin: &Plugin, budget: &Budget, warnings: &mut Vec<String>) -> Vec<Arc<Tool>> {
    let mut tools = Vec::new();
    for definition in plugin.definitions() {
        match Tool::of_plugin(definition.clone(), plugin.clone(), budget.clone()) {
            Ok(tool) => {
                warnings.extend(
                    tool.input
                        .warnings()
                        .iter()
                        .map(|warning| format!("tool \"{}\": {warning}", definition.name)),
                );
                tools.push(Arc::new(tool));
            }
            Err(reason) => {
                warnings.push(format!(
                    "tool \"{}\" is left out: {reason}",
                    definition.name
                ));
            }
        }
    }
    tools
}

/// A plugin whose tools were added to a host.
#[derive(Clone)]
pub struct LoadedPlugin {
    /// The plugin.
    pub plugin: Plugin,
    /// Its tools that can be called.
    pub tools: Vec<Arc<Tool>>,
    /// What is wrong with it, a sentence each.
    pub warnings: Vec<String>,
    /// What it gets of what was granted, what of that it never asked for, and what it
    /// asks for and does not get.
    pub effective: Effective,
    /// The file it was loaded from, and how, for loading it again.
    path: Option<PathBuf>,
    options: PluginOptions,
}
