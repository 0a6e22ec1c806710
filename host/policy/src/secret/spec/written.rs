//! The section of a secret as it is written. Each value checks itself, so that what is
//! wrong with one is said where it stands and not of the whole section.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{SecretOrigin, SecretSpec, check_header, check_host, parse_host};
use crate::{HostPattern, SecretError};

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Written {
    env: Option<Env>,
    file: Option<File>,
    keyring: Option<Keyring>,
    hosts: Vec<Host>,
    plugins: Option<Vec<String>>,
    principals: Option<Vec<String>>,
    headers: Option<Vec<Header>>,
    #[serde(default)]
    insecure: bool,
    #[serde(default)]
    reveal: bool,
}

impl TryFrom<Written> for SecretSpec {
    type Error = SecretError;

    fn try_from(written: Written) -> Result<Self, SecretError> {
        let Written {
            env,
            file,
            keyring,
            hosts,
            plugins,
            principals,
            headers,
            insecure,
            reveal,
        } = written;
        let ((Some(Env(origin)), None, None)
        | (None, Some(File(origin)), None)
        | (None, None, Some(Keyring(origin)))) = (env, file, keyring)
        else {
            return Err(SecretError::Source);
        };
        let headers = headers.map(|headers| headers.into_iter().map(|header| header.0).collect());
        let spec = Self {
            origin,
            hosts: hosts.into_iter().map(|host| host.0).collect(),
            plugins,
            principals,
            headers,
            insecure,
            reveal,
        };
        spec.check()?;
        Ok(spec)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Env(SecretOrigin);

impl TryFrom<String> for Env {
    type Error = SecretError;

    fn try_from(name: String) -> Result<Self, SecretError> {
        SecretOrigin::env(&name).map(Self)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "PathBuf")]
struct File(SecretOrigin);

impl TryFrom<PathBuf> for File {
    type Error = SecretError;

    fn try_from(path: PathBuf) -> Result<Self, SecretError> {
        SecretOrigin::file(Path::new(&path)).map(Self)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Keyring(SecretOrigin);

impl TryFrom<String> for Keyring {
    type Error = SecretError;

    fn try_from(entry: String) -> Result<Self, SecretError> {
        SecretOrigin::keyring(&entry).map(Self)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Host(HostPattern);

impl TryFrom<String> for Host {
    type Error = SecretError;

    fn try_from(host: String) -> Result<Self, SecretError> {
        let host = parse_host(&host)?;
        check_host(&host)?;
        Ok(Self(host))
    }
}

/// In lower case.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Header(String);

impl TryFrom<String> for Header {
    type Error = SecretError;

    fn try_from(header: String) -> Result<Self, SecretError> {
        let header = header.to_ascii_lowercase();
        check_header(&header)?;
        Ok(Self(header))
    }
}
