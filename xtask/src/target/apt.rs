//! An apt of our own: it downloads packages without touching the system's.
//!
//! It shares nothing with the machine's apt but the settings for reaching the
//! network (proxies and the like) and Debian's keys. Lists, caches and the record
//! of installed packages are in a private folder, and nothing is ever installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::{files, process};

/// The public keys of the Debian archive, under the names they have had.
const KEYRINGS: [&str; 2] = [
    "/usr/share/keyrings/debian-archive-keyring.gpg",
    "/usr/share/keyrings/debian-archive-keyring.pgp",
];

/// How long one download step may take; the packages weigh 50 MB.
const LIMIT: Duration = Duration::from_mins(10);

/// A private apt with one package source.
pub(crate) struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Sets up an apt below `folder` and fetches the list of a suite's packages.
    pub(crate) fn open(folder: &Path, uri: &str, suite: &str) -> Result<Self> {
        for program in ["apt-get", "dpkg-deb"] {
            if !process::exists(program) {
                bail!("`{program}` is not installed");
            }
        }
        let Some(keyring) = KEYRINGS.iter().find(|path| Path::new(path).is_file()) else {
            bail!("Debian's keys are missing: install the package `debian-archive-keyring`");
        };
        for part in [
            "state/lists/partial",
            "cache/archives/partial",
            "none",
            "packages",
        ] {
            files::create_folder(&folder.join(part))?;
        }
        let apt = Self {
            folder: folder.to_path_buf(),
        };
        let source = format!("deb [signed-by={keyring}] {uri} {suite} main\n");
        files::write(&folder.join("sources.list"), source)?;
        files::write(&folder.join("status"), "")?;
        files::write(&folder.join("apt.conf"), configuration(folder))?;
        apt.run(&["update"])?;
        Ok(apt)
    }

    /// Downloads packages, given as `name` or `name=version`, and unpacks them.
    pub(crate) fn unpack(&self, packages: &[&str], into: &Path) -> Result<()> {
        let mut arguments = vec!["download"];
        arguments.extend(packages);
        self.run(&arguments)?;
        for package in files::list(&self.folder.join("packages"))? {
            let mut command = Command::new("dpkg-deb");
            command.arg("--extract").arg(&package).arg(into);
            process::run(&mut command, LIMIT)?;
        }
        Ok(())
    }

    /// Runs `apt-get` with the private configuration. Downloads land in the
    /// folder it runs in.
    fn run(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new("apt-get");
        command
            .current_dir(self.folder.join("packages"))
            .arg("--config-file")
            .arg(self.folder.join("apt.conf"))
            .arg("--quiet")
            .args(arguments);
        eprintln!("$ apt-get {} (in a private folder)", arguments.join(" "));
        process::run(&mut command, LIMIT)
    }
}

/// The settings that keep this apt apart from the system's, and that hold it to
/// signed lists whatever the system's own settings say.
fn configuration(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "#clear APT::Update;\n\
         Dir::Etc::SourceList \"{folder}/sources.list\";\n\
         Dir::Etc::SourceParts \"{folder}/none\";\n\
         Dir::Etc::Preferences \"{folder}/none/preferences\";\n\
         Dir::Etc::PreferencesParts \"{folder}/none\";\n\
         Dir::State \"{folder}/state\";\n\
         Dir::State::Lists \"{folder}/state/lists\";\n\
         Dir::State::Status \"{folder}/status\";\n\
         Dir::Cache \"{folder}/cache\";\n\
         APT::Sandbox::User \"root\";\n\
         APT::Get::AllowUnauthenticated \"false\";\n\
         Acquire::AllowInsecureRepositories \"false\";\n\
         Acquire::AllowWeakRepositories \"false\";\n\
         Acquire::AllowDowngradeToInsecureRepositories \"false\";\n\
         Acquire::Languages \"none\";\n\
         Acquire::Retries \"2\";\n\
         Acquire::http::Timeout \"30\";\n\
         Acquire::https::Timeout \"30\";\n"
    )
}
