//! "Did you mean …?": one idea of what is close enough to be worth saying, for
//! tool names, property names, flags and configuration keys alike.
//!
//! A model that makes up names asks often, and a host may know thousands of them: a
//! name that cannot be close is passed over before it is compared, and the
//! others only as far as they may be closer than the best one. Nothing is allocated.

mod distance;
mod sketch;

pub use sketch::KnownNames;

use distance::Pattern;
use sketch::Sketch;

/// The shortest name for which a suggestion is given: between names of one or
/// two letters everything is close to everything.
const SHORTEST: usize = 3;

/// The known name closest to `unknown`, when it is close enough to be a slip.
///
/// A third of the letters may differ, and upper and lower case, `-` and `_` count
/// as the same. Of equally close names the first wins. See [`KnownNames`] for names
/// that are asked about again and again.
///
/// ```
/// use toolhost_tool::suggest;
///
/// assert_eq!(suggest("wall_clok", ["fuel", "wall-clock"]), Some("wall-clock"));
/// assert_eq!(suggest("colour", ["fuel", "wall-clock"]), None);
/// ```
pub fn suggest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut slip = Slip::new(unknown)?;
    let mut best = None;
    for name in known {
        if slip.is_closer(Sketch::new(name), name) {
            best = Some(name);
        }
    }
    best
}

/// A name that is not known, and how close a known one has to be.
struct Slip {
    pattern: Pattern,
    sketch: Sketch,
    /// Closer than this.
    below: usize,
}

impl Slip {
    /// `None` when nothing is suggested for it.
    fn new(unknown: &str) -> Option<Self> {
        let pattern = Pattern::new(unknown);
        let below = pattern.len() / 3 + 1;
        (pattern.len() >= SHORTEST).then(|| Self {
            pattern,
            sketch: Sketch::new(unknown),
            below,
        })
    }

    /// Whether `name` is closer than every name before it.
    fn is_closer(&mut self, sketch: Sketch, name: &str) -> bool {
        let Some(limit) = self.below.checked_sub(1) else {
            return false;
        };
        if !self.sketch.may_be_within(sketch, limit) {
            return false;
        }
        let found = self.pattern.distance(name, sketch.length(), limit);
        if let Some(found) = found {
            self.below = found;
        }
        found.is_some()
    }

    /// Whether no name can be closer than the best one.
    fn is_settled(&self) -> bool {
        self.below == 0
    }
}

#[cfg(test)]
mod tests {
    use super::suggest;

    const NAMES: [&str; 4] = ["city", "country", "max-items", "maxDepth"];

    #[test]
    fn a_slip_of_the_fingers_finds_the_name() {
        assert_eq!(suggest("ctiy", NAMES), Some("city"));
        assert_eq!(suggest("contry", NAMES), Some("country"));
    }

    #[test]
    fn case_and_dashes_do_not_matter() {
        assert_eq!(suggest("max_items", NAMES), Some("max-items"));
        assert_eq!(suggest("MAXDEPTH", NAMES), Some("maxDepth"));
    }

    #[test]
    fn of_equally_close_names_the_first_is_meant() {
        assert_eq!(suggest("bat", ["cat", "hat", "bar"]), Some("cat"));
        assert_eq!(suggest("batt", ["cat", "bat", "batt_"]), Some("bat"));
    }

    #[test]
    fn another_word_gets_no_suggestion() {
        assert_eq!(suggest("weather", NAMES), None);
        assert_eq!(suggest("ci", NAMES), None);
        assert_eq!(suggest("", NAMES), None);
    }

    #[test]
    fn a_name_of_a_megabyte_is_answered_at_once() {
        assert_eq!(suggest(&"x".repeat(1 << 20), NAMES), None);
    }
}
