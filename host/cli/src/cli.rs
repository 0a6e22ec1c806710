//! The commands as they are typed, and the way from the command line to an exit
//! code.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::commands;
use crate::exit::{self, ExitCode};
use crate::failure::Stop;
use crate::printer::Printer;
use crate::usage;

/// Run third-party tools for AI agents in sandboxes.
///
/// A plugin is one `.wasm` file with one or more tools. Each call of a tool runs
/// in a fresh sandbox with limits on everything, and reaches nothing outside it
/// that was not granted.
#[derive(Debug, Parser)]
#[command(name = "host", version, after_long_help = after_help(), max_term_width = 100)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    command: Command,
    /// Say more: the plugin's log, what was refused, and what the call used
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<commands::run::RunArgs>),
    Turn(Box<commands::turn::TurnArgs>),
    Bench(Box<commands::bench::BenchArgs>),
    Inspect(commands::inspect::InspectArgs),
    Tools(commands::tools::ToolsArgs),
    Policy(commands::policy::PolicyArgs),
    New(commands::new::NewArgs),
    Compile(commands::compile::CompileArgs),
    Cache(commands::cache::CacheArgs),
    Completions(commands::completions::CompletionsArgs),
}

/// Does what the command line says.
pub(crate) fn run(line: impl IntoIterator<Item = OsString>) -> std::process::ExitCode {
    let line: Vec<OsString> = line.into_iter().collect();
    let code = match Cli::try_parse_from(&line) {
        Ok(cli) => {
            let printer = Printer::new(cli.verbose);
            finish(dispatch(cli.command, &printer), &printer)
        }
        Err(error) => usage::report(&error, &line, &Printer::new(false)),
    };
    code.into()
}

fn dispatch(command: Command, printer: &Printer) -> Result<ExitCode, Stop> {
    match command {
        Command::Run(args) => commands::run::run(*args, printer),
        Command::Bench(args) => commands::bench::run(*args, printer),
        Command::Turn(args) => commands::turn::run(*args, printer),
        Command::Inspect(args) => commands::inspect::run(args, printer),
        Command::Tools(args) => commands::tools::run(args, printer),
        Command::Policy(args) => commands::policy::run(args, printer),
        Command::New(args) => commands::new::run(&args, printer),
        Command::Compile(args) => commands::compile::run(args, printer),
        Command::Cache(args) => commands::cache::run(args, printer),
        Command::Completions(args) => commands::completions::run(&args, printer),
    }
}

fn finish(ended: Result<ExitCode, Stop>, printer: &Printer) -> ExitCode {
    match ended {
        Ok(code) => code,
        Err(Stop::PipeClosed) => ExitCode::Success,
        Err(Stop::Interrupted) => {
            printer.note("interrupted");
            ExitCode::Interrupted
        }
        Err(Stop::Failed(failure)) => {
            printer.failure(&failure);
            failure.code
        }
    }
}

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", exit::HELP)
}

const EXAMPLES: &str = "\
Examples:
  host new hello                     write a plugin project
  host inspect hello.wasm            see which tools it has and what they take
  host run --plugin hello.wasm --args '{\"name\": \"Ada\"}'";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let printer = Printer::new(false);
        assert_eq!(finish(Err(Stop::PipeClosed), &printer), ExitCode::Success);
        assert_eq!(
            finish(Err(Stop::Interrupted), &printer),
            ExitCode::Interrupted
        );
    }
}
