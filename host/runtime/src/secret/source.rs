//! Where values come from.

use std::env::VarError;

use toolhost_policy::{SecretError, SecretName, SecretOrigin, SecretValue};

use super::{file, keyring};

/// Reads the values of secrets. The functions may block.
pub trait SecretSource: Send + Sync {
    /// The value of the secret `name`, which is said to be at `origin`.
    ///
    /// # Errors
    ///
    /// When there is none, or none that can be kept secret.
    fn read(&self, name: &SecretName, origin: &SecretOrigin)
    -> Result<ReadSecret, SecretReadError>;

    /// The same for a secret that no loaded plugin is granted: it is wanted only to
    /// keep it out of what plugins pass on, so nobody should be asked for it. By
    /// default [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); that somebody has to be asked is one more reason.
    fn read_unasked(
        &self,
        name: &SecretName,
        origin: &SecretOrigin,
    ) -> Result<ReadSecret, SecretReadError> {
        self.read(name, origin)
    }
}

/// A value, and what is not right with where it was.
#[derive(Clone, Debug)]
pub struct ReadSecret {
    /// The value.
    pub value: SecretValue,
    /// What the operator should mend.
    pub warning: Option<String>,
}

impl From<SecretValue> for ReadSecret {
    fn from(value: SecretValue) -> Self {
        Self {
            value,
            warning: None,
        }
    }
}

/// Why a value cannot be read. It never holds anything of the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretReadError {
    /// The environment variable is not set.
    #[error("it is not set: export it before you start the host")]
    NotSet,
    /// The value is no UTF-8 text.
    #[error("its value is not text in UTF-8: store it as base64, or another text")]
    NotText,
    /// The file cannot be read.
    #[error("{0}: check that the path is right and that the host may read it")]
    File(String),
    /// It is no file.
    #[error("it is not a file: name the file that holds the value and nothing else")]
    NotAFile,
    /// The keyring has no such entry, or cannot be asked.
    #[error("{0}")]
    Keyring(String),
    /// The value cannot be kept secret.
    #[error(transparent)]
    Value(#[from] SecretError),
    /// A source of the program's own says so.
    #[error("{0}")]
    Other(String),
}

/// The environment of the process, files, and the keyring of the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemSecrets;

impl SecretSource for SystemSecrets {
    fn read(
        &self,
        _name: &SecretName,
        origin: &SecretOrigin,
    ) -> Result<ReadSecret, SecretReadError> {
        read(origin, keyring::Locked::Unlock)
    }

    fn read_unasked(
        &self,
        _name: &SecretName,
        origin: &SecretOrigin,
    ) -> Result<ReadSecret, SecretReadError> {
        read(origin, keyring::Locked::Leave)
    }
}

fn read(origin: &SecretOrigin, locked: keyring::Locked) -> Result<ReadSecret, SecretReadError> {
    match origin {
        SecretOrigin::Env(variable) => match std::env::var(variable) {
            Ok(value) => Ok(SecretValue::new(value)?.into()),
            Err(VarError::NotPresent) => Err(SecretReadError::NotSet),
            Err(VarError::NotUnicode(_)) => Err(SecretReadError::NotText),
        },
        SecretOrigin::File(path) => file::read(path),
        SecretOrigin::Keyring { service, user } => {
            let value = keyring::read(service, user, locked)?;
            Ok(SecretValue::new(value)?.into())
        }
    }
}
