//! Numbers as tables hold them: exact decimals. Money added up as binary
//! fractions ends in `0.30000000000000004`, and an id beyond 2^53 turns into its
//! neighbour.

use std::cmp::Ordering;
use std::fmt;

/// Digits behind the point that stay exact; more make a number a float.
const MAX_SCALE: u32 = 18;
/// What the digits are divided by, for each scale.
const POWERS: [f64; MAX_SCALE as usize + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
];

/// A number.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// `mantissa / 10^scale`.
    Exact {
        /// All digits.
        mantissa: i128,
        /// How many of them stand behind the point.
        scale: u32,
    },
    /// One with an exponent, or too many digits.
    Float(f64),
}

impl Number {
    /// Reads `12`, `-1.50`, `.5`, `1e6`. Not numbers: `007` (an identifier, its
    /// zeros count), `1,000`, `12%`, `NaN`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_negative = bytes.first() == Some(&b'-');
        let digits = if is_negative || bytes.first() == Some(&b'+') {
            &bytes[1..]
        } else {
            bytes
        };
        // Most cells that are no numbers end here.
        if !digits
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.')
        {
            return None;
        }
        let whole = leading_digits(digits);
        let padded = whole > 1 && digits[0] == b'0';
        let mut end = whole;
        let mut fraction = 0;
        if digits.get(end) == Some(&b'.') {
            fraction = leading_digits(&digits[end + 1..]);
            end += 1 + fraction;
        }
        if padded || whole + fraction == 0 {
            return None;
        }
        if end < digits.len() {
            return with_exponent(text, &digits[end..]);
        }
        let scale = u32::try_from(fraction)
            .ok()
            .filter(|scale| *scale <= MAX_SCALE);
        match scale.and_then(|scale| Some((joined(digits, whole + fraction)?, scale))) {
            Some((mantissa, scale)) => {
                let mantissa = if is_negative { -mantissa } else { mantissa };
                Some(Self::Exact { mantissa, scale })
            }
            None => text.parse().ok().map(Self::Float),
        }
    }

    /// A count.
    #[must_use]
    pub fn from_count(count: u64) -> Self {
        Self::Exact {
            mantissa: count.into(),
            scale: 0,
        }
    }

    /// Whether it has no digits behind the point.
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self, Self::Exact { scale: 0, .. })
    }

    /// The nearest float.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            #[expect(
                clippy::cast_precision_loss,
                reason = "the nearest float is what is asked for"
            )]
            Self::Exact { mantissa, scale } => match i64::try_from(mantissa) {
                Ok(small) => small as f64 / POWERS[scale as usize],
                Err(_) => mantissa as f64 / POWERS[scale as usize],
            },
            Self::Float(float) => float,
        }
    }

    /// The sum; exact as long as both are and there is room.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let exact = aligned(self, other).and_then(|(a, b, scale)| Some((a.checked_add(b)?, scale)));
        match exact {
            Some((mantissa, scale)) => Self::Exact { mantissa, scale },
            None => Self::Float(self.to_f64() + other.to_f64()),
        }
    }
}

/// How many digits the text begins with.
fn leading_digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// A number whose digits are followed by `exponent`, if that is one.
fn with_exponent(text: &str, exponent: &[u8]) -> Option<Number> {
    let (b'e' | b'E', power) = exponent.split_first()? else {
        return None;
    };
    let power = power
        .strip_prefix(b"-")
        .or_else(|| power.strip_prefix(b"+"))
        .unwrap_or(power);
    if power.is_empty() || leading_digits(power) < power.len() {
        return None;
    }
    text.parse()
        .ok()
        .filter(|float: &f64| float.is_finite())
        .map(Number::Float)
}

/// The number that all `count` digits together make; a point among them is
/// passed over. Most fit into 64 bits, where counting is much cheaper.
fn joined(digits: &[u8], count: usize) -> Option<i128> {
    let mut values = digits
        .iter()
        .filter(|byte| **byte != b'.')
        .map(|byte| byte - b'0');
    if count <= 18 {
        return Some(
            values
                .fold(0_i64, |sum, digit| sum * 10 + i64::from(digit))
                .into(),
        );
    }
    values.try_fold(0_i128, |sum, digit| {
        sum.checked_mul(10)?.checked_add(digit.into())
    })
}

/// Two exact numbers with the same scale.
fn aligned(a: Number, b: Number) -> Option<(i128, i128, u32)> {
    let (
        Number::Exact {
            mantissa: a,
            scale: left,
        },
        Number::Exact {
            mantissa: b,
            scale: right,
        },
    ) = (a, b)
    else {
        return None;
    };
    // Within a column this is the rule, and 128-bit multiplication is slow.
    if left == right {
        return Some((a, b, left));
    }
    let scale = left.max(right);
    let raise = |mantissa: i128, from: u32| {
        if from == scale {
            return Some(mantissa);
        }
        // At most 10^18, as scales are at most `MAX_SCALE`.
        let factor = 10_i64.pow(scale - from);
        match i64::try_from(mantissa)
            .ok()
            .and_then(|small| small.checked_mul(factor))
        {
            Some(product) => Some(product.into()),
            None => mantissa.checked_mul(factor.into()),
        }
    };
    Some((raise(a, left)?, raise(b, right)?, scale))
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match aligned(*self, *other) {
            Some((a, b, _)) => a.cmp(&b),
            None => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

/// As a JSON number.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact { mantissa, scale: 0 } => write!(f, "{mantissa}"),
            Self::Exact { mantissa, scale } => {
                let sign = if mantissa < 0 { "-" } else { "" };
                let width = scale as usize + 1;
                let digits = format!("{:0>width$}", mantissa.unsigned_abs());
                let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
                write!(f, "{sign}{whole}.{fraction}")
            }
            Self::Float(float) => match serde_json::Number::from_f64(float) {
                Some(number) => {
                    let text = number.to_string();
                    f.write_str(text.strip_suffix(".0").unwrap_or(&text))
                }
                None => f.write_str("null"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).expect("a number")
    }

    #[test]
    fn what_is_a_number_and_what_is_not() {
        for text in ["0", "-1.50", "12", "0.5", "12345678901234567890123"] {
            assert_eq!(number(text).to_string(), text);
        }
        assert_eq!(number("+.5").to_string(), "0.5");
        assert_eq!(number("1e6").to_string(), "1000000");
        for text in [
            "", "-", ".", "007", "1,000", "12%", "NaN", "inf", "1e", "1e999", "0x10", "1 2",
            "1.2.3",
        ] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn sums_of_decimals_are_exact() {
        assert_eq!(number("0.1").plus(number("0.2")).to_string(), "0.3");
        assert_eq!(
            number("9007199254740993").plus(number("0.5")).to_string(),
            "9007199254740993.5"
        );
        assert_eq!(number("1e300").plus(number("1")).to_string(), "1e+300");
    }

    #[test]
    fn comparison_sees_every_digit() {
        assert!(number("9007199254740993") > number("9007199254740992"));
        assert_eq!(number("1.50"), number("1.5"));
        assert!(number("-2") < number("-1.99"));
    }
}
