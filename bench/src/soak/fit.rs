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

/// How a figure grew while it was watched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Growth {
    /// Which figure.
    pub(super) what: &'static str,
    /// Over all calls that were watched, along the line.
    total: f64,
    /// The error of it: one standard deviation.
    error: f64,
    /// How much is let pass.
    allowed: f64,
    /// The calls that were watched.
    calls: f64,
    /// The first and the last figure on the line.
    ends: (f64, f64),
}

impl Growth {
    /// Of everything that is watched.
    ///
    /// # Errors
    ///
    /// When there are too few samples.
    pub(super) fn of(samples: &[Sample]) -> Result<[Self; 4]> {
        let warm = &samples[samples.len() / WARM_UP..];
        if warm.len() < MIN_SAMPLES {
            let enough = MIN_SAMPLES * WARM_UP / (WARM_UP - 1) + 1;
            bail!(
                "{} samples tell nothing, {enough} would: make more calls, or look more often with `--every`",
                samples.len()
            );
        }
        Ok([
            Self::fit(
                "resident bytes",
                warm,
                |s| s.resident,
                BYTES_PER_CALL,
                MIN_BYTES,
            ),
            Self::fit("descriptors", warm, |s| s.descriptors, 0.0, MIN_COUNT),
            Self::fit("threads", warm, |s| s.threads, 0.0, MIN_COUNT),
            Self::fit("tasks", warm, |s| s.tasks, 0.0, MIN_COUNT),
        ])
    }

    /// The line of least squares through a figure over the calls.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn fit(
        what: &'static str,
        samples: &[Sample],
        figure: fn(&Sample) -> u64,
        per_call: f64,
        at_least: f64,
    ) -> Self {
        let points: Vec<(f64, f64)> = samples
            .iter()
            .map(|sample| (sample.calls as f64, figure(sample) as f64))
            .collect();
        let count = points.len() as f64;
        let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let spread: f64 = points.iter().map(|point| (point.0 - mean_x).powi(2)).sum();
        let shared: f64 = points
            .iter()
            .map(|point| (point.0 - mean_x) * (point.1 - mean_y))
            .sum();
        // All samples at one count of calls lie on no line.
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
        let (first, last) = (points[0].0, points[points.len() - 1].0);
        let calls = last - first;
        let at = |x: f64| mean_y + slope * (x - mean_x);
        Self {
            what,
            total: slope * calls,
            error: error * calls,
            allowed: at_least.max(per_call * calls),
            calls,
            ends: (at(first), at(last)),
        }
    }

    /// Whether it grew by more than is let pass, and not by chance.
    pub(super) fn is_leak(&self) -> bool {
        self.total > self.allowed && self.total > SIGNIFICANCE * self.error
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            total,
            error,
            allowed,
            calls,
            ends: (first, last),
        } = self;
        write!(
            f,
            "{what}: {first:.1} to {last:.1} over {calls:.0} calls; grew by {total:.1} ± {error:.1}, {allowed:.0} is let pass"
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
