//! Secrets whose values are not where they are said to be. A call that needs one would
//! not start, so nothing is allowed that hangs on it.

use std::collections::BTreeMap;

use toolhost::policy::{SecretName, SecretOrigin, SecretSpec};
use toolhost::{SecretSource, SystemSecrets};

/// Why a value cannot be read, for each secret of which that can be told without
/// asking anybody: a keyring may wait for its owner. The values are dropped at once.
pub(super) fn unreadable(secrets: &BTreeMap<SecretName, SecretSpec>) -> BTreeMap<String, String> {
    let told = secrets.iter().filter_map(|(name, spec)| {
        if matches!(spec.origin, SecretOrigin::Keyring { .. }) {
            return None;
        }
        let error = SystemSecrets.read(name, &spec.origin).err()?;
        Some((name.to_string(), format!("{}: {error}", spec.origin)))
    });
    told.collect()
}
