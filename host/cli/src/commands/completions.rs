//! `host completions`: completes commands and flags in a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::printer::Printer;

/// Print a script that completes commands and flags in a shell
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host completions bash > ~/.local/share/bash-completion/completions/host
  host completions zsh > ~/.zfunc/_host
  host completions fish > ~/.config/fish/completions/host.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
///
/// When stdout cannot be written.
pub(crate) fn run(args: &CompletionsArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    // To memory first: clap_complete panics on a pipe that closes.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "host", &mut script);
    printer.result(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::Success)
}
