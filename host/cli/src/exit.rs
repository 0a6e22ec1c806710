//! What the exit code says: one table, for the program and for its help.

use toolhost::{CallError, CallResult, ErrorKind, Outcome};

/// How `host` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    /// Everything went well.
    Success = 0,
    /// The tool ran and said that it failed.
    ToolFailed = 1,
    /// What was typed, the configuration or the plugin cannot be used.
    Usage = 2,
    /// The call was denied or rejected.
    Denied = 3,
    /// The call hit a limit.
    Limit = 4,
    /// The guest trapped, or returned what cannot be read.
    Trap = 5,
    /// The arguments do not match the tool's schema.
    Arguments = 6,
    /// The call waits for an answer.
    Suspended = 7,
    /// Ctrl-C, or a signal like it.
    Interrupted = 130,
}

/// The table as `--help` shows it.
pub(crate) const HELP: &str = "\
Exit codes:
  0    success
  1    the tool failed
  2    wrong usage or configuration, or the plugin cannot be loaded
  3    the call was denied or rejected
  4    a limit was hit
  5    the plugin trapped or returned something unreadable
  6    the arguments do not match the tool
  7    suspended: the call waits for an answer
  130  interrupted by Ctrl-C, SIGTERM or SIGHUP";

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

impl ExitCode {
    /// How `host run` ends after a call that ended with `result`.
    pub(crate) fn of(result: &CallResult) -> Self {
        match &result.outcome {
            Ok(Outcome::Done(_)) => Self::Success,
            Ok(Outcome::Suspended(_)) => Self::Suspended,
            Err(error) => Self::of_error(error),
        }
    }

    fn of_error(error: &CallError) -> Self {
        match error.kind {
            ErrorKind::Validation => Self::Arguments,
            ErrorKind::NotFound => Self::Usage,
            ErrorKind::Rejected | ErrorKind::Denied | ErrorKind::NotRun => Self::Denied,
            ErrorKind::Aborted => Self::Interrupted,
            ErrorKind::Sandbox => Self::of_sandbox(error),
            // `ErrorKind` may grow; what is new is a failed call first of all.
            _ => Self::ToolFailed,
        }
    }

    fn of_sandbox(error: &CallError) -> Self {
        match error.name.as_str() {
            _ if error.limit.is_some() => Self::Limit,
            "SandboxBusyError" => Self::Limit,
            "GrantError" | "PluginLoadError" => Self::Usage,
            "SandboxRequiredError" => Self::Denied,
            _ => Self::Trap,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolhost::LimitHit;

    fn sandbox(name: &str) -> CallError {
        CallError::new(ErrorKind::Sandbox, name, "tool", "message")
    }

    #[test]
    fn each_kind_of_error_has_its_code() {
        let code = |kind| ExitCode::of_error(&CallError::new(kind, "E", "tool", "message"));
        assert_eq!(code(ErrorKind::Execution), ExitCode::ToolFailed);
        assert_eq!(code(ErrorKind::Mcp), ExitCode::ToolFailed);
        assert_eq!(code(ErrorKind::NotFound), ExitCode::Usage);
        assert_eq!(code(ErrorKind::Denied), ExitCode::Denied);
        assert_eq!(code(ErrorKind::Rejected), ExitCode::Denied);
        assert_eq!(code(ErrorKind::Validation), ExitCode::Arguments);
        assert_eq!(code(ErrorKind::Aborted), ExitCode::Interrupted);
    }

    #[test]
    fn a_limit_is_told_from_a_trap() {
        assert_eq!(
            ExitCode::of_error(&sandbox("GuestTrapError")),
            ExitCode::Trap
        );
        assert_eq!(
            ExitCode::of_error(&sandbox("InvalidOutputError")),
            ExitCode::Trap
        );
        assert_eq!(ExitCode::of_error(&sandbox("GrantError")), ExitCode::Usage);
        let mut fuel = sandbox("FuelExhaustedError");
        fuel.limit = Some(LimitHit {
            name: "fuel".into(),
            allowed: 1,
            used: 1,
        });
        assert_eq!(ExitCode::of_error(&fuel), ExitCode::Limit);
    }

    #[test]
    fn the_help_names_every_code() {
        use ExitCode::{
            Arguments, Denied, Interrupted, Limit, Success, Suspended, ToolFailed, Trap, Usage,
        };
        let all = [
            Success,
            ToolFailed,
            Usage,
            Denied,
            Limit,
            Trap,
            Arguments,
            Suspended,
            Interrupted,
        ];
        let listed: Vec<u8> = HELP
            .lines()
            .filter_map(|line| line.trim_start().split(' ').next()?.parse().ok())
            .collect();
        assert_eq!(listed, all.map(|code| code as u8));
    }
}
