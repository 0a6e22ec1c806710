//! The bounds of a chart. Arguments come from a model: each bound keeps the
//! time, the memory or the size of the result in hand, or the chart readable.

use std::ops::RangeInclusive;

/// Most series. More cannot be told apart.
pub(crate) const MAX_SERIES: usize = 16;

/// Most values over all series.
pub(crate) const MAX_POINTS: usize = 200_000;

/// Most bars. More are thinner than a pixel or two.
pub(crate) const MAX_BARS: usize = 500;

/// Most ranges of a histogram.
pub(crate) const MAX_BINS: usize = 200;

/// Most dots drawn; dots on the same pixel count once.
pub(crate) const MAX_DOTS: usize = 10_000;

/// Longest text taken into account, in characters.
pub(crate) const MAX_TEXT_CHARS: usize = 200;

/// Width and height, in pixels.
pub(crate) const SIDES: RangeInclusive<u32> = 200..=1600;

/// Largest number on a linear axis: the width of an axis must be a number too.
pub(crate) const MAX_MAGNITUDE: f64 = 1e300;

/// Most bytes of all pictures of a chart together; the host takes 1 MiB.
pub(crate) const MAX_OUTPUT_BYTES: usize = 900 << 10;
