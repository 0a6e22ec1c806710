//! The tools as the model sees them.

use std::time::SystemTime;

use jiff::Timestamp;
use toolhost_sdk::{ToolError, tool};

use crate::moment::{Day, Moment};
use crate::zone;

/// Tells the current date and time: weekday, week, offset from UTC. Use it
/// whenever the answer depends on today; you cannot know the date otherwise.
#[tool(title = "Current date and time", read_only, open_world = false)]
pub(crate) fn current_date(
    /// The time zone: an IANA name such as `Europe/Vienna`, or an offset such as
    /// `+02:00`. That of the user, or UTC, when left out.
    #[serde(rename = "timeZone")]
    #[schemars(length(max = 100))]
    time_zone: Option<&str>,
    /// Also write the time in this format, with the directives of `strftime`:
    /// `%A, %-d %B %Y, %H:%M`.
    #[schemars(length(max = 200))]
    format: Option<&str>,
) -> Result<Moment, ToolError> {
    let now = Timestamp::try_from(SystemTime::now())
        .map_err(|error| ToolError::new("ClockError", format!("the clock is wrong: {error}")))?;
    let zone = match (time_zone, std::env::var("TZ")) {
        (Some(name), _) => zone::find(name)?,
        (None, Ok(name)) if !name.trim().is_empty() => zone::find(&name).map_err(of_operator)?,
        (None, _) => zone::find("UTC")?,
    };
    Moment::new(&now.to_zoned(zone), format)
}

/// Tells the weekday and the week of a date.
#[tool(title = "Weekday of a date", read_only, idempotent, open_world = false)]
pub(crate) fn day_name(
    /// The date, `YYYY-MM-DD`.
    #[schemars(length(max = 100))]
    date: &str,
) -> Result<Day, ToolError> {
    Day::read(date)
}

/// It is not the model that wrote the variable.
fn of_operator(mut error: ToolError) -> ToolError {
    let message = error.message;
    error.message = format!("the variable `TZ` is set wrongly: {message} Give `timeZone` instead");
    error
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    #[test]
    fn the_date_is_told_without_any_argument_and_in_a_zone() {
        let told = testing::call::<CurrentDateTool>(json!({ "timeZone": "+05:30" })).unwrap();
        let told = told.structured.unwrap();
        assert_eq!(told["utcOffset"], "+05:30");
        let before = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap();
        let unix = told["unix"].as_u64().unwrap();
        assert!(unix <= before.as_secs() && unix > 1_700_000_000, "{told}");
        assert!(testing::call::<CurrentDateTool>(json!({})).is_ok());
    }

    #[test]
    fn a_date_has_a_weekday() {
        let told = testing::call::<DayNameTool>(json!({ "date": "1969-07-20" })).unwrap();
        let expected = json!({
            "date": "1969-07-20", "weekday": "Sunday", "isoWeekday": 7, "isoWeek": "1969-W29",
            "dayOfYear": 201,
        });
        assert_eq!(told.structured.unwrap(), expected);
    }

    #[test]
    fn a_wrong_variable_is_not_blamed_on_the_model() {
        let said = of_operator(zone::find("Viena").unwrap_err()).message;
        assert!(
            said.contains("`TZ`") && said.ends_with("Give `timeZone` instead"),
            "{said}"
        );
    }

    #[test]
    fn the_schema_names_arguments_as_models_do() {
        let schema = testing::definition::<CurrentDateTool>().input_schema;
        assert_eq!(schema["properties"]["timeZone"]["maxLength"], 100);
        assert!(schema.get("required").is_none());
    }
}
