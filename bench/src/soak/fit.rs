//! Whether a figure grows with the calls: a straight line through its samples,
//! once the process is warm.

use std::fmt;

use anyhow::{Result, bail};

use super::sample::Sample;

/// The part of all samples that is left out at the start: caches fill, pools and
/// threads are made.
const WARM_UP: usize = 4;

/// Fewer samples tell nothing.
const MIN_SAMPLES: usize = 8;

/// A slope that is not so many times its own error may be chance.
const SIGNIFICANCE: f64 = 3.0;

/// Growth that is let pass. An allocator that settles creeps for a while; a call
/// that leaks leaves at least one small block behind.
const BYTES_PER_CALL: f64 = 8.0;
const MIN_BYTES: f64 = 2.0 * 1024.0 * 1024.0;
/// Of descriptors, threads and tasks; what is in flight goes up and down.
const MIN_COUNT: f64 = 3.0;

/// The line of least squares through a figure over the calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// From its first point to its last.
    pub(super) rise: f64,
    /// The error of that: one standard deviation.
    pub(super) error: f64,
    /// The calls between them.
    calls: f64,
    /// The first and the last figure on it.
    pub(super) ends: (f64, f64),
}

impl Line {
    /// Through points of calls and a figure. `None`: they are too few to lie on a line
    /// by anything but chance.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    pub(super) fn through(points: &[(f64, f64)]) -> Option<Self> {
        let [(first, _), .., (last, _)] = points else {
            return None;
        };
        if points.len() < MIN_SAMPLES {
            return None;
        }
        let count = points.len() as f64;
        let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let spread: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
        let shared: f64 = points
            .iter()
            .map(|point| (point.0 - mean_x) * (point.1 - mean_y))
            .sum();
        // All points at one count of calls lie on no line.
        let slope = if spread > 0.0 { shared / spread } else { 0.0 };
        let left: f64 = points
            .iter()
            .map(|point| (point.1 - mean_y - slope * (point.0 - mean_x)).powi(2))
            .sum();
        let error = if spread > 0.0 {
            (left / (count - 2.0) / spread).sqrt()
        } else {
            0.0
        };
        let calls = last - first;
        let at = |x: f64| mean_y + slope * (x - mean_x);
        Some(Self {
            rise: slope * calls,
            error: error * calls,
            calls,
            ends: (at(*first), at(*last)),
        })
    }
}

/// How a figure grew while it was watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    /// Which figure.
    pub(super) what: &'static str,
    pub(super) line: Line,
    /// How much is let pass.
    allowed: f64,
}

impl Growth {
    pub(super) fn new(what: &'static str, line: Line, allowed: f64) -> Self {
        Self {
            what,
            line,
            allowed,
        }
    }

    /// Of everything that is watched.
    ///
    /// # Errors
    ///
    /// When there are too few samples.
    pub(super) fn of(samples: &[Sample]) -> Result<[Self; 4]> {
        let warm = &samples[samples.len() / WARM_UP..];
        let fit = |what, figure: fn(&Sample) -> u64, per_call: f64, at_least: f64| {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let point = |sample: &Sample| (sample.calls as f64, figure(sample) as f64);
            let points: Vec<(f64, f64)> = warm.iter().map(point).collect();
            let Some(line) = Line::through(&points) else {
                let enough = MIN_SAMPLES * WARM_UP / (WARM_UP - 1) + 1;
                bail!(
                    "{} samples tell nothing, {enough} would: make more calls, or look more often with `--every`",
                    samples.len()
                );
            };
            let allowed = at_least.max(per_call * line.calls);
            Ok(Self::new(what, line, allowed))
        };
        Ok([
            fit("resident bytes", |s| s.resident, BYTES_PER_CALL, MIN_BYTES)?,
            fit("descriptors", |s| s.descriptors, 0.0, MIN_COUNT)?,
            fit("threads", |s| s.threads, 0.0, MIN_COUNT)?,
            fit("tasks", |s| s.tasks, 0.0, MIN_COUNT)?,
        ])
    }

    /// Whether it grew by more than is let pass, and not by chance.
    pub(super) fn is_leak(&self) -> bool {
        let Line { rise, error, .. } = self.line;
        rise > self.allowed && rise > SIGNIFICANCE * error
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            line,
            allowed,
        } = self;
        let Line {
            rise,
            error,
            calls,
            ends: (first, last),
        } = line;
        write!(
            f,
            "{what}: {first:.1} to {last:.1} over {calls:.0} calls; grew by {rise:.1} ± {error:.1}, {allowed:.0} is let pass"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Samples whose resident bytes grow by `per_call`, with some unrest.
    fn samples(per_call: u64) -> Vec<Sample> {
        let sample = |index: u64| Sample {
            at: Duration::from_secs(index),
            calls: index * 50_000,
            resident: 80_000_000 + index * 50_000 * per_call + (index * 7919 % 13) * 30_000,
            descriptors: 12 + index % 3,
            threads: 4,
            tasks: 8,
            load: 1.0,
        };
        (0..24).map(sample).collect()
    }

    fn leaks(samples: &[Sample]) -> Vec<&'static str> {
        let growths = Growth::of(samples).expect("there are enough samples");
        let leaks = growths.iter().filter(|growth| growth.is_leak());
        leaks.map(|growth| growth.what).collect()
    }

    #[test]
    fn unrest_is_no_growth() {
        assert_eq!(leaks(&samples(0)), [""; 0]);
    }

    #[test]
    fn a_small_block_a_call_is_found() {
        assert_eq!(leaks(&samples(16)), ["resident bytes"]);
    }

    #[test]
    fn growth_at_the_start_is_forgiven() {
        let mut samples = samples(0);
        for (index, sample) in samples.iter_mut().enumerate().take(6) {
            sample.resident = 10_000_000 * (1 + index as u64);
            sample.threads = index as u64;
        }
        assert_eq!(leaks(&samples), [""; 0]);
    }

    #[test]
    fn a_descriptor_lost_now_and_then_is_found() {
        let mut samples = samples(0);
        for sample in &mut samples {
            sample.descriptors += sample.calls / 100_000;
        }
        assert_eq!(leaks(&samples), ["descriptors"]);
    }

    #[test]
    fn a_few_samples_are_no_proof() {
        let error = Growth::of(&samples(0)[..6]).expect_err("too few");
        assert!(error.to_string().contains("`--every`"), "{error}");
    }
}
