//! `host new`: a plugin project that builds and runs as it is.

mod name;
mod project;
mod template;

use std::path::PathBuf;

use clap::Args;

use crate::exit::ExitCode;
use crate::failure::Stop;
use crate::printer::Printer;

use name::Name;

/// Write a plugin project that builds and runs as it is
///
/// The project has one tool, a unit test, and a copy of the guest SDK. It is
/// written to a folder of its name, which must not be there yet.
#[derive(Args, Debug)]
#[command(after_long_help = "Examples:
  host new hello
  host new word-count --dir ~/plugins/word-count")]
pub(crate) struct NewArgs {
    /// Name of the plugin: letters, digits, `-` and `_`
    name: Name,
    /// Write the project to this folder instead
    #[arg(long, value_name = "PATH")]
    dir: Option<PathBuf>,
}

/// Writes the project.
///
/// # Errors
///
/// When something is there already, or it cannot be written.
pub(crate) fn run(args: &NewArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let dir = args
        .dir
        .clone()
        .unwrap_or_else(|| PathBuf::from(args.name.as_str()));
    project::write(&dir, &template::files(&args.name))?;
    let shown = dir.display();
    printer.note(&format!(
        "wrote the plugin `{}` to `{shown}`",
        args.name.as_str()
    ));
    printer.hint(&format!(
        "run it:\n{}",
        template::commands(&args.name, Some(&shown.to_string()))
    ));
    Ok(ExitCode::Success)
}
