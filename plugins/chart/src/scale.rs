//! From a value to a place on an axis, and the marks that label the axis.

use crate::number;

/// A labelled place on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    /// The value there.
    pub(crate) value: f64,
    /// What is written there.
    pub(crate) label: String,
}

/// How values lie along an axis.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scale {
    /// Evenly, from the first value to the second.
    Linear(f64, f64),
    /// By their logarithm, from the first power of ten to the second.
    Log(f64, f64),
    /// In as many places of equal width; value 0 is the middle of the first.
    Band(usize),
}

impl Scale {
    /// Where `value` is: 0 at the beginning of the axis, 1 at its end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        match *self {
            Self::Linear(low, high) => (value - low) / (high - low),
            Self::Log(from, to) => (value.log10() - from) / (to - from),
            #[expect(clippy::cast_precision_loss, reason = "labels are far fewer than 2^52")]
            Self::Band(places) => (value + 0.5) / places as f64,
        }
    }

    /// Where bars start.
    pub(crate) fn base(&self) -> f64 {
        match *self {
            // Without a zero in sight bars hang from the top when all are negative.
            Self::Linear(low, high) => self.place(0f64.clamp(low, high)),
            Self::Log(..) | Self::Band(_) => 0.0,
        }
    }

    /// About `target` ticks. A band has none: its labels belong to the data.
    pub(crate) fn ticks(&self, target: usize) -> Vec<Tick> {
        match *self {
            Self::Linear(low, high) => linear_ticks(low, high, target),
            Self::Log(from, to) => log_ticks(from, to, target),
            Self::Band(_) => Vec::new(),
        }
    }
}

/// A linear scale over `low..=high` that begins and ends on a tick.
pub(crate) fn rounded(low: f64, high: f64, target: usize) -> Scale {
    let (low, high) = apart(low, high);
    let step = step(high - low, target);
    Scale::Linear(
        (low / step + 1e-9).floor() * step,
        (high / step - 1e-9).ceil() * step,
    )
}

/// A linear scale over exactly `low..=high`, or a little more if they are one.
pub(crate) fn exact(low: f64, high: f64) -> Scale {
    let (low, high) = apart(low, high);
    Scale::Linear(low, high)
}

/// A logarithmic scale over `low..=high`, both positive, ending on powers of
/// ten unless that would leave most of it empty.
pub(crate) fn logarithmic(low: f64, high: f64) -> Scale {
    let (from, to) = (low.log10(), high.log10());
    let (below, above) = ((from + 1e-9).floor(), (to - 1e-9).ceil());
    if to - from > 0.5 * (above - below) {
        return Scale::Log(below, above);
    }
    let slack = ((to - from) * 0.05).max(0.05);
    Scale::Log(from - slack, to + slack)
}

/// The smallest of 1, 2, 5, 10 … that divides `span` into at most `target`
/// parts.
pub(crate) fn step(span: f64, target: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a handful of ticks")]
    let rough = span / target.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let factor = match rough / power {
        f if f <= 1.0 + 1e-9 => 1.0,
        f if f <= 2.0 + 1e-9 => 2.0,
        f if f <= 5.0 + 1e-9 => 5.0,
        _ => 10.0,
    };
    power * factor
}

/// The bounds, moved apart when they are one or too close to tell apart.
fn apart(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if high - low > largest * 1e-9 && high - low > 1e-300 {
        return (low, high);
    }
    let slack = if largest < 1e-290 { 1.0 } else { largest * 0.1 };
    (low - slack, high + slack)
}

fn linear_ticks(low: f64, high: f64, target: usize) -> Vec<Tick> {
    let step = step(high - low, target);
    let first = (low / step - 1e-6).ceil();
    let largest = low.abs().max(high.abs());
    let mut ticks = Vec::new();
    for index in 0..=target.saturating_mul(2) {
        #[expect(clippy::cast_precision_loss, reason = "a handful of ticks")]
        let value = (first + index as f64) * step;
        if value > high + step * 1e-6 {
            break;
        }
        ticks.push(Tick {
            value,
            label: number::by_step(value, step, largest),
        });
    }
    ticks
}

fn log_ticks(from: f64, to: f64, target: usize) -> Vec<Tick> {
    let decades = to - from;
    if decades < 1.0 {
        let mut ticks = linear_ticks(10f64.powf(from), 10f64.powf(to), target);
        ticks.retain(|tick| tick.value.is_finite() && tick.value > 0.0);
        return ticks;
    }
    let every = step(decades, target).max(1.0);
    let factors: &[f64] = if decades <= 2.0 && target >= 6 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let mut ticks = Vec::new();
    // The first may begin a decade before the axis and have its 2 or 5 on it.
    let mut exponent = (from / every).floor() * every;
    while exponent <= to + 1e-9 {
        for factor in factors {
            let place = exponent + factor.log10();
            let value = factor * 10f64.powf(exponent);
            if place >= from - 1e-9 && place <= to + 1e-9 && value.is_normal() {
                ticks.push(Tick {
                    value,
                    label: log_label(exponent, *factor, value),
                });
            }
        }
        exponent += every;
    }
    ticks
}

fn log_label(exponent: f64, factor: f64, value: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a decimal exponent of an f64"
    )]
    let exponent = exponent as i32;
    if factor > 1.0 {
        number::plain(value)
    } else {
        number::power_of_ten(exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale, target: usize) -> Vec<String> {
        scale
            .ticks(target)
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers_at_both_ends() {
        let scale = rounded(3.0, 97.0, 5);
        assert_eq!(scale, Scale::Linear(0.0, 100.0));
        assert_eq!(labels(&scale, 5), ["0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn a_single_value_still_has_an_axis() {
        for value in [0.0, 7.0, -1e300, 5e-324, 1e-12] {
            let scale = rounded(value, value, 5);
            let place = scale.place(value);
            assert!(
                place > 0.0 && place < 1.0,
                "{value} at {place} of {scale:?}"
            );
            assert!(scale.ticks(5).len() >= 2, "{scale:?}");
        }
    }

    #[test]
    fn the_widest_axis_has_numbers_for_ticks() {
        let scale = rounded(-1e300, 1e300, 6);
        assert!((scale.place(0.0) - 0.5).abs() < 1e-9);
        assert!(
            labels(&scale, 6).contains(&"1e300".to_owned()),
            "{:?}",
            labels(&scale, 6)
        );
    }

    #[test]
    fn a_log_axis_ends_on_powers_of_ten() {
        let scale = logarithmic(3.0, 80_000.0);
        assert_eq!(
            labels(&scale, 6),
            ["1", "10", "100", "1,000", "10,000", "100,000"]
        );
        assert!((scale.place(1000.0) - 0.6).abs() < 1e-9);
    }

    #[test]
    fn a_log_axis_over_everything_thins_its_ticks() {
        let scale = logarithmic(5e-324, 1e308);
        let ticks = labels(&scale, 6);
        assert!((3..=8).contains(&ticks.len()), "{ticks:?}");
    }

    #[test]
    fn a_short_log_axis_has_ticks_too() {
        for (low, high) in [(120.0, 180.0), (8.0, 30.0), (1.0, 1.0)] {
            let scale = logarithmic(low, high);
            assert!(
                scale.ticks(6).len() >= 2,
                "{low}..{high}: {:?}",
                scale.ticks(6)
            );
        }
    }
}
