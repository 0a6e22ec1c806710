//! A secret in the keyring of the system.

use super::SecretReadError;

pub(super) fn read(_service: &str, _user: &str) -> Result<String, SecretReadError> {
    Err(SecretReadError::Keyring(
        "this build of the host has no keyring: use `env` or `file`".into(),
    ))
}
