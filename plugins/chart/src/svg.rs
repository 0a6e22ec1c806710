//! A scene as an SVG document. Text stays text, so that it can be searched and
//! takes a font of the reader's; everything from the request is escaped.

use std::fmt::Write;

use crate::font::Weight;
use crate::scene::{Anchor, Colour, Scene, Shape, Text};

/// Typefaces with about the same widths as the one the layout is made for.
const FAMILY: &str = "'Noto Sans', 'Open Sans', 'DejaVu Sans', Verdana, sans-serif";

/// The document of `scene`.
pub(crate) fn write(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" role=\"img\">\n\
         <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escape(&scene.description)
    );
    for shape in &scene.shapes {
        write_shape(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn write_shape(out: &mut String, shape: &Shape) {
    // Writing to a string cannot fail.
    let _ = match shape {
        Shape::Rect {
            at,
            width,
            height,
            fill,
            opacity,
        } => writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}/>",
            number(at.0),
            number(at.1),
            number(*width),
            number(*height),
            colour(*fill),
            opacity_of(*opacity)
        ),
        Shape::Polyline {
            points,
            stroke,
            width,
            dashed,
        } => {
            let dash = if *dashed {
                " stroke-dasharray=\"7 5\""
            } else {
                ""
            };
            let _ = write!(out, "<polyline points=\"");
            for (index, point) in points.iter().enumerate() {
                let gap = if index == 0 { "" } else { " " };
                let _ = write!(out, "{gap}{},{}", number(point.0), number(point.1));
            }
            writeln!(
                out,
                "\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}/>",
                colour(*stroke),
                number(*width)
            )
        }
        Shape::Dots {
            at,
            radius,
            fill,
            opacity,
            hollow,
        } => {
            let paint = if *hollow {
                format!(
                    "fill=\"#fff\" stroke=\"{}\" stroke-width=\"1.5\"",
                    colour(*fill)
                )
            } else {
                format!("fill=\"{}\"", colour(*fill))
            };
            let radius = number(*radius);
            let _ = write!(out, "<g {paint}{}>", opacity_of(*opacity));
            for (x, y) in at {
                let _ = write!(
                    out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>",
                    number(*x),
                    number(*y)
                );
            }
            writeln!(out, "</g>")
        }
        Shape::Text(text) => write_text(out, text),
    };
}

fn write_text(out: &mut String, text: &Text) -> std::fmt::Result {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = if text.weight == Weight::Bold {
        " font-weight=\"700\""
    } else {
        ""
    };
    let turn = if text.turn == 0.0 {
        String::new()
    } else {
        format!(" transform=\"rotate({} {x} {y})\"", number(text.turn))
    };
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"{anchor}{weight}{turn}>{}</text>",
        number(text.size),
        colour(text.fill),
        escape(&text.written)
    )
}

/// A tenth of a pixel is as fine as one sees.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn colour(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn opacity_of(opacity: f64) -> String {
    if opacity >= 1.0 {
        String::new()
    } else {
        format!(" fill-opacity=\"{opacity:.2}\"")
    }
}

/// Text from the request may hold markup, and characters that XML forbids.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_text_stays_text() {
        let mut scene = Scene {
            width: 10,
            height: 10,
            ..Scene::default()
        };
        let hostile = "</text><script>alert('1')</script>&\u{0}\u{ffff}";
        scene.text(Text::new((1.0, 2.25), hostile, 12.0, Colour(0, 0, 0)));
        scene.description = hostile.to_owned();
        let svg = write(&scene);
        assert!(!svg.contains("<script"), "{svg}");
        assert!(
            svg.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp; \u{fffd}</text>"),
            "{svg}"
        );
    }

    #[test]
    fn shapes_are_written_short() {
        let mut scene = Scene {
            width: 10,
            height: 10,
            ..Scene::default()
        };
        scene.line((0.0, 0.5), (10.04, 0.5), Colour(1, 2, 255), 1.0);
        assert!(
            write(&scene)
                .contains("<polyline points=\"0,0.5 10,0.5\" fill=\"none\" stroke=\"#0102ff\"")
        );
    }
}
