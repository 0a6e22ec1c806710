//! Text, from the outlines of its letters.

use ab_glyph_rasterizer::{Point, Rasterizer, point};

use crate::font::{Fonts, Pen};
use crate::raster::canvas::Canvas;
use crate::raster::{narrow, single};
use crate::scene::{Anchor, Text};

/// Draws `text` where it belongs.
pub(crate) fn draw(canvas: &mut Canvas, text: &Text, fonts: &Fonts) {
    let width = narrow(fonts.width(&text.written, text.size, text.weight));
    let left = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let mut outline = Outline::new(left, narrow(text.turn), single(text.at));
    fonts.draw(&text.written, narrow(text.size), text.weight, &mut outline);
    outline.fill(|x, y, share| canvas.mix(x, y, text.fill, share));
}

/// A piece of an outline.
enum Piece {
    Line(Point, Point),
    Quad(Point, Point, Point),
    Cubic(Point, Point, Point, Point),
}

/// Outlines on their place in the picture.
struct Outline {
    left: f32,
    turn: (f32, f32),
    at: (f32, f32),
    pieces: Vec<Piece>,
    start: Point,
    last: Point,
    low: Point,
    high: Point,
}

impl Outline {
    fn new(left: f32, degrees: f32, at: (f32, f32)) -> Self {
        let nowhere = point(0.0, 0.0);
        Self {
            left,
            turn: degrees.to_radians().sin_cos(),
            at,
            pieces: Vec::new(),
            start: nowhere,
            last: nowhere,
            low: point(f32::MAX, f32::MAX),
            high: point(f32::MIN, f32::MIN),
        }
    }

    /// The place of a point of a letter.
    fn place(&mut self, x: f32, y: f32) -> Point {
        let (sin, cos) = self.turn;
        let x = x + self.left;
        let placed = point(self.at.0 + x * cos - y * sin, self.at.1 + x * sin + y * cos);
        self.low = point(self.low.x.min(placed.x), self.low.y.min(placed.y));
        self.high = point(self.high.x.max(placed.x), self.high.y.max(placed.y));
        placed
    }

    /// Calls `mix` with each pixel that a letter covers, and how much of it.
    fn fill(self, mut mix: impl FnMut(usize, usize, f32)) {
        if self.pieces.is_empty() {
            return;
        }
        // The box around the text; its corner may lie outside the picture.
        let corner = point(self.low.x.floor(), self.low.y.floor());
        let side = |low: f32, high: f32| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a text is cut to fit the picture"
            )]
            let side = (high - low).ceil() as usize;
            side + 2
        };
        let mut letters = Rasterizer::new(side(corner.x, self.high.x), side(corner.y, self.high.y));
        let near = |p: Point| point(p.x - corner.x, p.y - corner.y);
        for piece in self.pieces {
            match piece {
                Piece::Line(a, b) => letters.draw_line(near(a), near(b)),
                Piece::Quad(a, b, c) => letters.draw_quad(near(a), near(b), near(c)),
                Piece::Cubic(a, b, c, d) => letters.draw_cubic(near(a), near(b), near(c), near(d)),
            }
        }
        letters.for_each_pixel_2d(|x, y, share| {
            let (x, y) = (
                f64::from(x) + f64::from(corner.x),
                f64::from(y) + f64::from(corner.y),
            );
            if share > 0.0 && x >= 0.0 && y >= 0.0 {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "not negative"
                )]
                mix(x as usize, y as usize, share.min(1.0));
            }
        });
    }
}

impl Pen for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.last = self.place(x, y);
        self.start = self.last;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        self.pieces.push(Piece::Line(self.last, to));
        self.last = to;
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let (control, to) = (self.place(cx, cy), self.place(x, y));
        self.pieces.push(Piece::Quad(self.last, control, to));
        self.last = to;
    }

    fn cubic_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let (a, b, to) = (self.place(ax, ay), self.place(bx, by), self.place(x, y));
        self.pieces.push(Piece::Cubic(self.last, a, b, to));
        self.last = to;
    }

    fn close(&mut self) {
        self.pieces.push(Piece::Line(self.last, self.start));
        self.last = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Colour;

    /// The box around the dark pixels: left, top, right, bottom.
    fn ink(text: &Text) -> [usize; 4] {
        let mut canvas = Canvas::new(100, 100);
        draw(&mut canvas, text, &Fonts::embedded());
        let mut bounds = [usize::MAX, usize::MAX, 0, 0];
        for (index, pixel) in canvas.rgb().chunks(3).enumerate() {
            if pixel[0] < 128 {
                let (x, y) = (index % 100, index / 100);
                bounds = [
                    bounds[0].min(x),
                    bounds[1].min(y),
                    bounds[2].max(x),
                    bounds[3].max(y),
                ];
            }
        }
        bounds
    }

    fn text() -> Text {
        Text::new((50.0, 50.0), "HHH", 12.0, Colour(0, 0, 0))
    }

    #[test]
    fn a_text_stands_on_its_baseline() {
        let [left, top, right, bottom] = ink(&text());
        assert!((50..53).contains(&left) && right > 70 && (40..43).contains(&top) && bottom == 49);
    }

    #[test]
    fn an_anchored_or_turned_text_lies_on_the_other_side() {
        let [_, _, right, _] = ink(&text().anchored(Anchor::End));
        assert!((47..51).contains(&right), "{right}");
        let [left, top, right, bottom] = ink(&Text {
            turn: -90.0,
            ..text()
        });
        assert!(
            right == 49 && left >= 40 && bottom < 50 && top < 30,
            "{left} {top} {right} {bottom}"
        );
    }

    #[test]
    fn a_text_over_the_edge_is_cut_off() {
        ink(&Text {
            at: (-10.0, 4.0),
            ..text()
        });
        ink(&Text {
            at: (95.0, 104.0),
            ..text()
        });
    }
}
