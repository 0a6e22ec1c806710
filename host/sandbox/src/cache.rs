//! Compiled plugins on disk, so that the second start of a plugin costs a memory
//! map instead of a compile.
//!
//! What lies here is machine code that the host will run, so the folder belongs
//! to the user, nobody else can write to it, and files of other owners are not
//! touched. An entry is named by what it was made from: the plugin's digest and
//! the configuration of the engine, and its code ends with that name: code that
//! was cut short, or copied from another entry, is not taken for this one. It is
//! written to a temporary file and moved into place; a second process that wants
//! the same plugin waits for the first on a lock file. An entry that does not fit
//! is rebuilt without a word.

mod folder;
mod lock;

use std::fmt;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use toolhost_policy::Digest;
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::engine::Shared;
use crate::error::CacheError;
use crate::plugin::Plugin;
pub(crate) use lock::Lock;

/// Part of every key: entries of another version of this crate are not read.
const FORMAT: &str = concat!("toolhost-", env!("CARGO_PKG_VERSION"), "-2");

/// Longest sidecar that is read.
const MAX_ENTRY_BYTES: u64 = 64 * 1024;

/// A folder of compiled plugins.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
}

/// What is known of an entry without reading its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CacheEntry {
    /// SHA-256 of the plugin it was compiled from.
    pub digest: Digest,
    /// The plugin's file name when it was compiled.
    pub name: String,
    /// Bytes of compiled code.
    pub bytes: u64,
}

impl Cache {
    /// The folder for this user: `toolhost` in the cache folder of the platform
    /// (`$XDG_CACHE_HOME` or `~/.cache` on Linux). `None` when there is no home.
    #[must_use]
    pub fn default_dir() -> Option<PathBuf> {
        use etcetera::BaseStrategy;
        let base = etcetera::choose_base_strategy().ok()?;
        let dir = base.cache_dir().join("toolhost");
        // An empty `$HOME` would put it into whatever folder is the current one.
        dir.is_absolute().then_some(dir)
    }

    /// Opens `dir`, making it when it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be made, or somebody else could write to it or put another
    /// in its place.
    pub fn open(dir: &Path) -> Result<Self, CacheError> {
        folder::open(dir).map(|dir| Self { dir })
    }

    /// Where the entries are.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// All entries, ordered by name. Files that are none are passed over.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn entries(&self) -> io::Result<Vec<CacheEntry>> {
        let mut entries = Vec::new();
        for file in fs::read_dir(&self.dir)? {
            let path = file?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
                && let Some(entry) = read_entry(&path)
            {
                entries.push(entry);
            }
        }
        entries.sort_by(|a, b| (&a.name, a.digest).cmp(&(&b.name, b.digest)));
        Ok(entries)
    }

    /// Removes all entries and returns how many bytes that freed. Entries that
    /// are in use stay valid for whoever has them.
    ///
    /// # Errors
    ///
    /// When a file cannot be removed.
    pub fn clear(&self) -> io::Result<u64> {
        let mut freed = 0;
        for file in fs::read_dir(&self.dir)? {
            let file = file?;
            let ours = file.path().extension().is_some_and(|extension| {
                ["cwasm", "json", "lock", "part"]
                    .iter()
                    .any(|known| extension == *known)
            });
            if !ours || file.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            match fs::remove_file(file.path()) {
                Ok(()) => freed += bytes,
                // Somebody else cleared it, or an entry was finished.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(freed)
    }

    /// The compiled form of a plugin, when there is a sound one.
    pub(crate) fn find(&self, engine: &Engine, key: &Key) -> Option<Component> {
        let code = self.path(key, "cwasm");
        let metadata = fs::symlink_metadata(&code).ok()?;
        if !folder::is_sound(&metadata) || !ends_with(&code, key.trailer().as_bytes()).ok()? {
            return None;
        }
        run_file(engine, &code).ok()
    }

    /// Waits while another process compiles the same plugin, which takes no longer
    /// than `compile_time`. `None` when there is nothing to wait for with.
    pub(crate) fn lock(&self, key: &Key, compile_time: Duration) -> Option<Lock> {
        Lock::wait(&self.path(key, "lock"), compile_time)
    }

    /// A file to write the code of an entry into; [`take`](Self::take) makes it one.
    pub(crate) fn part(&self) -> io::Result<NamedTempFile> {
        folder::sweep(&self.dir);
        folder::part(&self.dir)
    }

    /// Makes an entry of a file with code, and returns what it holds.
    pub(crate) fn take(
        &self,
        engine: &Engine,
        key: &Key,
        part: NamedTempFile,
        name: &str,
    ) -> wasmtime::Result<Component> {
        let bytes = part.as_file().metadata()?.len();
        part.as_file().write_all(key.trailer().as_bytes())?;
        let component = run_file(engine, part.path())?;
        let kept = folder::finish(part, &self.path(key, "cwasm"))
            .and_then(|()| self.describe(key, name, bytes));
        if let Err(error) = kept {
            self.cannot_keep(&error);
        }
        Ok(component)
    }

    /// Makes an entry of code.
    pub(crate) fn keep(&self, key: &Key, code: &[u8], name: &str) -> io::Result<()> {
        let mut part = self.part()?;
        part.write_all(code)?;
        part.write_all(key.trailer().as_bytes())?;
        folder::finish(part, &self.path(key, "cwasm"))?;
        self.describe(key, name, code.len() as u64)
    }

    /// Says that an entry is not kept. The plugin works without.
    pub(crate) fn cannot_keep(&self, why: &dyn fmt::Display) {
        let dir = self.dir.display();
        tracing::warn!("cannot keep the compiled plugin in `{dir}`: {why}");
    }

    /// Writes the sidecar of an entry.
    fn describe(&self, key: &Key, name: &str, bytes: u64) -> io::Result<()> {
        let entry = CacheEntry {
            digest: key.digest,
            name: name.into(),
            bytes,
        };
        let mut part = folder::part(&self.dir)?;
        part.write_all(&serde_json::to_vec(&entry)?)?;
        folder::finish(part, &self.path(key, "json"))
    }

    fn path(&self, key: &Key, extension: &str) -> PathBuf {
        self.dir.join(format!("{}.{extension}", key.text))
    }
}

impl Plugin {
    /// Whether the next load will find it compiled: there is a cache, and its code could
    /// be written there.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        let Shared { engine, cache, .. } = &*self.inner.sandbox.shared;
        let key = Key::new(engine, self.info().digest);
        cache
            .as_ref()
            .is_some_and(|cache| cache.find(engine, &key).is_some())
    }
}

/// The name of an entry: what it was made from, and for which engine.
pub(crate) struct Key {
    digest: Digest,
    text: String,
}

impl Key {
    /// The name of the entry of a plugin, for this engine.
    pub(crate) fn new(engine: &Engine, digest: Digest) -> Self {
        let mut hasher = DefaultHasher::new();
        FORMAT.hash(&mut hasher);
        engine.precompile_compatibility_hash().hash(&mut hasher);
        Self {
            digest,
            text: format!("{digest}-{:016x}", hasher.finish()),
        }
    }

    /// What stands behind the code of the entry.
    fn trailer(&self) -> String {
        format!("\0toolhost entry {}", self.text)
    }
}

#[expect(unsafe_code, reason = "running compiled code is what the cache is for")]
fn run_file(engine: &Engine, code: &Path) -> wasmtime::Result<Component> {
    // SAFETY: the file is in a folder that only this user can write or replace, and
    // belongs to this user. It is one that was moved into place whole and ends with
    // its own name, or that is about to be. wasmtime checks its header, version and
    // configuration.
    unsafe { Component::deserialize_file(engine, code) }
}

fn ends_with(path: &Path, end: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let Some(start) = file.metadata()?.len().checked_sub(end.len() as u64) else {
        return Ok(false);
    };
    file.seek(SeekFrom::Start(start))?;
    let mut found = Vec::with_capacity(end.len());
    file.take(end.len() as u64).read_to_end(&mut found)?;
    Ok(found == end)
}

/// Reads a sidecar, which is for people: what is run is decided without it.
fn read_entry(path: &Path) -> Option<CacheEntry> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if !folder::is_sound(&metadata) || metadata.len() > MAX_ENTRY_BYTES {
        return None;
    }
    let mut entry: CacheEntry = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    let code = fs::symlink_metadata(path.with_extension("cwasm")).ok()?;
    entry.bytes = code.len();
    Some(entry)
}
