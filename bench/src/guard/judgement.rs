//! What was counted of a case, beside what it was before.

use std::fmt;

use super::count::Case;

/// How much more a call may take before somebody has to look. Less is not always
/// real: hash tables differ from run to run.
pub(super) const ALLOWED_PERCENT: f64 = 5.0;

/// The instructions of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judgement {
    /// What kind of call.
    pub(super) case: Case,
    /// Its instructions now.
    pub(super) counted: u64,
    /// The committed figure. `None`: there is none yet.
    expected: Option<u64>,
}

impl Judgement {
    pub(super) fn new(case: Case, counted: u64, expected: Option<u64>) -> Self {
        Self {
            case,
            counted,
            expected,
        }
    }

    /// Whether it takes more than it may. A case without a figure fails too: it
    /// would never be guarded.
    pub(super) fn is_dearer(&self) -> bool {
        self.change()
            .is_none_or(|percent| percent > ALLOWED_PERCENT)
    }

    /// Whether it takes so much less that the figure guards nothing any more.
    pub(super) fn is_cheaper(&self) -> bool {
        self.change()
            .is_some_and(|percent| percent < -ALLOWED_PERCENT)
    }

    /// Per cent more than before.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn change(&self) -> Option<f64> {
        let expected = self.expected.filter(|expected| *expected > 0)? as f64;
        Some((self.counted as f64 - expected) * 100.0 / expected)
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.case.name();
        write!(f, "{name:8} {:>10} instructions a call", self.counted)?;
        match (self.expected, self.change()) {
            (Some(expected), Some(change)) => write!(f, ", {change:+.1} % of {expected}"),
            _ => f.write_str(", no figure yet"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judgement(counted: u64) -> Judgement {
        Judgement::new(Case::Good, counted, Some(100_000))
    }

    #[test]
    fn five_per_cent_more_is_let_pass_and_no_more() {
        assert!(!judgement(105_000).is_dearer());
        assert!(judgement(105_100).is_dearer());
        assert!(!judgement(90_000).is_dearer());
    }

    #[test]
    fn a_figure_that_guards_nothing_is_told() {
        assert!(judgement(94_000).is_cheaper());
        assert!(!judgement(96_000).is_cheaper());
    }

    #[test]
    fn a_case_without_a_figure_does_not_pass_in_silence() {
        assert!(Judgement::new(Case::Load, 1, None).is_dearer());
    }

    #[test]
    fn the_line_says_by_how_much() {
        let line = judgement(110_000).to_string();
        assert!(
            line.ends_with("110000 instructions a call, +10.0 % of 100000"),
            "{line}"
        );
    }
}
