//! Those that do the task in a process of their own, started for each call.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::artifacts::Artifacts;

use super::ARGUMENTS;
use super::contestant::{Contestant, Entrant, Task};

const NODE: &str =
    "const {a, b} = JSON.parse(process.argv[1]); console.log(JSON.stringify({sum: a + b}))";

const PYTHON: &str =
    "import json, sys; v = json.loads(sys.argv[1]); print(json.dumps({'sum': v['a'] + v['b']}))";

/// A native program, `host run`, Node.js, Python, `wasmtime run`.
pub(super) fn entrants(wasi: Option<&Path>, artifacts: &Artifacts) -> Result<Vec<Entrant>> {
    let mut entrants = vec![
        native()?,
        host_run(artifacts)?,
        interpreter("node", "-e", NODE),
        interpreter("python3", "-c", PYTHON),
    ];
    entrants.extend(wasmtime_run(wasi, artifacts)?);
    Ok(entrants)
}

fn native() -> Result<Entrant> {
    Ok(match Artifacts::program("add")? {
        Some(program) => Contestant::here(
            "native process",
            env!("CARGO_PKG_VERSION"),
            "`bench/add`, a Rust program started for each call, no sandbox",
            task(move || {
                let mut command = Command::new(&program);
                command.arg(ARGUMENTS);
                command
            }),
        ),
        None => Entrant::Missing("the native process, for `add` is not built beside this".into()),
    })
}

fn host_run(artifacts: &Artifacts) -> Result<Entrant> {
    let Some(program) = Artifacts::program("host")? else {
        let note = "`host run`, for `host` is not built beside this";
        return Ok(Entrant::Missing(note.into()));
    };
    let guest = artifacts.guest("adder")?;
    // The user's own cache is left alone.
    let cache = artifacts.scratch("compare-home")?;
    Ok(Contestant::here(
        "`host run`",
        env!("CARGO_PKG_VERSION"),
        "the whole program started for each call, compiled code from its cache",
        task(move || {
            let mut command = Command::new(&program);
            command.arg("run").arg("--plugin").arg(&guest);
            command.args(["--args", ARGUMENTS]);
            command.env("XDG_CACHE_HOME", &cache);
            command
        }),
    ))
}

fn interpreter(program: &'static str, flag: &'static str, code: &'static str) -> Entrant {
    let Some(version) = version(program) else {
        return Entrant::Missing(format!("`{program}`, which is not installed"));
    };
    Contestant::here(
        &format!("`{program} {flag}`"),
        &version,
        "started for each call, no sandbox",
        task(move || {
            let mut command = Command::new(program);
            command.args([flag, code, ARGUMENTS]);
            command
        }),
    )
}

/// As it comes, at its worst and at its best.
fn wasmtime_run(wasi: Option<&Path>, artifacts: &Artifacts) -> Result<Vec<Entrant>> {
    let missing = |note: &str| Ok(vec![Entrant::Missing(format!("`wasmtime run`, {note}"))]);
    let Some(version) = version("wasmtime") else {
        return missing("which is not installed");
    };
    let Some(wasi) = wasi else {
        return missing("for there is no `--command` to run");
    };
    let home = artifacts.scratch("compare-wasmtime")?;
    let compiled = home.join("add.cwasm");
    let mut compile = Command::new("wasmtime");
    compile.arg("compile").arg(wasi).arg("-o").arg(&compiled);
    output(&mut compile).context("`wasmtime compile` failed")?;
    let modes: [(&'static [&'static str], &Path, &str); 3] = [
        (&[], wasi, "as it comes, with its cache"),
        (&["-C", "cache=n"], wasi, "without its cache"),
        (
            &["--allow-precompiled"],
            &compiled,
            "compiled ahead of time",
        ),
    ];
    let entrants = modes.into_iter().map(|(flags, file, settings)| {
        let (home, file) = (home.clone(), file.to_owned());
        Contestant::here(
            "`wasmtime run`",
            &version,
            &format!("`bench/add` for WASI, started for each call, no limits; {settings}"),
            task(move || {
                let mut command = Command::new("wasmtime");
                command.arg("run").args(flags).arg(&file).arg(ARGUMENTS);
                command.env("XDG_CACHE_HOME", &home);
                command
            }),
        )
    });
    Ok(entrants.collect())
}

fn task(command: impl Fn() -> Command + 'static) -> Task {
    Box::new(move || output(&mut command()))
}

/// Starts the command, waits for its end, and gives what it wrote.
fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .context("it cannot be started")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("it ended with {}: {}", output.status, said.trim());
    }
    String::from_utf8(output.stdout).context("it wrote something that is no UTF-8")
}

/// What the program says its version is; `None` when it is not there.
fn version(program: &str) -> Option<String> {
    let said = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let said = said.ok().filter(|said| said.status.success())?;
    let said = String::from_utf8(said.stdout).ok()?;
    let mut words = said.split_whitespace();
    let version = words.find(|word| word.contains(|letter: char| letter.is_ascii_digit()))?;
    Some(version.trim_start_matches('v').to_owned())
}
