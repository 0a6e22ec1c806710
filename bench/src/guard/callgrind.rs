//! Runs this program under callgrind and reads how many instructions it took.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::artifacts::Artifacts;

use super::count::Case;

/// How the line begins that has the count.
const COUNTED: &str = "Collected : ";

/// Callgrind, and where it leaves what it counted of each function.
pub(super) struct Callgrind {
    program: PathBuf,
    cache: PathBuf,
    outputs: PathBuf,
    target: Vec<OsString>,
}

impl Callgrind {
    /// `None` where there is no valgrind.
    pub(super) fn find(artifacts: &Artifacts) -> Result<Option<Self>> {
        let version = Command::new("valgrind")
            .arg("--version")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        if !version.is_ok_and(|version| version.status.success()) {
            return Ok(None);
        }
        Ok(Some(Self {
            program: std::env::current_exe().context("a process knows its program")?,
            // Of its own: valgrind's processor is an older one than this machine's,
            // and code is compiled for the processor.
            cache: artifacts.scratch("guard-cache")?,
            outputs: artifacts.scratch("guard")?,
            target: artifacts.to_args(),
        }))
    }

    /// Compiles the guest, unless that was done before. Nothing is counted: that
    /// would take several times as long.
    pub(super) fn fill_cache(&self) -> Result<()> {
        let mut command = Command::new("valgrind");
        command.arg("--tool=none");
        self.run(command, None).map(drop)
    }

    /// Instructions of the whole program, with few calls of each case or with many of
    /// one.
    pub(super) fn count(&self, many: Option<Case>) -> Result<u64> {
        let name = many.map_or("few", Case::name);
        let output = self.outputs.join(name).with_extension("out");
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind");
        command.arg(format!("--callgrind-out-file={}", output.display()));
        let said = self.run(command, many)?;
        counted(&said).with_context(|| format!("callgrind counted nothing:\n{said}"))
    }

    /// Runs this program as `command` says, and gives what it wrote to stderr.
    fn run(&self, mut command: Command, many: Option<Case>) -> Result<String> {
        command
            .arg(&self.program)
            .arg("count")
            .args(many.map(Case::name))
            .arg("--cache")
            .arg(&self.cache)
            .args(&self.target)
            .stdin(Stdio::null());
        let output = command.output().context("cannot start `valgrind`")?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            let status = output.status;
            bail!("`bench count` failed under valgrind with {status}:\n{said}");
        }
        Ok(said)
    }
}

/// The count in what callgrind says at its end.
fn counted(said: &str) -> Option<u64> {
    let line = said.lines().rev().find(|line| line.contains(COUNTED))?;
    let (_, count) = line.split_once(COUNTED)?;
    count.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read() {
        let said = "==42== Callgrind, a call-graph generating cache profiler\n\
            ==42== Events    : Ir\n==42== Collected : 123456789\n==42== \n";
        assert_eq!(counted(said), Some(123_456_789));
        assert_eq!(counted("==42== Collected : many"), None);
        assert_eq!(counted(""), None);
    }
}
