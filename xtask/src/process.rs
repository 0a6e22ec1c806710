//! Running other programs, and saying what was run so that a user can repeat it.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// How often a program with a time limit is looked at.
const POLL: Duration = Duration::from_millis(50);

/// The cargo that started this program, so that all of a run uses one toolchain.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// The compiler that this cargo uses.
pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Runs a program that must succeed and gives what it wrote to stdout.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    output(command.stderr(Stdio::piped()))
}

/// The same for a program that takes long: the command is shown, and so is what the
/// program says on stderr.
pub(crate) fn long_output_of(command: &mut Command) -> Result<String> {
    eprintln!("$ {}", shell_line(command));
    output(command.stderr(Stdio::inherit()))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| cannot_start(command))?;
    if !output.status.success() {
        let failed = failed(command, output.status);
        // Empty where the user has read it already.
        match String::from_utf8_lossy(&output.stderr).trim() {
            "" => bail!(failed),
            said => bail!("{failed}: {said}"),
        }
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("`{}` wrote something that is no UTF-8", shell_line(command)))
}

/// Runs a program that must succeed; whatever it writes goes to stderr.
///
/// A program that is still running after `limit` is ended and counts as failed.
pub(crate) fn run(command: &mut Command, limit: Duration) -> Result<()> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(io::stderr()))
        .spawn()
        .with_context(|| cannot_start(command))?;
    let Some(status) = wait(&mut child, limit)? else {
        bail!(
            "`{}` did not end within {} s",
            shell_line(command),
            limit.as_secs()
        );
    };
    if !status.success() {
        bail!(failed(command, status));
    }
    Ok(())
}

/// Whether the program can be found in `PATH`.
pub(crate) fn exists(program: &str) -> bool {
    let started = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    !started.is_err_and(|error| error.kind() == ErrorKind::NotFound)
}

/// The sentence for a program that could not be started at all.
pub(crate) fn cannot_start(command: &Command) -> String {
    format!(
        "cannot start `{}`: is it installed?",
        shown_program(command)
    )
}

/// The sentence for a program that ended badly.
pub(crate) fn failed(command: &Command, status: ExitStatus) -> String {
    format!("`{}` failed with {status}", shell_line(command))
}

/// The command as one would type it in the folder it runs in.
pub(crate) fn shell_line(command: &Command) -> String {
    let here = command.get_current_dir();
    let mut words = Vec::new();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            words.push(format!("{}={}", name.display(), quoted(value, here)));
        }
    }
    words.push(shown_program(command));
    words.extend(command.get_args().map(|argument| quoted(argument, here)));
    words.join(" ")
}

/// The name of the program; the folder it lies in is of no interest to a reader,
/// unless it is one of the clone.
fn shown_program(command: &Command) -> String {
    let program = Path::new(command.get_program());
    if let Some(below) = command
        .get_current_dir()
        .and_then(|here| program.strip_prefix(here).ok())
    {
        return quoted(below.as_os_str(), None);
    }
    let name = program.file_name().unwrap_or(program.as_os_str());
    name.display().to_string()
}

/// A word for a POSIX shell, with paths below `here` made relative to it.
fn quoted(word: &OsStr, here: Option<&Path>) -> String {
    let relative = here.and_then(|here| Path::new(word).strip_prefix(here).ok());
    let word = match relative {
        Some(path) if path.as_os_str().is_empty() => ".".to_owned(),
        Some(path) => path.display().to_string(),
        None => word.display().to_string(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Waits for the end of a child, and ends it when the limit has passed.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_command_can_be_pasted() {
        let mut command = Command::new("/opt/rust/bin/cargo");
        command
            .current_dir("/clone")
            .env("CARGO_TARGET_DIR", "/clone/target/guest-build")
            .env_remove("RUSTFLAGS")
            .args(["run", "--dir", "/clone", "it's $5", ""]);
        assert_eq!(
            shell_line(&command),
            r"CARGO_TARGET_DIR=target/guest-build cargo run --dir . 'it'\''s $5' ''"
        );
    }

    #[test]
    fn a_program_of_the_clone_keeps_its_folder() {
        let mut command = Command::new("/clone/target/release/host");
        command.current_dir("/clone").arg("run");
        assert_eq!(shell_line(&command), "target/release/host run");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let started = Instant::now();
        let error = run(Command::new("sleep").arg("60"), Duration::from_millis(100))
            .expect_err("a sleep of a minute cannot succeed within 100 ms");
        assert!(started.elapsed() < Duration::from_secs(30));
        assert!(error.to_string().starts_with("`sleep 60` did not end"));
    }

    #[test]
    fn the_output_of_a_failing_program_is_in_the_error() {
        let error = output_of(Command::new("sh").args(["-c", "echo no such luck >&2; exit 3"]))
            .expect_err("exit code 3");
        assert!(error.to_string().contains("exit status: 3: no such luck"));
    }

    #[test]
    fn a_missing_program_is_named() {
        assert!(!exists("no-such-program-anywhere"));
        let error = output_of(&mut Command::new("no-such-program-anywhere")).expect_err("missing");
        assert!(error.to_string().contains("`no-such-program-anywhere`"));
    }
}
