//! What an operator allows: limits, grants, and the configuration file that holds
//! them. Data and rules only; nothing here opens, runs or reads anything.
//!
//! Two rules hold everywhere: what is left out is denied, and what is not
//! understood is an error, never ignored.
//!
//! # Layout
//!
//! | module | noun |
//! |---|---|
//! | `limits` | what a call may use |
//! | `load` | what a plugin may be |
//! | `grant`, `origin` | what a call may reach, and where that was written |
//! | `manifest` | what a plugin says of itself and asks for |
//! | `effective` | what it gets of what is granted |
//! | `explain` | why something is allowed or denied, and by which line |
//! | `digest` | which file a plugin is |
//! | `http` | which requests it may send |
//! | `address` | which addresses it may be connected to |
//! | `secret` | which secrets it may use, where, and how they get there |
//! | `redact` | how they are kept out of everything else |
//! | `config` | the file `host.toml` |
//! | `size`, `span` | `64MiB`, `30s` |

mod address;
mod config;
mod digest;
mod effective;
mod explain;
mod grant;
mod http;
mod keys;
mod limits;
mod load;
mod manifest;
mod origin;
mod quantity;
mod redact;
mod secret;
mod size;
mod span;

pub use address::{Opens, Special, check_address};
pub use config::{AuditArguments, AuditConfig, Config, ConfigError, PluginConfig};
pub use digest::{Digest, DigestError};
pub use effective::{Effective, Unwanted, effective};
pub use explain::{AllowWith, Answer, Decider, Policy, Question, Setting};
pub use grant::{
    Access, DirGrant, GrantError, Grants, Item, StorageScope, parse_config_value, parse_env,
};
pub use http::{
    Allowed, HostPattern, HttpGrant, HttpGrantError, Methods, Part, PathPrefix, Refusal, Scheme,
    Why, judge,
};
pub use limits::{Limits, LimitsError, LimitsPatch};
pub use load::LoadLimits;
pub use manifest::{
    ConfigWant, DirWant, HttpWant, MANIFEST_SECTION, MAX_MANIFEST_BYTES, Manifest, ManifestError,
    NamedWant, Reason, ToolWant, Want, Wants,
};
pub use origin::{Capability, Origin, Origins};
pub use quantity::QuantityError;
pub use redact::{REDACTED, RedactStream, Redactor};
pub use secret::{
    CallSecrets, Injected, LeakScan, MAX_SECRET_BYTES, MIN_SECRET_BYTES, Secret, SecretError,
    SecretFlag, SecretName, SecretOrigin, SecretRefusal, SecretSpec, SecretStore, SecretValue,
};
pub use size::Size;
pub use span::Span;
pub use url::{Host, Position, Url};
