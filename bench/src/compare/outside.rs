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
    Ok(vec![
        native()?,
        host_run(artifacts)?,
        interpreter("node", "-e", NODE),
        interpreter("python3", "-c", PYTHON),
        wasmtime_run(wasi),
    ])
}

fn native() -> Result<Entrant> {
    Ok(match Artifacts::program("add")? {
        Some(program) => Contestant::here(
            "native process",
            "a Rust program started for each call, no sandbox",
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
    if !is_there(program) {
        return Entrant::Missing(format!("`{program}`, which is not installed"));
    }
    Contestant::here(
        &format!("`{program} {flag}`"),
        "started for each call, no sandbox",
        task(move || {
            let mut command = Command::new(program);
            command.args([flag, code, ARGUMENTS]);
            command
        }),
    )
}

fn wasmtime_run(wasi: Option<&Path>) -> Entrant {
    if !is_there("wasmtime") {
        return Entrant::Missing("`wasmtime run`, which is not installed".into());
    }
    let Some(wasi) = wasi else {
        return Entrant::Missing("`wasmtime run`, for there is no `--command` to run".into());
    };
    let wasi = wasi.to_owned();
    Contestant::here(
        "`wasmtime run`",
        "started for each call, compile cache on, no limits",
        task(move || {
            let mut command = Command::new("wasmtime");
            command
                .args(["run", "-C", "cache"])
                .arg(&wasi)
                .arg(ARGUMENTS);
            command
        }),
    )
}

/// Starts the command and waits for its end.
fn task(command: impl Fn() -> Command + 'static) -> Task {
    Box::new(move || {
        let output = command()
            .stdin(Stdio::null())
            .output()
            .context("it cannot be started")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("it ended with {}: {}", output.status, said.trim());
        }
        String::from_utf8(output.stdout).context("it wrote something that is no UTF-8")
    })
}

fn is_there(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    version.is_ok_and(|version| version.status.success())
}
