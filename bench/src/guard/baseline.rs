//! The committed figures, and where they were counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::count::Case;
use super::judgement::Judgement;

/// What has to be the same for two counts to be comparable. The processor need not
/// be: valgrind has one of its own, the same everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The compiler, without the day it was built.
    pub(super) compiler: String,
    /// The architecture and the system.
    pub(super) system: String,
}

impl Place {
    /// This machine, with the compiler that cargo would use.
    pub(super) fn here() -> Result<Self> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc).arg("--version").output();
        let output = output.context("cannot start `rustc`: is it installed?")?;
        let said = String::from_utf8_lossy(&output.stdout);
        let compiler: Vec<_> = said.split_whitespace().take(2).collect();
        Ok(Self {
            compiler: compiler.join(" "),
            system: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
        })
    }
}

/// What is in the file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Baseline {
    place: Option<Place>,
    /// Instructions of a call, by profile and case.
    figures: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Baseline {
    /// Reads the file; one that is not there has no figures.
    pub(super) fn read(path: &Path) -> Result<Self> {
        if !path.exists() {
            return Ok(Self::default());
        }
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read `{shown}`"))?;
        Self::parse(&text).with_context(|| format!("cannot use `{shown}`"))
    }

    fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)?;
        let said = |key: &str| value[key].as_str().map(str::to_owned);
        let place = said("compiler")
            .zip(said("system"))
            .map(|(compiler, system)| Place { compiler, system });
        let figures = serde_json::from_value(value["instructionsPerCall"].clone())
            .context("`instructionsPerCall` must be numbers, by profile and case")?;
        Ok(Self { place, figures })
    }

    /// Writes the file.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let place = self.place.as_ref();
        let value = json!({
            "compiler": place.map(|place| &place.compiler),
            "system": place.map(|place| &place.system),
            "processor": "that of valgrind, whatever the machine has",
            "instructionsPerCall": self.figures,
        });
        let shown = path.display();
        fs::write(path, format!("{value:#}\n")).with_context(|| format!("cannot write `{shown}`"))
    }

    /// Why figures counted at `here` are not comparable, if they are not.
    pub(super) fn other_than(&self, here: &Place) -> Option<String> {
        let place = self.place.as_ref()?;
        let differ = |one: &str, other: &str| {
            (one != other).then(|| format!("the figures are of `{one}` and this is `{other}`"))
        };
        differ(&place.compiler, &here.compiler).or_else(|| differ(&place.system, &here.system))
    }

    /// Whether there are figures of a profile.
    pub(super) fn has(&self, profile: &str) -> bool {
        self.figures.contains_key(profile)
    }

    /// The committed figure of a case.
    pub(super) fn figure(&self, profile: &str, case: Case) -> Option<u64> {
        self.figures.get(profile)?.get(case.name()).copied()
    }

    /// Takes what was counted at `here`. Figures from elsewhere are thrown away.
    pub(super) fn replace(&mut self, here: Place, profile: &str, counted: &[Judgement]) {
        if self.other_than(&here).is_some() {
            self.figures.clear();
        }
        self.place = Some(here);
        let figures = counted
            .iter()
            .map(|one| (one.case.name().to_owned(), one.counted));
        self.figures.insert(profile.to_owned(), figures.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(compiler: &str) -> Place {
        Place {
            compiler: compiler.to_owned(),
            system: "x86_64-linux".to_owned(),
        }
    }

    fn counted(counted: u64) -> [Judgement; 1] {
        [Judgement::new(Case::Good, counted, None)]
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("baseline.json");
        let mut baseline = Baseline::read(&path).expect("no file is no figures");
        assert!(!baseline.has("release"));
        baseline.replace(place("rustc 1.95.0"), "release", &counted(90_000));
        baseline.write(&path).expect("it is written");
        let read = Baseline::read(&path).expect("it is read");
        assert_eq!(read, baseline);
        assert_eq!(read.figure("release", Case::Good), Some(90_000));
        assert_eq!(read.figure("dev", Case::Good), None);
    }

    #[test]
    fn figures_of_another_compiler_are_not_compared_and_not_kept() {
        let mut baseline = Baseline::default();
        baseline.replace(place("rustc 1.95.0"), "dev", &counted(90_000));
        assert_eq!(baseline.other_than(&place("rustc 1.95.0")), None);
        let other = baseline
            .other_than(&place("rustc 1.96.0"))
            .expect("another");
        assert!(other.contains("`rustc 1.96.0`"), "{other}");
        baseline.replace(place("rustc 1.96.0"), "release", &counted(80_000));
        assert!(!baseline.has("dev"));
    }

    #[test]
    fn a_file_that_is_no_baseline_is_refused() {
        assert!(Baseline::parse("{}").is_err());
        assert!(Baseline::parse(r#"{"instructionsPerCall": {"dev": 3}}"#).is_err());
    }
}
