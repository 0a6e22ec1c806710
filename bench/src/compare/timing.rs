//! Times of very many turns, and what a reader wants to know of them. The program
//! of `bench/peers` has this file too: it uses nothing but the standard library.

use std::time::Duration;

/// The times of all turns.
#[derive(Debug, Default)]
pub(crate) struct Timing(Vec<u32>);

/// What is said of them, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// Half of all took no longer.
    pub(crate) p50: f64,
    /// Of a hundred, ninety-nine took no longer.
    pub(crate) p99: f64,
    /// How many there were.
    pub(crate) count: usize,
}

impl Timing {
    /// Adds a turn. Of nanoseconds there is room for four seconds.
    pub(crate) fn add(&mut self, took: Duration) {
        self.0
            .push(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
    }

    /// `None` of no turns.
    pub(crate) fn sum(mut self) -> Option<Summary> {
        self.0.sort_unstable();
        let at = |percent: usize| {
            let index = (self.0.len() * percent / 100).min(self.0.len().checked_sub(1)?);
            Some(f64::from(*self.0.get(index)?) / 1_000.0)
        };
        Some(Summary {
            p50: at(50)?,
            p99: at(99)?,
            count: self.0.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_the_end_are_told() {
        let mut timing = Timing::default();
        for microseconds in (1..=200).rev() {
            timing.add(Duration::from_micros(microseconds));
        }
        let summary = timing.sum().expect("there are some");
        assert_eq!(
            (summary.p50, summary.p99, summary.count),
            (101.0, 199.0, 200)
        );
        assert_eq!(Timing::default().sum(), None);
    }
}
