//! Bars that rise from zero, those of one label side by side.

use crate::font::{Fonts, Weight};
use crate::layout::Frame;
use crate::number;
use crate::palette::{INK, TICK_SIZE, style};
use crate::plot::Plot;
use crate::scene::{Anchor, Scene, Text};

/// The part of a place that its bars fill.
const FILLED: f64 = 0.76;

/// Widest bar in pixels.
const MAX_WIDTH: f64 = 96.0;

/// Most bars that have their value written on them.
const MAX_VALUES: usize = 40;

/// Draws a group of bars for each label.
pub(crate) fn draw(plot: &Plot, frame: &Frame, fonts: &Fonts, scene: &mut Scene) {
    let places = plot.data.labels.as_ref().map_or(1, Vec::len).max(1);
    let series = plot.data.series.len();
    #[expect(clippy::cast_precision_loss, reason = "at most 500 bars")]
    let (slot, many) = (frame.width / places as f64, series as f64);
    let width = (slot * FILLED / many).min(MAX_WIDTH);
    let gap = if width > 6.0 { 1.0 } else { 0.0 };
    let base = frame.row(plot.y.base());
    let values = values_fit(plot, fonts, width * many.sqrt().min(1.2));
    for (index, named) in plot.data.series.iter().enumerate() {
        let style = style(index);
        let opacity = if style.second { 0.5 } else { 1.0 };
        #[expect(clippy::cast_precision_loss, reason = "at most 16 series")]
        let offset = (index as f64 - many / 2.0) * width;
        for &(x, y) in &named.points {
            let Some(y) = y else { continue };
            let (middle, tip) = frame.point(plot, x, y);
            let (left, right) = (
                (middle + offset).round(),
                (middle + offset + width - gap).round(),
            );
            // A bar that is nearly zero is still to be seen.
            let height = (base - tip).abs().max(if y == 0.0 { 0.0 } else { 1.0 });
            let top = if tip <= base { base - height } else { base };
            scene.rect(
                (left, top),
                (right - left).max(0.5),
                height,
                style.colour,
                opacity,
            );
            if values {
                let beyond = if tip <= base {
                    top - 6.0
                } else {
                    top + height + TICK_SIZE + 2.0
                };
                let place = (f64::midpoint(left, right), beyond);
                scene.text(
                    Text::new(place, number::plain(y), TICK_SIZE, INK).anchored(Anchor::Middle),
                );
            }
        }
    }
}

/// Whether there are few enough bars, and wide enough ones, for their values.
fn values_fit(plot: &Plot, fonts: &Fonts, width: f64) -> bool {
    let bars = plot.data.values().count();
    let widest = plot
        .data
        .values()
        .map(|value| fonts.width(&number::plain(value), TICK_SIZE, Weight::Regular));
    bars <= MAX_VALUES && widest.fold(0.0, f64::max) + 2.0 <= width
}
