//! The plugins whose tools another may call: itself, those that are named with
//! `--with`, and those of the configuration.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolhost::policy::Config;
use toolhost::{Limits, PluginOptions, ToolDefinition};

use crate::cache_choice::{CacheChoice, CacheFlags};
use crate::configured::Chosen;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;
use crate::{loader, runtime};

/// Plugins to look into.
pub(super) struct Beside {
    /// Those that were named: each has to load.
    named: Vec<(PathBuf, PluginOptions)>,
    /// Those of the configuration that were not, by their names.
    configured: Vec<(String, PathBuf, PluginOptions)>,
    cache: CacheChoice,
}

/// The tools of plugins.
pub(super) struct Tools {
    pub(super) tools: Vec<ToolDefinition>,
    /// Those of plugins that were not named, with the plugin's name.
    unnamed: BTreeMap<String, String>,
}

impl Beside {
    /// The plugin itself, further ones that were named, and the configured.
    ///
    /// # Errors
    ///
    /// When one that was named is neither a file nor in the configuration.
    pub(super) fn new(plugin: &Path, with: &[PathBuf], config: &Config) -> Result<Self, Failure> {
        let typed = [plugin.to_owned()].into_iter().chain(with.iter().cloned());
        let chosen: Vec<Chosen> = typed
            .map(|typed| Chosen::new(typed, config))
            .collect::<Result<_, _>>()?;
        let is_named = |path: &Path| chosen.iter().any(|one| one.path == path);
        let others = config.plugins.iter();
        let others = others.filter(|(_, plugin)| !is_named(&plugin.path));
        let configured = others.map(|(name, plugin)| {
            let options = PluginOptions {
                sha256: plugin.sha256,
                name: Some(name.clone()),
                fast_compile: plugin.fast_compile,
                ..PluginOptions::default()
            };
            (name.clone(), plugin.path.clone(), options)
        });
        Ok(Self {
            configured: configured.collect(),
            named: chosen.into_iter().map(to_load).collect(),
            cache: CacheChoice::new(CacheFlags::default(), config.cache_dir.clone()),
        })
    }

    /// Loads them, and grants them nothing: a plugin has nothing outside its sandbox
    /// while it tells its tools. A plugin of the configuration that cannot be loaded is
    /// passed over, with a warning.
    ///
    /// # Errors
    ///
    /// When one that was named cannot be loaded.
    pub(super) fn look_up(&self, printer: &Printer) -> Result<Tools, Stop> {
        runtime::block_on(async {
            let interrupts = Interrupts::listen()?;
            let host = loader::host(&self.cache, Limits::default(), printer)?;
            for (path, options) in &self.named {
                loader::load(&host, path, options.clone(), &interrupts, printer).await?;
            }
            let mut unnamed = BTreeMap::new();
            for (name, path, options) in &self.configured {
                let options = options.clone();
                match loader::load(&host, path, options, &interrupts, printer).await {
                    Ok(loaded) => unnamed.extend(loaded.tools.iter().map(|tool| {
                        let tool = tool.definition().name.clone();
                        (tool, name.clone())
                    })),
                    Err(Stop::Failed(failure)) => printer.warning(&format!(
                        "the plugin `{name}` is passed over: {}",
                        failure.message
                    )),
                    Err(stop) => return Err(stop),
                }
            }
            Ok(Tools {
                tools: host.definitions(),
                unnamed,
            })
        })
    }
}

impl Tools {
    /// What a call of `tool` needs, when its plugin was not named.
    pub(super) fn note(&self, tool: &str) -> Option<String> {
        let plugin = self.unnamed.get(tool)?;
        Some(format!(
            "it is a tool of the plugin `{plugin}`, which `--with {plugin}` loads too"
        ))
    }
}

fn to_load(chosen: Chosen) -> (PathBuf, PluginOptions) {
    let options = PluginOptions {
        sha256: chosen.sha256,
        name: chosen.name,
        fast_compile: chosen.fast_compile,
        ..PluginOptions::default()
    };
    (chosen.path, options)
}
