//! A scene as a PNG picture.
//!
//! Lines and dots are drawn by their distance from each pixel. A general path
//! renderer costs fifty times as much for long jagged lines, and drawing is paid
//! from the fuel of the call.

mod canvas;
mod indexed;
mod letters;

use toolhost_sdk::ToolError;

use crate::failure;
use crate::font::Fonts;
use crate::raster::canvas::Canvas;
use crate::raster::indexed::Indexed;
use crate::scene::{Point, Scene, Shape};

/// Lengths of the dashes of a line and of the gaps between them, in pixels.
const DASHES: [f32; 2] = [8.0, 5.0];

/// The picture of `scene`, encoded.
///
/// # Errors
/// When the picture cannot be encoded.
pub(crate) fn write(scene: &Scene, fonts: &Fonts) -> Result<Vec<u8>, ToolError> {
    let mut canvas = Canvas::new(scene.width as usize, scene.height as usize);
    for shape in &scene.shapes {
        draw(&mut canvas, shape, fonts);
    }
    encode(&canvas, scene.width, scene.height).map_err(|error| {
        failure::output(format!(
            "the PNG could not be written: {error}; ask for `svg`"
        ))
    })
}

fn draw(canvas: &mut Canvas, shape: &Shape, fonts: &Fonts) {
    match shape {
        Shape::Rect {
            at,
            width,
            height,
            fill,
            opacity,
        } => {
            let far = (at.0 + width, at.1 + height);
            canvas.rect(single(*at), single(far), *fill, narrow(*opacity));
        }
        Shape::Polyline {
            points,
            stroke,
            width,
            dashed,
        } => {
            let points: Vec<(f32, f32)> = points.iter().copied().map(single).collect();
            if *dashed {
                for dash in dashes(&points) {
                    canvas.cover(&dash, narrow(*width) / 2.0);
                }
            } else {
                canvas.cover(&points, narrow(*width) / 2.0);
            }
            canvas.paint(*stroke);
        }
        Shape::Dots {
            at,
            radius,
            fill,
            opacity,
            hollow,
        } => {
            for &point in at {
                canvas.dot(
                    single(point),
                    narrow(*radius),
                    *fill,
                    narrow(*opacity),
                    *hollow,
                );
            }
        }
        Shape::Text(text) => letters::draw(canvas, text, fonts),
    }
}

/// The parts of a line that its dashes cover.
fn dashes(points: &[(f32, f32)]) -> Vec<Vec<(f32, f32)>> {
    let mut dashes = Vec::new();
    let mut dash: Vec<(f32, f32)> = points.first().copied().into_iter().collect();
    let (mut part, mut left) = (0, DASHES[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut rest = (to.0 - from.0).hypot(to.1 - from.1);
        while rest > left {
            let share = left / rest;
            from = (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            );
            rest -= left;
            dash.push(from);
            if part == 0 {
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash = vec![from];
            }
            part = 1 - part;
            left = DASHES[part];
        }
        left -= rest;
        dash.push(to);
    }
    if part == 0 {
        dashes.push(dash);
    }
    dashes
}

fn single(point: Point) -> (f32, f32) {
    (narrow(point.0), narrow(point.1))
}

/// Places are pixels of a bounded picture, which `f32` holds well enough.
fn narrow(value: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a place in a picture of at most 1,600 pixels"
    )]
    let value = value as f32;
    value
}

fn encode(canvas: &Canvas, width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let picture = Indexed::new(canvas.rgb());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(picture.palette);
    encoder.set_depth(png::BitDepth::Eight);
    // Compressing harder would make the file half as large and cost more than
    // all the drawing.
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners_and_keep_their_length() {
        let dashes = dashes(&[(0.0, 0.0), (5.0, 0.0), (5.0, 20.0)]);
        assert_eq!(dashes[0], [(0.0, 0.0), (5.0, 0.0), (5.0, 3.0)]);
        assert_eq!(dashes[1], [(5.0, 8.0), (5.0, 16.0)]);
        assert_eq!(dashes.len(), 2);
    }
}
