//! What is told about a time, and about a day.

use jiff::Zoned;
use jiff::civil::{Date, Weekday};
use jiff::fmt::strtime;
use schemars::JsonSchema;
use serde::Serialize;
use toolhost_sdk::ToolError;

/// A time in a time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// Date, time and offset (RFC 3339).
    pub date_time: String,
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// The time, `HH:MM:SS`.
    pub time: String,
    /// The weekday in English.
    pub weekday: String,
    /// Week of the year (ISO 8601).
    pub iso_week: String,
    /// Day of the year; 1 is the first of January.
    pub day_of_year: i16,
    /// The time zone.
    pub time_zone: String,
    /// How far its clocks are from UTC, `+HH:MM`.
    pub utc_offset: String,
    /// Whether its clocks are on summer time.
    pub daylight_saving: bool,
    /// Seconds since 1970 began in UTC.
    pub unix: i64,
    /// The time in the format that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formatted: Option<String>,
}

/// A day of the calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// The weekday in English.
    pub weekday: String,
    /// 1 for Monday to 7 for Sunday (ISO 8601).
    pub iso_weekday: i8,
    /// Week of the year (ISO 8601). Its year may be another than that of the date.
    pub iso_week: String,
    /// Day of the year; 1 is the first of January.
    pub day_of_year: i16,
}

impl Moment {
    /// What there is to tell about `now`.
    ///
    /// # Errors
    /// When the format has a directive that does not exist.
    pub fn new(now: &Zoned, format: Option<&str>) -> Result<Self, ToolError> {
        let formatted = format.map(|format| written(now, format)).transpose()?;
        let zone = now.time_zone();
        let info = zone.to_offset_info(now.timestamp());
        let offset = strtime::format("%:z", now).unwrap_or_default();
        Ok(Self {
            date_time: format!("{}{offset}", now.strftime("%Y-%m-%dT%H:%M:%S")),
            date: now.date().to_string(),
            time: now.strftime("%H:%M:%S").to_string(),
            weekday: weekday(now.weekday()).into(),
            iso_week: iso_week(now.date()),
            day_of_year: now.day_of_year(),
            time_zone: zone.iana_name().unwrap_or(&offset).to_owned(),
            daylight_saving: info.dst().is_dst(),
            utc_offset: offset,
            unix: now.timestamp().as_second(),
            formatted,
        })
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self {
            date: date.to_string(),
            weekday: weekday(date.weekday()).into(),
            iso_weekday: date.weekday().to_monday_one_offset(),
            iso_week: iso_week(date),
            day_of_year: date.day_of_year(),
        }
    }
}

impl Day {
    /// The day of a date as a model writes it.
    ///
    /// # Errors
    /// When it is no date of the calendar.
    pub fn read(text: &str) -> Result<Self, ToolError> {
        let date = text.trim().parse::<Date>();
        date.map(Self::from).map_err(|error| {
            ToolError::new(
                "DateError",
                format!(
                    "`{text}` is no date: write it as `YYYY-MM-DD`, such as `2026-02-28` ({error})"
                ),
            )
        })
    }
}

fn written(now: &Zoned, format: &str) -> Result<String, ToolError> {
    strtime::format(format, now).map_err(|error| {
        ToolError::new(
            "DateFormatError",
            format!(
                "the format `{format}` cannot be used ({error}); use directives such as `%Y-%m-%d`, \
                 `%H:%M`, `%A`, `%B`, and `%%` for a percent sign"
            ),
        )
    })
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

fn iso_week(date: Date) -> String {
    let week = date.iso_week_date();
    // A year before 0 is written as in a date: with a sign and six digits.
    let year = match week.year() {
        year @ 0.. => format!("{year:04}"),
        year => format!("-{:06}", year.unsigned_abs()),
    };
    format!("{year}-W{:02}", week.week())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::zone;

    fn at(unix: i64, zone: &str) -> Zoned {
        let timestamp = Timestamp::from_second(unix).unwrap();
        timestamp.to_zoned(zone::find(zone).unwrap())
    }

    #[test]
    fn summer_and_winter_are_told_apart() {
        let summer = Moment::new(&at(1_782_907_200, "Europe/Vienna"), None).unwrap();
        assert_eq!(summer.date_time, "2026-07-01T14:00:00+02:00");
        assert!(summer.daylight_saving && summer.formatted.is_none());
        let winter = Moment::new(&at(1_767_225_600, "Europe/Vienna"), None).unwrap();
        assert_eq!(winter.date_time, "2026-01-01T01:00:00+01:00");
        assert_eq!(winter.utc_offset, "+01:00");
        assert!(!winter.daylight_saving);
    }

    #[test]
    fn a_new_year_begins_earlier_in_the_east() {
        let tonga = Moment::new(&at(1_767_222_000, "Pacific/Tongatapu"), None).unwrap();
        assert_eq!((tonga.date.as_str(), tonga.day_of_year), ("2026-01-01", 1));
        let lima = Moment::new(&at(1_767_222_000, "-05:00"), None).unwrap();
        assert_eq!((lima.date.as_str(), lima.day_of_year), ("2025-12-31", 365));
        assert_eq!(lima.time_zone, "-05:00");
    }

    #[test]
    fn a_format_is_followed_or_explained() {
        let now = at(1_782_907_200, "UTC");
        let moment = Moment::new(&now, Some("%A, %-d %B %Y, %H:%M 100%%")).unwrap();
        assert_eq!(
            moment.formatted.unwrap(),
            "Wednesday, 1 July 2026, 12:00 100%"
        );
        let error = Moment::new(&now, Some("%Y-%&")).unwrap_err();
        assert_eq!(error.name, "DateFormatError");
        assert!(error.message.contains("`%Y-%&`"), "{error}");
    }

    #[test]
    fn weeks_follow_iso_8601() {
        // Examples from the standard: a week belongs to the year of its Thursday.
        for (date, week) in [
            ("2005-01-01", "2004-W53"),
            ("2007-12-31", "2008-W01"),
            ("2026-11-29", "2026-W48"),
            // Years have four digits, before 0 a sign and six.
            ("0000-01-03", "0000-W01"),
            ("0000-01-01", "-000001-W52"),
            ("-000001-06-01", "-000001-W22"),
        ] {
            assert_eq!(Day::read(date).unwrap().iso_week, week);
        }
        let day = Day::read(" 2024-02-29 ").unwrap();
        assert_eq!((day.weekday.as_str(), day.iso_weekday), ("Thursday", 4));
        assert_eq!(day.day_of_year, 60);
    }

    #[test]
    fn what_is_no_date_is_answered_with_the_form_of_one() {
        for text in ["2026-02-29", "29.11.2026", "tomorrow", "", "2026-13-01"] {
            let error = Day::read(text).unwrap_err();
            assert_eq!(error.name, "DateError");
            assert!(error.message.contains("`YYYY-MM-DD`"), "{error}");
        }
    }
}
