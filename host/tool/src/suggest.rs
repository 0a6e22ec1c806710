//! "Did you mean …?": one idea of what is close enough to be worth saying, for
//! tool names, property names, flags and configuration keys alike.

/// The shortest name for which a suggestion is given: between names of one or
/// two letters everything is close to everything.
const SHORTEST: usize = 3;

/// The known name closest to `unknown`, when it is close enough to be a slip.
///
/// A third of the letters may differ, and upper and lower case, `-` and `_` count
/// as the same. Of equally close names the first wins.
///
/// ```
/// use toolhost_tool::suggest;
///
/// assert_eq!(suggest("wall_clok", ["fuel", "wall-clock"]), Some("wall-clock"));
/// assert_eq!(suggest("colour", ["fuel", "wall-clock"]), None);
/// ```
pub fn suggest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = fold(unknown);
    let length = unknown.chars().count();
    if length < SHORTEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for name in known {
        let distance = strsim::damerau_levenshtein(&unknown, &fold(name));
        if distance <= length.max(SHORTEST) / 3 && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The name without what people mix up: case and the kind of dash. Cut, because
/// the cost of a comparison grows with the square of the length and the name may
/// come from a model.
fn fold(name: &str) -> String {
    name.chars()
        .take(64)
        .map(|letter| {
            if letter == '-' {
                '_'
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect()
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
