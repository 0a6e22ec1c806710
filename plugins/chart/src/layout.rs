//! Where things go: the frame that the data fills, and the texts around it.

use crate::failure;
use crate::font::{Fonts, Weight};
use crate::legend::Legend;
use crate::palette::{LABEL_SIZE, TICK_SIZE, TITLE_SIZE};
use crate::plot::Plot;
use crate::request::Kind;
use crate::scale::{Scale, Tick};
use crate::scene::Point;
use crate::x_axis::XAxis;
use toolhost_sdk::ToolError;

/// Free space along the edges, in pixels.
const PADDING: f64 = 18.0;

/// Height of a line of the title.
const TITLE_LINE: f64 = 26.0;

/// Widest label of the vertical axis, as a share of the picture.
const MAX_TICK_SHARE: f64 = 0.3;

/// The area that the data fills.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    /// Its left edge.
    pub(crate) left: f64,
    /// Its upper edge.
    pub(crate) top: f64,
    /// Its width.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
}

/// A plot with its places.
pub(crate) struct Layout {
    /// The frame of the data.
    pub(crate) frame: Frame,
    /// The lines of the title with the baselines they stand on.
    pub(crate) title: Vec<(Point, String)>,
    /// The legend, if the series have names.
    pub(crate) legend: Option<Legend>,
    /// Ticks of the vertical axis.
    pub(crate) y_ticks: Vec<Tick>,
    /// Labels of the horizontal axis.
    pub(crate) x_axis: XAxis,
}

impl Frame {
    /// The right edge.
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    /// The lower edge.
    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The pixel column of a place from 0 to 1.
    pub(crate) fn column(&self, place: f64) -> f64 {
        self.left + place.clamp(-0.01, 1.01) * self.width
    }

    /// The pixel row of a place from 0, the bottom, to 1.
    pub(crate) fn row(&self, place: f64) -> f64 {
        self.bottom() - place.clamp(-0.01, 1.01) * self.height
    }

    /// The pixel of a value.
    pub(crate) fn point(&self, plot: &Plot, x: f64, y: f64) -> Point {
        (self.column(plot.x.place(x)), self.row(plot.y.place(y)))
    }
}

impl Layout {
    /// Finds a place for everything in `plot`.
    ///
    /// # Errors
    /// When the picture is too small for its texts.
    pub(crate) fn new(plot: &Plot, fonts: &Fonts) -> Result<Self, ToolError> {
        let (width, height) = (f64::from(plot.size.0), f64::from(plot.size.1));
        let mut top = PADDING;
        let title = title(plot, fonts, width, &mut top);
        let y_ticks = y_ticks(plot, fonts, width);
        let widest = widest(&y_ticks, fonts);
        let y_name = if plot.y_label.is_empty() {
            0.0
        } else {
            LABEL_SIZE + 9.0
        };
        let left = (PADDING + y_name + widest + 8.0).ceil();
        let legend = Legend::new(plot, fonts, left, top, width - PADDING);
        top += match &legend {
            Some(legend) => legend.height() + 8.0,
            None if title.is_empty() => 0.0,
            None => 8.0,
        };
        // The highest label of the vertical axis reaches above the frame.
        top = top.max(PADDING + TICK_SIZE / 2.0).ceil();
        let right = width - PADDING - 6.0;
        let x_axis = XAxis::new(plot, fonts, left, right - left);
        let right = right.min(width - x_axis.overhang() - 4.0).floor();
        let x_name = if plot.x_label.is_empty() {
            0.0
        } else {
            LABEL_SIZE + 10.0
        };
        let bottom = (height - PADDING - x_name - x_axis.height() + 4.0).floor();
        let frame = Frame {
            left,
            top,
            width: right - left,
            height: bottom - top,
        };
        if frame.width < 60.0 || frame.height < 50.0 {
            return Err(failure::settings(format!(
                "a picture of {} × {} pixels has no room for these texts; raise `width` and `height`, or shorten the \
                 title, the labels and the names of the series",
                plot.size.0, plot.size.1
            )));
        }
        Ok(Self {
            frame,
            title,
            legend,
            y_ticks,
            x_axis,
        })
    }
}

fn title(plot: &Plot, fonts: &Fonts, width: f64, top: &mut f64) -> Vec<(Point, String)> {
    let lines = fonts.wrap(
        &plot.title,
        TITLE_SIZE,
        Weight::Bold,
        width - 2.0 * PADDING,
        2,
    );
    let mut placed = Vec::new();
    for line in lines {
        placed.push(((PADDING, *top + TITLE_SIZE * 0.8), line));
        *top += TITLE_LINE;
    }
    if !placed.is_empty() {
        *top += 8.0;
    }
    placed
}

fn y_ticks(plot: &Plot, fonts: &Fonts, width: f64) -> Vec<Tick> {
    let mut ticks = plot.y.ticks(plot.y_target());
    // Counts are whole.
    if plot.kind == Kind::Histogram && matches!(plot.y, Scale::Linear(..)) {
        ticks.retain(|tick| (tick.value - tick.value.round()).abs() < 1e-9);
        for tick in &mut ticks {
            tick.label = crate::number::by_step(tick.value, 1.0, 1.0);
        }
    }
    for tick in &mut ticks {
        tick.label = fonts.fit(
            &tick.label,
            TICK_SIZE,
            Weight::Regular,
            width * MAX_TICK_SHARE,
        );
    }
    ticks
}

fn widest(ticks: &[Tick], fonts: &Fonts) -> f64 {
    ticks
        .iter()
        .map(|tick| fonts.width(&tick.label, TICK_SIZE, Weight::Regular))
        .fold(0.0, f64::max)
}
