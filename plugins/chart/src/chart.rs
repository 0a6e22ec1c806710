//! A chart from its request to its pictures.

use crate::failure;
use crate::font::{Fonts, Weight};
use crate::layout::{Frame, Layout};
use crate::limits::MAX_OUTPUT_BYTES;
use crate::mark;
use crate::palette::{AXIS, FAINT, GRID, INK, LABEL_SIZE, STRONG, TICK_SIZE, TITLE_SIZE};
use crate::plot::Plot;
use crate::request::{Format, Kind, Request};
use crate::scene::{Anchor, Scene, Text};
use crate::summary::{missing_letters, summary};
use crate::{raster, svg};
use toolhost_sdk::ToolError;

/// A drawn chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// The picture, if it was asked for.
    pub png: Option<Vec<u8>>,
    /// The SVG document, if it was asked for.
    pub svg: Option<String>,
    /// What the chart shows, in words.
    pub summary: String,
}

impl Chart {
    /// Draws what `request` describes.
    ///
    /// # Errors
    /// When the data or the settings cannot be drawn; the message says what to
    /// change.
    pub fn draw(request: &Request) -> Result<Self, ToolError> {
        let plot = Plot::new(request)?;
        let fonts = Fonts::embedded();
        let summary = summary(&plot);
        let missing = missing_letters(&plot, &fonts).filter(|_| request.format != Format::Svg);
        let scene = scene(&plot, &fonts, summary.clone())?;
        let png = match request.format {
            Format::Png | Format::Both => Some(raster::write(&scene, &fonts)?),
            Format::Svg => None,
        };
        let svg = match request.format {
            Format::Svg | Format::Both => Some(svg::write(&scene)),
            Format::Png => None,
        };
        let bytes = png.as_ref().map_or(0, Vec::len) + svg.as_ref().map_or(0, String::len);
        if bytes > MAX_OUTPUT_BYTES {
            let (kib, most) = (bytes >> 10, MAX_OUTPUT_BYTES >> 10);
            return Err(failure::output(format!(
                "the chart takes {kib} KiB, and {most} KiB is the most; take one format, a smaller `width` and `height`, \
                 or fewer points"
            )));
        }
        let summary = match missing {
            Some(missing) => format!("{summary}; {missing}"),
            None => summary,
        };
        Ok(Self { png, svg, summary })
    }
}

fn scene(plot: &Plot, fonts: &Fonts, description: String) -> Result<Scene, ToolError> {
    let layout = Layout::new(plot, fonts)?;
    let mut scene = Scene {
        width: plot.size.0,
        height: plot.size.1,
        shapes: Vec::new(),
        description,
    };
    grid(plot, &layout, &mut scene);
    let frame = &layout.frame;
    match (plot.kind, &plot.bins) {
        (Kind::Histogram, Some(bins)) => {
            mark::histogram::draw(plot, bins, frame, &mut scene);
            base(plot, &layout, &mut scene);
        }
        (Kind::Bar, _) => {
            mark::bar::draw(plot, frame, fonts, &mut scene);
            base(plot, &layout, &mut scene);
        }
        (Kind::Scatter, _) => {
            base(plot, &layout, &mut scene);
            mark::scatter::draw(plot, frame, &mut scene);
        }
        (Kind::Line | Kind::Histogram, _) => {
            base(plot, &layout, &mut scene);
            mark::line::draw(plot, frame, &mut scene);
        }
    }
    axes(plot, &layout, &mut scene);
    names(plot, &layout, fonts, &mut scene);
    Ok(scene)
}

/// The lines behind the data.
fn grid(plot: &Plot, layout: &Layout, scene: &mut Scene) {
    let frame = &layout.frame;
    for tick in &layout.y_ticks {
        let y = crisp(frame.row(plot.y.place(tick.value)));
        scene.line((frame.left, y), (frame.right(), y), GRID, 1.0);
    }
    if plot.data.labels.is_none() && plot.kind != Kind::Histogram {
        for (place, _) in &layout.x_axis.labels {
            let x = crisp(frame.column(*place));
            scene.line((x, frame.top), (x, frame.bottom()), GRID, 1.0);
        }
    }
}

/// The line that bars rise from; behind lines and dots, before bars.
fn base(plot: &Plot, layout: &Layout, scene: &mut Scene) {
    let frame = &layout.frame;
    let hangs = matches!(plot.kind, Kind::Bar);
    let place = plot.y.base();
    let y = crisp(frame.row(if place < 1.0 || hangs { place } else { 0.0 }));
    scene.line((frame.left, y), (frame.right(), y), AXIS, 1.0);
}

/// The lines and labels that the data is read against.
fn axes(plot: &Plot, layout: &Layout, scene: &mut Scene) {
    let frame = &layout.frame;
    if plot.data.labels.is_none() {
        for (place, _) in &layout.x_axis.labels {
            let x = crisp(frame.column(*place));
            scene.line((x, frame.bottom()), (x, frame.bottom() + 5.0), AXIS, 1.0);
        }
    }
    for tick in &layout.y_ticks {
        let place = (
            frame.left - 8.0,
            frame.row(plot.y.place(tick.value)) + TICK_SIZE * 0.36,
        );
        scene.text(Text::new(place, tick.label.clone(), TICK_SIZE, FAINT).anchored(Anchor::End));
    }
    layout.x_axis.draw(frame, scene);
}

/// The title, the legend and the names of the axes.
fn names(plot: &Plot, layout: &Layout, fonts: &Fonts, scene: &mut Scene) {
    for (at, line) in &layout.title {
        let text = Text::new(*at, line.clone(), TITLE_SIZE, STRONG);
        scene.text(Text {
            weight: Weight::Bold,
            ..text
        });
    }
    if let Some(legend) = &layout.legend {
        legend.draw(plot.kind, scene);
    }
    let Frame {
        left,
        top,
        width,
        height,
    } = layout.frame;
    if !plot.x_label.is_empty() {
        let text = fonts.fit(&plot.x_label, LABEL_SIZE, Weight::Regular, width);
        let place = (left + width / 2.0, f64::from(plot.size.1) - 16.0);
        scene.text(Text::new(place, text, LABEL_SIZE, INK).anchored(Anchor::Middle));
    }
    if !plot.y_label.is_empty() {
        let text = fonts.fit(&plot.y_label, LABEL_SIZE, Weight::Regular, height);
        let place = (18.0 + LABEL_SIZE * 0.8, top + height / 2.0);
        let text = Text::new(place, text, LABEL_SIZE, INK).anchored(Anchor::Middle);
        scene.text(Text {
            turn: -90.0,
            ..text
        });
    }
}

/// The middle of a pixel: a line of one pixel there is not blurred over two.
fn crisp(place: f64) -> f64 {
    place.floor() + 0.5
}

#[cfg(test)]
mod tests;
