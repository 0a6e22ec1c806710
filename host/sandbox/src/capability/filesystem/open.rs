//! What a call has open: how much of it, and under which names.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use toolhost_policy::Limits;
use toolhost_tool::{Denial, EffectKind, truncate_chars};

use wasmtime_wasi::p2::FsResult;

use super::usage::Usage;
use super::{MAX_LISTINGS, settle};
use crate::ledger::{Act, Ledger};

/// Longest name that is kept of an open file; the guest makes it up.
const MAX_PATH_CHARS: usize = 1_000;

/// What a call has open, and what it may still write.
pub(crate) struct Open {
    handles: HashMap<u32, Handle>,
    listings: u32,
    max_handles: usize,
    pub(super) usage: Arc<Usage>,
}

/// An open file or directory.
pub(super) struct Handle {
    /// The grant it belongs to, by its place among them.
    pub(super) root: usize,
    /// Its place in the ledger, for all that is written to it.
    pub(super) writes: Writes,
}

/// What is written to an open file: one act in the ledger. Clones are one.
#[derive(Clone)]
pub(super) struct Writes {
    path: Arc<str>,
    ledger: Ledger,
    act: Arc<OnceLock<Act>>,
    arrived: Arc<AtomicBool>,
}

impl Open {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            handles: HashMap::new(),
            listings: 0,
            max_handles: limits.open_files as usize,
            usage: Arc::new(Usage::new(limits)),
        }
    }

    /// What was refused because a quota was used up.
    pub(crate) fn denials(&self) -> Vec<Denial> {
        self.usage.denials()
    }

    pub(super) fn has_places(&mut self, wanted: usize) -> bool {
        let left = self.max_handles.saturating_sub(self.handles.len());
        if wanted > left {
            self.usage.refuse("open-files", "a further file");
        }
        wanted <= left
    }

    pub(super) fn add(&mut self, rep: u32, handle: Handle) {
        self.handles.insert(rep, handle);
    }

    pub(super) fn remove(&mut self, rep: u32) {
        self.handles.remove(&rep);
    }

    /// The name of what is open.
    pub(super) fn path(&self, rep: u32) -> Arc<str> {
        let handle = self.handles.get(&rep);
        handle.map_or_else(
            || "an open file".into(),
            |handle| Arc::clone(&handle.writes.path),
        )
    }

    pub(super) fn root(&self, rep: u32) -> Option<usize> {
        Some(self.handles.get(&rep)?.root)
    }

    pub(super) fn writes(&self, rep: u32, ledger: &Ledger) -> Writes {
        match self.handles.get(&rep) {
            Some(handle) => handle.writes.clone(),
            None => Writes::new(self.path(rep), ledger),
        }
    }

    pub(super) fn add_listing(&mut self) -> bool {
        let fits = self.listings < MAX_LISTINGS;
        self.listings += u32::from(fits);
        fits
    }

    pub(super) fn remove_listing(&mut self) {
        self.listings = self.listings.saturating_sub(1);
    }
}

impl Handle {
    pub(super) fn new(root: usize, path: impl Into<Arc<str>>, ledger: &Ledger) -> Self {
        Self {
            root,
            writes: Writes::new(path, ledger),
        }
    }
}

impl Writes {
    fn new(path: impl Into<Arc<str>>, ledger: &Ledger) -> Self {
        Self {
            path: path.into(),
            ledger: ledger.clone(),
            act: Arc::default(),
            arrived: Arc::default(),
        }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Writes down that so many bytes are on their way.
    pub(super) fn begin(&self, bytes: usize) -> &Act {
        let act = self
            .act
            .get_or_init(|| self.ledger.begin(EffectKind::File, &*self.path));
        act.add_bytes(bytes as u64);
        act
    }

    /// They have arrived.
    pub(super) fn confirm(&self) {
        if let Some(act) = self.act.get() {
            act.confirm();
            self.arrived.store(true, Ordering::Relaxed);
        }
    }

    /// How a change ended. One that failed takes nothing back of what has arrived
    /// before it.
    pub(super) fn settle<T>(&self, result: &FsResult<T>) {
        match self.act.get() {
            _ if result.is_ok() => self.confirm(),
            Some(act) if !self.arrived.load(Ordering::Relaxed) => settle(act, result),
            _ => {}
        }
    }
}

/// The name of `path` below `folder`, for people: links in it are not followed, and
/// what leads out of the folder shows that it does.
pub(super) fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let inside = parts.len();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.len() > inside && parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let start = if folder.starts_with('/') { "/" } else { "" };
    truncate_chars(format!("{start}{}", parts.join("/")), MAX_PATH_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_the_guest_uses() {
        assert_eq!(join("/data", "a"), "/data/a");
        assert_eq!(join("/data", "./a/../b//c/"), "/data/b/c");
        assert_eq!(join("/data", "../secret"), "/data/../secret");
        assert_eq!(join("/data", "a/../../b"), "/data/../b");
        assert_eq!(join("/", "a"), "/a");
        assert_eq!(join(".", "a"), "./a");
        assert_eq!(join("/data", "../../../x"), "/data/../../../x");
        assert!(join("/data", &"x/".repeat(10_000)).len() < 1_100);
    }
}
