//! Where compiled plugins are kept, from what was typed to a folder.

use std::path::PathBuf;

use clap::Args;
use toolhost::Cache;

use crate::failure::{Failure, cache_hint};
use crate::printer::Printer;

/// The flags about the cache.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CacheFlags {
    /// Keep compiled plugins in this folder
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with = "no_cache",
        help_heading = "Cache"
    )]
    pub(crate) cache_dir: Option<PathBuf>,
    /// Compile the plugin anew and keep nothing
    #[arg(long, help_heading = "Cache")]
    pub(crate) no_cache: bool,
}

/// What is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CacheChoice {
    /// The user's own folder, if it can be used.
    Default,
    /// This folder, or an error.
    Dir(PathBuf),
    /// None.
    Off,
}

impl CacheChoice {
    /// Flags win over the configuration.
    pub(crate) fn new(flags: CacheFlags, configured: Option<PathBuf>) -> Self {
        match flags.cache_dir.or(configured) {
            _ if flags.no_cache => Self::Off,
            Some(dir) => Self::Dir(dir),
            None => Self::Default,
        }
    }

    /// The folder to use. The user's own was not asked for by name, so one that
    /// cannot be used costs time and a warning, and not the call.
    pub(crate) fn dir(&self, printer: &Printer) -> Option<PathBuf> {
        let dir = match self {
            Self::Off => return None,
            Self::Dir(dir) => return Some(dir.clone()),
            Self::Default => Cache::default_dir(),
        };
        let Some(dir) = dir else {
            printer.warning("there is no home folder, so the compiled plugin is not kept");
            return None;
        };
        match Cache::open(&dir) {
            Ok(_) => Some(dir),
            Err(error) => {
                printer.warning(&format!(
                    "the compiled plugin is not kept: {error}; {}",
                    cache_hint(&error)
                ));
                None
            }
        }
    }

    /// The folder for the commands that are about the cache itself.
    ///
    /// # Errors
    ///
    /// When there is no home folder to put one in.
    pub(crate) fn named_dir(&self) -> Result<PathBuf, Failure> {
        let dir = match self {
            Self::Dir(dir) => Some(dir.clone()),
            Self::Default | Self::Off => Cache::default_dir(),
        };
        dir.ok_or_else(|| {
            Failure::usage("there is no home folder to keep a cache in")
                .hint("name a folder with `--cache-dir`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_win_over_the_configuration() {
        let configured = Some(PathBuf::from("configured"));
        let flags = |dir: Option<&str>, no_cache| CacheFlags {
            cache_dir: dir.map(PathBuf::from),
            no_cache,
        };
        let choice = |dir, no_cache| CacheChoice::new(flags(dir, no_cache), configured.clone());
        assert_eq!(
            choice(Some("typed"), false),
            CacheChoice::Dir("typed".into())
        );
        assert_eq!(choice(None, false), CacheChoice::Dir("configured".into()));
        assert_eq!(choice(None, true), CacheChoice::Off);
        assert_eq!(
            CacheChoice::new(flags(None, false), None),
            CacheChoice::Default
        );
    }
}
