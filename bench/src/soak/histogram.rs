//! How often calls took how long, in a fixed amount of memory: what watches memory
//! may not grow itself.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Digits that a time is told to.
const DIGITS: u8 = 2;

/// Twenty minutes in nanoseconds; longer times count as that.
const LONGEST: u64 = 1_200_000_000_000;

/// Times are taken down by very many tasks at once.
pub(super) struct Histogram(Mutex<hdrhistogram::Histogram<u64>>);

impl Default for Histogram {
    fn default() -> Self {
        let empty = hdrhistogram::Histogram::new_with_max(LONGEST, DIGITS);
        Self(Mutex::new(empty.expect("the bounds are constants")))
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
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.saturating_record(nanoseconds);
    }

    /// What was taken down since the last time, and forgets it. `None`: nothing.
    pub(super) fn take(&self) -> Option<Quantiles> {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let at = |quantile| times.value_at_quantile(quantile) as f64 / 1e3;
        let told = (!times.is_empty()).then(|| Quantiles {
            p50: at(0.5),
            p99: at(0.99),
            most: at(1.0),
        });
        times.reset();
        told
    }
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
