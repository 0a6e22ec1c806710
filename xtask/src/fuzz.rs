//! `cargo xtask fuzz`: what reads texts from elsewhere is given very many of them.
//!
//! The programs are libFuzzer's: they watch which branches a text reaches and change
//! those that reach new ones. They build with a stable compiler, for the flags below
//! are those that `cargo fuzz` gives, without a sanitizer: the code is safe Rust, where
//! a fault shows as a panic.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::repository::{Repository, Workspace};
use crate::{files, process};

/// How long each program runs in `cargo xtask test`.
pub(crate) const TEST_SECONDS: u64 = 10;

/// Counters at each branch and values at each comparison, which libFuzzer reads.
const FLAGS: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    --cfg fuzzing";

/// The longest text that is tried, in bytes. Longer ones find little and cost speed.
const MAX_LENGTH: usize = 4096;

/// How long one text may take, in seconds: more counts as a hang.
const MAX_TEXT_SECONDS: u64 = 10;

/// How much memory a program may use, in MiB.
const MAX_MEMORY: u64 = 1024;

/// What a program may need beyond its time to read its texts and to end.
const GRACE: Duration = Duration::from_mins(1);

/// How many lines of a failing program are repeated.
const SHOWN_LINES: usize = 25;

/// Builds the programs and runs those that are named, or all, one after the other.
pub(crate) fn command(repository: &Repository, seconds: u64, names: &[String]) -> Result<()> {
    let known = programs(repository)?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        let known = known.join("`, `");
        bail!("there is no fuzz target `{unknown}`: there are `{known}`");
    }
    let folder = build(repository)?;
    for name in known
        .iter()
        .filter(|name| names.is_empty() || names.contains(name))
    {
        run(repository, &folder, name, seconds)?;
    }
    Ok(())
}

/// The names of the programs.
fn programs(repository: &Repository) -> Result<Vec<String>> {
    let metadata = repository.metadata(Workspace::Fuzz)?;
    let targets = metadata["packages"][0]["targets"]
        .as_array()
        .context("`cargo metadata` names no fuzz targets")?;
    let names = targets.iter().filter_map(|target| target["name"].as_str());
    Ok(names.map(str::to_owned).collect())
}

/// Builds all programs and says where they are.
fn build(repository: &Repository) -> Result<PathBuf> {
    let triple = host_triple()?;
    let mut command = repository.cargo(Workspace::Fuzz, "build");
    // With a target the flags are not for build scripts and macros, which could not run.
    command.args(["--release", "--target", &triple]);
    if repository.is_locked(Workspace::Fuzz) {
        command.arg("--locked");
    }
    command.env("RUSTFLAGS", FLAGS);
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    eprintln!("$ {}", process::shell_line(&command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| process::cannot_start(&command))?;
    if !status.success() {
        bail!(process::failed(&command, status));
    }
    let target = repository.target_of(Workspace::Fuzz);
    Ok(target.join(triple).join("release"))
}

/// What the compiler calls the machine it runs on.
fn host_triple() -> Result<String> {
    let said = process::output_of(process::rustc().arg("-vV"))?;
    let triple = said.lines().find_map(|line| line.strip_prefix("host: "));
    triple
        .map(str::to_owned)
        .context("`rustc -vV` does not name the machine it runs on")
}

/// Runs a program. What it finds worth keeping stays below the target folder, for the
/// next run; the texts that come with the clone are only read.
fn run(repository: &Repository, folder: &Path, name: &str, seconds: u64) -> Result<()> {
    let target = repository.target_of(Workspace::Fuzz);
    let found = target.join("corpus").join(name);
    let failures = target.join("artifacts").join(name);
    let log = target.join("logs").join(format!("{name}.log"));
    for folder in [&found, &failures, &target.join("logs")] {
        files::create_folder(folder)?;
    }
    let mut command = Command::new(folder.join(name));
    command
        .current_dir(&repository.root)
        .arg(&found)
        .arg(repository.root.join("fuzz/corpus").join(name))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={MAX_LENGTH}"))
        .arg(format!("-timeout={MAX_TEXT_SECONDS}"))
        .arg(format!("-rss_limit_mb={MAX_MEMORY}"))
        .arg(format!("-artifact_prefix={}/", repository.shown(&failures)))
        .arg("-print_final_stats=1")
        // The text says it all; frames would push it out of the lines that are shown.
        .env("RUST_BACKTRACE", "0");
    eprintln!("$ {}", process::shell_line(&command));
    let output =
        File::create(&log).with_context(|| format!("cannot create `{}`", log.display()))?;
    command.stderr(output);
    let ended = process::run(&mut command, Duration::from_secs(seconds) + GRACE);
    let said = String::from_utf8_lossy(&files::read(&log)?).into_owned();
    if ended.is_err() {
        eprintln!("{}", last_lines(&said));
        let shown = repository.shown(&failures);
        return ended.with_context(|| {
            format!("`{name}` failed; the text that did it is in `{shown}`, as the last lines say")
        });
    }
    match (statistic(&said, "number_of_executed_units"), reached(&said)) {
        // A program that is blind tries random texts: instrumentation was lost.
        (Some(texts), Some(branches)) if texts > 0 && branches > 0 => {
            eprintln!("{name}: {texts} texts, {branches} branches reached, no failure");
            Ok(())
        }
        _ => bail!("`{name}` saw no branches: was it built with instrumentation?"),
    }
}

/// One of the numbers that libFuzzer prints at its end.
fn statistic(said: &str, name: &str) -> Option<u64> {
    let line = said.lines().rev().find(|line| {
        let rest = line.strip_prefix("stat::");
        rest.is_some_and(|rest| rest.starts_with(name))
    });
    line?.rsplit(' ').next()?.parse().ok()
}

/// How many branches were reached, from a line such as `#9 DONE cov: 1484 ft: 2489 …`.
fn reached(said: &str) -> Option<u64> {
    let (_, rest) = said.rsplit_once(" cov: ")?;
    rest.split(' ').next()?.parse().ok()
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "INFO: Seed: 1120005021\n\
        #9\tINITED cov: 1484 ft: 2489 corp: 8/191b exec/s: 0 rss: 28Mb\n\
        #388950\tDONE   cov: 3120 ft: 9001 corp: 512/30Kb lim: 4096 exec/s: 29919 rss: 34Mb\n\
        Done 388950 runs in 13 second(s)\n\
        stat::number_of_executed_units: 388950\n\
        stat::average_exec_per_sec:     29919\n";

    #[test]
    fn what_the_program_counts_is_read() {
        assert_eq!(statistic(SAID, "number_of_executed_units"), Some(388_950));
        assert_eq!(statistic(SAID, "peak_rss_mb"), None);
        assert_eq!(reached(SAID), Some(3120));
        assert_eq!(reached("INFO: no interesting inputs were found"), None);
    }

    #[test]
    fn only_the_end_of_a_long_log_is_shown() {
        assert_eq!(last_lines("a\nb"), "a\nb");
        let long = "x\n".repeat(1000) + "end";
        assert_eq!(last_lines(&long).lines().count(), SHOWN_LINES);
        assert!(last_lines(&long).ends_with("end"));
    }
}
