//! Where calls are written down, from what was typed to an open log.

use std::path::PathBuf;

use clap::Args;
use toolhost::policy::{AuditArguments, AuditConfig};
use toolhost::{AuditFile, HostBuilder};

use crate::failure::Failure;

/// The flag about the audit log.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AuditFlags {
    /// Append a JSON line for each call and each refusal to this file
    ///
    /// Secrets are redacted, and arguments are a digest, unless the configuration
    /// says `arguments = "full"` under `[audit]`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) audit: Option<PathBuf>,
}

/// What is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AuditChoice(Option<AuditConfig>);

impl AuditChoice {
    /// The flag wins over the file of the configuration, and leaves alone what is
    /// kept of arguments.
    pub(crate) fn new(flags: AuditFlags, configured: Option<AuditConfig>) -> Self {
        let Some(file) = flags.audit else {
            return Self(configured);
        };
        let arguments = configured.map_or(AuditArguments::Digest, |audit| audit.arguments);
        Self(Some(AuditConfig { file, arguments }))
    }

    /// Gives the host its log.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub(crate) fn open(&self, builder: HostBuilder) -> Result<HostBuilder, Failure> {
        let Some(AuditConfig { file, arguments }) = &self.0 else {
            return Ok(builder);
        };
        let log = AuditFile::open(file).map_err(|error| {
            let file = file.display();
            Failure::usage(format!("cannot write the audit log `{file}`"))
                .because(&error)
                .hint("`--audit FILE`, or `file` under `[audit]`, takes a file that can be appended to")
        })?;
        Ok(builder.audit(log, *arguments))
    }
}
