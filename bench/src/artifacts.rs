//! Where things are that were built: below cargo's target folder, in which this
//! program lies too.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

/// The folder of what was built.
#[derive(Args, Debug)]
pub(crate) struct Artifacts {
    /// Cargo's target folder; by default the one that this program lies in
    #[arg(long, global = true, value_name = "DIR")]
    target: Option<PathBuf>,
}

impl Artifacts {
    /// The guest `name` of `tests/guests/`.
    pub(crate) fn guest(&self, name: &str) -> Result<PathBuf> {
        self.component("guests", name)
    }

    /// The plugin `name` of `plugins/`.
    pub(crate) fn plugin(&self, name: &str) -> Result<PathBuf> {
        self.component("plugins", name)
    }

    /// A program that was built beside this one; `None` when it was not.
    pub(crate) fn program(name: &str) -> Result<Option<PathBuf>> {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let path = here()?.join(name);
        Ok(path.is_file().then_some(path))
    }

    /// A folder for what may stay from one run to the next. Nobody else can write
    /// to it: compiled plugins are run.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let path = self.target()?.join("bench").join(name);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&path)
            .with_context(|| format!("cannot make `{}`", path.display()))?;
        Ok(path)
    }

    /// The same folder for another process of this program.
    pub(crate) fn to_args(&self) -> Vec<OsString> {
        match &self.target {
            Some(target) => vec!["--target".into(), target.into()],
            None => Vec::new(),
        }
    }

    fn component(&self, kind: &str, name: &str) -> Result<PathBuf> {
        let path = self.target()?.join(kind).join(format!("{name}.wasm"));
        if !path.is_file() {
            let shown = path.display();
            bail!("`{shown}` is not built: run `cargo xtask {kind} {name}`");
        }
        Ok(path)
    }

    fn target(&self) -> Result<PathBuf> {
        if let Some(target) = &self.target {
            return Ok(target.clone());
        }
        let here = here()?;
        let parent = here.parent();
        let target = parent.context("the program lies in no target folder: use `--target`")?;
        Ok(target.to_owned())
    }
}

/// The folder of this program.
fn here() -> Result<PathBuf> {
    let program = std::env::current_exe().context("a process knows its program")?;
    Ok(program.parent().unwrap_or(Path::new(".")).to_owned())
}
