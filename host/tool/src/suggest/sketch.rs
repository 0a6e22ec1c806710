//! What can be told of a name at a glance: how long it is, and which letters are in
//! it. Most names are too far from another one by that alone.

use super::Slip;
use super::distance::folded;

/// A name at a glance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sketch {
    /// A bit for each letter that is in it.
    letters: u64,
    length: u32,
}

impl Sketch {
    pub(super) fn new(name: &str) -> Self {
        let mut sketch = Self {
            letters: 0,
            length: 0,
        };
        for letter in folded(name) {
            sketch.letters |= 1 << bit(letter);
            sketch.length += 1;
        }
        sketch
    }

    /// Letters that are compared.
    pub(super) fn length(self) -> usize {
        self.length as usize
    }

    /// Whether the distance may be no more than `limit`. One step adds a letter at
    /// most and takes one away.
    pub(super) fn may_be_within(self, other: Self, limit: usize) -> bool {
        self.length.abs_diff(other.length) as usize <= limit
            && has_at_most(limit, self.letters & !other.letters)
            && has_at_most(limit, other.letters & !self.letters)
    }
}

/// Whether no more than so many bits are set. Few are asked for, and a processor that
/// may be old counts slowly.
fn has_at_most(limit: usize, mut bits: u64) -> bool {
    for _ in 0..limit {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// The letters and digits of most names have a bit of their own; others share some.
fn bit(letter: char) -> u32 {
    match letter {
        'a'..='z' => u32::from(letter) - u32::from('a'),
        '0'..='9' => 26 + u32::from(letter) - u32::from('0'),
        '_' => 36,
        other => 37 + u32::from(other) % 27,
    }
}

/// Names that are asked about again and again: thousands of them are looked through
/// in the time of some ten letters each otherwise.
///
/// ```
/// use toolhost_tool::KnownNames;
///
/// let tools: KnownNames = ["read_file", "write_file"].into_iter().collect();
/// assert_eq!(tools.closest("raed-file"), Some("read_file"));
/// assert_eq!(tools.closest("weather"), None);
/// ```
#[derive(Debug, Default)]
pub struct KnownNames {
    // Apart, so that a look at all of them stays in the cache.
    sketches: Vec<Sketch>,
    names: Vec<Box<str>>,
}

impl KnownNames {
    /// As [`suggest`](crate::suggest) among these names, in the order in which they
    /// came.
    #[must_use]
    pub fn closest(&self, unknown: &str) -> Option<&str> {
        let mut slip = Slip::new(unknown)?;
        let mut best = None;
        for (sketch, name) in self.sketches.iter().zip(&self.names) {
            if slip.is_closer(*sketch, name) {
                best = Some(&**name);
            }
            if slip.is_settled() {
                break;
            }
        }
        best
    }
}

impl<'a> FromIterator<&'a str> for KnownNames {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let mut known = Self::default();
        for name in names {
            known.sketches.push(Sketch::new(name));
            known.names.push(name.into());
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggest;

    #[test]
    fn a_glance_never_says_too_much() {
        let names = [
            "city", "ctiy", "country", "", "aaaa", "größe", "groesse", "a-b_c",
        ];
        for one in names {
            for other in names {
                let letters = |name| folded(name).collect::<String>();
                let real = strsim::osa_distance(&letters(one), &letters(other));
                let (one, other) = (Sketch::new(one), Sketch::new(other));
                assert!(one.may_be_within(other, real), "{one:?} {other:?}");
            }
        }
        let (one, other) = (Sketch::new("city"), Sketch::new("weather"));
        assert!(!one.may_be_within(other, 2));
    }

    #[test]
    fn they_are_searched_as_any_other_names() {
        let names: Vec<String> = (0..1_000)
            .map(|number| format!("tool_{number:03}"))
            .collect();
        let names = || names.iter().map(String::as_str);
        let known: KnownNames = names().collect();
        for unknown in [
            "tool_1234",
            "Tool-007",
            "tol_99",
            "weather",
            "to",
            "too1_500",
            "_001tool",
        ] {
            assert_eq!(
                known.closest(unknown),
                suggest(unknown, names()),
                "{unknown}"
            );
        }
        assert_eq!(known.closest("Tool-007"), Some("tool_007"));
    }
}
