//! Whether the last calls are as fast as the first: of each kind, how long its calls
//! took in the first minute and in the last, and a line through all between them.
//!
//! A call that computes for long lets others run now and then, other programs too, so
//! how long it takes depends on what else the machine does. What the processor does for
//! a call depends on that far less: the two together tell the host from the machine.

use std::fmt;
use std::time::Duration;

use super::fit::{Growth, Line};
use super::histogram::{Histogram, Quantiles};
use super::mix::KINDS;

/// The first moments are left out: threads are started, caches and pools fill.
const WARM_UP: Duration = Duration::from_secs(10);

/// What is told of the beginning and of the end; less of a soak that is short.
const WINDOW: Duration = Duration::from_mins(1);

/// Calls have become slower when they take so much longer in the last minute than in
/// the first, by this part of it, and the line through all between them rises by as
/// much, and not by chance. Less than that may be what else the machine does.
const ALLOWED: f64 = 0.5;

/// The rows that are judged: the host is slower when one of them is.
const GOOD: &str = "all good calls";
const PROCESSOR: &str = "processor time, all";

/// The times of the calls that are being made.
#[derive(Default)]
pub(super) struct Times {
    kinds: [Histogram; KINDS.len()],
    all: Histogram,
}

impl Times {
    pub(super) fn add(&self, kind: usize, took: Duration) {
        self.kinds[kind].add(took);
        if KINDS[kind].error.is_none() {
            self.all.add(took);
        }
    }
}

/// The times of all good calls, and of each kind, in a part of the soak.
struct Slice {
    at: Duration,
    calls: u64,
    /// What the processor did for a call, on average.
    processor: Option<Quantiles>,
    all: Option<Quantiles>,
    kinds: [Option<Quantiles>; KINDS.len()],
}

/// The times of the whole soak, part by part.
#[derive(Default)]
pub(super) struct Pace {
    slices: Vec<Slice>,
    /// What the processor had done for the process when the last part ended.
    processor: Duration,
}

impl Pace {
    /// Ends a part, after so many calls and so much of the processor.
    pub(super) fn turn(&mut self, at: Duration, calls: u64, processor: Duration, times: &Times) {
        let before = self.slices.last().map_or(0, |slice| slice.calls);
        let made = u32::try_from(calls.saturating_sub(before)).unwrap_or(u32::MAX);
        let used = processor.saturating_sub(self.processor);
        self.processor = processor;
        self.slices.push(Slice {
            at,
            calls,
            processor: used.checked_div(made).map(Quantiles::of_one),
            all: times.all.take(),
            kinds: std::array::from_fn(|kind| times.kinds[kind].take()),
        });
    }

    /// What is told of it; `None` of a soak that is too short.
    pub(super) fn told(&self) -> Option<Told> {
        let warm = self.slices.iter().position(|slice| slice.at >= WARM_UP)?;
        let slices = self.slices.get(warm + 1..)?;
        let (start, end) = (self.slices[warm].at, self.slices.last()?.at);
        let window = WINDOW.min(end.saturating_sub(start) / 3);
        let first = slices.iter().filter(|slice| slice.at <= start + window);
        let last = slices.iter().filter(|slice| slice.at + window > end);
        let (first, last): (Vec<_>, Vec<_>) = (first.collect(), last.collect());
        let row = |name, of: &dyn Fn(&Slice) -> Option<Quantiles>| {
            let points = slices.iter().filter_map(|slice| {
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                let calls = slice.calls as f64;
                Some((calls, of(slice)?.p50))
            });
            let line = Line::through(&points.collect::<Vec<_>>())?;
            Some(Row {
                name,
                first: middle(&first, of)?,
                last: middle(&last, of)?,
                most: slices
                    .iter()
                    .filter_map(of)
                    .map(|told| told.most)
                    .fold(0.0, f64::max),
                growth: Growth::new(name, line, ALLOWED * line.ends.0),
            })
        };
        let mut rows = Vec::new();
        rows.extend(row(PROCESSOR, &|slice| slice.processor));
        rows.extend(row(GOOD, &|slice| slice.all));
        for (index, kind) in KINDS.iter().enumerate() {
            rows.extend(row(kind.name, &|slice| slice.kinds[index]));
        }
        (!rows.is_empty()).then_some(Told { window, rows })
    }
}

/// The median of what is told of each part: a busy moment of the machine then counts
/// for that moment only.
fn middle(slices: &[&Slice], of: &dyn Fn(&Slice) -> Option<Quantiles>) -> Option<Quantiles> {
    let told: Vec<Quantiles> = slices.iter().filter_map(|slice| of(slice)).collect();
    let median = |figure: fn(&Quantiles) -> f64| {
        let mut figures: Vec<f64> = told.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures.get(figures.len() / 2).copied()
    };
    Some(Quantiles {
        p50: median(|told| told.p50)?,
        p99: median(|told| told.p99)?,
        most: median(|told| told.most)?,
    })
}

/// The first calls beside the last.
pub(super) struct Told {
    window: Duration,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    first: Quantiles,
    last: Quantiles,
    /// The longest of all.
    most: f64,
    growth: Growth,
}

impl Row {
    fn is_judged(&self) -> bool {
        [GOOD, PROCESSOR].contains(&self.name)
    }

    fn is_slower(&self) -> bool {
        self.ratio() > 1.0 + ALLOWED && self.growth.is_leak()
    }

    fn ratio(&self) -> f64 {
        self.last.p50 / self.first.p50
    }
}

impl Told {
    /// What is judged and has become slower.
    pub(super) fn slower(&self) -> Vec<&'static str> {
        self.named(|row| row.is_judged() && row.is_slower())
    }

    /// Kinds that take longer, as other programs had more of the processor.
    fn crowded(&self) -> Vec<&'static str> {
        self.named(|row| !row.is_judged() && row.is_slower())
    }

    fn named(&self, of: impl Fn(&Row) -> bool) -> Vec<&'static str> {
        let rows = self.rows.iter().filter(|row| of(row));
        rows.map(|row| row.name).collect()
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.window.as_secs();
        writeln!(
            f,
            "microseconds a call, in the first {seconds} s after the start and in the last; `along` is how far the \
             line through all medians rises, and its error"
        )?;
        writeln!(
            f,
            "{:22} {:>10} {:>10} {:>10} {:>10} {:>6} {:>10} {:>8} {:>12}",
            "", "first p50", "last p50", "first p99", "last p99", "ratio", "along", "±", "longest"
        )?;
        for row in &self.rows {
            let Row {
                name,
                first,
                last,
                most,
                growth,
            } = row;
            writeln!(
                f,
                "{name:22} {:10.1} {:10.1} {:10.1} {:10.1} {:6.2} {:10.1} {:8.1} {most:12.0}",
                first.p50,
                last.p50,
                first.p99,
                last.p99,
                row.ratio(),
                growth.line.rise,
                growth.line.error,
            )?;
        }
        let crowded = self.crowded();
        if !crowded.is_empty() {
            writeln!(
                f,
                "more than {} times as long, as far as they wait for a core: {}",
                1.0 + ALLOWED,
                crowded.join(", ")
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A soak of ten minutes whose good calls take `microseconds(part)`.
    fn pace(microseconds: impl Fn(u64) -> u64) -> Told {
        let (times, mut pace) = (Times::default(), Pace::default());
        for part in 1..=120 {
            for _ in 0..100 {
                times.add(0, Duration::from_micros(microseconds(part)));
            }
            let processor = Duration::from_millis(400 * part);
            pace.turn(
                Duration::from_secs(5 * part),
                1_000 * part,
                processor,
                &times,
            );
        }
        pace.told().expect("it is long enough")
    }

    #[test]
    fn unrest_is_not_slower() {
        let told = pace(|part| 100 + part * 7919 % 41);
        assert_eq!(told.slower(), [""; 0], "{told}");
    }

    #[test]
    fn a_busy_moment_is_not_slower() {
        let told = pace(|part| if (90..100).contains(&part) { 900 } else { 100 });
        assert_eq!(told.slower(), [""; 0], "{told}");
    }

    #[test]
    fn calls_that_take_longer_and_longer_are_found() {
        let told = pace(|part| 100 + part + part * 7919 % 41);
        assert_eq!(told.slower(), [GOOD], "{told}");
        assert_eq!(told.crowded(), ["add"], "{told}");
        let row = &told.rows[1];
        assert!(row.first.p50 < 150.0 && row.last.p50 > 200.0, "{told}");
    }

    /// Whatever a call takes by the clock, what the processor does for it is told.
    #[test]
    fn calls_for_which_the_processor_does_more_and_more_are_found() {
        let (times, mut pace) = (Times::default(), Pace::default());
        let mut processor = Duration::ZERO;
        for part in 1..=120_u32 {
            times.add(0, Duration::from_micros(100));
            processor += Duration::from_millis(1) * (100 + part);
            let at = Duration::from_secs(5) * part;
            pace.turn(at, 1_000 * u64::from(part), processor, &times);
        }
        let told = pace.told().expect("it is long enough");
        assert_eq!(told.slower(), [PROCESSOR], "{told}");
    }

    #[test]
    fn a_soak_of_a_moment_tells_nothing() {
        let mut pace = Pace::default();
        let times = Times::default();
        times.add(0, Duration::from_micros(1));
        pace.turn(Duration::from_secs(1), 1, Duration::ZERO, &times);
        assert!(pace.told().is_none());
    }
}
