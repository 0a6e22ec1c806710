//! Compiled plugins on disk, so that the second start of a plugin costs a memory
//! map instead of a compile.
//!
//! What lies here is machine code that the host will run, so the folder belongs
//! to the user, nobody else can write to it, and files of other owners are not
//! touched. An entry is named by what it was made from: the plugin's digest and
//! the configuration of the engine. It is written to a temporary file and moved
//! into place; a second process that wants the same plugin waits for the first
//! on a lock file. An entry that does not fit is rebuilt without a word.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use wasmtime::Engine;
use wasmtime::component::Component;

use crate::digest::Digest;
use crate::error::CacheError;

/// Part of every key: entries of another version of this crate are not read.
const FORMAT: &str = concat!("toolhost-", env!("CARGO_PKG_VERSION"), "-1");

/// Permission bits that let somebody else write.
const OTHERS_WRITE: u32 = 0o022;

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
        Some(base.cache_dir().join("toolhost"))
    }

    /// Opens `dir`, making it when it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be made, belongs to another user, or others can write it.
    pub fn open(dir: &Path) -> Result<Self, CacheError> {
        let io = |source| CacheError::Io {
            path: dir.into(),
            source,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(dir)
            .map_err(|source| {
                if dir.exists() {
                    CacheError::NotAFolder { path: dir.into() }
                } else {
                    io(source)
                }
            })?;
        let metadata = fs::metadata(dir).map_err(io)?;
        if !is_ours(&metadata) {
            return Err(CacheError::Owner { path: dir.into() });
        }
        let mode = metadata.permissions().mode() & 0o777;
        if mode & OTHERS_WRITE != 0 {
            return Err(CacheError::Mode {
                path: dir.into(),
                mode,
            });
        }
        Ok(Self { dir: dir.into() })
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
            if ours {
                freed += file.metadata().map_or(0, |metadata| metadata.len());
                fs::remove_file(file.path())?;
            }
        }
        Ok(freed)
    }

    /// The compiled form of a plugin: from the cache, or else compiled by
    /// `compile` and kept. Tells whether it came from the cache. Blocks while
    /// another process compiles the same plugin.
    ///
    /// A cache that cannot be written costs time, never a call.
    pub(crate) fn component<E>(
        &self,
        engine: &Engine,
        digest: Digest,
        name: &str,
        compile: impl FnOnce() -> Result<Component, E>,
    ) -> Result<(Component, bool), E> {
        let key = key(engine, digest);
        if let Some(component) = self.read(engine, &key) {
            return Ok((component, true));
        }
        let lock = self.lock(&key);
        if lock.is_some()
            && let Some(component) = self.read(engine, &key)
        {
            return Ok((component, true));
        }
        let component = compile()?;
        if let Err(error) = self.write(&key, &component, digest, name) {
            tracing::warn!(
                "cannot keep the compiled plugin in `{}`: {error}",
                self.dir.display()
            );
        }
        if lock.is_some() {
            let _ = fs::remove_file(self.path(&key, "lock"));
        }
        Ok((component, false))
    }

    fn path(&self, key: &str, extension: &str) -> PathBuf {
        self.dir.join(format!("{key}.{extension}"))
    }

    #[expect(unsafe_code, reason = "running compiled code is what the cache is for")]
    fn read(&self, engine: &Engine, key: &str) -> Option<Component> {
        let code = self.path(key, "cwasm");
        let entry = read_entry(&self.path(key, "json"))?;
        let metadata = fs::symlink_metadata(&code).ok()?;
        let sound = metadata.is_file()
            && is_ours(&metadata)
            && metadata.permissions().mode() & OTHERS_WRITE == 0
            && metadata.len() == entry.bytes;
        if !sound {
            return None;
        }
        // SAFETY: the file is one that `write` moved into place whole: it is in a
        // folder only this user can write, belongs to this user and has the
        // length that was recorded. wasmtime checks its own header, version and
        // configuration.
        unsafe { Component::deserialize_file(engine, &code) }.ok()
    }

    fn write(
        &self,
        key: &str,
        component: &Component,
        digest: Digest,
        name: &str,
    ) -> io::Result<()> {
        let code = component.serialize().map_err(io::Error::other)?;
        let entry = CacheEntry {
            digest,
            name: name.into(),
            bytes: code.len() as u64,
        };
        self.put(&self.path(key, "cwasm"), &code)?;
        self.put(&self.path(key, "json"), &serde_json::to_vec(&entry)?)
    }

    fn put(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .suffix(".part")
            .tempfile_in(&self.dir)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Waits until nobody else compiles this plugin. `None` when the folder
    /// takes no locks, in which case the work may be done twice.
    fn lock(&self, key: &str) -> Option<File> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.path(key, "lock"))
            .ok()?;
        file.lock().ok()?;
        Some(file)
    }
}

fn read_entry(path: &Path) -> Option<CacheEntry> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if !metadata.is_file() || !is_ours(&metadata) || metadata.len() > 64 * 1024 {
        return None;
    }
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn is_ours(metadata: &fs::Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

fn key(engine: &Engine, digest: Digest) -> String {
    let mut hasher = DefaultHasher::new();
    FORMAT.hash(&mut hasher);
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{digest}-{:016x}", hasher.finish())
}
