//! The file as it is written, and from there to what it means.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::Spanned;
use toolhost_tool::permission::Permissions;

use super::{Config, ConfigError, PluginConfig};
use crate::{DirGrant, Grants, Limits, LimitsPatch};

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    limits: Option<Spanned<LimitsPatch>>,
    grants: Option<Spanned<GrantSection>>,
    #[serde(default)]
    cache: CacheSection,
    #[serde(default)]
    permissions: Permissions,
    #[serde(default)]
    plugins: BTreeMap<String, PluginSection>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct GrantSection {
    dirs: Vec<DirGrant>,
    env: BTreeMap<String, String>,
    allow_messages: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct CacheSection {
    dir: Option<WrittenPath>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PluginSection {
    path: WrittenPath,
    limits: Option<Spanned<LimitsPatch>>,
    grants: Option<Spanned<GrantSection>>,
}

/// A path that is not empty: joined to the folder of the file, an empty one would
/// silently mean that folder.
#[derive(Deserialize)]
#[serde(try_from = "PathBuf")]
struct WrittenPath(PathBuf);

impl TryFrom<PathBuf> for WrittenPath {
    type Error = &'static str;

    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        if path.as_os_str().is_empty() {
            return Err("the path is empty: write one, or leave the key out");
        }
        Ok(Self(path))
    }
}

pub(super) fn read(text: &str, file: &Path) -> Result<Config, ConfigError> {
    let written: File =
        toml::from_str(text).map_err(|error| ConfigError::from_toml(file, text, &error))?;
    let reader = Reader {
        text,
        file,
        folder: file.parent().unwrap_or(Path::new("")),
    };
    let File {
        limits,
        grants,
        cache,
        permissions,
        plugins,
    } = written;
    let plugins = plugins
        .into_iter()
        .map(|(name, section)| Ok((name, reader.plugin(section)?)));
    Ok(Config {
        limits: reader.limits(limits)?,
        grants: reader.grants(grants)?,
        cache_dir: cache.dir.map(|dir| reader.path(&dir.0)),
        permissions,
        plugins: plugins.collect::<Result<_, ConfigError>>()?,
    })
}

struct Reader<'a> {
    text: &'a str,
    file: &'a Path,
    folder: &'a Path,
}

impl Reader<'_> {
    fn plugin(&self, section: PluginSection) -> Result<PluginConfig, ConfigError> {
        let PluginSection {
            path,
            limits,
            grants,
        } = section;
        Ok(PluginConfig {
            path: self.path(&path.0),
            limits: self.limits(limits)?,
            grants: self.grants(grants)?,
        })
    }

    fn limits(&self, section: Option<Spanned<LimitsPatch>>) -> Result<LimitsPatch, ConfigError> {
        let Some(section) = section else {
            return Ok(LimitsPatch::default());
        };
        match Limits::default().with(section.get_ref()) {
            Ok(_) => Ok(section.into_inner()),
            Err(error) => Err(self.error(&section, &error)),
        }
    }

    fn grants(&self, section: Option<Spanned<GrantSection>>) -> Result<Grants, ConfigError> {
        let Some(section) = section else {
            return Ok(Grants::default());
        };
        let GrantSection {
            dirs,
            env,
            allow_messages,
        } = section.get_ref();
        let dirs = dirs.iter().map(|dir| DirGrant {
            host: self.path(&dir.host),
            ..dir.clone()
        });
        let grants = Grants {
            dirs: dirs.collect(),
            env: env.clone(),
            messages: *allow_messages,
        };
        match grants.check() {
            Ok(()) => Ok(grants),
            Err(error) => Err(self.error(&section, &error)),
        }
    }

    /// A path of the file, counted from its folder.
    fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    fn error<T>(&self, section: &Spanned<T>, error: &impl ToString) -> ConfigError {
        ConfigError::new(
            self.file,
            self.text,
            Some(section.span()),
            error.to_string(),
        )
    }
}
