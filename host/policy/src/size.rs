//! An amount of bytes, as people type it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::quantity::{self, Kind, QuantityError};

const KIND: Kind = Kind {
    what: "a size",
    example: "bytes, or a number with a unit such as `512KiB`, `64MiB` or `1.5GB`",
    most: "18446744073709551615 bytes",
    units: &[
        ("B", 1),
        ("k", 1_000),
        ("kB", 1_000),
        ("KB", 1_000),
        ("K", 1_000),
        ("KiB", 1 << 10),
        ("M", 1_000_000),
        ("MB", 1_000_000),
        ("MiB", 1 << 20),
        ("G", 1_000_000_000),
        ("GB", 1_000_000_000),
        ("GiB", 1 << 30),
        ("TB", 1_000_000_000_000),
        ("TiB", 1 << 40),
    ],
    bare: true,
};

/// Units in which a size is written.
const WRITTEN: [(&str, u64); 8] = [
    ("B", 1),
    ("kB", 1_000),
    ("KiB", 1 << 10),
    ("MB", 1_000_000),
    ("MiB", 1 << 20),
    ("GB", 1_000_000_000),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
];

/// An amount of bytes.
///
/// Written as a number of bytes or with a unit: `k`, `kB`, `MB`, `GB`, `TB` count in
/// thousands, `KiB`, `MiB`, `GiB`, `TiB` in 1024; fractions are allowed. In a file it
/// may be a plain number as well. `Display` writes what reads back as the same size.
///
/// ```
/// use toolhost_policy::Size;
///
/// let size: Size = "1.5MiB".parse()?;
/// assert_eq!(size.bytes(), 1_572_864);
/// assert_eq!(size.to_string(), "1536KiB");
/// # Ok::<(), toolhost_policy::QuantityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size(u64);

impl Size {
    /// A size of that many bytes.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// How many bytes it is.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        quantity::parse(text, &KIND).map(Self)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quantity::write(self.0, &WRITTEN))
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        writer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Reader)
    }
}

struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = Size;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a size: {}", KIND.example)
    }

    fn visit_u64<E>(self, bytes: u64) -> Result<Size, E> {
        Ok(Size(bytes))
    }

    fn visit_i64<E: de::Error>(self, bytes: i64) -> Result<Size, E> {
        let negative = QuantityError::Negative {
            text: bytes.to_string(),
            example: KIND.example,
        };
        u64::try_from(bytes)
            .map(Size)
            .map_err(|_| E::custom(negative))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Size, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Size;

    fn bytes(text: &str) -> u64 {
        text.parse::<Size>().unwrap().bytes()
    }

    fn refused(text: &str) -> String {
        text.parse::<Size>().unwrap_err().to_string()
    }

    #[test]
    fn sizes_are_read_in_thousands_and_in_1024() {
        let cases = [
            ("0", 0),
            ("1024", 1024),
            ("1_000_000", 1_000_000),
            ("512k", 512_000),
            ("512KiB", 524_288),
            ("64MiB", 64 << 20),
            ("64 MiB", 64 << 20),
            ("1.5GB", 1_500_000_000),
            ("0.5MiB", 1 << 19),
            ("10B", 10),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_size_shows_how_to_write_one() {
        let example = "write bytes, or a number with a unit such as `512KiB`, `64MiB` or `1.5GB`";
        assert_eq!(refused("many"), format!("`many` is not a size: {example}"));
        assert_eq!(refused(""), format!("`` is not a size: {example}"));
        assert_eq!(
            refused("1.2.3MB"),
            format!("`1.2.3MB` is not a size: {example}")
        );
        assert_eq!(refused(".5MB"), format!("`.5MB` is not a size: {example}"));
        assert_eq!(refused("-5MB"), format!("`-5MB` is negative: {example}"));
        assert_eq!(
            refused("64mib"),
            format!("the unit `mib` is not known (did you mean `MiB`?): {example}")
        );
        assert_eq!(
            refused("64 pages"),
            format!("the unit `pages` is not known: {example}")
        );
    }

    #[test]
    fn more_than_can_be_counted_is_refused_and_not_wrapped() {
        for text in [
            "18446744073709551616",
            "99999999TiB",
            "18446744073709551615k",
        ] {
            assert!(
                refused(text).ends_with("is too large: the most is 18446744073709551615 bytes")
            );
        }
    }

    #[test]
    fn what_is_written_reads_back_the_same() {
        let sizes = [
            0,
            1,
            999,
            1000,
            1024,
            1536,
            1 << 20,
            64 << 20,
            1_500_000_000,
            (1 << 40) + 1,
            u64::MAX,
        ];
        for size in sizes.map(Size::from_bytes) {
            assert_eq!(size.to_string().parse(), Ok(size), "{size}");
        }
        assert_eq!(Size::from_bytes(64 << 20).to_string(), "64MiB");
        assert_eq!(Size::from_bytes(1_500_000).to_string(), "1500kB");
        assert_eq!(Size::from_bytes(0).to_string(), "0B");
    }
}
