//! A plugin whose file changes while the host runs: the new one takes the place of
//! the old one between calls. A call in flight ends on the plugin it began with, and
//! what was approved for the old one is not for the new: its digest is another.

mod stamp;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use toolhost_sandbox::{LoadError, PluginOutline, PluginSource};

use crate::error::Error;
use crate::host::{Host, LoadedPlugin};
use stamp::Stamp;

/// How long a file has to be left alone before it is taken for whole.
const SETTLED: Duration = Duration::from_millis(150);

/// How long a file that is gone, or ends too early, is taken for one that is still
/// being written.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often [`PluginWatch::next`] looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// Follows the file of a plugin.
///
/// ```no_run
/// use toolhost::{Host, PluginOptions, PluginWatch, Reload};
///
/// # async fn example() -> Result<(), toolhost::Error> {
/// let host = Host::builder().build()?;
/// let calc = host.load("target/plugins/calc.wasm", PluginOptions::default()).await?;
/// let mut watch = PluginWatch::new(calc)?;
/// loop {
///     match watch.next(&host).await {
///         Reload::Replaced => println!("now {}", watch.plugin().plugin.info().digest),
///         Reload::Kept(error) => eprintln!("the plugin of before stays: {error}"),
///         _ => {}
///     }
/// }
/// # }
/// ```
///
/// A plugin that is pinned to a digest is never replaced by another.
pub struct PluginWatch {
    plugin: LoadedPlugin,
    path: PathBuf,
    /// The file as it was when it was last judged.
    judged: Option<Stamp>,
    /// The file as it was last seen, and since when it is like that.
    seen: Option<(Stamp, Instant)>,
}

/// What became of a changed file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reload {
    /// It is the plugin now; see [`PluginWatch::plugin`].
    Replaced,
    /// It cannot be used, and the plugin of before goes on. Told once for each
    /// change.
    Kept(Error),
}

impl PluginWatch {
    /// Follows the file that `plugin` was loaded from.
    ///
    /// # Errors
    ///
    /// [`Error::NoFile`] when it was loaded from memory.
    pub fn new(plugin: LoadedPlugin) -> Result<Self, Error> {
        let path = plugin.file()?.to_owned();
        Ok(Self {
            plugin,
            path,
            judged: None,
            seen: None,
        })
    }

    /// The plugin as it is now.
    #[must_use]
    pub fn plugin(&self) -> &LoadedPlugin {
        &self.plugin
    }

    /// Looks at the file once, and loads it when it has changed and is whole: when
    /// nothing was written to it for a moment and it can be read to its end. So a
    /// change is picked up by the second look at the earliest. `None` when there is
    /// nothing to say.
    ///
    /// Calls go on meanwhile. Dropping the future changes nothing.
    pub async fn check(&mut self, host: &Host) -> Option<Reload> {
        let path = self.path.clone();
        let stamp = blocking(move || Stamp::of(&path)).await?;
        if self.judged == Some(stamp) {
            return None;
        }
        let since = match self.seen {
            Some((seen, since)) if seen == stamp => since,
            _ => {
                self.seen = Some((stamp, Instant::now()));
                return None;
            }
        };
        if since.elapsed() < SETTLED {
            return None;
        }
        let error = match self.load(host).await {
            Ok(told) => {
                self.judged = Some(stamp);
                return told;
            }
            Err(error) => error,
        };
        if is_unfinished(&error) && since.elapsed() < PATIENCE {
            return None;
        }
        self.judged = Some(stamp);
        Some(Reload::Kept(error))
    }

    /// Waits until the file has changed, and loads it.
    ///
    /// Dropping the future loses nothing.
    pub async fn next(&mut self, host: &Host) -> Reload {
        loop {
            if let Some(told) = self.check(host).await {
                return told;
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Loads the file, unless it is what is loaded already.
    async fn load(&mut self, host: &Host) -> Result<Option<Reload>, Error> {
        let (path, limits) = (self.path.clone(), *host.load_limits());
        let read = move || PluginOutline::read(PluginSource::Path(path), None, &limits);
        let Some(outline) = blocking(read).await else {
            return Ok(None);
        };
        let outline = outline.map_err(|source| Error::Load {
            plugin: self.path.display().to_string(),
            source: Box::new(source),
        })?;
        if outline.digest == self.plugin.plugin.info().digest {
            return Ok(None);
        }
        self.plugin = host.reload(&self.plugin).await?;
        Ok(Some(Reload::Replaced))
    }
}

/// Whether a file that ends like this may only be half written.
fn is_unfinished(error: &Error) -> bool {
    let Error::Load { source, .. } = error else {
        return false;
    };
    matches!(
        **source,
        LoadError::Read { .. }
            | LoadError::Empty
            | LoadError::NotWasm(_)
            | LoadError::Malformed(_)
            // Exports stand at the end.
            | LoadError::NoTools
    )
}

/// A folder of the network may take its time. `None` when the runtime shuts down.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok()
}
