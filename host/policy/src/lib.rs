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
//! | `grant` | what a call may reach |
//! | `config` | the file `host.toml` |
//! | `size`, `span` | `64MiB`, `30s` |

mod config;
mod grant;
mod limits;
mod load;
mod quantity;
mod size;
mod span;

pub use config::{Config, ConfigError, PluginConfig};
pub use grant::{Access, DirGrant, GrantError, Grants, parse_env};
pub use limits::{Limits, LimitsError, LimitsPatch};
pub use load::LoadLimits;
pub use quantity::QuantityError;
pub use size::Size;
pub use span::Span;
