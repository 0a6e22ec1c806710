//! How often calls took how long, in a fixed amount of memory: what watches memory
//! may not grow itself.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Steps between a time and its double: a time is told to 3 %.
const STEPS: usize = 32;

/// Times up to 18 minutes; longer ones count as that.
const BUCKETS: usize = STEPS * 36;

/// Times are taken down by very many tasks at once.
pub(super) struct Histogram(Box<[AtomicU32]>);

impl Default for Histogram {
    fn default() -> Self {
        Self((0..BUCKETS).map(|_| AtomicU32::new(0)).collect())
    }
}

/// What is said of many times, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantiles {
    /// Half took no longer.
    pub(super) p50: f64,
    /// Of a hundred, ninety-nine took no longer.
    pub(super) p99: f64,
    /// None took longer.
    pub(super) most: f64,
}

impl Quantiles {
    /// Of one time.
    pub(super) fn of_one(took: Duration) -> Self {
        let one = took.as_secs_f64() * 1e6;
        Self {
            p50: one,
            p99: one,
            most: one,
        }
    }
}

impl Histogram {
    pub(super) fn add(&self, took: Duration) {
        self.0[bucket(took)].fetch_add(1, Ordering::Relaxed);
    }

    /// What was taken down since the last time, and forgets it. `None`: nothing.
    pub(super) fn take(&self) -> Option<Quantiles> {
        let counts: Vec<u32> = self
            .0
            .iter()
            .map(|n| n.swap(0, Ordering::Relaxed))
            .collect();
        let all: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        let at = |percent: u64| {
            let mut left = (all * percent).div_ceil(100);
            let found = counts.iter().position(|count| {
                left = left.saturating_sub((*count).into());
                left == 0
            });
            microseconds(found.unwrap_or(0))
        };
        (all > 0).then(|| Quantiles {
            p50: at(50),
            p99: at(99),
            most: at(100),
        })
    }
}

/// Of nanoseconds, the highest bit and the five bits below it.
fn bucket(took: Duration) -> usize {
    let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
    let above = (64 - nanoseconds.leading_zeros()).saturating_sub(STEPS.ilog2() + 1);
    let step = usize::try_from(nanoseconds >> above).unwrap_or(usize::MAX);
    (above as usize * STEPS + step).min(BUCKETS - 1)
}

/// The middle of a bucket.
fn microseconds(bucket: usize) -> f64 {
    let above = (bucket / STEPS).saturating_sub(1);
    #[expect(clippy::cast_precision_loss, reason = "at most 63")]
    let step = (bucket - above * STEPS) as f64 + if above > 0 { 0.5 } else { 0.0 };
    step * 2_f64.powi(i32::try_from(above).unwrap_or(0)) / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_to_three_in_a_hundred() {
        let histogram = Histogram::default();
        for nanoseconds in [0, 1, 31, 32, 33, 64, 999, 12_345, 1_000_000, 40_000_000_000] {
            histogram.add(Duration::from_nanos(nanoseconds));
            let told = histogram.take().expect("one").p50 * 1e3;
            #[expect(clippy::cast_precision_loss, reason = "small")]
            let off = (told - nanoseconds as f64).abs();
            #[expect(clippy::cast_precision_loss, reason = "small")]
            let allowed = nanoseconds as f64 * 0.03 + 0.6;
            assert!(off <= allowed, "{nanoseconds} was told as {told}");
        }
        assert_eq!(histogram.take(), None, "they are forgotten");
    }

    #[test]
    fn the_middle_and_the_end_are_told() {
        let histogram = Histogram::default();
        for microseconds in 1..=1_000 {
            histogram.add(Duration::from_micros(microseconds));
        }
        let told = histogram.take().expect("there are some");
        assert!((485.0..515.0).contains(&told.p50), "{told:?}");
        assert!((960.0..1_020.0).contains(&told.p99), "{told:?}");
        assert!((970.0..1_030.0).contains(&told.most), "{told:?}");
    }

    #[test]
    fn no_time_is_too_long() {
        let histogram = Histogram::default();
        histogram.add(Duration::MAX);
        assert!(histogram.take().expect("one").most > 1e9);
    }
}
