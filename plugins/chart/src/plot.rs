//! A chart before it has pixels: scales, names and what is drawn between them.

use crate::bins::Bins;
use crate::data::{Data, short};
use crate::failure;
use crate::limits::SIDES;
use crate::request::{Kind, Request};
use crate::scale::{self, Scale};
use toolhost_sdk::ToolError;

/// Pixels between two ticks of the vertical axis, about.
const TICK_DISTANCE: u32 = 65;

/// A chart, ready to be laid out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plot {
    /// The kind.
    pub(crate) kind: Kind,
    /// Width and height in pixels.
    pub(crate) size: (u32, u32),
    /// The heading; may be empty.
    pub(crate) title: String,
    /// What the horizontal axis shows; may be empty.
    pub(crate) x_label: String,
    /// What the vertical axis shows; may be empty.
    pub(crate) y_label: String,
    /// The data.
    pub(crate) data: Data,
    /// The ranges of a histogram.
    pub(crate) bins: Option<Bins>,
    /// The horizontal axis.
    pub(crate) x: Scale,
    /// The vertical axis.
    pub(crate) y: Scale,
}

impl Plot {
    /// The chart that `request` describes.
    ///
    /// # Errors
    /// When the data or the settings cannot be drawn.
    pub(crate) fn new(request: &Request) -> Result<Self, ToolError> {
        let size = (
            side("width", request.width)?,
            side("height", request.height)?,
        );
        let data = Data::read(request)?;
        check_settings(request, &data)?;
        let bins = (request.kind == Kind::Histogram).then(|| Bins::count(&data, request.bins));
        let target = y_target(size.1);
        let text = |text: &Option<String>| text.as_deref().map(short).unwrap_or_default();
        let mut plot = Self {
            kind: request.kind,
            size,
            title: text(&request.title),
            x_label: text(&request.x_label),
            y_label: text(&request.y_label),
            x: horizontal(request, &data, bins.as_ref()),
            y: vertical(request, &data, bins.as_ref(), target),
            data,
            bins,
        };
        if plot.kind == Kind::Histogram && plot.y_label.is_empty() {
            "count".clone_into(&mut plot.y_label);
        }
        Ok(plot)
    }

    /// About how many ticks the vertical axis has.
    pub(crate) fn y_target(&self) -> usize {
        y_target(self.size.1)
    }
}

fn y_target(height: u32) -> usize {
    (height / TICK_DISTANCE).clamp(3, 10) as usize
}

fn side(name: &str, side: u32) -> Result<u32, ToolError> {
    if SIDES.contains(&side) {
        return Ok(side);
    }
    let (least, most) = (SIDES.start(), SIDES.end());
    Err(failure::settings(format!(
        "`{name}` may be from {least} to {most} pixels, got {side}"
    )))
}

fn check_settings(request: &Request, data: &Data) -> Result<(), ToolError> {
    if request.bins.is_some() && request.kind != Kind::Histogram {
        return Err(failure::settings(
            "`bins` is for `type` `histogram`; leave it out",
        ));
    }
    if request.bins == Some(0) {
        return Err(failure::settings(
            "`bins` is at least 1; leave it out to let the data decide",
        ));
    }
    if request.log_x && request.kind == Kind::Histogram {
        return Err(failure::settings(
            "a histogram has no logarithmic horizontal axis; give the logarithms in `y`",
        ));
    }
    if request.log_x && data.labels.is_some() {
        return Err(failure::settings(
            "`logX` needs numbers in `x` of each series; here the axis has labels",
        ));
    }
    Ok(())
}

fn horizontal(request: &Request, data: &Data, bins: Option<&Bins>) -> Scale {
    if let Some(bins) = bins {
        return Scale::Linear(bins.edge(0), bins.edge(bins.len()));
    }
    if let Some(labels) = &data.labels {
        return Scale::Band(labels.len());
    }
    let (low, high) = data.x_range();
    match request.kind {
        _ if request.log_x => scale::logarithmic(low, high),
        // A dot on the edge would be cut in two.
        Kind::Scatter => scale::exact(low - (high - low) * 0.03, high + (high - low) * 0.03),
        _ => scale::exact(low, high),
    }
}

fn vertical(request: &Request, data: &Data, bins: Option<&Bins>, target: usize) -> Scale {
    #[expect(clippy::cast_precision_loss, reason = "a count of at most 200,000")]
    let (low, high) = bins.map_or_else(|| data.y_range(), |bins| (0.0, bins.highest() as f64));
    if request.log_y {
        // The lowest bar must have a height.
        let low = match request.kind {
            Kind::Histogram => 0.5,
            Kind::Bar => low * 0.5,
            Kind::Line | Kind::Scatter => low,
        };
        return scale::logarithmic(low, high);
    }
    let from_zero = matches!(request.kind, Kind::Bar | Kind::Histogram);
    // Close to zero the eye takes the bottom for zero, so it had better be.
    let near_zero = low > 0.0 && low < 0.3 * high;
    let low = if from_zero || near_zero {
        low.min(0.0)
    } else {
        low
    };
    let high = if from_zero || (high < 0.0 && high > 0.3 * low) {
        high.max(0.0)
    } else {
        high
    };
    // A bar has room for its value beyond its end.
    let room = if request.kind == Kind::Bar { 1.06 } else { 1.0 };
    scale::rounded(low * room, high * room, target)
}
