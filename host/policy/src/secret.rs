//! Secrets: where they come from, where they may go, and how they get there
//! without the plugin ever holding them.
//!
//! A plugin writes `{{secret:NAME}}` in a header of a request. When the request
//! leaves, and all of this holds, the host puts the value in:
//!
//! | rule | key in `[secrets.NAME]` | left out |
//! |---|---|---|
//! | the plugin is granted the secret | (`secrets` of `[grants]`) | refused |
//! | the request goes to a host of the secret | `hosts` | an error |
//! | the plugin is one of those named | `plugins` | every plugin that is granted it |
//! | the run acts for one of those named, who is verified | `principals` | whoever it acts for |
//! | the header is one of those named | `headers` | any that does not steer the request |
//! | the request goes over TLS | `insecure = true`: it need not | it must |
//!
//! A list that is there and empty is an error, never "all". A placeholder
//! anywhere else refuses the request, except in a body, where it is text like
//! any other. So does the value of a secret that is in the request before
//! anything was put in: somebody had it who should not.

mod access;
mod error;
mod flag;
mod inject;
mod leak;
mod name;
mod placeholder;
mod spec;
mod value;

pub use access::{CallSecrets, Secret, SecretStore};
pub use error::{SecretError, SecretRefusal};
pub use flag::SecretFlag;
pub use inject::Injected;
pub use leak::LeakScan;
pub use name::SecretName;
pub use spec::{SecretOrigin, SecretSpec};
pub use value::{MAX_SECRET_BYTES, MIN_SECRET_BYTES, SecretValue};

#[cfg(test)]
mod tests;
