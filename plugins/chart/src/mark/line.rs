//! Points joined from left to right, with dots as long as they are few.

use crate::layout::Frame;
use crate::limits::MAX_DOTS;
use crate::palette::style;
use crate::plot::Plot;
use crate::scene::{Point, Scene, Shape};
use crate::thin;

/// Least pixels between two dots; closer ones would hide the line.
const DOT_DISTANCE: f64 = 18.0;

/// Draws each series as a line that breaks at gaps.
pub(crate) fn draw(plot: &Plot, frame: &Frame, scene: &mut Scene) {
    for (index, named) in plot.data.series.iter().enumerate() {
        let style = style(index);
        let runs = named.points.split(|point| point.1.is_none());
        let runs: Vec<Vec<Point>> = runs
            .filter(|run| !run.is_empty())
            .map(|run| {
                run.iter()
                    .filter_map(|&(x, y)| Some(frame.point(plot, x, y?)))
                    .collect()
            })
            .collect();
        let drawn: usize = runs.iter().map(Vec::len).sum();
        #[expect(clippy::cast_precision_loss, reason = "at most 200,000 points")]
        let with_dots = drawn as f64 * DOT_DISTANCE <= frame.width;
        // A point between two gaps has no line to show it.
        let shown = runs.iter().filter(|run| with_dots || run.len() == 1);
        let dots: Vec<Point> = shown.flatten().copied().collect();
        for run in runs.into_iter().filter(|run| run.len() > 1) {
            scene.shapes.push(Shape::Polyline {
                points: thin::line(run),
                stroke: style.colour,
                width: 2.2,
                dashed: style.second,
            });
        }
        if !dots.is_empty() {
            let dots = thin::dots(dots, MAX_DOTS);
            let fill = style.colour;
            scene.shapes.push(Shape::Dots {
                at: dots,
                radius: 3.5,
                fill,
                opacity: 1.0,
                hollow: style.second,
            });
        }
    }
}
