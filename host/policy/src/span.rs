//! A span of time, as people type it.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::quantity::{self, Kind, QuantityError};

const KIND: Kind = Kind {
    what: "a span of time",
    example: "a number with a unit such as `200ms`, `30s` or `2m`",
    most: "292 years",
    units: &[
        ("ns", 1),
        ("us", 1_000),
        ("µs", 1_000),
        ("ms", 1_000_000),
        ("s", SECOND),
        ("sec", SECOND),
        ("m", 60 * SECOND),
        ("min", 60 * SECOND),
        ("h", 3_600 * SECOND),
    ],
    bare: false,
};

const SECOND: u64 = 1_000_000_000;

/// The longest span, in nanoseconds: what a signed count of them holds, so that
/// adding a span to a point in time is safe.
const MOST: u64 = i64::MAX as u64;

/// Units in which a span is written.
const WRITTEN: [(&str, u64); 6] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", SECOND),
    ("m", 60 * SECOND),
    ("h", 3_600 * SECOND),
];

/// A span of time, at most 292 years.
///
/// Always written with a unit, `ns`, `us`, `ms`, `s`, `m` or `h`: a bare `500` could
/// be meant in seconds or in milliseconds, and the wrong guess is a thousandfold.
/// Fractions are allowed. `Display` writes what reads back as the same span.
///
/// ```
/// use std::time::Duration;
/// use toolhost_policy::Span;
///
/// let span: Span = "1.5s".parse()?;
/// assert_eq!(span.get(), Duration::from_millis(1500));
/// assert_eq!(span.to_string(), "1500ms");
/// # Ok::<(), toolhost_policy::QuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(Duration);

impl Span {
    /// A span of that length, cut to the longest there is.
    #[must_use]
    pub fn new(duration: Duration) -> Self {
        Self(duration.min(Duration::from_nanos(MOST)))
    }

    /// How long it is.
    #[must_use]
    pub const fn get(self) -> Duration {
        self.0
    }
}

impl FromStr for Span {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        match quantity::parse(text, &KIND)? {
            nanos if nanos > MOST => Err(QuantityError::TooLarge {
                text: text.trim().into(),
                most: KIND.most,
            }),
            nanos => Ok(Self(Duration::from_nanos(nanos))),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = u64::try_from(self.0.as_nanos()).unwrap_or(MOST);
        f.write_str(&if nanos == 0 {
            "0s".into()
        } else {
            quantity::write(nanos, &WRITTEN)
        })
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Reader)
    }
}

struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = Span;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a span of time: {}", KIND.example)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Span, E> {
        Err(E::custom(QuantityError::NoUnit {
            text: number.to_string(),
            example: KIND.example,
        }))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Span, E> {
        Err(E::custom(QuantityError::NoUnit {
            text: number.to_string(),
            example: KIND.example,
        }))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Span, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> Duration {
        text.parse::<Span>().unwrap().get()
    }

    fn refused(text: &str) -> String {
        text.parse::<Span>().unwrap_err().to_string()
    }

    #[test]
    fn spans_are_read_in_every_unit() {
        assert_eq!(span("200ms"), Duration::from_millis(200));
        assert_eq!(span("30s"), Duration::from_secs(30));
        assert_eq!(span("30 s"), Duration::from_secs(30));
        assert_eq!(span("2m"), Duration::from_mins(2));
        assert_eq!(span("1h"), Duration::from_hours(1));
        assert_eq!(span("0.25s"), Duration::from_millis(250));
        assert_eq!(span("7us"), Duration::from_micros(7));
        assert_eq!(span("0s"), Duration::ZERO);
    }

    #[test]
    fn a_number_without_a_unit_is_not_guessed_at() {
        let example = "write a number with a unit such as `200ms`, `30s` or `2m`";
        assert_eq!(refused("30"), format!("`30` has no unit: {example}"));
        assert_eq!(
            refused("soon"),
            format!("`soon` is not a span of time: {example}")
        );
        assert_eq!(refused("-1s"), format!("`-1s` is negative: {example}"));
        assert_eq!(
            refused("2S"),
            format!("the unit `S` is not known (did you mean `s`?): {example}")
        );
        assert_eq!(
            refused("2 weeks"),
            format!("the unit `weeks` is not known: {example}")
        );
        assert_eq!(
            refused("9999999h"),
            "`9999999h` is too large: the most is 292 years"
        );
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        for nanos in [
            0,
            1,
            1_500,
            250_000_000,
            SECOND,
            90 * SECOND,
            3_600 * SECOND,
            MOST,
        ] {
            let span = Span::new(Duration::from_nanos(nanos));
            assert_eq!(span.to_string().parse(), Ok(span), "{span}");
        }
        assert_eq!(Span::new(Duration::from_secs(90)).to_string(), "90s");
        assert_eq!(Span::new(Duration::from_mins(2)).to_string(), "2m");
    }
}
