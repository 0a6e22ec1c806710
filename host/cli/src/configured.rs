//! What a configuration file says, and the plugins that it names.

use std::path::{Path, PathBuf};

use toolhost::policy::Config;
use toolhost::{Digest, Grants, LimitsPatch};

use crate::failure::Failure;
use crate::{input, misspelt};

/// Most bytes of a configuration file.
const MAX_CONFIG_BYTES: u64 = 1024 * 1024;

/// The plugin that is meant, with what the configuration says of it.
pub(crate) struct Chosen {
    /// Its name in the configuration, when it has one.
    pub(crate) name: Option<String>,
    /// Its file.
    pub(crate) path: PathBuf,
    /// The only digest that the file may have.
    pub(crate) sha256: Option<Digest>,
    /// Limits that come before those for every plugin.
    pub(crate) limits: LimitsPatch,
    /// Grants beside those for every plugin.
    pub(crate) grants: Grants,
    /// Whether the fast compiler compiles it.
    pub(crate) fast_compile: bool,
}

impl Chosen {
    /// A name of the configuration wins over a file of that name; what the
    /// configuration grants a plugin is granted by that name only.
    pub(crate) fn new(typed: PathBuf, config: &Config) -> Result<Self, Failure> {
        if let Some(named) = typed.to_str().and_then(|name| config.plugins.get(name)) {
            return Ok(Self {
                name: typed.to_str().map(str::to_owned),
                path: named.path.clone(),
                sha256: named.sha256,
                limits: named.limits,
                grants: named.grants.clone(),
                fast_compile: named.fast_compile,
            });
        }
        let names: Vec<&str> = config.plugins.keys().map(String::as_str).collect();
        match misspelt::plugin_file(&typed, &names) {
            Some(failure) => Err(failure),
            None => Ok(Self {
                name: None,
                path: typed,
                sha256: None,
                limits: LimitsPatch::default(),
                grants: Grants::default(),
                fast_compile: false,
            }),
        }
    }
}

/// Reads the configuration file, when there is one.
///
/// # Errors
///
/// When it cannot be read or used.
pub(crate) fn read(file: Option<&Path>) -> Result<Config, Failure> {
    let Some(file) = file else {
        return Ok(Config::default());
    };
    let text = input::file(file, MAX_CONFIG_BYTES).map_err(|error| {
        Failure::usage(format!(
            "cannot read the configuration `{}`",
            file.display()
        ))
        .because(&error)
        .hint("`--config` takes the path of a TOML file in UTF-8")
    })?;
    Config::parse(&text, file)
        .map_err(|error| Failure::usage("cannot use the configuration").because(&error))
}
