//! Bars without gaps, as high as the number of values in each range.

use crate::bins::Bins;
use crate::layout::Frame;
use crate::palette::style;
use crate::plot::Plot;
use crate::scene::Scene;

/// Draws the ranges of each series, see-through when there are several.
pub(crate) fn draw(plot: &Plot, bins: &Bins, frame: &Frame, scene: &mut Scene) {
    let opacity = if bins.counts.len() > 1 { 0.55 } else { 0.9 };
    let bottom = frame.bottom();
    for (index, counts) in bins.counts.iter().enumerate() {
        let colour = style(index).colour;
        for (bin, &count) in counts.iter().enumerate() {
            if count == 0 {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "a count of at most 200,000")]
            let (left, top) = frame.point(plot, bins.edge(bin), count as f64);
            let right = frame.column(plot.x.place(bins.edge(bin + 1)));
            let (left, right) = (left.round(), right.round());
            let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
            let height = (bottom - top).max(1.0);
            scene.rect(
                (left, bottom - height),
                (right - left - gap).max(0.5),
                height,
                colour,
                opacity,
            );
        }
    }
}
