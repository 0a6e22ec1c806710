//! A secret in the keyring of the system: on Linux what speaks the Secret Service
//! protocol of freedesktop.org, such as the keyrings of GNOME and KDE. Entries are
//! found by the attributes `service` and `username`, as the tools around it store
//! them:
//!
//! ```text
//! secret-tool store --label "GitHub" service github username ada
//! ```

use super::SecretReadError;

/// What is done with an entry that is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Locked {
    /// The user is asked to unlock it.
    Unlock,
    /// It is left alone.
    Leave,
}

#[cfg(all(feature = "keyring", target_os = "linux"))]
pub(super) fn read(service: &str, user: &str, locked: Locked) -> Result<String, SecretReadError> {
    use std::collections::HashMap;

    use secret_service::EncryptionType;
    use secret_service::blocking::SecretService;
    use zeroize::Zeroizing;

    let failed = |error: secret_service::Error| {
        SecretReadError::Keyring(format!("the keyring cannot be asked: {error}"))
    };
    let keyring = SecretService::connect(EncryptionType::Dh).map_err(failed)?;
    let attributes = HashMap::from([("service", service), ("username", user)]);
    let found = keyring.search_items(attributes).map_err(failed)?;
    let mut items = found.unlocked.iter().chain(&found.locked);
    let item = match (items.next(), items.next()) {
        (Some(item), None) => item,
        (None, _) => {
            return Err(SecretReadError::Keyring(format!(
                "the keyring has no such entry: store it with `secret-tool store --label {service} \
                 service {service} username {user}`"
            )));
        }
        (Some(_), Some(_)) => {
            return Err(SecretReadError::Keyring(
                "the keyring has several such entries: delete all but one".into(),
            ));
        }
    };
    if item.is_locked().map_err(failed)? {
        if locked == Locked::Leave {
            return Err(SecretReadError::Keyring(
                "the keyring is locked, and nobody is asked for a secret that no plugin uses: \
                 unlock it before"
                    .into(),
            ));
        }
        // Asks the user.
        item.unlock().map_err(failed)?;
    }
    let value = Zeroizing::new(item.get_secret().map_err(failed)?);
    let value = std::str::from_utf8(&value).map_err(|_| SecretReadError::NotText)?;
    Ok(value.to_owned())
}

#[cfg(not(all(feature = "keyring", target_os = "linux")))]
pub(super) fn read(
    _service: &str,
    _user: &str,
    _locked: Locked,
) -> Result<String, SecretReadError> {
    Err(SecretReadError::Keyring(
        "this build of the host knows no keyring: use `env` or `file`, or build it on Linux with \
         the feature `keyring`"
            .into(),
    ))
}
