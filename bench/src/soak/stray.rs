//! Calls that end otherwise than their kind promises, kept with all that is known of
//! them: one in a million is found by nobody who has not written it down.

use std::fmt;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use toolhost::{CallResult, Durations};

use super::mix::Kind;

/// So many are kept; after as many the soak ends, for what it measures is then not
/// what was meant.
const MOST: usize = 100;

/// One of them.
#[derive(Debug)]
pub(super) struct Stray {
    /// What it was a call of.
    kind: &'static str,
    number: u64,
    /// How it had to end, and how it did.
    promised: &'static str,
    ended: String,
    said: String,
    /// When it ended, since the start of the soak.
    at: Duration,
    /// From the caller's side: with the time its own task waited for a thread.
    took: Duration,
    stages: Durations,
    fuel: u64,
    load: String,
}

impl Stray {
    /// The call `number`, when it ended otherwise than its kind promises.
    pub(super) fn of(
        kind: &Kind,
        number: u64,
        result: &CallResult,
        at: Duration,
        took: Duration,
    ) -> Option<Self> {
        let (ended, said) = match (&result.outcome, kind.error) {
            (Ok(_), None) => return None,
            (Err(error), Some(promised)) if error.name == promised => return None,
            (Ok(_), Some(_)) => ("done".to_owned(), String::new()),
            (Err(error), _) => (error.name.clone(), error.message.clone()),
        };
        Some(Self {
            kind: kind.name,
            number,
            promised: kind.error.unwrap_or("done"),
            ended,
            said,
            at,
            took,
            stages: result.report.duration_ms,
            fuel: result.report.fuel,
            load: load(),
        })
    }
}

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            number,
            promised,
            ended,
            said,
            at,
            took,
            stages,
            fuel,
            load,
        } = self;
        let total = stages.total;
        let stages = stages.stages().map(|(name, time)| format!("{name} {time}"));
        let stages = stages.join(", ");
        let (at, took) = (at.as_secs_f64(), took.as_secs_f64() * 1e3);
        writeln!(
            f,
            "call {number} of kind `{kind}` ended in `{ended}`, not `{promised}`, at {at:.3} s: {said}"
        )?;
        writeln!(f, "  ms: {stages}, total {total}; {took:.4} for its caller")?;
        write!(f, "  fuel {fuel}; {load}")
    }
}

/// All that went astray.
#[derive(Debug, Default)]
pub(super) struct Strays(Mutex<Vec<Stray>>);

impl Strays {
    /// Keeps one, and says it at once. Returns whether there are too many now.
    pub(super) fn add(&self, stray: Stray) -> bool {
        println!("{stray}");
        let mut strays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        strays.push(stray);
        strays.len() >= MOST
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        let strays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        strays.len()
    }
}

impl fmt::Display for Strays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for stray in &*strays {
            writeln!(f, "{stray}")?;
        }
        Ok(())
    }
}

/// How busy the machine is, as Linux tells it.
fn load() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let load = read("/proc/loadavg");
    let waiting = read("/proc/pressure/cpu");
    let waiting = waiting.lines().next().unwrap_or("unknown");
    format!("load {}; waiting for a core: {waiting}", load.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::mix::KINDS;
    use toolhost::{CallError, ErrorKind, Report};

    fn stray(kind: &Kind, error: &str) -> Option<Stray> {
        let error = CallError::new(ErrorKind::Sandbox, error, kind.tool, "it took 31 ms");
        let result = CallResult {
            tool_call_id: "call-7".into(),
            tool_name: kind.tool.into(),
            outcome: Err(error),
            report: Report::default(),
        };
        let took = Duration::from_millis(31);
        Stray::of(kind, 7, &result, Duration::from_secs(1), took)
    }

    #[test]
    fn a_call_that_ends_as_promised_is_none() {
        for kind in KINDS.iter().filter(|kind| kind.error.is_some()) {
            assert!(stray(kind, kind.error.unwrap_or_default()).is_none());
        }
    }

    #[test]
    fn one_that_does_not_is_told_with_its_number_and_its_reason() {
        let told = stray(&KINDS[0], "DeadlineExceededError").expect("`add` has to work");
        let strays = Strays::default();
        assert!(!strays.add(told));
        let told = strays.to_string();
        assert!(
            told.starts_with("call 7 of kind `add` ended in `DeadlineExceededError`, not `done`"),
            "{told}"
        );
        assert!(told.contains("it took 31 ms") && told.contains("31.0000 for its caller"));
    }
}
