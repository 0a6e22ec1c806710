//! A dot for each point, smaller and fainter the more there are.

use crate::layout::Frame;
use crate::limits::MAX_DOTS;
use crate::palette::style;
use crate::plot::Plot;
use crate::scene::{Point, Scene, Shape};
use crate::thin;

/// Draws the dots of each series.
pub(crate) fn draw(plot: &Plot, frame: &Frame, scene: &mut Scene) {
    let each = MAX_DOTS / plot.data.series.len().max(1);
    let total: usize = plot
        .data
        .series
        .iter()
        .map(|named| named.points.len())
        .sum();
    let (radius, opacity) = match total {
        0..200 => (4.5, 0.8),
        200..2000 => (3.0, 0.6),
        _ => (2.0, 0.45),
    };
    for (index, named) in plot.data.series.iter().enumerate() {
        let style = style(index);
        let points = named
            .points
            .iter()
            .filter_map(|&(x, y)| Some(frame.point(plot, x, y?)));
        let points: Vec<Point> = thin::dots(points.collect(), each);
        scene.shapes.push(Shape::Dots {
            at: points,
            radius,
            fill: style.colour,
            opacity,
            hollow: style.second,
        });
    }
}
