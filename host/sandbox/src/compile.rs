//! From the bytes of a plugin to code: found in the cache, or else scanned and
//! compiled, in this process or in one of its own.
//!
//! Nothing in wasmtime limits what compiling takes, in time or in memory. In a
//! process of its own both are limited by the system, and a compiler that breaks
//! takes nothing with it. What that process writes is run like our own code, so it
//! may only ever be this program: see [`SandboxConfig::compiler`].
//!
//! [`SandboxConfig::compiler`]: crate::SandboxConfig::compiler

mod child;
mod order;
mod places;
mod worker;

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use toolhost_policy::{Digest, LoadLimits};
use wasmtime::component::Component;

use crate::cache::{Cache, Key};
use crate::engine::Shared;
use crate::error::LoadError;
use crate::scan;

pub(crate) use child::Compiler;
use child::Written;
pub use worker::compile_when_asked;

/// A plugin to compile.
pub(crate) struct Job<'a> {
    /// Its name, for people who look into the cache.
    pub(crate) name: &'a str,
    pub(crate) digest: Digest,
    pub(crate) bytes: &'a [u8],
    pub(crate) limits: &'a LoadLimits,
    /// Whether anybody still waits for it.
    pub(crate) wanted: &'a Wanted,
}

/// Whether anybody still waits for a piece of work on another thread.
#[derive(Clone, Default)]
pub(crate) struct Wanted(Arc<AtomicBool>);

/// Says that nobody waits any more, when it is dropped.
pub(crate) struct Waiting(Wanted);

impl Wanted {
    pub(crate) fn waiting(&self) -> Waiting {
        Waiting(self.clone())
    }

    fn is_given_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// The compiled form of a plugin, and whether it came from the cache. Blocks, also
/// while another process compiles the same plugin. What is found in the cache needs
/// neither a scan nor a process.
pub(crate) fn component(shared: &Shared, job: &Job<'_>) -> Result<(Component, bool), LoadError> {
    let Some(cache) = &shared.cache else {
        return Ok((build(shared, job, None)?, false));
    };
    let key = Key::new(&shared.engine, job.digest);
    if let Some(component) = cache.find(&shared.engine, &key) {
        return Ok((component, true));
    }
    let lock = cache.lock(&key, job.limits.compile_time);
    if lock.is_some()
        && let Some(component) = cache.find(&shared.engine, &key)
    {
        return Ok((component, true));
    }
    Ok((build(shared, job, Some((cache, &key)))?, false))
}

/// Compiles, and keeps the code in the cache. A cache that cannot be written costs
/// time, never a call.
fn build(
    shared: &Shared,
    job: &Job<'_>,
    cache: Option<(&Cache, &Key)>,
) -> Result<Component, LoadError> {
    match &shared.compiler {
        Some(compiler) => apart(shared, compiler, job, cache),
        None => here(shared, job, cache),
    }
}

fn here(
    shared: &Shared,
    job: &Job<'_>,
    cache: Option<(&Cache, &Key)>,
) -> Result<Component, LoadError> {
    scan::scan(job.bytes, job.limits)?;
    let component = Component::from_binary(&shared.engine, job.bytes)
        .map_err(|error| LoadError::compile(&error))?;
    if let Some((cache, key)) = cache {
        let kept = component
            .serialize()
            .map_err(std::io::Error::other)
            .and_then(|code| cache.keep(key, &code, job.name));
        if let Err(error) = kept {
            cache.cannot_keep(&error);
        }
    }
    Ok(component)
}

/// Compiles in a process of its own. It writes to where the code will lie, so that
/// nothing of it passes through the memory of this one.
fn apart(
    shared: &Shared,
    compiler: &Compiler,
    job: &Job<'_>,
    cache: Option<(&Cache, &Key)>,
) -> Result<Component, LoadError> {
    scan::scan(job.bytes, &compiler.scan_limits(job.limits))?;
    if let Some((cache, key)) = cache {
        match cache.part() {
            Ok(part) => {
                if matches!(
                    compiler.compile(&shared.engine, job, part.as_file())?,
                    Written::Whole
                ) {
                    return cache
                        .take(&shared.engine, key, part, job.name)
                        .map_err(|error| LoadError::code(&error));
                }
                cache.cannot_keep(&"there is no room for it");
            }
            Err(error) => cache.cannot_keep(&error),
        }
    }
    loose(shared, compiler, job)
}

/// Compiles for this process alone. The file has no name, and is read, not mapped:
/// a system may forbid to run what lies in its folder for temporary files.
fn loose(shared: &Shared, compiler: &Compiler, job: &Job<'_>) -> Result<Component, LoadError> {
    let internal = |error: std::io::Error| {
        LoadError::Internal(format!("a file for the compiled plugin: {error}"))
    };
    let mut file = tempfile::tempfile().map_err(internal)?;
    if matches!(
        compiler.compile(&shared.engine, job, &file)?,
        Written::NoRoom
    ) {
        let folder = std::env::temp_dir();
        return Err(LoadError::Internal(format!(
            "there is no room for the compiled plugin in `{}`",
            folder.display()
        )));
    }
    let mut code = Vec::new();
    file.seek(SeekFrom::Start(0))
        .and_then(|_| file.read_to_end(&mut code))
        .map_err(internal)?;
    component_of(shared, &code).map_err(|error| LoadError::code(&error))
}

#[expect(unsafe_code, reason = "running compiled code is what compiling is for")]
fn component_of(shared: &Shared, code: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: a process of this program wrote it a moment ago, into a file without a
    // name. wasmtime checks its header, version and configuration.
    unsafe { Component::deserialize(&shared.engine, code) }
}
