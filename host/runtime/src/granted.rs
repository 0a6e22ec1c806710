//! Whether what was granted can be given, looked at when a plugin is loaded: a
//! slip in a path is told then, and not by a tool that finds nothing.

use std::fs::File;
use std::io;
use std::path::Path;

use toolhost_policy::{Effective, Grants, effective};
use toolhost_sandbox::{Plugin, PluginInfo};
use toolhost_tool::Denial;

use crate::error::Error;

/// Checks that the grants can be meant, and that the directories are there and can be
/// opened.
///
/// # Errors
///
/// [`Error::Grants`], or [`Error::Directory`] for the first that cannot.
pub(crate) async fn check(grants: &Grants) -> Result<(), Error> {
    grants.check()?;
    let paths: Vec<_> = grants.dirs.iter().map(|dir| dir.host.clone()).collect();
    if paths.is_empty() {
        return Ok(());
    }
    // A folder of the network may take its time.
    let checked = tokio::task::spawn_blocking(move || {
        paths.into_iter().try_for_each(|path| {
            open(&path).map_err(|source| Error::Directory {
                path: path.clone(),
                source,
            })
        })
    });
    // The task is not cancelled, and opening a folder does not panic.
    checked.await.unwrap_or(Ok(()))
}

/// What the plugin gets of its grants: no more than its manifest asks for. What was
/// granted to it by name and is not asked for is told.
pub(crate) fn under_ceiling(plugin: &Plugin, grants: &Grants) -> Effective {
    let PluginInfo { name, manifest, .. } = plugin.info();
    let effective = effective(manifest.as_ref(), grants);
    for unwanted in effective.unwanted.iter().filter(|grant| grant.is_meant()) {
        tracing::warn!("plugin `{name}`: {unwanted}");
    }
    effective
}

/// Takes back advice to grant what the plugin's manifest does not ask for: nothing
/// would change.
pub(crate) fn without_vain_advice(plugin: &Plugin, denials: &mut [Denial]) {
    let Some(manifest) = &plugin.info().manifest else {
        return;
    };
    for denial in denials {
        denial.allow_with = denial
            .allow_with
            .take()
            .filter(|flag| manifest.may_allow(flag));
    }
}

fn open(path: &Path) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    File::open(path).map(drop)
}
