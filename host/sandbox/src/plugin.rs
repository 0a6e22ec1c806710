//! A plugin: compiled, linked and described, ready to be called.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use toolhost_policy::{Digest, Limits, LoadLimits, Manifest};
use toolhost_tool::{Report, ToolDefinition};
use wasmtime::component::{Component, ComponentExportIndex, InstancePre};

use crate::CONTRACT_VERSION;
use crate::bindings::{hooks, tools};
use crate::call::{self, Budget, Invocation};
use crate::capability::sockets;
use crate::compile::{self, Job, Wanted};
use crate::engine::Sandbox;
use crate::error::LoadError;
use crate::export::Describe;
use crate::failure::Failure;
use crate::state::CallState;
use crate::{manifest, outline, scan};

/// Where a plugin comes from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum PluginSource {
    /// A file.
    Path(PathBuf),
    /// Bytes, with a name for messages.
    Bytes {
        /// The name.
        name: String,
        /// The component.
        bytes: Vec<u8>,
    },
}

/// How a plugin is loaded.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoadOptions {
    /// The only digest that its bytes may have. Default: any.
    pub sha256: Option<Digest>,
    /// What it may be.
    pub limits: LoadLimits,
    /// Whether it is compiled by Winch, many times as fast as by Cranelift, to code
    /// that is about half as fast. Winch has had errors that let code out of its
    /// sandbox: for plugins that one trusts, while developing them. Where the host is
    /// built without it, the plugin is compiled as usual, with a
    /// [warning](Plugin::warnings). Default: false.
    pub fast_compile: bool,
}

/// A plugin that was compiled, linked and described. Cheap to clone.
#[derive(Clone)]
pub struct Plugin {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) sandbox: Sandbox,
    pub(crate) pre: InstancePre<CallState>,
    pub(crate) tools: tools::GuestIndices,
    /// Of all functions the one that each call needs: to look up the others too, and
    /// to compare their types, takes as long again.
    pub(crate) execute: ComponentExportIndex,
    pub(crate) hooks: Option<hooks::GuestIndices>,
    /// Places in the pool that a call of it takes.
    pub(crate) places: u32,
    info: PluginInfo,
    definitions: Vec<ToolDefinition>,
    warnings: Vec<String>,
    description: Report,
}

/// What is known of a plugin beside its tools.
#[derive(Clone, Debug)]
pub struct PluginInfo {
    /// A name for messages: the file's, without `.wasm`.
    pub name: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// How many bytes it has.
    pub bytes: u64,
    /// The interfaces it imports, with their versions.
    pub imports: Vec<String>,
    /// The interfaces it exports, with their versions.
    pub exports: Vec<String>,
    /// Whether it was found compiled.
    pub cached: bool,
    /// Whether it was compiled by the fast compiler, see [`LoadOptions::fast_compile`].
    pub fast_compiled: bool,
    /// How long compiling took, or reading the compiled form.
    pub compile_time: Duration,
    /// What it says of itself and asks for; a plugin without one has no ceiling but
    /// what the operator grants.
    pub manifest: Option<Manifest>,
}

impl Sandbox {
    /// Loads a plugin: reads and scans it, compiles it or finds it compiled,
    /// links it, and asks it for its tools. The work is done on a thread that
    /// may block.
    ///
    /// Nothing is compiled unless the bytes have the digest that `options` name, when
    /// they name one, and a manifest that can be used, when there is one.
    ///
    /// A tool that cannot be used is left out with a
    /// [warning](Plugin::warnings); the others stay.
    ///
    /// # Errors
    ///
    /// See [`LoadError`].
    pub async fn load(
        &self,
        source: PluginSource,
        options: LoadOptions,
    ) -> Result<Plugin, LoadError> {
        let fast = if options.fast_compile {
            let fast = self.fast();
            fast.map_err(|error| LoadError::Internal(error.to_string()))?
        } else {
            None
        };
        let is_slower = options.fast_compile && fast.is_none();
        let sandbox = fast.unwrap_or_else(|| self.clone());
        let mut inner = sandbox.load_here(source, options).await?;
        if is_slower {
            inner.warnings.push(NO_FAST_COMPILER.into());
        }
        Ok(Plugin {
            inner: Arc::new(inner),
        })
    }

    async fn load_here(
        &self,
        source: PluginSource,
        options: LoadOptions,
    ) -> Result<Inner, LoadError> {
        let sandbox = self.clone();
        let wanted = Wanted::default();
        // A load that is dropped stops its compiler.
        let _waiting = wanted.waiting();
        let compiled =
            tokio::task::spawn_blocking(move || compile(&sandbox, source, &options, &wanted))
                .await
                .map_err(|error| LoadError::Internal(error.to_string()))??;
        self.describe(compiled, &options.limits).await
    }

    async fn describe(&self, compiled: Compiled, limits: &LoadLimits) -> Result<Inner, LoadError> {
        let mut inner = self.link(compiled)?;
        let budget = Budget {
            limits: Limits::describe(),
            ..Budget::default()
        };
        let mut ended = call::run(&inner, &budget, Invocation::default(), Describe).await;
        let definitions = ended.result.map_err(|failure| match failure {
            Failure::Contract(message) => LoadError::Link(message),
            failure => LoadError::Describe(failure.into_error("describe").message),
        })?;
        let described = crate::convert::definitions(definitions, limits);
        inner.definitions = described.definitions;
        inner.warnings = described.warnings;
        ended.report.logs.clear();
        inner.description = ended.report;
        Ok(inner)
    }

    fn link(&self, compiled: Compiled) -> Result<Inner, LoadError> {
        let Compiled { component, info } = compiled;
        let mut linker = self.shared.linker.clone();
        sockets::add_to_linker(&mut linker, &self.shared.engine, &component)
            .map_err(|error| LoadError::link(&error))?;
        let pre = linker
            .instantiate_pre(&component)
            .map_err(|error| LoadError::link(&error))?;
        let tools = tools::GuestIndices::new(&pre).map_err(|error| LoadError::link(&error))?;
        let execute = execute(&component).map_err(|error| LoadError::link(&error))?;
        let has_hooks = info
            .exports
            .iter()
            .any(|name| name.starts_with("toolhost:plugin/hooks@"));
        let hooks = has_hooks
            .then(|| hooks::GuestIndices::new(&pre))
            .transpose()
            .map_err(|error| LoadError::link(&error))?;
        Ok(Inner {
            sandbox: self.clone(),
            pre,
            tools,
            execute,
            hooks,
            places: self.places(&component),
            info,
            definitions: Vec::new(),
            warnings: Vec::new(),
            description: Report::default(),
        })
    }
}

impl Plugin {
    /// What is known of the plugin beside its tools.
    #[must_use]
    pub fn info(&self) -> &PluginInfo {
        &self.inner.info
    }

    /// Whether both are the same plugin, loaded once.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Its tools, in the plugin's own order.
    #[must_use]
    pub fn definitions(&self) -> &[ToolDefinition] {
        &self.inner.definitions
    }

    /// Whether it exports `hooks`.
    #[must_use]
    pub fn has_hooks(&self) -> bool {
        self.inner.hooks.is_some()
    }

    /// What is wrong with it, such as tools that were left out.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.inner.warnings
    }

    /// What describing it cost.
    #[must_use]
    pub fn description(&self) -> &Report {
        &self.inner.description
    }
}

const NO_FAST_COMPILER: &str =
    "`fast-compile` has no effect: this host is built without Winch (the feature `winch`)";

struct Compiled {
    component: Component,
    info: PluginInfo,
}

fn compile(
    sandbox: &Sandbox,
    source: PluginSource,
    options: &LoadOptions,
    wanted: &Wanted,
) -> Result<Compiled, LoadError> {
    let LoadOptions {
        sha256,
        limits,
        fast_compile: _,
    } = options;
    let (name, bytes) = read(source, limits)?;
    let digest = outline::check_digest(&bytes, *sha256)?;
    scan::check_kind(&bytes)?;
    let manifest = manifest::find(&bytes)?;
    let engine = &sandbox.shared.engine;
    let started = Instant::now();
    let job = Job {
        name: &name,
        digest,
        bytes: &bytes,
        limits,
        wanted,
    };
    let (component, cached) = compile::component(&sandbox.shared, &job)?;
    let ty = component.component_type();
    let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
    let info = PluginInfo {
        imports: names(&mut ty.imports(engine).map(|(name, _)| name)),
        exports: names(&mut ty.exports(engine).map(|(name, _)| name)),
        name,
        digest,
        bytes: bytes.len() as u64,
        cached,
        fast_compiled: sandbox.shared.is_fast,
        compile_time: started.elapsed(),
        manifest,
    };
    Ok(Compiled { component, info })
}

pub(crate) fn read(
    source: PluginSource,
    limits: &LoadLimits,
) -> Result<(String, Vec<u8>), LoadError> {
    let (name, bytes) = match source {
        PluginSource::Path(path) => {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            (name, read_file(&path, limits.plugin_bytes)?)
        }
        PluginSource::Bytes { name, bytes } => (name, bytes),
    };
    let used = bytes.len() as u64;
    if used > limits.plugin_bytes {
        return Err(LoadError::TooLarge {
            what: "bytes",
            allowed: limits.plugin_bytes,
            used,
        });
    }
    Ok((name, bytes))
}

/// Reads no more than one byte past the limit, whatever the file's size claims
/// to be: it may grow meanwhile.
fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
    let error = |source| LoadError::Read {
        path: path.into(),
        source,
    };
    let metadata = fs::metadata(path).map_err(error)?;
    if metadata.is_dir() {
        return Err(LoadError::Directory { path: path.into() });
    }
    if !metadata.is_file() {
        return Err(LoadError::NotAFile { path: path.into() });
    }
    if metadata.len() > limit {
        return Err(LoadError::TooLarge {
            what: "bytes",
            allowed: limit,
            used: metadata.len(),
        });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    let file = fs::File::open(path).map_err(error)?;
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(error)?;
    Ok(bytes)
}

/// Where `execute` is among the exports.
fn execute(component: &Component) -> wasmtime::Result<ComponentExportIndex> {
    let tools = format!("toolhost:plugin/tools@{CONTRACT_VERSION}");
    component
        .get_export_index(None, &tools)
        .and_then(|tools| component.get_export_index(Some(&tools), "execute"))
        .ok_or_else(|| wasmtime::format_err!("`{tools}` has no function `execute`"))
}
