//! The file as it is written, and from there to what it means.

use std::{
    collections::BTreeMap,
    ops::Range,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use toml::Spanned;
use toolhost_tool::permission::Permissions;

use super::{
    AuditArguments, AuditConfig, Config, ConfigError, PluginConfig, grants::GrantSection,
    lines::Lines,
};
use crate::{Digest, Limits, LimitsPatch, SecretName, SecretSpec};

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct File {
    limits: Option<Spanned<LimitsPatch>>,
    grants: Option<Spanned<GrantSection>>,
    #[serde(default)]
    cache: CacheSection,
    #[serde(default)]
    storage: StorageSection,
    audit: Option<AuditSection>,
    #[serde(default)]
    network: NetworkSection,
    #[serde(default)]
    secrets: BTreeMap<SecretName, Spanned<SecretSpec>>,
    #[serde(default)]
    permissions: Permissions,
    #[serde(default)]
    plugins: BTreeMap<String, PluginSection>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct CacheSection {
    dir: Option<WrittenPath>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct StorageSection {
    file: Option<WrittenPath>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct NetworkSection {
    ca_file: Option<WrittenPath>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct AuditSection {
    file: WrittenPath,
    #[serde(default)]
    arguments: AuditArguments,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PluginSection {
    path: WrittenPath,
    sha256: Option<Spanned<Digest>>,
    limits: Option<Spanned<LimitsPatch>>,
    grants: Option<Spanned<GrantSection>>,
    #[serde(default)]
    fast_compile: bool,
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
    let lines = Lines::of(text);
    let written: File =
        toml::from_str(text).map_err(|error| ConfigError::from_toml(file, &lines, &error))?;
    let reader = Reader {
        lines,
        file,
        folder: file.parent().unwrap_or(Path::new("")),
    };
    reader.contradictions(&written)?;
    let File {
        limits,
        grants,
        cache,
        storage,
        audit,
        network,
        secrets,
        permissions,
        plugins,
    } = written;
    let plugins = plugins
        .into_iter()
        .map(|(name, section)| Ok((name, reader.plugin(section)?)));
    let secrets = secrets
        .into_iter()
        .map(|(name, spec)| (name, spec.into_inner().in_folder(reader.folder)));
    Ok(Config {
        secrets: secrets.collect(),
        limits: reader.limits(limits)?,
        grants: reader.grants(grants, true)?,
        cache_dir: cache.dir.map(|dir| reader.path(&dir.0)),
        storage_file: storage.file.map(|file| reader.path(&file.0)),
        audit: audit.map(|audit| AuditConfig {
            file: reader.path(&audit.file.0),
            arguments: audit.arguments,
        }),
        ca_file: network.ca_file.map(|file| reader.path(&file.0)),
        permissions,
        plugins: plugins.collect::<Result<_, ConfigError>>()?,
    })
}

pub(super) struct Reader<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) file: &'a Path,
    folder: &'a Path,
}

impl Reader<'_> {
    fn plugin(&self, section: PluginSection) -> Result<PluginConfig, ConfigError> {
        let PluginSection {
            path,
            sha256,
            limits,
            grants,
            fast_compile,
        } = section;
        Ok(PluginConfig {
            path: self.path(&path.0),
            sha256: sha256.map(Spanned::into_inner),
            limits: self.limits(limits)?,
            grants: self.grants(grants, false)?,
            fast_compile,
        })
    }

    fn limits(&self, section: Option<Spanned<LimitsPatch>>) -> Result<LimitsPatch, ConfigError> {
        let Some(section) = section else {
            return Ok(LimitsPatch::default());
        };
        match Limits::default().with(section.get_ref()) {
            Ok(_) => Ok(section.into_inner()),
            Err(error) => Err(self.error(section.span(), &error)),
        }
    }

    /// Refuses what two parts of the file say against each other.
    fn contradictions(&self, file: &File) -> Result<(), ConfigError> {
        let for_all = file.grants.as_ref().map(Spanned::get_ref);
        let sections = file
            .plugins
            .values()
            .filter_map(|plugin| plugin.grants.as_ref())
            .map(Spanned::get_ref);
        if for_all.is_some_and(GrantSection::grants_messages)
            && let Some(span) = sections.clone().find_map(GrantSection::refuses_messages)
        {
            let said = "`[grants]` grants messages to every plugin, and this takes nothing back: \
                        grant them under `[plugins.NAME.grants]` to those that may read them";
            return Err(self.error(span, &said));
        }
        self.secrets(file)?;
        self.pins(&file.plugins)
    }

    /// Refuses a grant of a secret that is not there, or is bound to other plugins.
    fn secrets(&self, file: &File) -> Result<(), ConfigError> {
        let for_all = file.grants.iter().map(|section| (None, section));
        let for_one = file.plugins.iter().filter_map(|(name, plugin)| {
            let section = plugin.grants.as_ref()?;
            Some((Some(name), section))
        });
        for (plugin, section) in for_all.chain(for_one) {
            let section = section.get_ref();
            let known = file.secrets.keys().map(SecretName::as_str);
            if let Some((span, said)) = section.unknown_secret(known) {
                return Err(self.error(span, &said));
            }
            let Some(plugin) = plugin else { continue };
            let bound = |name: &str| {
                let spec = file.secrets.get(name)?.get_ref();
                let bound_to = spec.plugins.as_ref()?;
                (!bound_to.contains(plugin)).then(|| bound_to.join("`, `"))
            };
            if let Some((span, name, others)) = section.bound_secret(bound) {
                let said = format!(
                    "the secret `{name}` is bound to `{others}` by `plugins` under \
                     `[secrets.{name}]`: add `{plugin}` there, or take the grant away"
                );
                return Err(self.error(span, &said));
            }
        }
        self.bound_to_nobody(file)
    }

    /// Refuses a secret that is bound to a plugin that is not there.
    fn bound_to_nobody(&self, file: &File) -> Result<(), ConfigError> {
        for (secret, spec) in &file.secrets {
            let bound_to = spec.get_ref().plugins.iter().flatten();
            let known = || file.plugins.keys().map(String::as_str);
            let Some(unknown) = bound_to
                .into_iter()
                .find(|name| !known().any(|one| one == *name))
            else {
                continue;
            };
            let help = match toolhost_tool::suggest(unknown, known()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("say under `[plugins.{unknown}]` which file it is"),
            };
            let said = format!(
                "`plugins` of the secret `{secret}` names `{unknown}`, which is no plugin of this \
                 file: {help}"
            );
            return Err(self.error(spec.span(), &said));
        }
        Ok(())
    }

    /// Refuses two digests for one file: it cannot have both.
    fn pins(&self, plugins: &BTreeMap<String, PluginSection>) -> Result<(), ConfigError> {
        let mut pins: BTreeMap<&Path, (&str, Digest)> = BTreeMap::new();
        for (name, plugin) in plugins {
            let Some(pin) = &plugin.sha256 else { continue };
            let known = pins.entry(&plugin.path.0).or_insert((name, *pin.get_ref()));
            if known.1 != *pin.get_ref() {
                let said = format!(
                    "`[plugins.{}]` pins another digest for the same file `{}`",
                    known.0,
                    plugin.path.0.display()
                );
                return Err(self.error(pin.span(), &said));
            }
        }
        Ok(())
    }

    /// A path of the file, counted from its folder.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        self.folder.join(path)
    }

    pub(super) fn error(&self, span: Range<usize>, error: &impl ToString) -> ConfigError {
        ConfigError::new(self.file, Some(self.lines.place(&span)), error.to_string())
    }
}
