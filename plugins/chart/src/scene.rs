//! A drawing as a list of shapes, from which both the SVG and the PNG are made,
//! so that the two look alike.

use crate::font::Weight;

/// A colour, red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

/// A place in pixels, from the upper left corner.
pub(crate) type Point = (f64, f64);

/// Which part of a text lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A text on one line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    /// The place of its baseline.
    pub(crate) at: Point,
    /// What is written.
    pub(crate) written: String,
    /// The height of its letters in pixels.
    pub(crate) size: f64,
    /// How heavy it is.
    pub(crate) weight: Weight,
    /// What lies at `at`.
    pub(crate) anchor: Anchor,
    /// Turned around `at`, in degrees clockwise.
    pub(crate) turn: f64,
    /// Its colour.
    pub(crate) fill: Colour,
}

/// A filled area or a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A filled rectangle.
    Rect {
        at: Point,
        width: f64,
        height: f64,
        fill: Colour,
        opacity: f64,
    },
    /// Joined lines.
    Polyline {
        points: Vec<Point>,
        stroke: Colour,
        width: f64,
        dashed: bool,
    },
    /// Filled circles of one look, or rings if they are hollow.
    Dots {
        at: Vec<Point>,
        radius: f64,
        fill: Colour,
        opacity: f64,
        hollow: bool,
    },
    /// A text.
    Text(Text),
}

/// Shapes, the first at the bottom, on white.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Scene {
    /// Width in pixels.
    pub(crate) width: u32,
    /// Height in pixels.
    pub(crate) height: u32,
    /// What is drawn.
    pub(crate) shapes: Vec<Shape>,
    /// What the drawing shows, for those who cannot see it.
    pub(crate) description: String,
}

impl Scene {
    /// A straight line.
    pub(crate) fn line(&mut self, from: Point, to: Point, stroke: Colour, width: f64) {
        self.shapes.push(Shape::Polyline {
            points: vec![from, to],
            stroke,
            width,
            dashed: false,
        });
    }

    /// A filled rectangle.
    pub(crate) fn rect(&mut self, at: Point, width: f64, height: f64, fill: Colour, opacity: f64) {
        self.shapes.push(Shape::Rect {
            at,
            width,
            height,
            fill,
            opacity,
        });
    }

    /// A text.
    pub(crate) fn text(&mut self, text: Text) {
        self.shapes.push(Shape::Text(text));
    }
}

impl Text {
    /// A level text in regular weight.
    pub(crate) fn new(at: Point, text: impl Into<String>, size: f64, fill: Colour) -> Self {
        let written = text.into();
        Self {
            at,
            written,
            size,
            weight: Weight::Regular,
            anchor: Anchor::Start,
            turn: 0.0,
            fill,
        }
    }

    /// The same with `anchor` at its place.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }
}
