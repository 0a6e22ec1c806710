//! Whether advice to grant something would help: a flag that the manifest does not ask
//! for opens nothing.

use toolhost_tool::permission::Glob;

use super::Manifest;
use crate::{HttpGrant, effective::both};

impl Manifest {
    /// Whether the flag could open something to the plugin. Of a flag that is no grant
    /// this says nothing, and so yes.
    ///
    /// ```
    /// use toolhost_policy::Manifest;
    ///
    /// let manifest = Manifest::parse(br#"{"name": "x", "version": "1",
    ///     "wants": {"http": [{"allow": "https://*.example.com/", "why": "reads"}]}}"#)?;
    /// assert!(manifest.may_allow("--allow-host \"https://a.example.com/\""));
    /// assert!(!manifest.may_allow("--allow-host \"POST https://a.example.com/\""));
    /// assert!(!manifest.may_allow("--allow-messages"));
    /// assert!(manifest.may_allow("--ca-file FILE"));
    /// # Ok::<(), toolhost_policy::ManifestError>(())
    /// ```
    #[must_use]
    pub fn may_allow(&self, flag: &str) -> bool {
        let wants = &self.wants;
        let (flag, value) = flag.split_once(' ').unwrap_or((flag, ""));
        let value = value.trim_matches('"');
        match flag {
            "--allow-messages" => wants.messages.is_some(),
            "--storage" => wants.storage.is_some(),
            "--dir" => !wants.dirs.is_empty(),
            "--secret" => wants.secrets.iter().any(|want| want.is_for(value)),
            "--allow-host" | "--allow-private-host" => {
                let Ok(grant) = value.parse::<HttpGrant>() else {
                    return true;
                };
                let mut asked = wants.http.iter();
                asked.any(|want| grant.under(&want.allow).is_some())
            }
            "--allow-tool" => {
                let Ok(pattern) = Glob::new(value) else {
                    return true;
                };
                let mut asked = wants.tools.iter();
                asked.any(|want| both(&pattern, &want.name).is_some())
            }
            _ => true,
        }
    }
}
