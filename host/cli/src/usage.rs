//! What clap has to say about a command line, in the form of everything else:
//! `error: …`, an empty line, `hint: …`.

use std::ffi::OsString;

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::Cli;
use crate::exit::ExitCode;
use crate::failure::Failure;
use crate::printer::Printer;

/// Shows help or the version when that was asked for, and otherwise what is
/// wrong with the command line.
pub(crate) fn report(error: &clap::Error, line: &[OsString], printer: &Printer) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is no error, and there is nothing else to show.
            let _ = error.print();
            ExitCode::Success
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::Usage
        }
        _ => {
            printer.failure(&failure(error, line));
            ExitCode::Usage
        }
    }
}

fn failure(error: &clap::Error, line: &[OsString]) -> Failure {
    let rendered = error.render().to_string();
    let said = rendered.trim_start_matches("error: ");
    // The message ends where clap's own advice begins.
    let advice = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
    let end = advice
        .iter()
        .filter_map(|start| said.find(start))
        .min()
        .unwrap_or(said.len());
    let mut failure = Failure::usage(said[..end].trim_end());
    failure
        .hints
        .extend(slip(error).or_else(|| suggestion(error)));
    failure.hint(format!("`{} --help` tells how it is used", command(line)))
}

/// Slips of which clap does not know what was meant.
fn slip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if error.kind() != ErrorKind::UnknownArgument || word.starts_with('-') {
        return None;
    }
    if std::path::Path::new(word)
        .extension()
        .is_some_and(|end| end == "wasm")
    {
        return Some(format!("a plugin is named with a flag: `--plugin {word}`"));
    }
    ["require", "prefer"]
        .contains(&word.as_str())
        .then(|| format!("the value of `--strict` comes after `=`: `--strict={word}`"))
}

/// What clap thinks was meant.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
    ];
    kinds.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(format!("did you mean `{name}`?")),
        ContextValue::Strings(names) => Some(format!("did you mean `{}`?", names.first()?)),
        _ => None,
    })
}

/// The command that was meant, such as `host run` or `host policy explain`.
fn command(line: &[OsString]) -> String {
    let host = Cli::command();
    let mut known = &host;
    let mut name = "host".to_owned();
    for word in line.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(command) = known.find_subcommand(word) {
            name = format!("{name} {word}");
            known = command;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn failure_of(line: &str) -> Failure {
        let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        failure(&Cli::try_parse_from(&line).map(|_| ()).unwrap_err(), &line)
    }

    #[test]
    fn a_misspelt_flag_is_answered_with_the_right_one() {
        let failure = failure_of("host run --plugin x.wasm --tol a");
        assert_eq!(failure.message, "unexpected argument '--tol' found");
        assert_eq!(
            failure.hints,
            [
                "did you mean `--tool`?",
                "`host run --help` tells how it is used"
            ]
        );
    }

    #[test]
    fn a_misspelt_command_is_answered_with_the_right_one() {
        let failure = failure_of("host inspec x.wasm");
        assert_eq!(failure.message, "unrecognized subcommand 'inspec'");
        assert_eq!(failure.hints[0], "did you mean `inspect`?");
    }

    #[test]
    fn a_bad_value_is_told_with_what_is_good() {
        let failure = failure_of("host run --plugin x.wasm --fuel lots");
        assert!(
            failure
                .message
                .starts_with("invalid value 'lots' for '--fuel <N>'")
        );
        assert!(failure.message.contains("`5M`"), "{}", failure.message);
        assert_eq!(
            failure_of("host tools --plugin x --format jsn").hints,
            [
                "did you mean `json`?",
                "`host tools --help` tells how it is used"
            ]
        );
    }

    #[test]
    fn a_negative_limit_is_a_bad_value_and_no_flag() {
        for line in ["--fuel -1", "--memory -1", "--timeout -1"] {
            let failure = failure_of(&format!("host run --plugin x.wasm {line}"));
            assert!(
                failure.message.starts_with("invalid value '-1' for"),
                "{failure:?}"
            );
        }
    }

    #[test]
    fn a_plugin_without_its_flag_is_understood() {
        assert_eq!(
            failure_of("host run x.wasm").hints[0],
            "a plugin is named with a flag: `--plugin x.wasm`"
        );
        assert_eq!(
            failure_of("host turn --plugin y.wasm --config c x.wasm").hints[0],
            "a plugin is named with a flag: `--plugin x.wasm`"
        );
    }

    #[test]
    fn a_missing_flag_is_named() {
        let failure = failure_of("host run");
        assert!(
            failure.message.contains("--plugin <FILE>"),
            "{}",
            failure.message
        );
        assert_eq!(failure.code, ExitCode::Usage);
    }
}
