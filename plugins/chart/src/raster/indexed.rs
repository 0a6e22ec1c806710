//! A picture as a table of 256 colours and one byte for each pixel: a third of
//! the bytes to compress, which is most of what a chart costs.

/// Most colours of a table.
const MAX_COLOURS: usize = 256;

/// How many shades there are: 32 steps of red, green and blue each.
const SHADES: usize = 1 << 15;

/// A colour, red, green and blue.
type Rgb = [u8; 3];

/// A picture with a table of its colours.
pub(crate) struct Indexed {
    /// Red, green and blue of each colour.
    pub(crate) palette: Vec<u8>,
    /// The colour of each pixel.
    pub(crate) pixels: Vec<u8>,
}

/// Colours so alike that they become one.
#[derive(Debug, Clone, Copy, Default)]
struct Shade {
    /// The one that stays: the most frequent, as far as a majority vote tells.
    colour: Rgb,
    /// By how many pixels it is ahead of the others.
    lead: u32,
    /// How many pixels have any of them.
    pixels: u32,
    /// Its place in the table.
    index: u8,
}

impl Indexed {
    /// The picture whose pixels are `rgb`. The most frequent shades stay; a rare
    /// one, where lines cross, becomes the one most like it.
    pub(crate) fn new(rgb: &[u8]) -> Self {
        let mut shades = shades(rgb);
        let mut used: Vec<usize> = (0..SHADES).filter(|&at| shades[at].pixels > 0).collect();
        used.sort_by_key(|&at| (u32::MAX - shades[at].pixels, at));
        let frequent: Vec<Rgb> = used
            .iter()
            .take(MAX_COLOURS)
            .map(|&at| shades[at].colour)
            .collect();
        for (rank, at) in used.into_iter().enumerate() {
            shades[at].index =
                u8::try_from(rank).unwrap_or_else(|_| nearest(&frequent, shades[at].colour));
        }
        let mut pixels = Vec::with_capacity(rgb.len() / 3);
        for (colour, count) in runs(rgb) {
            let index = shades[shade(colour)].index;
            pixels.extend(std::iter::repeat_n(index, count as usize));
        }
        Self {
            palette: frequent.concat(),
            pixels,
        }
    }
}

/// The shades of a picture.
fn shades(rgb: &[u8]) -> Vec<Shade> {
    let mut shades = vec![Shade::default(); SHADES];
    for (colour, count) in runs(rgb) {
        let shade = &mut shades[shade(colour)];
        shade.pixels += count;
        if shade.colour == colour {
            shade.lead += count;
        } else if shade.lead < count {
            (shade.colour, shade.lead) = (colour, count - shade.lead);
        } else {
            shade.lead -= count;
        }
    }
    shades
}

/// Neighbours of one colour, and how many there are.
fn runs(rgb: &[u8]) -> impl Iterator<Item = (Rgb, u32)> + '_ {
    let mut rest = rgb;
    std::iter::from_fn(move || {
        let first: &[u8; 3] = rest.first_chunk()?;
        let mut count = 1;
        while rest.get(count * 3..count * 3 + 3) == Some(first) {
            count += 1;
        }
        rest = &rest[count * 3..];
        Some((*first, u32::try_from(count).unwrap_or(u32::MAX)))
    })
}

fn shade([red, green, blue]: Rgb) -> usize {
    usize::from(red >> 3) << 10 | usize::from(green >> 3) << 5 | usize::from(blue >> 3)
}

fn nearest(colours: &[Rgb], wanted: Rgb) -> u8 {
    let distance = |colour: &Rgb| -> u32 {
        colour
            .iter()
            .zip(wanted)
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum()
    };
    let nearest = (0..=u8::MAX)
        .zip(colours)
        .min_by_key(|(_, colour)| distance(colour));
    nearest.map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(indexed: &Indexed) -> Vec<u8> {
        let colour = |&index: &u8| indexed.palette[usize::from(index) * 3..][..3].to_vec();
        indexed.pixels.iter().flat_map(colour).collect()
    }

    #[test]
    fn a_few_colours_stay_exactly() {
        let rgb = [255, 255, 255, 0, 114, 178, 255, 255, 255, 0, 0, 0];
        assert_eq!(decode(&Indexed::new(&rgb)), rgb);
    }

    #[test]
    fn of_colours_that_look_the_same_the_frequent_one_stays() {
        let rgb = [
            1, 114, 178, 0, 114, 178, 2, 115, 178, 0, 114, 178, 0, 114, 178,
        ];
        assert_eq!(decode(&Indexed::new(&rgb)), [0, 114, 178].repeat(5));
    }

    #[test]
    fn a_rare_colour_becomes_one_like_it() {
        // 256 colours twice, and one more.
        let steps = |n: u8| [0, (n / 16) * 16, (n % 16) * 16];
        let mut rgb: Vec<u8> = (0..=255).flat_map(|n| steps(n).repeat(2)).collect();
        rgb.extend([8, 64, 64]);
        let decoded = decode(&Indexed::new(&rgb));
        assert_eq!(decoded[..rgb.len() - 3], rgb[..rgb.len() - 3]);
        assert_eq!(decoded[rgb.len() - 3..], [0, 64, 64]);
    }
}
