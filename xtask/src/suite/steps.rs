//! Which steps there are, and in which order.

use std::process::Command;

use crate::guests::Kind;
use crate::process;
use crate::repository::{Repository, TARGET_VARIABLE, Workspace};
use crate::target;

/// One step with the name it is announced by.
pub(crate) struct Step {
    /// What is checked and where, as in `lint sdk`.
    pub(crate) name: String,
    /// What to do.
    pub(crate) work: Work,
}

/// What a step does.
pub(crate) enum Work {
    /// Makes sure of the guest target.
    Target,
    /// Builds components.
    Components(Kind),
    /// Runs a cargo command that only has to succeed.
    Cargo(Command),
    /// Runs tests, which are counted.
    Tests(Command),
    /// Tries very many texts.
    Fuzz,
}

impl Work {
    /// The command that does this alone.
    pub(crate) fn shell_line(&self) -> String {
        match self {
            Self::Target => "cargo xtask target".into(),
            Self::Components(kind) => format!("cargo xtask {}", kind.workspace().name()),
            Self::Cargo(command) | Self::Tests(command) => process::shell_line(command),
            Self::Fuzz => "cargo xtask fuzz".into(),
        }
    }
}

/// The steps of `cargo xtask test`: seconds first, minutes last. Components come
/// before the host's tests, which run them.
pub(crate) fn all(repository: &Repository) -> Vec<Step> {
    let mut steps = Vec::new();
    for workspace in Workspace::ALL {
        steps.push(format(repository, workspace));
    }
    steps.push(Step {
        name: format!("target {}", target::TRIPLE),
        work: Work::Target,
    });
    for workspace in [Workspace::Sdk, Workspace::Plugins, Workspace::Guests] {
        steps.push(lint(repository, workspace));
    }
    steps.push(tests(repository, Workspace::Sdk));
    steps.push(tests(repository, Workspace::Plugins));
    for kind in [Kind::Plugins, Kind::Guests] {
        steps.push(Step {
            name: format!("build {}", kind.workspace().name()),
            work: Work::Components(kind),
        });
    }
    steps.push(lint(repository, Workspace::Host));
    steps.push(lint(repository, Workspace::Fuzz));
    steps.push(documents(repository, Workspace::Sdk));
    steps.push(documents(repository, Workspace::Host));
    steps.push(tests(repository, Workspace::Host));
    steps.push(Step {
        name: Workspace::Fuzz.name().into(),
        work: Work::Fuzz,
    });
    steps
}

/// The steps of `cargo xtask sdk`.
pub(crate) fn sdk(repository: &Repository) -> Vec<Step> {
    vec![
        format(repository, Workspace::Sdk),
        lint(repository, Workspace::Sdk),
        tests(repository, Workspace::Sdk),
    ]
}

/// Checks the layout of the source text. Only `--all` finds the crates of a
/// workspace that has no package at its root.
fn format(repository: &Repository, workspace: Workspace) -> Step {
    let mut command = repository.cargo(workspace, "fmt");
    command.args(["--all", "--check"]);
    command.env_remove(TARGET_VARIABLE);
    step("format", workspace, Work::Cargo(command))
}

/// Runs clippy; each warning fails. Guests are checked as they are shipped,
/// others with their tests.
fn lint(repository: &Repository, workspace: Workspace) -> Step {
    let mut command = cargo(repository, workspace, "clippy");
    command.arg("--workspace");
    match workspace {
        Workspace::Host | Workspace::Sdk | Workspace::Fuzz => command.arg("--all-targets"),
        Workspace::Plugins | Workspace::Guests => command.args(["--target", target::TRIPLE]),
    };
    command.args(["--", "-D", "warnings"]);
    step("lint", workspace, Work::Cargo(command))
}

/// Builds the documents; a broken link fails.
fn documents(repository: &Repository, workspace: Workspace) -> Step {
    let mut command = cargo(repository, workspace, "doc");
    command.args(["--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-Dwarnings");
    step("documents", workspace, Work::Cargo(command))
}

/// Runs all tests, also after a program with failures, so that one run names
/// them all.
fn tests(repository: &Repository, workspace: Workspace) -> Step {
    let mut command = cargo(repository, workspace, "test");
    command.args(["--workspace", "--no-fail-fast"]);
    step("test", workspace, Work::Tests(command))
}

/// A cargo command that keeps to the lock file where there is one. Of the SDK all
/// is checked, also what plugins choose by a feature.
fn cargo(repository: &Repository, workspace: Workspace, subcommand: &str) -> Command {
    let mut command = repository.cargo(workspace, subcommand);
    if workspace == Workspace::Sdk {
        command.arg("--all-features");
    }
    if repository.is_locked(workspace) {
        command.arg("--locked");
    }
    command
}

/// A step on a workspace.
fn step(what: &str, workspace: Workspace, work: Work) -> Step {
    Step {
        name: format!("{what} {}", workspace.name()),
        work,
    }
}
