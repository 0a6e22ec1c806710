//! Pixels, and the few ways to colour them. Everything outside the picture is
//! cut off.

use std::ops::Range;

use crate::scene::Colour;

/// An opaque picture, at first white.
pub(crate) struct Canvas {
    width: usize,
    height: usize,
    rgb: Vec<u8>,
    /// How much of each pixel the line being drawn covers. A line that crosses
    /// itself covers a pixel once.
    covered: Vec<u8>,
    /// The rows of `covered` that are not all zero.
    rows: Range<usize>,
}

impl Canvas {
    /// A white picture.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let pixels = width * height;
        Self {
            width,
            height,
            rgb: vec![255; pixels * 3],
            covered: vec![0; pixels],
            rows: 0..0,
        }
    }

    /// The pixels, row by row, three bytes each.
    pub(crate) fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// Mixes `colour` into a pixel: none of it at 0, nothing else at 1. Sixteen
    /// steps between them look smooth; more would make the file twice as large.
    pub(crate) fn mix(&mut self, x: usize, y: usize, colour: Colour, share: f32) {
        if x >= self.width || y >= self.height {
            return;
        }
        let share = (share * 16.0).round() / 16.0;
        let at = (y * self.width + x) * 3;
        let parts = [colour.0, colour.1, colour.2];
        for (pixel, part) in self.rgb[at..at + 3].iter_mut().zip(parts) {
            let mixed = f32::from(*pixel) + (f32::from(part) - f32::from(*pixel)) * share;
            *pixel = byte(mixed);
        }
    }

    /// A rectangle between two corners.
    pub(crate) fn rect(&mut self, near: (f32, f32), far: (f32, f32), colour: Colour, opacity: f32) {
        for y in span(near.1, far.1, self.height) {
            let high = overlap(y, near.1, far.1);
            for x in span(near.0, far.0, self.width) {
                self.mix(x, y, colour, high * overlap(x, near.0, far.0) * opacity);
            }
        }
    }

    /// A filled circle, or a white one with a ring.
    pub(crate) fn dot(
        &mut self,
        at: (f32, f32),
        radius: f32,
        colour: Colour,
        opacity: f32,
        hollow: bool,
    ) {
        let reach = radius + 2.0;
        for y in span(at.1 - reach, at.1 + reach, self.height) {
            for x in span(at.0 - reach, at.0 + reach, self.width) {
                let distance = length(centre(x) - at.0, centre(y) - at.1);
                let inside = (radius + 0.5 - distance).clamp(0.0, 1.0);
                if hollow {
                    self.mix(x, y, Colour(255, 255, 255), inside);
                    let ring = (1.25 - (distance - radius).abs()).clamp(0.0, 1.0);
                    self.mix(x, y, colour, ring * opacity);
                } else {
                    self.mix(x, y, colour, inside * opacity);
                }
            }
        }
    }

    /// Covers the pixels within `half` of joined lines. Nothing is seen of it
    /// before [`paint`](Self::paint).
    pub(crate) fn cover(&mut self, points: &[(f32, f32)], half: f32) {
        for pair in points.windows(2) {
            self.cover_segment(pair[0], pair[1], half);
        }
    }

    /// Colours what is covered, and begins anew.
    pub(crate) fn paint(&mut self, colour: Colour) {
        let mut covered = std::mem::take(&mut self.covered);
        for y in self.rows.clone() {
            let row = &mut covered[y * self.width..(y + 1) * self.width];
            for (x, share) in row.iter_mut().enumerate().filter(|(_, share)| **share > 0) {
                self.mix(x, y, colour, f32::from(*share) / 255.0);
                *share = 0;
            }
        }
        self.covered = covered;
        self.rows = 0..0;
    }

    fn cover_segment(&mut self, a: (f32, f32), b: (f32, f32), half: f32) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let long = length(dx, dy).max(1e-6);
        let reach = half + 1.0;
        let rows = span(a.1.min(b.1) - reach, a.1.max(b.1) + reach, self.height);
        let (left, right) = (a.0.min(b.0) - reach, a.0.max(b.0) + reach);
        for y in rows.clone() {
            // The part of the row that is near the line, not its whole box.
            let (mut from, mut to) = (left, right);
            if dy.abs() > 1e-3 {
                let middle = a.0 + (centre(y) - a.1) / dy * dx;
                let side = reach * long / dy.abs();
                (from, to) = (from.max(middle - side), to.min(middle + side));
            }
            for x in span(from, to, self.width) {
                let (px, py) = (centre(x) - a.0, centre(y) - a.1);
                let along = ((px * dx + py * dy) / (long * long)).clamp(0.0, 1.0);
                let distance = length(px - along * dx, py - along * dy);
                let share = byte((half + 0.5 - distance).clamp(0.0, 1.0) * 255.0);
                let covered = &mut self.covered[y * self.width + x];
                *covered = (*covered).max(share);
            }
        }
        self.rows = if self.rows.is_empty() {
            rows
        } else {
            self.rows.start.min(rows.start)..self.rows.end.max(rows.end)
        };
    }
}

/// The pixels that touch `from..to`, of `limit` pixels.
fn span(from: f32, to: f32, limit: usize) -> Range<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casting saturates, and is cut"
    )]
    let (from, to) = (from.floor() as usize, to.ceil() as usize);
    from.min(limit)..to.min(limit)
}

/// How much of pixel `index` is in `from..to`.
fn overlap(index: usize, from: f32, to: f32) -> f32 {
    let middle = centre(index);
    ((middle + 0.5).min(to) - (middle - 0.5).max(from)).clamp(0.0, 1.0)
}

/// A root is one instruction; `hypot` is a hundred, for numbers that pixels are
/// not.
fn length(dx: f32, dy: f32) -> f32 {
    (dx * dx + dy * dy).sqrt()
}

fn centre(index: usize) -> f32 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a place in a picture of at most 1,600 pixels"
    )]
    let index = index as f32;
    index + 0.5
}

fn byte(value: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 255, and casting saturates"
    )]
    let value = (value + 0.5) as u8;
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Colour = Colour(0, 0, 0);

    /// The grey values of a row.
    fn row(canvas: &Canvas, y: usize) -> Vec<u8> {
        canvas.rgb[y * canvas.width * 3..(y + 1) * canvas.width * 3]
            .iter()
            .step_by(3)
            .copied()
            .collect()
    }

    #[test]
    fn a_line_on_a_pixel_is_sharp() {
        let mut canvas = Canvas::new(5, 3);
        canvas.cover(&[(-5.0, 1.5), (10.0, 1.5)], 0.5);
        canvas.paint(BLACK);
        assert_eq!(
            (row(&canvas, 0), row(&canvas, 1)),
            (vec![255; 5], vec![0; 5])
        );
    }

    #[test]
    fn a_rectangle_covers_part_of_a_pixel() {
        let mut canvas = Canvas::new(4, 1);
        canvas.rect((0.5, 0.0), (3.0, 1.0), BLACK, 1.0);
        assert_eq!(row(&canvas, 0), [128, 0, 0, 255]);
    }

    #[test]
    fn a_line_that_crosses_itself_is_no_darker_there() {
        let mut canvas = Canvas::new(9, 9);
        canvas.cover(&[(0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0)], 0.3);
        let once = canvas.covered[4 * 9 + 4];
        canvas.paint(BLACK);
        assert!((1..255).contains(&once) && row(&canvas, 4)[4].abs_diff(255 - once) < 16);
    }

    #[test]
    fn what_lies_outside_is_cut_off() {
        let mut canvas = Canvas::new(4, 4);
        canvas.dot((-1e9, 1e9), 3.0, BLACK, 1.0, true);
        canvas.rect((-1e9, -1e9), (-1.0, 1e9), BLACK, 1.0);
        canvas.cover(&[(-100.0, -50.0), (-90.0, 2.0)], 1.0);
        canvas.paint(BLACK);
        assert!(canvas.rgb.iter().all(|&part| part == 255));
    }
}
