//! What can be said of a plugin without compiling or running it: for those who decide
//! whether to load it at all.

use toolhost_policy::{Digest, LoadLimits, Manifest};

use crate::error::LoadError;
use crate::plugin::{self, PluginSource};
use crate::{manifest, scan};

/// What can be said of a plugin without compiling or running it.
#[derive(Clone, Debug)]
pub struct PluginOutline {
    /// A name for messages: the file's, without `.wasm`.
    pub name: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// How many bytes it has.
    pub bytes: u64,
    /// What it says of itself and asks for, if it says so.
    pub manifest: Option<Manifest>,
}

impl PluginOutline {
    /// Reads a plugin. Its code is not looked at.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is no plugin or not the one of the digest `sha256`, or
    /// has a manifest that cannot be used.
    pub fn read(
        source: PluginSource,
        sha256: Option<Digest>,
        limits: &LoadLimits,
    ) -> Result<Self, LoadError> {
        let (name, bytes) = plugin::read(source, limits)?;
        let digest = check_digest(&bytes, sha256)?;
        scan::check_kind(&bytes)?;
        Ok(Self {
            manifest: manifest::find(&bytes)?,
            name,
            digest,
            bytes: bytes.len() as u64,
        })
    }
}

/// The digest of the bytes of a plugin, which has to be the one it is pinned to.
pub(crate) fn check_digest(bytes: &[u8], pin: Option<Digest>) -> Result<Digest, LoadError> {
    let found = Digest::of(bytes);
    match pin {
        Some(pinned) if pinned != found => Err(LoadError::Digest { pinned, found }),
        _ => Ok(found),
    }
}
