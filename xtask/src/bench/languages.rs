//! Plugins in other languages: `bench/guests`, one folder a language.
//!
//! Their compilers come from npm and from `PyPI`, and are never installed anywhere but
//! below the target folder. Whoever has no Node.js or no Python measures without.

mod once;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::guests::Kind;
use crate::repository::Repository;
use crate::{files, process};

/// An installation over a slow line, or a component on a slow machine, takes no longer.
const LIMIT: Duration = Duration::from_mins(15);

/// A language that plugins are written in.
struct Language {
    name: &'static str,
    /// Its folder below `bench/guests`.
    folder: &'static str,
    /// The files there that packages are installed from.
    packages: &'static [&'static str],
    /// What they are installed into.
    installed: &'static str,
    /// The other files there.
    sources: &'static [&'static str],
    /// The component that is made of them, in `target/guests`.
    component: &'static str,
    /// The program that must be there.
    program: &'static str,
    /// How one gets it.
    advice: &'static str,
    install: fn(&Workshop) -> Result<()>,
    compile: fn(&Workshop, out: &Path) -> Result<()>,
}

const LANGUAGES: [Language; 2] = [
    Language {
        name: "JavaScript",
        folder: "javascript",
        packages: &["package.json", "package-lock.json"],
        installed: "node_modules",
        sources: &["build.mjs", "tool.js"],
        component: "stats-js.wasm",
        program: "npm",
        advice: "install Node.js 20 or later, with npm",
        install: |workshop| {
            workshop.run(
                "npm",
                &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
            )
        },
        compile: |workshop, out| {
            let mut node = workshop.command("node");
            workshop.finish(node.arg("build.mjs").arg(&workshop.wit).arg(out))
        },
    },
    Language {
        name: "Python",
        folder: "python",
        packages: &["requirements.txt"],
        installed: "venv",
        sources: &["tool.py"],
        component: "stats-py.wasm",
        program: "python3",
        advice: "install Python 3.10 or later, with the module `venv` (`python3-venv` in Debian)",
        install: |workshop| {
            workshop.run("python3", &["-m", "venv", "--clear", "venv"])?;
            let python = workshop.folder.join("venv/bin/python");
            let mut pip = workshop.command(python);
            pip.args(["-m", "pip", "install", "--quiet"]);
            pip.args(["--disable-pip-version-check", "-r", "requirements.txt"]);
            workshop.finish(&mut pip)
        },
        compile: |workshop, out| {
            let componentize = workshop.folder.join("venv/bin/componentize-py");
            let mut componentize = workshop.command(componentize);
            componentize.arg("-d").arg(&workshop.wit);
            componentize.args(["-w", "plugin", "componentize", "tool", "-o"]);
            workshop.finish(componentize.arg(out))
        },
    },
];

/// A plugin that there is, or is not on this machine.
pub(super) struct Guest {
    /// The language it is written in.
    pub(super) language: &'static str,
    /// The component; `None` when it could not be made, which was said.
    pub(super) component: Option<PathBuf>,
}

/// Makes the plugins of all languages. One that cannot be made is said, and no error.
pub(super) fn build(repository: &Repository) -> Vec<Guest> {
    let made = LANGUAGES.iter().map(|language| {
        let component = language.build(repository);
        if let Err(error) = &component {
            let name = language.name;
            eprintln!("note: the plugin in {name} is not measured: {error:#}");
        }
        Guest {
            language: language.name,
            component: component.ok(),
        }
    });
    made.collect()
}

impl Language {
    /// Makes the component, unless there is one of the same sources.
    fn build(&self, repository: &Repository) -> Result<PathBuf> {
        let sources = repository.root.join("bench/guests").join(self.folder);
        let wit = repository.root.join("wit");
        let out = Kind::Guests.output(repository).join(self.component);
        let folder = repository.target.join("bench").join(self.folder);
        files::create_folder(&folder)?;
        let own = |names: &[&str]| -> Vec<PathBuf> {
            names.iter().map(|name| sources.join(name)).collect()
        };
        let packages = own(self.packages);
        let mut all = [packages.clone(), own(self.sources)].concat();
        all.push(wit.clone());
        let workshop = Workshop { folder, wit };
        once::made_of(&all, &out, &workshop.folder.join("component.made"), || {
            if !process::exists(self.program) {
                bail!("there is no `{}`: {}", self.program, self.advice);
            }
            for name in self.packages.iter().chain(self.sources) {
                files::copy(&sources.join(name), &workshop.folder.join(name))?;
            }
            let installed = workshop.folder.join(self.installed);
            let mark = workshop.folder.join("packages.made");
            once::made_of(&packages, &installed, &mark, || (self.install)(&workshop))
                .with_context(|| {
                    let advice = self.advice;
                    format!("its compiler cannot be installed; be online, and {advice}")
                })?;
            files::create_folder(out.parent().unwrap_or(&out))?;
            let partial = workshop.folder.join("component.partial");
            (self.compile)(&workshop, &partial)?;
            fs::rename(&partial, &out).context("the compiler wrote no component")
        })?;
        Ok(out)
    }
}

/// Where a language's compiler is installed and works.
struct Workshop {
    folder: PathBuf,
    wit: PathBuf,
}

impl Workshop {
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder);
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        self.finish(self.command(program).args(arguments))
    }

    fn finish(&self, command: &mut Command) -> Result<()> {
        eprintln!(
            "$ (cd {}; {})",
            self.folder.display(),
            process::shell_line(command)
        );
        process::run(command, LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_compiler_is_told_what_to_install() -> Result<()> {
        let target = std::env::temp_dir().join(format!("xtask-languages-{}", std::process::id()));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let repository = Repository {
            root,
            target: target.clone(),
        };
        for language in LANGUAGES {
            let without = Language {
                program: "no-such-program-anywhere",
                ..language
            };
            let error = without.build(&repository).expect_err("it is missing");
            let said = error.to_string();
            assert!(
                said.starts_with("there is no `no-such-program-anywhere`: install "),
                "{said}"
            );
        }
        files::remove_folder(&target)
    }
}
