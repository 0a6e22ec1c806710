//! The labels below the data: level where there is room, else turned, else
//! only some of them.

use crate::font::{Fonts, Weight};
use crate::layout::Frame;
use crate::palette::{FAINT, TICK_SIZE};
use crate::plot::Plot;
use crate::request::Kind;
use crate::scene::{Anchor, Scene, Text};

/// Space between two level labels, in pixels.
const BETWEEN: f64 = 14.0;

/// Least distance between two turned labels.
const TURNED_DISTANCE: f64 = 20.0;

/// Longest turned label.
const MAX_TURNED: f64 = 130.0;

/// Places at least this wide have level labels, cut to fit: turned ones would
/// hardly be longer.
const LEVEL_SLOT: f64 = 110.0;

/// Fewest labels that a line with named places may be thinned to.
const FEWEST: usize = 4;

/// Sine and cosine of the 45° that labels are turned by.
const SLOPE: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The labels with their places from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct XAxis {
    /// Places and labels.
    pub(crate) labels: Vec<(f64, String)>,
    /// Whether the labels are turned.
    turned: bool,
    /// The width of the longest.
    widest: f64,
    /// Half the width of the last, when it stands below the right edge.
    overhang: f64,
}

impl XAxis {
    /// The labels of `plot` on an axis of `width` pixels that begins `left`
    /// pixels from the edge of the picture.
    pub(crate) fn new(plot: &Plot, fonts: &Fonts, left: f64, width: f64) -> Self {
        match &plot.data.labels {
            Some(labels) => Self::named(plot, labels, fonts, left, width),
            None => Self::measured(plot, fonts, width),
        }
    }

    /// Its height in pixels, from the frame down.
    pub(crate) fn height(&self) -> f64 {
        if self.turned {
            self.widest * SLOPE + TICK_SIZE + 8.0
        } else {
            TICK_SIZE + 12.0
        }
    }

    /// How far it reaches beyond the right end of the axis.
    pub(crate) fn overhang(&self) -> f64 {
        self.overhang
    }

    /// Draws the labels below `frame`.
    pub(crate) fn draw(&self, frame: &Frame, scene: &mut Scene) {
        for (place, label) in &self.labels {
            let x = frame.column(*place);
            let text = if self.turned {
                let text = Text::new(
                    (x + 4.0, frame.bottom() + 14.0),
                    label.clone(),
                    TICK_SIZE,
                    FAINT,
                );
                Text {
                    turn: -45.0,
                    ..text.anchored(Anchor::End)
                }
            } else {
                Text::new((x, frame.bottom() + 18.0), label.clone(), TICK_SIZE, FAINT)
                    .anchored(Anchor::Middle)
            };
            scene.text(text);
        }
    }

    /// Ticks of a numeric axis: as many as fit side by side.
    fn measured(plot: &Plot, fonts: &Fonts, width: f64) -> Self {
        let mut labels = Vec::new();
        for target in (1..=10).rev() {
            let ticks = plot.x.ticks(target);
            labels = ticks
                .into_iter()
                .map(|tick| (plot.x.place(tick.value), tick.label))
                .collect();
            let places: Vec<f64> = labels.iter().map(|(place, _)| place * width).collect();
            let closest = places
                .windows(2)
                .map(|pair| pair[1] - pair[0])
                .fold(width, f64::min);
            if widest(&labels, fonts) + BETWEEN <= closest {
                break;
            }
        }
        let overhang = labels.last().map_or(0.0, |(place, label)| {
            text_width(fonts, label) / 2.0 - (1.0 - place) * width
        });
        Self {
            widest: widest(&labels, fonts),
            labels,
            turned: false,
            overhang,
        }
    }

    /// Labels of places of equal width.
    fn named(plot: &Plot, names: &[String], fonts: &Fonts, left: f64, width: f64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "labels are far fewer than 2^52")]
        let (count, slot) = (names.len() as f64, width / names.len().max(1) as f64);
        let labels = names.iter().enumerate().map(|(index, name)| {
            #[expect(clippy::cast_precision_loss, reason = "labels are far fewer than 2^52")]
            let place = (index as f64 + 0.5) / count;
            (place, name.clone())
        });
        let labels: Vec<(f64, String)> = labels.collect();
        let level = widest(&labels, fonts) + BETWEEN * 0.6;
        let every = parts(level, slot);
        let enough = plot.kind == Kind::Line && names.len() / every >= FEWEST;
        if every == 1 || enough || names.iter().all(|name| name.parse::<f64>().is_ok()) {
            let labels = thinned(labels, every);
            return Self {
                widest: widest(&labels, fonts),
                labels,
                turned: false,
                overhang: 0.0,
            };
        }
        if slot >= LEVEL_SLOT {
            let cut = |(place, label): (f64, String)| {
                (
                    place,
                    fonts.fit(&label, TICK_SIZE, Weight::Regular, slot - 10.0),
                )
            };
            let labels: Vec<(f64, String)> = labels.into_iter().map(cut).collect();
            return Self {
                widest: widest(&labels, fonts),
                labels,
                turned: false,
                overhang: 0.0,
            };
        }
        let mut labels = thinned(labels, parts(TURNED_DISTANCE, slot));
        for (place, label) in &mut labels {
            // It must not reach beyond the left edge.
            let longest = MAX_TURNED.min((left + *place * width - 4.0) / SLOPE);
            *label = fonts.fit(label, TICK_SIZE, Weight::Regular, longest);
        }
        Self {
            widest: widest(&labels, fonts),
            labels,
            turned: true,
            overhang: 0.0,
        }
    }
}

/// How many slots make up at least `width`.
fn parts(width: f64, slot: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a ratio of pixels, at least 1"
    )]
    let parts = (width / slot.max(1e-3)).ceil().max(1.0) as usize;
    parts
}

fn thinned(labels: Vec<(f64, String)>, every: usize) -> Vec<(f64, String)> {
    labels.into_iter().step_by(every.max(1)).collect()
}

fn widest(labels: &[(f64, String)], fonts: &Fonts) -> f64 {
    labels
        .iter()
        .map(|(_, label)| text_width(fonts, label))
        .fold(0.0, f64::max)
}

fn text_width(fonts: &Fonts, text: &str) -> f64 {
    fonts.width(text, TICK_SIZE, Weight::Regular)
}
