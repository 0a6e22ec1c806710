//! A secret as a flag of a call: by name, or with all that a short call needs.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::spec::parse_host;
use super::{SecretError, SecretName, SecretOrigin, SecretSpec};

/// What `--secret` says: that the plugin may use a secret, and, when the
/// configuration file does not define it, what it is.
///
/// | text | meaning |
/// |---|---|
/// | `NAME` | the secret `NAME` of the configuration file |
/// | `NAME=env:VARIABLE@HOST[,HOST]` | from the environment |
/// | `NAME=file:PATH@HOST[,HOST]` | from a file |
/// | `NAME=keyring:SERVICE/USER@HOST[,HOST]` | from the system's keyring |
///
/// A host is a name, an address or `*.NAME`. `http://HOST` also allows to send it
/// without TLS. What binds it further is said in a file.
///
/// ```
/// use toolhost_policy::SecretFlag;
///
/// let flag: SecretFlag = "github=env:GITHUB_TOKEN@api.github.com".parse()?;
/// assert_eq!(flag.name.as_str(), "github");
/// assert_eq!(flag.spec.unwrap().hosts.len(), 1);
/// # Ok::<(), toolhost_policy::SecretError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretFlag {
    /// The secret.
    pub name: SecretName,
    /// What it is, when the flag says so.
    pub spec: Option<SecretSpec>,
}

impl FromStr for SecretFlag {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let Some((name, rest)) = text.split_once('=') else {
            let name = text.parse()?;
            return Ok(Self { name, spec: None });
        };
        let name: SecretName = name.parse()?;
        // What is wrong may be that the value itself was written here, so no more
        // than the name is repeated.
        let bad = |problem| SecretError::BadFlag {
            text: format!("{name}=…"),
            problem,
        };
        let (source, hosts) = rest.rsplit_once('@').ok_or_else(|| bad("names no host"))?;
        let (kind, place) = source
            .split_once(':')
            .ok_or_else(|| bad("names no source"))?;
        let origin = match kind {
            "env" => SecretOrigin::env(place)?,
            "file" => SecretOrigin::file(Path::new(place))?,
            "keyring" => SecretOrigin::keyring(place)?,
            _ => return Err(bad("names a source that is not known")),
        };
        let mut insecure = Vec::new();
        let mut patterns = Vec::new();
        for host in hosts.split(',') {
            insecure.push(host.starts_with("http://"));
            let host = host
                .trim_start_matches("http://")
                .trim_start_matches("https://");
            patterns.push(parse_host(host)?);
        }
        if insecure.contains(&true) && insecure.contains(&false) {
            return Err(bad(
                "allows `http://` for one host only, which a secret cannot",
            ));
        }
        let mut spec = SecretSpec::new(origin, patterns)?;
        spec.insecure = insecure.contains(&true);
        Ok(Self {
            name,
            spec: Some(spec),
        })
    }
}

impl fmt::Display for SecretFlag {
    /// The name, which is all that messages need.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}
