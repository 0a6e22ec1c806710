//! Colours and sizes: one place for how a chart looks.

use crate::scene::Colour;

/// Colours of series, after Okabe and Ito: told apart with any colour vision.
const SERIES: [Colour; 8] = [
    Colour(0x00, 0x72, 0xB2),
    Colour(0xD5, 0x5E, 0x00),
    Colour(0x00, 0x9E, 0x73),
    Colour(0xCC, 0x79, 0xA7),
    Colour(0xE6, 0x9F, 0x00),
    Colour(0x56, 0xB4, 0xE9),
    Colour(0x33, 0x33, 0x33),
    Colour(0x8F, 0x7A, 0x00),
];

/// Titles.
pub(crate) const STRONG: Colour = Colour(0x1F, 0x23, 0x28);
/// Names of axes, names in the legend, values on bars.
pub(crate) const INK: Colour = Colour(0x3D, 0x44, 0x4D);
/// Labels of ticks.
pub(crate) const FAINT: Colour = Colour(0x59, 0x63, 0x6E);
/// Lines of the grid.
pub(crate) const GRID: Colour = Colour(0xE6, 0xE8, 0xEB);
/// The line from which bars rise, and the horizontal axis.
pub(crate) const AXIS: Colour = Colour(0x8C, 0x95, 0x9F);

/// Sizes of letters in pixels.
pub(crate) const TITLE_SIZE: f64 = 19.0;
/// Names of axes and in the legend.
pub(crate) const LABEL_SIZE: f64 = 13.0;
/// Labels of ticks and values on bars.
pub(crate) const TICK_SIZE: f64 = 12.0;

/// The look of series number `index`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    /// Its colour.
    pub(crate) colour: Colour,
    /// Dashed, hollow or lighter, when the colours begin anew.
    pub(crate) second: bool,
}

/// The look of series number `index`, from 0.
pub(crate) fn style(index: usize) -> Style {
    Style {
        colour: SERIES[index % SERIES.len()],
        second: index >= SERIES.len(),
    }
}
