//! How the values of a histogram fall into ranges of equal width.

use crate::data::{Data, range};
use crate::limits::MAX_BINS;
use crate::scale;

/// Ranges of equal width and how many values each series has in them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bins {
    /// Where the first range begins.
    pub(crate) start: f64,
    /// How wide each range is.
    pub(crate) width: f64,
    /// For each series, the count of each range.
    pub(crate) counts: Vec<Vec<u64>>,
}

impl Bins {
    /// Counts the values of `data` in `wanted` ranges, or in as many as suit
    /// them, with round bounds.
    pub(crate) fn count(data: &Data, wanted: Option<u32>) -> Self {
        let mut values: Vec<f64> = data.values().collect();
        values.sort_by(f64::total_cmp);
        let (low, high) = range(values.iter().copied());
        let (start, width, bins) = match wanted {
            Some(bins) if high > low => even(low, high, bins),
            _ => round(&values, low, high),
        };
        let index = |value: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "casting saturates, and is cut"
            )]
            let index = ((value - start) / width + 1e-9).floor().max(0.0) as usize;
            index.min(bins - 1)
        };
        let mut counts = vec![vec![0; bins]; data.series.len()];
        for (counts, named) in counts.iter_mut().zip(&data.series) {
            for value in named.values() {
                counts[index(value)] += 1;
            }
        }
        Self {
            start,
            width,
            counts,
        }
    }

    /// Where range number `index` begins.
    pub(crate) fn edge(&self, index: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "at most 200 ranges")]
        let index = index as f64;
        self.start + index * self.width
    }

    /// How many ranges there are.
    pub(crate) fn len(&self) -> usize {
        self.counts.first().map_or(0, Vec::len)
    }

    /// The largest count.
    pub(crate) fn highest(&self) -> u64 {
        self.counts.iter().flatten().copied().max().unwrap_or(0)
    }
}

/// `bins` ranges from exactly `low` to `high`.
fn even(low: f64, high: f64, bins: u32) -> (f64, f64, usize) {
    let count = (bins as usize).clamp(1, MAX_BINS);
    #[expect(clippy::cast_precision_loss, reason = "at most 200 ranges")]
    let width = (high - low) / count as f64;
    (low, width, count)
}

/// Ranges with round bounds, about as wide as Freedman and Diaconis advise.
fn round(sorted: &[f64], low: f64, high: f64) -> (f64, f64, usize) {
    let span = high - low;
    if span <= low.abs().max(high.abs()) * 1e-9 || span < 1e-300 {
        let width = if low.abs() < 1e-290 {
            1.0
        } else {
            low.abs() * 0.1
        };
        return (low - width / 2.0, width, 1);
    }
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 values")]
    let many = sorted.len() as f64;
    let quartile = |part: usize| sorted[(sorted.len() - 1) * part / 4];
    let spread = quartile(3) - quartile(1);
    let advised = if spread > 0.0 {
        span / (2.0 * spread / many.cbrt())
    } else {
        many.sqrt()
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 5..=60"
    )]
    let target = advised.clamp(5.0, 60.0) as usize;
    let width = scale::step(span, target);
    let start = (low / width + 1e-9).floor() * width;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most about 60 by the choice of width"
    )]
    let bins = (((high - start) / width + 1e-9).floor() as usize + 1).clamp(1, MAX_BINS);
    (start, width, bins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Named;

    fn data(values: &[f64]) -> Data {
        let points = values.iter().map(|&value| (0.0, Some(value))).collect();
        Data {
            series: vec![Named {
                name: String::new(),
                points,
            }],
            labels: None,
        }
    }

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<f64> = (0..1000).map(|n| f64::from(n) * 0.37 - 50.0).collect();
        for wanted in [None, Some(1), Some(7), Some(100_000)] {
            let bins = Bins::count(&data(&values), wanted);
            assert_eq!(bins.counts[0].iter().sum::<u64>(), 1000, "{wanted:?}");
            assert!(bins.len() <= MAX_BINS);
        }
    }

    #[test]
    fn bounds_are_round() {
        let bins = Bins::count(&data(&[1.0, 2.0, 2.5, 3.0, 4.0, 9.0]), None);
        assert_eq!((bins.start, bins.width), (0.0, 2.0));
        assert_eq!(bins.counts[0], [1, 3, 1, 0, 1]);
    }

    #[test]
    fn values_that_are_all_the_same_have_one_range() {
        for value in [0.0, 5.0, -1e300] {
            let bins = Bins::count(&data(&[value; 4]), Some(10));
            assert_eq!(bins.counts, [[4]]);
        }
    }

    #[test]
    fn the_widest_spread_is_counted_too() {
        let bins = Bins::count(&data(&[-1e300, 0.0, 1.0, 1e300]), None);
        assert_eq!(bins.counts[0].iter().sum::<u64>(), 4);
    }
}
