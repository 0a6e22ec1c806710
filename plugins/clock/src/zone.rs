//! What a time zone is called: an IANA name, or an offset from UTC.

use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};
use toolhost_sdk::{ToolError, serde_json::json};

/// The offset that is farthest from UTC on the clocks of this world, in minutes.
const MAX_OFFSET: i32 = 14 * 60;

/// How many names an error suggests.
const MAX_SUGGESTIONS: usize = 3;

/// How alike two names have to be for a suggestion; 1 is the same.
const SIMILAR: f64 = 0.85;

/// The time zone of that name.
///
/// # Errors
/// When there is none; with the names that were probably meant.
pub fn find(name: &str) -> Result<TimeZone, ToolError> {
    let name = name.trim();
    if name.eq_ignore_ascii_case("z") {
        return Ok(TimeZone::UTC);
    }
    if let Some(offset) = offset(name) {
        return Ok(TimeZone::fixed(offset));
    }
    // Other texts that a parser would take, such as `UTC+2` in the sense of
    // POSIX, mean the opposite of what people mean by them.
    let database = TimeZoneDatabase::bundled();
    database.get(name).map_err(|_| unknown(name, &database))
}

/// `+02:00`, `-0530`, `+2`, also behind `UTC` or `GMT`.
fn offset(text: &str) -> Option<Offset> {
    let prefix = text.get(..3).unwrap_or_default();
    let has_prefix = ["UTC", "GMT"]
        .iter()
        .any(|one| prefix.eq_ignore_ascii_case(one));
    let text = if has_prefix {
        text[3..].trim_start()
    } else {
        text
    };
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-" | "\u{2212}", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match (digits.split_once(':'), digits.len()) {
        (Some(parts), _) => parts,
        (None, 1 | 2) => (digits, "0"),
        (None, 4) => digits.split_at_checked(2)?,
        _ => return None,
    };
    let number = |text: &str| match text.len() {
        1 | 2 if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse::<i32>().ok(),
        _ => None,
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let total = hours * 60 + minutes;
    if minutes >= 60 || total > MAX_OFFSET {
        return None;
    }
    Offset::from_seconds(sign * total * 60).ok()
}

fn unknown(name: &str, database: &TimeZoneDatabase) -> ToolError {
    let suggestions = similar(name, database);
    let is_short = name.len() <= 5 && name.bytes().all(|byte| byte.is_ascii_uppercase());
    let advice = if !suggestions.is_empty() {
        format!("did you mean `{}`?", suggestions.join("`, `"))
    } else if is_short && !name.is_empty() {
        "short forms are used by several zones; name one by a city, such as `America/Chicago`"
            .into()
    } else {
        "use a name of the IANA database, such as `Europe/Vienna`, or an offset, such as `+02:00`"
            .into()
    };
    let error = ToolError::new(
        "TimeZoneError",
        format!("no time zone is called `{name}`: {advice}"),
    );
    if suggestions.is_empty() {
        return error;
    }
    error.details(json!({ "suggestions": suggestions }))
}

/// Names that end like `name`; best first.
fn similar(name: &str, database: &TimeZoneDatabase) -> Vec<String> {
    let wanted = last(name).to_lowercase().replace([' ', '-'], "_");
    let mut scored: Vec<(f64, String)> = database
        .available()
        .map(|known| known.as_str().to_owned())
        .map(|known| {
            (
                strsim::jaro_winkler(&wanted, &last(&known).to_lowercase()),
                known,
            )
        })
        .filter(|(score, _)| *score >= SIMILAR)
        .collect();
    scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then_with(|| left.cmp(right)));
    // With the city itself at hand, cities that only sound like it are noise.
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let names = scored
        .into_iter()
        .filter(|(score, _)| best < 1.0 || *score >= 1.0);
    names.map(|(_, name)| name).take(MAX_SUGGESTIONS).collect()
}

/// The city of a name.
fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(name: &str) -> i32 {
        find(name).unwrap().to_fixed_offset().unwrap().seconds()
    }

    #[test]
    fn a_name_is_found_in_any_case() {
        assert_eq!(
            find("europe/vienna").unwrap().iana_name(),
            Some("Europe/Vienna")
        );
        assert_eq!(find("UTC").unwrap().iana_name(), Some("UTC"));
        assert_eq!(find("z").unwrap(), TimeZone::UTC);
    }

    #[test]
    fn an_offset_means_what_people_mean() {
        for name in ["+02:00", "+2", "+0200", "UTC+2", "gmt +2:00"] {
            assert_eq!(seconds(name), 7200, "{name}");
        }
        assert_eq!(seconds("-05:30"), -19_800);
        assert_eq!(seconds("UTC-0"), 0);
        for name in [
            "+15",
            "+02:60",
            "+",
            "+1:2:3",
            "+abc",
            "+123",
            "EST5EDT,M3.2.0,M11.1.0",
        ] {
            assert!(find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_city_or_a_slip_finds_its_zone() {
        let said = |name: &str| find(name).unwrap_err().message;
        assert!(said("Vienna").ends_with("did you mean `Europe/Vienna`?"));
        assert!(said("new york").contains("`America/New_York`"));
        assert!(said("Europe/Viena").contains("`Europe/Vienna`"));
    }

    #[test]
    fn what_has_no_zone_is_answered_with_how_they_are_called() {
        let said = find("XYZT").unwrap_err().message;
        assert!(said.contains("such as `America/Chicago`"), "{said}");
        for name in ["", "mars phobos base", "../../etc/passwd"] {
            let error = find(name).unwrap_err();
            assert_eq!(error.name, "TimeZoneError");
            assert!(error.message.contains("IANA"), "{error}");
        }
    }
}
