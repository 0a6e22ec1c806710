//! The typeface: Noto Sans, which ships inside the plugin because a sandbox
//! has no fonts. It gives the widths that the layout needs and the outlines
//! that the PNG is drawn with.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// How heavy letters are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Weight {
    /// As in running text.
    #[default]
    Regular,
    /// As in a heading.
    Bold,
}

/// Both weights of the typeface.
pub(crate) struct Fonts {
    regular: Face<'static>,
    bold: Face<'static>,
}

/// Receives outlines in pixels, y downwards.
pub(crate) trait Pen {
    /// Starts a contour.
    fn move_to(&mut self, x: f32, y: f32);
    /// A straight line.
    fn line_to(&mut self, x: f32, y: f32);
    /// A quadratic curve.
    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32);
    /// A cubic curve.
    fn cubic_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32);
    /// Ends a contour.
    fn close(&mut self);
}

impl Fonts {
    /// The fonts that ship with the plugin.
    pub(crate) fn embedded() -> Self {
        // The bytes are part of the program, and the tests parse them.
        let face = |bytes| Face::parse(bytes, 0).expect("the embedded font is well-formed");
        Self {
            regular: face(ttf_noto_sans::REGULAR),
            bold: face(ttf_noto_sans::BOLD),
        }
    }

    /// The width of `text` in pixels.
    pub(crate) fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let face = self.face(weight);
        let units: u32 = text.chars().map(|c| advance(face, c)).sum();
        f64::from(units) * size / f64::from(face.units_per_em())
    }

    /// `text`, or as much of it as fits into `width` pixels with an ellipsis.
    pub(crate) fn fit(&self, text: &str, size: f64, weight: Weight, width: f64) -> String {
        if self.width(text, size, weight) <= width {
            return text.to_owned();
        }
        let mut room = width - self.width("…", size, weight);
        let mut kept = String::new();
        for c in text.chars() {
            room -= self.width(c.encode_utf8(&mut [0; 4]), size, weight);
            if room < 0.0 {
                break;
            }
            kept.push(c);
        }
        kept.truncate(kept.trim_end().len());
        kept + "…"
    }

    /// `text` in at most `lines` lines of `width` pixels, broken at spaces.
    pub(crate) fn wrap(
        &self,
        text: &str,
        size: f64,
        weight: Weight,
        width: f64,
        lines: usize,
    ) -> Vec<String> {
        let mut wrapped: Vec<String> = Vec::new();
        let mut words = text.split_whitespace().peekable();
        while let Some(&word) = words.peek() {
            if wrapped.len() + 1 == lines {
                let rest: Vec<&str> = words.collect();
                wrapped.push(self.fit(&rest.join(" "), size, weight, width));
                return wrapped;
            }
            let mut line = word.to_owned();
            words.next();
            while let Some(next) = words.peek() {
                let longer = format!("{line} {next}");
                if self.width(&longer, size, weight) > width {
                    break;
                }
                line = longer;
                words.next();
            }
            wrapped.push(self.fit(&line, size, weight, width));
        }
        wrapped
    }

    /// The characters of `text` that the typeface does not have.
    pub(crate) fn missing(&self, text: &str) -> Vec<char> {
        let is_missing = |c: &char| !c.is_whitespace() && self.regular.glyph_index(*c).is_none();
        text.chars().filter(is_missing).collect()
    }

    /// Draws `text` from the left end of its baseline, which is the origin.
    pub(crate) fn draw(&self, text: &str, size: f32, weight: Weight, pen: &mut dyn Pen) {
        let face = self.face(weight);
        let scale = size / f32::from(face.units_per_em());
        let mut x = 0.0;
        for c in text.chars() {
            // Glyph 0 is the box that stands for a missing character.
            let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
            face.outline_glyph(glyph, &mut Placed { pen, scale, x });
            let advance = u16::try_from(advance(face, c)).unwrap_or(u16::MAX);
            x += f32::from(advance) * scale;
        }
    }

    fn face(&self, weight: Weight) -> &Face<'static> {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }
}

fn advance(face: &Face<'_>, c: char) -> u32 {
    let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
    u32::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// Moves an outline from font units, y upwards, to its place in the line.
struct Placed<'a> {
    pen: &'a mut dyn Pen,
    scale: f32,
    x: f32,
}

impl Placed<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Placed<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.pen.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let ((cx, cy), (x, y)) = (self.at(cx, cy), self.at(x, y));
        self.pen.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let ((ax, ay), (bx, by), (x, y)) = (self.at(ax, ay), self.at(bx, by), self.at(x, y));
        self.pen.cubic_to(ax, ay, bx, by, x, y);
    }

    fn close(&mut self) {
        self.pen.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_text_is_wider() {
        let fonts = Fonts::embedded();
        let width = |text| fonts.width(text, 12.0, Weight::Regular);
        assert!(width("iii") < width("mmm"));
        assert!((width("1,234") - 30.0).abs() < 3.0, "{}", width("1,234"));
        assert!(fonts.width("Title", 12.0, Weight::Bold) > width("Title"));
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis_and_fits() {
        let fonts = Fonts::embedded();
        let text = fonts.fit(
            "a rather long label that goes on",
            12.0,
            Weight::Regular,
            80.0,
        );
        assert!(text.ends_with('…') && text.len() > 8, "{text}");
        assert!(fonts.width(&text, 12.0, Weight::Regular) <= 80.0);
    }

    #[test]
    fn lines_break_at_spaces_and_the_last_is_cut() {
        let fonts = Fonts::embedded();
        let lines = fonts.wrap(
            "one two three four five six seven",
            12.0,
            Weight::Regular,
            60.0,
            2,
        );
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], "one two");
        assert!(lines[1].ends_with('…'), "{lines:?}");
    }

    #[test]
    fn all_letters_that_charts_use_are_there() {
        let fonts = Fonts::embedded();
        for c in "…−×äßéñçøЖΩ€".chars() {
            assert!(fonts.missing(&c.to_string()).is_empty(), "{c}");
        }
        assert_eq!(fonts.missing("a 日"), ['日']);
    }
}
