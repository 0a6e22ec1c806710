//! What serde says of a value of the wrong type, in words for people: `struct
//! LimitsPatch` and `u64` are names of our code and help nobody who wrote a file.

use crate::suggest;

/// Where a message of serde names what was expected, in words for people. Another
/// message stays as it is.
///
/// ```
/// use toolhost_tool::reword;
///
/// let said = "invalid type: string \"a\", expected u64";
/// assert_eq!(reword(said), "expected a whole number, found the text \"a\"");
/// let said = "invalid value: integer `-1`, expected u64";
/// assert_eq!(reword(said), "expected a whole number from 0, found `-1`");
/// assert_eq!(reword("duplicate key"), "duplicate key");
/// ```
#[must_use]
pub fn reword(message: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown variant ") {
        return unknown_word(rest);
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("the key {field} is missing");
    }
    let kinds = ["invalid type: ", "invalid value: "];
    let Some((found, expected)) = kinds
        .into_iter()
        .find_map(|kind| message.strip_prefix(kind))
        .and_then(|rest| rest.rsplit_once(", expected "))
    else {
        return message.to_owned();
    };
    let out_of_range = message.starts_with("invalid value") || found.ends_with(" as i128");
    let (expected, place) = match expected.split_once(" at line ") {
        Some((expected, place)) => (
            expected,
            format!(" (line {})", place.replace(" column", ", column")),
        ),
        None => (expected, String::new()),
    };
    format!(
        "expected {}, found {}{place}",
        wanted(expected, out_of_range),
        found_word(found)
    )
}

/// A word that is not among the known ones, all in backticks, itself first.
fn unknown_word(rest: &str) -> String {
    let mut words = rest.split('`').skip(1).step_by(2);
    let unknown = words.next().unwrap_or_default();
    let known: Vec<&str> = words.collect();
    match suggest(unknown, known.iter().copied()) {
        Some(meant) => format!("`{unknown}` is not known: did you mean `{meant}`?"),
        None => format!(
            "`{unknown}` is not known: there are `{}`",
            known.join("`, `")
        ),
    }
}

fn wanted(expected: &str, out_of_range: bool) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" if !out_of_range => "a whole number",
        "u8" | "u16" => "a whole number from 0 that is not so large",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a map" => "an object",
        "a sequence" => "a list",
        "a string" => "a text",
        "a boolean" => "`true` or `false`",
        "path string" => "a path",
        _ if expected.starts_with("struct ") => "an object",
        _ if expected.starts_with("a tuple") => "a list",
        _ => expected,
    }
}

fn found_word(found: &str) -> String {
    let found = found.trim_end_matches(" as i128");
    match found.split_once(' ') {
        Some(("integer" | "floating", rest)) => rest.trim_start_matches("point ").to_owned(),
        Some(("string", text)) => format!("the text {text}"),
        Some(("boolean", value)) => value.to_owned(),
        _ => match found {
            "map" => "an object".into(),
            "sequence" => "a list".into(),
            other => other.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::reword;

    #[test]
    fn no_name_of_our_code_is_shown() {
        for (said, shown) in [
            (
                "invalid type: integer `3`, expected struct LimitsPatch",
                "expected an object, found `3`",
            ),
            (
                "invalid type: sequence, expected a map at line 1 column 0",
                "expected an object, found a list (line 1, column 0)",
            ),
            (
                "invalid type: null, expected a map",
                "expected an object, found null",
            ),
            (
                "invalid type: integer `99999999999999999999` as i128, expected u64",
                "expected a whole number from 0, found `99999999999999999999`",
            ),
            (
                "invalid value: integer `4294967296`, expected u32",
                "expected a whole number from 0 to 4294967295, found `4294967296`",
            ),
            (
                "invalid type: floating point `1.5`, expected u64",
                "expected a whole number, found `1.5`",
            ),
            (
                "invalid type: string \"a, expected u64\", expected u64",
                "expected a whole number, found the text \"a, expected u64\"",
            ),
            (
                "invalid type: map, expected path string",
                "expected a path, found an object",
            ),
            ("missing field `path`", "the key `path` is missing"),
            (
                "unknown variant `plann`, expected one of `default`, `plan`",
                "`plann` is not known: did you mean `plan`?",
            ),
            (
                "unknown variant `x`, expected `ro` or `rw`",
                "`x` is not known: there are `ro`, `rw`",
            ),
        ] {
            assert_eq!(reword(said), shown);
        }
    }
}
