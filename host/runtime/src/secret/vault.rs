//! The values a host has read, and who may use them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::{Mutex, oneshot};
use toolhost_policy::{
    CallSecrets, Capability, Grants, Secret, SecretName, SecretSpec, SecretStore,
};

use super::{ReadSecret, SecretReadError, SecretSource, SystemSecrets};
use crate::error::Error;
use crate::host::{Host, HostBuilder};

/// What a builder is told of secrets.
#[derive(Clone)]
pub(crate) struct SecretSettings {
    specs: BTreeMap<SecretName, SecretSpec>,
    source: Arc<dyn SecretSource>,
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
    /// The secrets that plugins can be granted, by name. None by default. A value
    /// is read when a plugin that is granted it is loaded, and not before.
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
    /// Reads the values of all secrets in use again. Calls that start from then on
    /// use them; those that run go on with what they have.
    ///
    /// # Errors
    ///
    /// When one cannot be read; then all values stay as they were.
    pub async fn reload_secrets(&self) -> Result<(), Error> {
        self.vault().reload().await
    }
}

/// The secrets of a host.
pub(crate) struct Vault {
    settings: SecretSettings,
    store: RwLock<Arc<SecretStore>>,
    /// One reader at a time, so that none overwrites what another has read.
    reading: Mutex<()>,
}

impl Vault {
    pub(crate) fn new(settings: SecretSettings) -> Self {
        Self {
            settings,
            store: RwLock::default(),
            reading: Mutex::new(()),
        }
    }

    /// Reads what `plugin` is granted, unless it was read before, and returns what
    /// its calls see, with what the operator should mend.
    ///
    /// # Errors
    ///
    /// When one is not defined, or its value cannot be read.
    pub(crate) async fn load(
        &self,
        plugin: &str,
        grants: &Grants,
    ) -> Result<(CallSecrets, Vec<String>), Error> {
        let mut warnings = Vec::new();
        if !grants.secrets.is_empty() {
            let _alone = self.reading.lock().await;
            let store = self.store();
            let mut all: Vec<Secret> = store.iter().cloned().collect();
            for name in &grants.secrets {
                let failed = |reason: String| Error::Secret {
                    secret: name.clone(),
                    plugin: plugin.to_owned(),
                    granted_by: granted_by(grants, name),
                    reason,
                };
                let Some((name, spec)) = self.settings.specs.get_key_value(name.as_str()) else {
                    let known = self.settings.specs.keys().map(SecretName::as_str);
                    return Err(failed(unknown(name, known)));
                };
                if store.get(name.as_str()).is_some() {
                    continue;
                }
                let read = self.read(name, spec).await;
                let read = read.map_err(|error| failed(unreadable(spec, &error)))?;
                warnings.extend(read.warning);
                all.push(Secret {
                    name: name.clone(),
                    spec: spec.clone(),
                    value: read.value,
                });
            }
            if all.len() > store.iter().count() {
                self.set(SecretStore::new(all));
            }
        }
        let granted: BTreeSet<String> = grants.secrets.iter().cloned().collect();
        let secrets = CallSecrets::new(self.store(), plugin.into(), Arc::new(granted));
        Ok((secrets, warnings))
    }

    async fn reload(&self) -> Result<(), Error> {
        let _alone = self.reading.lock().await;
        let mut all = Vec::new();
        for old in self.store().iter() {
            let read = self.read(&old.name, &old.spec).await;
            let read = read.map_err(|error| Error::SecretReload {
                secret: old.name.to_string(),
                reason: unreadable(&old.spec, &error),
            })?;
            all.push(Secret {
                value: read.value,
                ..old.clone()
            });
        }
        self.set(SecretStore::new(all));
        Ok(())
    }

    /// Sources may block: a keyring waits for the user to unlock it. The thread is
    /// left behind when nobody waits any more; one of the runtime's own would keep
    /// the program from ending.
    async fn read(
        &self,
        name: &SecretName,
        spec: &SecretSpec,
    ) -> Result<ReadSecret, SecretReadError> {
        let source = Arc::clone(&self.settings.source);
        let (name, origin) = (name.clone(), spec.origin.clone());
        let (done, read) = oneshot::channel();
        let thread = std::thread::Builder::new().name("secret".into());
        let started = thread.spawn(move || drop(done.send(source.read(&name, &origin))));
        let failed = |why: &str| Err(SecretReadError::Other(format!("its source {why}")));
        match started {
            Ok(_) => read.await.unwrap_or_else(|_| failed("failed")),
            Err(_) => failed("cannot be started, for lack of threads"),
        }
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
