//! Whoever does the task, and how long it took.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::SUM;
use super::table::Row;
use super::timing::Timing;

/// Somebody who may be missing on this machine.
pub(super) enum Entrant {
    /// Is there.
    Here(Contestant),
    /// Is not, and why.
    Missing(String),
}

/// Does the task once; gives the JSON it found.
pub(super) type Task = Box<dyn FnMut() -> Result<String>>;

/// Somebody who does the task.
pub(super) struct Contestant {
    name: String,
    version: String,
    settings: String,
    task: Task,
    timing: Timing,
}

impl Contestant {
    /// `settings` says what a reader must know to judge the figures.
    pub(super) fn here(name: &str, version: &str, settings: &str, task: Task) -> Entrant {
        Entrant::Here(Self {
            name: name.to_owned(),
            version: version.to_owned(),
            settings: settings.to_owned(),
            task,
            timing: Timing::default(),
        })
    }

    /// Does the task again and again. Its first time of each turn is checked, and
    /// not counted: caches are cold.
    ///
    /// # Errors
    ///
    /// When the task fails, or finds another sum.
    pub(super) fn run(&mut self, time: Duration) -> Result<()> {
        let name = &self.name;
        let found = (self.task)().with_context(|| format!("`{name}` failed"))?;
        let value: Value = serde_json::from_str(&found)
            .with_context(|| format!("`{name}` gave no JSON, but `{found}`"))?;
        let sum = value["sum"].as_f64();
        ensure!(sum == Some(SUM), "`{name}` found another sum: `{found}`");
        let until = Instant::now() + time;
        while Instant::now() < until {
            let started = Instant::now();
            let found = (self.task)();
            self.timing.add(started.elapsed());
            found.with_context(|| format!("`{name}` failed"))?;
        }
        Ok(())
    }

    /// What the table says; `None` when it never ran.
    pub(super) fn row(self) -> Option<Row> {
        let timing = self.timing.sum()?;
        Some(Row {
            name: self.name,
            version: self.version,
            settings: self.settings,
            timing,
        })
    }
}
