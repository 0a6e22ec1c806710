//! A `[grants]` section: each grant is remembered with its line.

use std::{collections::BTreeMap, ops::Range};

use serde::Deserialize;
use toml::Spanned;
use toolhost_tool::{permission::Glob, suggest};

use super::{ConfigError, file::Reader};
use crate::{
    Capability, DirGrant, GrantError, Grants, HttpGrant, Origin, SecretError, StorageScope,
};

#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct GrantSection {
    http: Vec<Spanned<HttpGrant>>,
    dirs: Vec<Spanned<DirGrant>>,
    env: BTreeMap<Spanned<String>, String>,
    allow_messages: Option<Spanned<bool>>,
    tools: Vec<Spanned<Glob>>,
    storage: Option<Spanned<StorageScope>>,
    config: BTreeMap<Spanned<String>, String>,
    secrets: Vec<Spanned<String>>,
}

impl Reader<'_> {
    /// What the section grants, to every plugin or to one.
    pub(super) fn grants(
        &self,
        section: Option<Spanned<GrantSection>>,
        every_plugin: bool,
    ) -> Result<Grants, ConfigError> {
        let Some(section) = section else {
            return Ok(Grants::default());
        };
        let whole = section.span();
        let section = section.into_inner();
        let grants = Grants {
            http: values(&section.http),
            dirs: section.dirs.iter().map(|dir| self.dir(dir)).collect(),
            env: owned(&section.env),
            messages: section.grants_messages(),
            tools: values(&section.tools),
            storage: section.storage.as_ref().map(|scope| *scope.get_ref()),
            config: owned(&section.config),
            secrets: values(&section.secrets),
            ..Grants::default()
        };
        if let Err(error) = grants.check() {
            let place = section.place_of(&error).unwrap_or(whole);
            return Err(self.error(place, &error));
        }
        Ok(self.with_origins(grants, &section, every_plugin))
    }

    fn dir(&self, dir: &Spanned<DirGrant>) -> DirGrant {
        let dir = dir.get_ref();
        DirGrant {
            host: self.path(&dir.host),
            ..dir.clone()
        }
    }

    fn with_origins(
        &self,
        mut grants: Grants,
        section: &GrantSection,
        every_plugin: bool,
    ) -> Grants {
        // Backwards, so that of two that are the same the first is cited.
        for (capability, key, span) in section.written().into_iter().rev() {
            let origin = Origin::Line {
                file: self.file.to_owned(),
                line: self.lines.place(&span).0,
                every_plugin,
            };
            grants.origins.note(capability, key, origin);
        }
        grants
    }
}

impl GrantSection {
    pub(super) fn grants_messages(&self) -> bool {
        let written = self.allow_messages.as_ref();
        written.is_some_and(|allowed| *allowed.get_ref())
    }

    /// Where `allow-messages = false` stands.
    pub(super) fn refuses_messages(&self) -> Option<Range<usize>> {
        let written = self.allow_messages.as_ref()?;
        (!written.get_ref()).then(|| written.span())
    }

    /// The first secret that is not among the `known`, with what to say of it.
    pub(super) fn unknown_secret<'a>(
        &self,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> Option<(Range<usize>, String)> {
        let unknown = self
            .secrets
            .iter()
            .find(|name| known.clone().all(|known| known != name.get_ref()))?;
        let name = unknown.get_ref();
        let help = match suggest(name, known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => {
                format!("say under `[secrets.{name}]` where it comes from and which hosts get it")
            }
        };
        Some((
            unknown.span(),
            format!("there is no secret `{name}`: {help}"),
        ))
    }

    /// The first secret that is `bound` to others, and to whom.
    pub(super) fn bound_secret(
        &self,
        bound: impl Fn(&str) -> Option<String>,
    ) -> Option<(Range<usize>, &str, String)> {
        self.secrets.iter().find_map(|name| {
            let others = bound(name.get_ref())?;
            Some((name.span(), name.get_ref().as_str(), others))
        })
    }

    fn place_of(&self, error: &GrantError) -> Option<Range<usize>> {
        let (capability, key) = match error {
            GrantError::SameGuest { guest, .. } => (Capability::Dirs, guest),
            GrantError::BadVariable { name, .. } => (Capability::Env, name),
            GrantError::BadConfig { key, .. } => (Capability::Config, key),
            GrantError::BadTool { pattern } => (Capability::Tools, pattern),
            GrantError::BadSecret(SecretError::BadName { name }) => (Capability::Secrets, name),
            _ => return None,
        };
        // The last of those with one name is the one to change.
        let mut written = self.written().into_iter().rev();
        written
            .find(|(kind, name, _)| *kind == capability && name == key)
            .map(|(_, _, span)| span)
    }

    /// Each grant with its place, by the key that [`Grants::items`] has for it.
    fn written(&self) -> Vec<(Capability, String, Range<usize>)> {
        let mut all = Vec::new();
        let mut add = |capability, key: &str, span| all.push((capability, key.to_owned(), span));
        for grant in &self.http {
            add(Capability::Http, &grant.get_ref().flag(), grant.span());
        }
        for dir in &self.dirs {
            add(Capability::Dirs, &dir.get_ref().guest, dir.span());
        }
        for name in self.env.keys() {
            add(Capability::Env, name.get_ref(), name.span());
        }
        if let Some(allowed) = &self.allow_messages {
            add(Capability::Messages, "", allowed.span());
        }
        for pattern in &self.tools {
            add(
                Capability::Tools,
                pattern.get_ref().as_str(),
                pattern.span(),
            );
        }
        if let Some(scope) = &self.storage {
            add(Capability::Storage, "", scope.span());
        }
        for key in self.config.keys() {
            add(Capability::Config, key.get_ref(), key.span());
        }
        for name in &self.secrets {
            add(Capability::Secrets, name.get_ref(), name.span());
        }
        all
    }
}

fn values<T: Clone>(written: &[Spanned<T>]) -> Vec<T> {
    written.iter().map(|one| one.get_ref().clone()).collect()
}

fn owned(written: &BTreeMap<Spanned<String>, String>) -> BTreeMap<String, String> {
    written
        .iter()
        .map(|(name, value)| (name.get_ref().clone(), value.clone()))
        .collect()
}
