//! Why a sandbox cannot be set up and why a plugin cannot be loaded.

use std::io;
use std::path::PathBuf;

use toolhost_policy::{Digest, MANIFEST_SECTION, ManifestError};
use toolhost_tool::{LimitHit, truncate_chars};

/// Why an engine cannot be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The configuration lets no call run.
    #[error("no call can run: `max_calls` is 0; set it to 1 or more")]
    NoCalls,
    /// wasmtime refuses the configuration or the machine.
    #[error("cannot set up the sandbox engine")]
    Engine(#[source] wasmtime::Error),
    /// The file with further roots of trust cannot be read.
    #[error("cannot read the certificates in `{}`", path.display())]
    CaFile {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file with further roots of trust has none.
    #[error("`{}` has to hold certificates in PEM, each from `-----BEGIN CERTIFICATE-----` on", path.display())]
    NoCa {
        /// The file.
        path: PathBuf,
    },
    /// The cache folder cannot be used.
    #[error("cannot use the compile cache")]
    Cache(#[from] CacheError),
}

/// Why the cache folder is not used: compiled code is run as it lies there, so
/// nobody else may be able to write it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The folder cannot be made or read.
    #[error("cannot open the cache folder `{}`", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The folder belongs to somebody else.
    #[error("the cache folder `{}` belongs to another user", path.display())]
    Owner {
        /// The folder.
        path: PathBuf,
    },
    /// Others can write to the folder.
    #[error("others can write to the cache folder `{}` (mode {mode:o})", path.display())]
    Mode {
        /// The folder.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The path is there and is no folder.
    #[error("the cache path `{}` is not a folder", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
}

/// Why a plugin cannot be loaded. Each kind of wrong file has its own sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read the plugin `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The path is a directory.
    #[error("`{}` is a directory, not a plugin", path.display())]
    Directory {
        /// The path.
        path: PathBuf,
    },
    /// The path is a device, a pipe or a socket.
    #[error("`{}` is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// Nothing is in the file.
    #[error("the plugin is empty: it has 0 bytes")]
    Empty,
    /// The file is not WebAssembly.
    #[error("the file is not WebAssembly: it starts with {0}, not with `\\0asm`")]
    NotWasm(String),
    /// The file is a core module.
    #[error("the file is a core WebAssembly module, not a component")]
    CoreModule,
    /// The file is a component of a version this host cannot read.
    #[error("the component has the binary version {0}, which this host does not read")]
    BinaryVersion(u16),
    /// The file ends early or is damaged.
    #[error("the plugin is damaged or cut short: {0}")]
    Malformed(String),
    /// The file is not the one that the plugin is pinned to.
    #[error("the plugin is pinned to the SHA-256 digest {pinned}, and the file has {found}")]
    Digest {
        /// The digest it has to have.
        pinned: Digest,
        /// The digest it has.
        found: Digest,
    },
    /// The plugin has a manifest that cannot be used.
    #[error("its manifest (the custom section `{MANIFEST_SECTION}`) cannot be used")]
    Manifest(#[source] ManifestError),
    /// A load limit is exceeded.
    #[error("the plugin is too large to load: {used} {what}, {allowed} are allowed")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much is allowed.
        allowed: u64,
        /// How much there is.
        used: u64,
    },
    /// The component exports no `toolhost:plugin/tools`.
    #[error("the component exports no tools: `toolhost:plugin/tools@{version}` is missing", version = crate::CONTRACT_VERSION)]
    NoTools,
    /// The component is built for another version of the contract.
    #[error("the plugin is built for version {found} of `toolhost:plugin`; this host has {version}", version = crate::CONTRACT_VERSION)]
    ContractVersion {
        /// The version of the plugin.
        found: String,
    },
    /// The component imports something that the host does not have.
    #[error("the plugin imports `{0}`, which this host does not offer")]
    Import(String),
    /// The component imports or exports a function of the contract with another
    /// signature, or is not valid.
    #[error("the plugin does not fit the contract: {0}")]
    Link(String),
    /// The compiler refuses the component.
    #[error("the plugin cannot be compiled: {0}")]
    Compile(String),
    /// Compiling took more memory than it may.
    #[error("compiling the plugin takes more than the {} bytes of memory that it may take (`{}`)", .0.allowed, .0.name)]
    CompileMemory(LimitHit),
    /// Compiling took longer than it may.
    #[error("compiling the plugin was ended after {} ms; it may take {} ms (`{}`)", .0.used, .0.allowed, .0.name)]
    CompileTime(LimitHit),
    /// `describe` failed.
    #[error("the plugin cannot describe its tools: {0}")]
    Describe(String),
    /// The host is at fault.
    #[error("the host failed while loading the plugin: {0}")]
    Internal(String),
}

impl LoadError {
    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::CoreModule => {
                "build for `wasm32-wasip2`, whose output is a component, or run \
                 `wasm-tools component new` on the module"
            }
            Self::Directory { .. } => "name the `.wasm` file inside it",
            Self::NotWasm(_) | Self::Empty => "name the `.wasm` file that the build wrote",
            Self::Malformed(_) => "build or download the plugin again",
            Self::Digest { .. } => {
                "get the file again from where the digest comes from; change the pin only when you \
                 know why the file is another"
            }
            Self::Manifest(_) => {
                "the plugin's author has to mend it; the SDK writes it from the plugin's `Cargo.toml`"
            }
            Self::BinaryVersion(_) => "build the plugin with a WASI 0.2 toolchain",
            Self::ContractVersion { .. } => {
                "rebuild the plugin with the SDK of this host's version, or use a host of the \
                 plugin's version"
            }
            Self::NoTools => {
                "export `describe` and `execute` of the `plugin` world in `wit/`; `host new` \
                 writes a project that does"
            }
            Self::Import(name) => return Some(import_hint(name)),
            Self::TooLarge { .. } | Self::CompileMemory(_) | Self::CompileTime(_) => {
                "split the plugin, or build it with optimisation and without debug information"
            }
            Self::Link(_) => "rebuild the plugin against the WIT files of this host",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// The limit that the plugin is over, if that is what is wrong with it.
    #[must_use]
    pub fn limit(&self) -> Option<LimitHit> {
        match self {
            Self::TooLarge {
                what,
                allowed,
                used,
            } => Some(LimitHit {
                name: (*what).to_owned(),
                allowed: *allowed,
                used: *used,
            }),
            Self::CompileMemory(hit) | Self::CompileTime(hit) => Some(hit.clone()),
            _ => None,
        }
    }

    pub(crate) fn link(error: &wasmtime::Error) -> Self {
        Self::Link(truncate_chars(
            format!("{error:#}"),
            MAX_ENGINE_MESSAGE_CHARS,
        ))
    }

    /// Compiled code that this engine refuses. What is around the cause names files of
    /// ours.
    pub(crate) fn code(error: &wasmtime::Error) -> Self {
        let cause = error.root_cause().to_string();
        Self::Compile(truncate_chars(cause, MAX_ENGINE_MESSAGE_CHARS))
    }

    pub(crate) fn compile(error: &wasmtime::Error) -> Self {
        Self::Compile(truncate_chars(
            format!("{error:#}"),
            MAX_ENGINE_MESSAGE_CHARS,
        ))
    }
}

/// wasmtime's messages may quote names from the plugin, which may be long.
const MAX_ENGINE_MESSAGE_CHARS: usize = 500;

fn import_hint(name: &str) -> String {
    if name.starts_with("wasi:") && name.contains("@0.3") {
        "build the plugin for WASI 0.2".into()
    } else if name.starts_with("wasi:sockets") {
        "sockets are never offered; use `wasi:http`".into()
    } else {
        "a plugin may import what `toolhost:plugin` has and WASI 0.2; remove the import, or compose \
         the component with one that provides it"
            .into()
    }
}
