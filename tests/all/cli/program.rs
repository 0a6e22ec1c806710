//! Runs `host` and keeps what it said.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use toolhost_tests::{guest, host_program, scratch_dir};

/// What a run of `host` left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Checks the exit code and gives the run back.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Checks that nothing was said, and gives what was printed.
    #[track_caller]
    pub(crate) fn quietly(self) -> String {
        assert_eq!(self.stderr, "", "{self:#?}");
        self.stdout
    }

    /// Checks that nothing was printed, and gives what was said.
    #[track_caller]
    pub(crate) fn without_output(self) -> String {
        assert_eq!(self.stdout, "", "{self:#?}");
        self.stderr
    }

    /// What was printed, as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: without_waiting(&String::from_utf8(output.stderr).expect("stderr is UTF-8")),
        }
    }
}

/// What was said but for the note that another test compiles the same plugin, which
/// no test can foresee.
fn without_waiting(said: &str) -> String {
    let lines = said.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with("note: waiting for whoever compiles"))
        .collect()
}

/// `host` with the cache of these tests and nothing on its stdin.
pub(crate) fn command<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(host_program());
    command
        .args(args)
        .env("XDG_CACHE_HOME", scratch_dir("cli-cache"))
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    command
}

/// Runs `host` with these arguments.
pub(crate) fn host<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    command(args).output().expect("host runs").into()
}

/// Runs `host` with these arguments in a folder.
pub(crate) fn host_in<S: AsRef<OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>) -> Ran {
    command(args)
        .current_dir(dir)
        .output()
        .expect("host runs")
        .into()
}

/// Runs `host` with these arguments and something on its stdin.
pub(crate) fn host_with_stdin(input: &[u8], args: &[&str]) -> Ran {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("host runs");
    // It may end before it has read all; then writing fails, rightly.
    let _ = child.stdin.take().expect("stdin is piped").write_all(input);
    child.wait_with_output().expect("host ends").into()
}

/// `host run` of a tool of a guest, with more arguments.
pub(crate) fn run(guest_name: &str, tool: &str, more: &[&str]) -> Ran {
    host(run_line(guest_name, tool, more))
}

/// The arguments of [`run`].
pub(crate) fn run_line(guest_name: &str, tool: &str, more: &[&str]) -> Vec<String> {
    let plugin = guest_path(guest_name);
    let mut line = ["run", "--plugin", &plugin, "--tool", tool]
        .map(str::to_owned)
        .to_vec();
    line.extend(more.iter().map(|&word| word.to_owned()));
    line
}

/// The file of a guest, as one types it.
pub(crate) fn guest_path(name: &str) -> String {
    guest(name).display().to_string()
}

/// A copy of a guest at `path`.
pub(crate) fn copy_guest(name: &str, path: &Path) -> PathBuf {
    std::fs::copy(guest(name), path).expect("a guest can be copied");
    path.to_owned()
}
