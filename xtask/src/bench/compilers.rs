//! What `fast-compile` gives and what it costs: the same plugins compiled by
//! Cranelift and by Winch, and called.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{files, process};

use super::cases::Case;
use super::figures::number;

/// How often each compiles each; the quickest counts.
const ROUNDS: u32 = 3;

/// The name that the plugin has in the configuration.
const NAME: &str = "subject";

/// A compiler, and what it took.
struct Compiler {
    fast: bool,
    /// Its own configuration and cache.
    folder: PathBuf,
    compile_ms: f64,
    call_us: Value,
}

/// A plugin under both.
pub(super) struct Compared {
    name: String,
    kib: usize,
    cranelift: Compiler,
    winch: Compiler,
}

/// Compiles the plugin of the case by both, by turns, and calls it.
pub(super) fn compare(host: &Path, folder: &Path, case: &Case, seconds: u64) -> Result<Compared> {
    let mut compared = Compared {
        name: case.name.clone(),
        kib: files::read(&case.plugin)?.len().div_ceil(1024),
        cranelift: Compiler::new(false, folder.join("cranelift"), case)?,
        winch: Compiler::new(true, folder.join("winch"), case)?,
    };
    for _ in 0..ROUNDS {
        compared.cranelift.compile(host)?;
        compared.winch.compile(host)?;
    }
    compared.cranelift.call(host, case, seconds)?;
    compared.winch.call(host, case, seconds)?;
    Ok(compared)
}

impl Compiler {
    fn new(fast: bool, folder: PathBuf, case: &Case) -> Result<Self> {
        files::create_folder(&folder)?;
        // TOML writes such a string as JSON does.
        let path = Value::from(case.plugin.to_string_lossy());
        let config = format!("[plugins.{NAME}]\npath = {path}\nfast-compile = {fast}\n");
        files::write(&folder.join("host.toml"), config)?;
        Ok(Self {
            fast,
            folder,
            compile_ms: f64::INFINITY,
            call_us: Value::Null,
        })
    }

    fn options(&self) -> [String; 4] {
        let path = |name| self.folder.join(name).display().to_string();
        let (config, cache) = (path("host.toml"), path("cache"));
        ["--config".into(), config, "--cache-dir".into(), cache]
    }

    /// Compiles with an empty cache.
    fn compile(&mut self, host: &Path) -> Result<()> {
        files::remove_folder(&self.folder.join("cache"))?;
        let mut command = Command::new(host);
        command.args(["compile", "--json", NAME]);
        let said = process::output_of(command.args(self.options()))?;
        let said: Value = serde_json::from_str(&said).context("`host compile` printed no JSON")?;
        ensure!(
            said["fastCompiled"] == self.fast && said["cached"] == false,
            "it was not compiled as the configuration says: {said}"
        );
        let took = said["compileMs"].as_f64().context("no time was told")?;
        self.compile_ms = self.compile_ms.min(took);
        Ok(())
    }

    /// Calls the compiled one.
    fn call(&mut self, host: &Path, case: &Case, seconds: u64) -> Result<()> {
        let mut line = case.line_of(NAME);
        line.extend(self.options());
        let result = super::run(host, &line, seconds)?;
        self.call_us = result["pipeline"]["us"]["p50"].clone();
        Ok(())
    }
}

/// The lines of the page.
pub(super) fn text(page: &mut String, all: &[Compared]) -> std::fmt::Result {
    writeln!(
        page,
        "\nCompiled by Cranelift, and by Winch with `fast-compile = true`; the compiled plugin is called in a fresh sandbox as \
         above. Compiling is the quickest of {ROUNDS}, the call a median:\n"
    )?;
    writeln!(
        page,
        "| call | plugin, KiB | Cranelift compiles, ms | Winch compiles, ms | call by Cranelift, µs | call by Winch, µs |"
    )?;
    writeln!(page, "|---|---:|---:|---:|---:|---:|")?;
    for Compared {
        name,
        kib,
        cranelift,
        winch,
    } in all
    {
        writeln!(
            page,
            "| {name} | {kib} | {:.0} | {:.0} | {} | {} |",
            cranelift.compile_ms,
            winch.compile_ms,
            number(&cranelift.call_us),
            number(&winch.call_us),
        )?;
    }
    Ok(())
}
