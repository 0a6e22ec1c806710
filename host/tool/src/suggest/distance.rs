//! How many letters two names differ by: letters that are missing, too many, wrong,
//! or changed places with their neighbour.
//!
//! One name is compared with very many, so its letters are turned into masks once. A
//! column of the table of distances is then a word, of which each bit says whether
//! the distance rises or falls there: the algorithm of Hyyrö (2003).

/// Letters that are compared: the name may come from a model, and a bit stands for
/// each of its letters.
const LONGEST: usize = 64;

/// The letters of a name that are compared, without what people mix up: case and the
/// kind of dash.
pub(super) fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().take(LONGEST).map(|letter| match letter {
        '-' => '_',
        letter => letter.to_ascii_lowercase(),
    })
}

/// A name that others are compared with.
pub(super) struct Pattern {
    letters: [char; LONGEST],
    length: usize,
    /// Where each letter of ASCII stands in it.
    places: [u64; 128],
}

impl Pattern {
    pub(super) fn new(name: &str) -> Self {
        let mut pattern = Self {
            letters: ['\0'; LONGEST],
            length: 0,
            places: [0; 128],
        };
        for letter in folded(name) {
            pattern.letters[pattern.length] = letter;
            if let Some(places) = pattern.places.get_mut(letter as usize) {
                *places |= 1 << pattern.length;
            }
            pattern.length += 1;
        }
        pattern
    }

    /// How many letters are compared.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// The distance to `name`, of which `length` letters are compared, when it is no
    /// more than `limit`.
    pub(super) fn distance(&self, name: &str, length: usize, limit: usize) -> Option<usize> {
        let Some(last) = self.length.checked_sub(1) else {
            return (length <= limit).then_some(length);
        };
        // At the end of no letters, the distance rises by one with each place.
        let (mut rises, mut falls) = (u64::MAX, 0_u64);
        let (mut equal, mut before) = (0_u64, 0_u64);
        let mut distance = self.length;
        for (index, letter) in folded(name).enumerate() {
            let here = self.places_of(letter);
            let swapped = ((!equal & here) << 1) & before;
            equal = ((here & rises).wrapping_add(rises) ^ rises) | here | falls | swapped;
            let (mut more, mut less) = (falls | !(equal | rises), equal & rises);
            distance += usize::from(more >> last & 1 == 1);
            distance -= usize::from(less >> last & 1 == 1);
            // Each letter that is left makes it less by one at most.
            if distance > limit + length.saturating_sub(index + 1) {
                return None;
            }
            (more, less) = (more << 1 | 1, less << 1);
            (rises, falls) = (less | !(equal | more), more & equal);
            before = here;
        }
        (distance <= limit).then_some(distance)
    }

    fn places_of(&self, letter: char) -> u64 {
        if let Some(places) = self.places.get(letter as usize) {
            return *places;
        }
        let letters = self.letters[..self.length].iter().enumerate();
        letters.fold(0, |places, (place, own)| {
            places | u64::from(*own == letter) << place
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random words of few letters, so that many are close.
    fn words() -> Vec<String> {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            usize::try_from((state >> 33) % below).unwrap_or(0)
        };
        (0..200)
            .map(|_| {
                (0..next(9))
                    .map(|_| ['a', 'b', 'c', 'ß'][next(4)])
                    .collect()
            })
            .collect()
    }

    fn close(one: &str, other: &str, limit: usize) -> Option<usize> {
        Pattern::new(one).distance(other, folded(other).count(), limit)
    }

    #[test]
    fn it_is_what_the_whole_table_would_say() {
        for one in words() {
            for other in words() {
                let whole = strsim::osa_distance(&one, &other);
                for limit in 0..6 {
                    let expected = (whole <= limit).then_some(whole);
                    assert_eq!(
                        close(&one, &other, limit),
                        expected,
                        "{one} {other} {limit}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_longest_names_fit() {
        let (one, other) = ("x".repeat(99), "y".repeat(99));
        assert_eq!(close(&one, &other, 21), None);
        assert_eq!(close(&one, &other, 64), Some(64));
        assert_eq!(close(&one, &one, 0), Some(0));
        assert_eq!(close(&one, "", 64), Some(64));
        assert_eq!(close("", &one, 64), Some(64));
    }
}
