//! Which colour is which series, in rows above the data.

use crate::font::{Fonts, Weight};
use crate::palette::{INK, LABEL_SIZE, style};
use crate::plot::Plot;
use crate::request::Kind;
use crate::scene::{Point, Scene, Shape, Text};

/// Height of a row.
const ROW: f64 = 21.0;

/// Width of the sample before a name.
const SAMPLE: f64 = 18.0;

/// Space between a sample and its name.
const GAP: f64 = 7.0;

/// Space between two entries.
const BETWEEN: f64 = 20.0;

/// The share of the picture that a legend fills before names are cut shorter.
const SHARE: f64 = 0.2;

/// Longest names, in pixels; the next one is tried when the legend is too high.
const LONGEST: [f64; 4] = [240.0, 160.0, 110.0, 70.0];

/// A legend with the places of its entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Legend {
    entries: Vec<(Point, String)>,
    rows: usize,
}

impl Legend {
    /// The legend of `plot` between `left` and `right`, from `top` downwards. A
    /// single series without a name needs none.
    pub(crate) fn new(plot: &Plot, fonts: &Fonts, left: f64, top: f64, right: f64) -> Option<Self> {
        let names: Vec<&str> = plot
            .data
            .series
            .iter()
            .map(|named| named.name.as_str())
            .collect();
        if names.len() == 1 && names[0].is_empty() {
            return None;
        }
        let room = right - left - SAMPLE - GAP;
        let most = f64::from(plot.size.1) * SHARE;
        let mut legend = Self {
            entries: Vec::new(),
            rows: 0,
        };
        for longest in LONGEST {
            legend = Self::with_names(&names, fonts, (left, top, right), longest.min(room));
            if legend.height() <= most {
                break;
            }
        }
        Some(legend)
    }

    fn with_names(
        names: &[&str],
        fonts: &Fonts,
        (left, top, right): (f64, f64, f64),
        longest: f64,
    ) -> Self {
        let (mut x, mut rows) = (left, 1);
        let mut entries = Vec::new();
        for name in names {
            let name = fonts.fit(name, LABEL_SIZE, Weight::Regular, longest);
            let width = SAMPLE + GAP + fonts.width(&name, LABEL_SIZE, Weight::Regular);
            if x > left && x + width > right {
                x = left;
                rows += 1;
            }
            #[expect(clippy::cast_precision_loss, reason = "at most 16 rows")]
            let y = top + (rows - 1) as f64 * ROW + ROW / 2.0;
            entries.push(((x, y), name));
            x += width + BETWEEN;
        }
        Self { entries, rows }
    }

    /// Its height in pixels.
    pub(crate) fn height(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "at most 16 rows")]
        let rows = self.rows as f64;
        rows * ROW
    }

    /// Draws it.
    pub(crate) fn draw(&self, kind: Kind, scene: &mut Scene) {
        for (index, ((x, y), name)) in self.entries.iter().enumerate() {
            sample(kind, index, (*x, *y), scene);
            scene.text(Text::new(
                (x + SAMPLE + GAP, y + LABEL_SIZE * 0.36),
                name.clone(),
                LABEL_SIZE,
                INK,
            ));
        }
    }
}

fn sample(kind: Kind, index: usize, (x, y): Point, scene: &mut Scene) {
    let style = style(index);
    match kind {
        Kind::Line => scene.shapes.push(Shape::Polyline {
            points: vec![(x, y), (x + SAMPLE, y)],
            stroke: style.colour,
            width: 3.0,
            dashed: style.second,
        }),
        Kind::Scatter => scene.shapes.push(Shape::Dots {
            at: vec![(x + SAMPLE / 2.0, y)],
            radius: 5.0,
            fill: style.colour,
            opacity: 1.0,
            hollow: style.second,
        }),
        Kind::Bar | Kind::Histogram => {
            let opacity = if style.second { 0.5 } else { 1.0 };
            scene.rect((x + 4.0, y - 6.0), 12.0, 12.0, style.colour, opacity);
        }
    }
}
