//! The values a host has read, and who may use them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use toolhost_policy::{
    CallSecrets, Capability, Grants, Secret, SecretName, SecretSpec, SecretStore, SecretValue,
};

use super::reader::{self, Manner};
use super::{SecretReadError, SecretSource, SystemSecrets};
use crate::error::Error;
use crate::host::{Host, HostBuilder};

/// How long the secrets that no plugin is granted are waited for, all together.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a builder is told of secrets.
#[derive(Clone)]
pub(crate) struct SecretSettings {
    specs: BTreeMap<SecretName, SecretSpec>,
    pub(super) source: Arc<dyn SecretSource>,
}

impl Default for SecretSettings {
    fn default() -> Self {
        Self {
            specs: BTreeMap::new(),
            source: Arc::new(SystemSecrets),
        }
    }
}

impl fmt::Debug for SecretSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretSettings")
            .field("specs", &self.specs)
            .finish_non_exhaustive()
    }
}

impl HostBuilder {
    /// The secrets that plugins can be granted, by name. None by default. All
    /// values are read when the first plugin is loaded, so that no plugin passes on
    /// one it came across; one that is granted and cannot be read then is an error.
    #[must_use]
    pub fn secrets(mut self, specs: impl IntoIterator<Item = (SecretName, SecretSpec)>) -> Self {
        self.secrets.specs.extend(specs);
        self
    }

    /// Where values are read. By default [`SystemSecrets`].
    #[must_use]
    pub fn secret_source(mut self, source: impl SecretSource + 'static) -> Self {
        self.secrets.source = Arc::new(source);
        self
    }
}

impl Host {
    /// Reads the values of all secrets again. Calls that start from then on
    /// use them; those that run go on with what they have.
    ///
    /// # Errors
    ///
    /// When one that a plugin is granted cannot be read; then all values stay as they
    /// were.
    pub async fn reload_secrets(&self) -> Result<(), Error> {
        self.vault().reload().await
    }
}

/// The secrets of a host.
pub(crate) struct Vault {
    settings: SecretSettings,
    store: RwLock<Arc<SecretStore>>,
    /// One reader at a time, so that none overwrites what another has read.
    reading: Mutex<Reading>,
}

/// What was done so far.
#[derive(Default)]
struct Reading {
    /// Those that no plugin is granted were looked for.
    read_all: bool,
    /// Those that a plugin was granted.
    granted: BTreeSet<SecretName>,
    /// What is not right with one that nobody is granted: said once somebody is.
    to_mend: BTreeMap<SecretName, String>,
}

impl Vault {
    pub(crate) fn new(settings: SecretSettings) -> Self {
        Self {
            settings,
            store: RwLock::default(),
            reading: Mutex::default(),
        }
    }

    /// Reads what `plugin`, by its identity, is granted, unless it was read before, and returns what
    /// its calls see, with what the operator should mend. The first time it reads
    /// all other secrets too: a plugin shall not pass on one that it came across,
    /// whoever it is for. Of those, what cannot be read is a warning.
    ///
    /// # Errors
    ///
    /// When one is not defined, or its value cannot be read.
    pub(crate) async fn load(
        &self,
        plugin: &str,
        grants: &Grants,
    ) -> Result<(CallSecrets, Vec<String>), Error> {
        let mut reading = self.reading.lock().await;
        let mut warnings = Vec::new();
        let mut all: Vec<Secret> = self.store().iter().cloned().collect();
        let known = all.len();
        for name in &grants.secrets {
            let failed = |reason: String| Error::Secret {
                secret: name.clone(),
                plugin: plugin.strip_prefix("file:").unwrap_or(plugin).to_owned(),
                granted_by: granted_by(grants, name),
                reason,
            };
            let Some((name, spec)) = self.settings.specs.get_key_value(name.as_str()) else {
                let known = self.settings.specs.keys().map(SecretName::as_str);
                return Err(failed(unknown(name, known)));
            };
            if let Some(secret) = all.iter().find(|secret| secret.name == *name) {
                warnings.extend(reading.to_mend.remove(name));
                warnings.extend(unsendable(secret));
            } else {
                let read = self.settings.start(name, spec, Manner::Asking);
                let read = reader::outcome(read).await;
                let read = read.map_err(|error| failed(unreadable(spec, &error)))?;
                let secret = secret(name, spec, read.value);
                warnings.extend(read.warning);
                warnings.extend(unsendable(&secret));
                all.push(secret);
            }
            reading.granted.insert(name.clone());
        }
        if !std::mem::replace(&mut reading.read_all, true) {
            let (rest, unread) = self.read_rest(&all, &mut reading).await;
            all.extend(rest);
            warnings.extend(unread);
        }
        if all.len() > known {
            self.set(SecretStore::new(all));
        }
        let granted: BTreeSet<String> = grants.secrets.iter().cloned().collect();
        let secrets = CallSecrets::new(self.store(), plugin.into(), Arc::new(granted));
        Ok((secrets, warnings))
    }

    /// Reads the secrets that are not among `known`, all at once and without asking
    /// anybody. Returns them, and a warning that names those that cannot be read.
    async fn read_rest(
        &self,
        known: &[Secret],
        reading: &mut Reading,
    ) -> (Vec<Secret>, Option<String>) {
        let is_known = |name: &SecretName| known.iter().any(|secret| secret.name == *name);
        let rest = self
            .settings
            .specs
            .iter()
            .filter(|(name, _)| !is_known(name));
        let rest = rest.map(|(name, spec)| {
            let read = self.settings.start(name, spec, Manner::Unasked);
            (name, spec, read)
        });
        let rest: Vec<_> = rest.collect();
        let deadline = Instant::now() + PATIENCE;
        let mut found = Vec::new();
        let mut unread = Vec::new();
        for (name, spec, read) in rest {
            match reader::outcome_until(read, deadline).await {
                Ok(read) => {
                    if let Some(warning) = read.warning {
                        reading.to_mend.insert(name.clone(), warning);
                    }
                    found.push(secret(name, spec, read.value));
                }
                // There is no value that would have to be kept secret.
                Err(SecretReadError::NotSet) => {}
                Err(error) => unread.push(format!("`{name}` ({})", unreadable(spec, &error))),
            }
        }
        let warning = (!unread.is_empty()).then(|| {
            format!(
                "no loaded plugin is granted these secrets, and a plugin that comes across one \
                 is not kept from passing it on: {}",
                unread.join("; ")
            )
        });
        (found, warning)
    }

    /// Those that no plugin is granted keep the value they had when they cannot be
    /// read.
    async fn reload(&self) -> Result<(), Error> {
        let mut reading = self.reading.lock().await;
        let mut all = Vec::new();
        for old in self
            .store()
            .iter()
            .filter(|old| reading.granted.contains(&old.name))
        {
            let read = self.settings.start(&old.name, &old.spec, Manner::Asking);
            let read = reader::outcome(read).await;
            let read = read.map_err(|error| Error::SecretReload {
                secret: old.name.to_string(),
                reason: unreadable(&old.spec, &error),
            })?;
            all.push(Secret {
                value: read.value,
                ..old.clone()
            });
        }
        let (rest, _) = self.read_rest(&all, &mut reading).await;
        all.extend(rest);
        let store = self.store();
        let is_read = |old: &&Secret| all.iter().any(|new| new.name == old.name);
        let kept: Vec<Secret> = store.iter().filter(|old| !is_read(old)).cloned().collect();
        all.extend(kept);
        self.set(SecretStore::new(all));
        Ok(())
    }

    /// The values as they were last read.
    pub(crate) fn store(&self) -> Arc<SecretStore> {
        // Every change under the lock is one assignment.
        let store = self.store.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&store)
    }

    fn set(&self, store: SecretStore) {
        *self.store.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(store);
    }
}

fn secret(name: &SecretName, spec: &SecretSpec, value: SecretValue) -> Secret {
    Secret {
        name: name.clone(),
        spec: spec.clone(),
        value,
    }
}

/// What is wrong with a secret that is meant to be sent and cannot be.
fn unsendable(secret: &Secret) -> Option<String> {
    let sent = !secret.spec.hosts.is_empty();
    (sent && !secret.value.fits_a_header()).then(|| {
        format!(
            "the secret `{}` ({}) cannot be sent in a header: its value holds a line break or \
             another control character",
            secret.name, secret.spec.origin
        )
    })
}

fn granted_by(grants: &Grants, name: &str) -> String {
    let origin = grants.origins.of(Capability::Secrets, name);
    origin.map_or_else(|| "the grants of the program".into(), ToString::to_string)
}

fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    match toolhost_tool::suggest(name, known) {
        Some(meant) => format!("there is no such secret: did you mean `{meant}`?"),
        None => format!(
            "there is no such secret: define it under `[secrets.{name}]`, or with `--secret \
             {name}=env:VARIABLE@HOST`"
        ),
    }
}

fn unreadable(spec: &SecretSpec, error: &SecretReadError) -> String {
    format!("{} cannot be used: {error}", spec.origin)
}
