//! A question that is put to two sides, and its answer.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use toolhost::Host;

use crate::compare::timing::{Summary, Timing};

/// What costs so many times more grows, whatever the machine does.
pub(super) const GROSS: f64 = 1.5;

/// Turns of one side before the other has its own.
const AT_ONCE: u32 = 50;

/// Few and much of something.
pub(super) struct Row {
    /// What it is that is measured.
    pub(super) what: &'static str,
    /// What there is little and much of.
    pub(super) of: &'static str,
    /// How much of it.
    pub(super) amounts: (u64, u64),
    /// What it costs, in microseconds.
    pub(super) costs: (Summary, Summary),
    pub(super) rule: Rule,
}

/// What must hold.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Both sides cost the same.
    Same,
    /// The side that has much costs less than so many microseconds, which a call that
    /// works takes.
    Less(f64),
    /// Nothing; it is told why.
    Told(&'static str),
}

impl Row {
    pub(super) const HEADER: &str = "| what is measured | of what there is little and much | little | p50 µs | p99 µs | much | p50 µs | p99 µs | ratio | |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---|";

    fn ratio(&self) -> f64 {
        self.costs.1.p50 / self.costs.0.p50
    }

    /// Whether its rule is broken by more than a busy machine could.
    pub(super) fn is_gross(&self) -> bool {
        match self.rule {
            Rule::Same => self.ratio() > GROSS,
            Rule::Less(than) => self.costs.1.p50 > than,
            Rule::Told(_) => false,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            of,
            amounts: (little, much),
            costs: (few, many),
            rule,
        } = self;
        let said = match *rule {
            Rule::Same if self.is_gross() => "grows".to_owned(),
            Rule::Same => "flat".to_owned(),
            Rule::Less(than) if self.is_gross() => format!("a call that works takes {than:.1}"),
            Rule::Less(than) => format!("cheap: a call that works takes {than:.1}"),
            Rule::Told(why) => why.to_owned(),
        };
        write!(
            f,
            "| {what} | {of} | {little} | {:.1} | {:.1} | {much} | {:.1} | {:.1} | {:.2} | {said} |",
            few.p50,
            few.p99,
            many.p50,
            many.p99,
            self.ratio()
        )
    }
}

/// Times both sides by turns, each for `time`, after some turns that do not count. They
/// are given the number of the turn.
pub(super) async fn by_turns(
    time: Duration,
    few: impl AsyncFn(u32) -> Result<()>,
    many: impl AsyncFn(u32) -> Result<()>,
) -> Result<(Summary, Summary)> {
    let (mut of_few, mut of_many) = (Timing::default(), Timing::default());
    for turn in 0..AT_ONCE {
        few(turn).await?;
        many(turn).await?;
    }
    let until = Instant::now() + 2 * time;
    let mut turn = 0;
    while Instant::now() < until {
        for number in turn..turn + AT_ONCE {
            let started = Instant::now();
            few(number).await?;
            of_few.add(started.elapsed());
        }
        for number in turn..turn + AT_ONCE {
            let started = Instant::now();
            many(number).await?;
            of_many.add(started.elapsed());
        }
        turn += AT_ONCE;
    }
    Ok((sum(of_few)?, sum(of_many)?))
}

/// Times the same call of a host that has little and of one that has much.
pub(super) async fn on_both(
    time: Duration,
    few: &Host,
    many: &Host,
    call: impl AsyncFn(&Host) -> Result<()>,
) -> Result<(Summary, Summary)> {
    by_turns(time, async |_| call(few).await, async |_| call(many).await).await
}

pub(super) fn sum(timing: Timing) -> Result<Summary> {
    timing.sum().context("nothing was measured")
}

/// What a turn costs that does so many things, for one of them.
pub(super) fn each(summary: Summary, things: u64) -> Summary {
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let things = things as f64;
    Summary {
        p50: summary.p50 / things,
        p99: summary.p99 / things,
        ..summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(few: f64, many: f64, rule: Rule) -> Row {
        let cost = |p50| Summary {
            p50,
            p99: 2.0 * p50,
            count: 9,
        };
        Row {
            what: "a call",
            of: "tools",
            amounts: (1, 1_000),
            costs: (cost(few), cost(many)),
            rule,
        }
    }

    #[test]
    fn what_costs_twice_as_much_grows() {
        assert!(row(50.0, 101.0, Rule::Same).is_gross());
        assert!(!row(50.0, 60.0, Rule::Same).is_gross());
        assert!(!row(50.0, 101.0, Rule::Told("why")).is_gross());
    }

    #[test]
    fn a_refusal_has_to_stay_cheaper_than_a_call() {
        assert!(row(1.0, 51.0, Rule::Less(50.0)).is_gross());
        let cheap = row(1.0, 9.0, Rule::Less(50.0));
        assert!(!cheap.is_gross());
        assert_eq!(
            cheap.to_string(),
            "| a call | tools | 1 | 1.0 | 2.0 | 1000 | 9.0 | 18.0 | 9.00 | cheap: a call that works takes 50.0 |"
        );
    }
}
