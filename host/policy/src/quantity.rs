//! A number with a unit, as people type it: what sizes and spans have in common.

use toolhost_tool::suggest;

/// Digits after the point that count; more would be below a byte or a nanosecond.
const MAX_DECIMALS: usize = 9;

/// A size or a span of time that cannot be used. The message shows how to write it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// It does not start with a number.
    #[error("`{text}` is not {what}: write {example}")]
    NotANumber {
        /// What was typed.
        text: String,
        /// What was expected: `a size`, `a span of time`.
        what: &'static str,
        /// How to write one.
        example: &'static str,
    },
    /// It is less than nothing.
    #[error("`{text}` is negative: write {example}")]
    Negative {
        /// What was typed.
        text: String,
        /// How to write one.
        example: &'static str,
    },
    /// A span has no unit.
    #[error("`{text}` has no unit: write {example}")]
    NoUnit {
        /// What was typed.
        text: String,
        /// How to write one.
        example: &'static str,
    },
    /// The unit is not known.
    #[error("the unit `{unit}` is not known{}: write {example}", meant(*.suggestion))]
    UnknownUnit {
        /// The unit as typed.
        unit: String,
        /// A unit that was probably meant.
        suggestion: Option<&'static str>,
        /// How to write one.
        example: &'static str,
    },
    /// It is more than can be counted.
    #[error("`{text}` is too large: the most is {most}")]
    TooLarge {
        /// What was typed.
        text: String,
        /// The largest value.
        most: &'static str,
    },
}

fn meant(suggestion: Option<&str>) -> String {
    suggestion
        .map(|unit| format!(" (did you mean `{unit}`?)"))
        .unwrap_or_default()
}

/// How one kind of quantity is written.
pub(crate) struct Kind {
    pub(crate) what: &'static str,
    pub(crate) example: &'static str,
    pub(crate) most: &'static str,
    /// Units in the base unit; the first is written when there is none, if any.
    pub(crate) units: &'static [(&'static str, u64)],
    /// Whether a number alone is in the base unit.
    pub(crate) bare: bool,
}

/// Reads a quantity, in the base unit.
pub(crate) fn parse(text: &str, kind: &Kind) -> Result<u64, QuantityError> {
    let Kind {
        what,
        example,
        most,
        ..
    } = *kind;
    let typed = text.trim();
    if let Some(rest) = typed.strip_prefix('-')
        && rest.starts_with(|letter: char| letter.is_ascii_digit())
    {
        return Err(QuantityError::Negative {
            text: typed.into(),
            example,
        });
    }
    let end = typed.find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != '_');
    let (number, unit) = typed.split_at(end.unwrap_or(typed.len()));
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.contains('.') {
        return Err(QuantityError::NotANumber {
            text: typed.into(),
            what,
            example,
        });
    }
    let scale = scale(unit.trim(), typed, kind)?;
    let too_large = || QuantityError::TooLarge {
        text: typed.into(),
        most,
    };
    let whole = whole
        .replace('_', "")
        .parse::<u64>()
        .map_err(|_| too_large())?;
    let whole = whole.checked_mul(scale).ok_or_else(too_large)?;
    whole
        .checked_add(fraction(decimals, scale))
        .ok_or_else(too_large)
}

/// The digits after the point, in the base unit, rounded down.
fn fraction(decimals: &str, scale: u64) -> u64 {
    let digits = decimals
        .bytes()
        .filter(u8::is_ascii_digit)
        .take(MAX_DECIMALS);
    let (number, power) = digits.fold((0_u128, 1_u128), |(number, power), digit| {
        (number * 10 + u128::from(digit - b'0'), power * 10)
    });
    // Below `scale`, as the number is below the power of ten.
    u64::try_from(number * u128::from(scale) / power).unwrap_or(scale)
}

fn scale(unit: &str, typed: &str, kind: &Kind) -> Result<u64, QuantityError> {
    if unit.is_empty() {
        let error = QuantityError::NoUnit {
            text: typed.into(),
            example: kind.example,
        };
        return if kind.bare { Ok(1) } else { Err(error) };
    }
    let known = || kind.units.iter();
    if let Some((_, scale)) = known().find(|(name, _)| *name == unit) {
        return Ok(*scale);
    }
    let other_case = known().find(|(name, _)| name.eq_ignore_ascii_case(unit));
    let suggestion = other_case.map(|(name, _)| *name);
    Err(QuantityError::UnknownUnit {
        unit: unit.into(),
        suggestion: suggestion.or_else(|| suggest(unit, known().map(|(name, _)| *name))),
        example: kind.example,
    })
}

/// Writes a quantity in the largest of `units` that leaves no fraction.
pub(crate) fn write(amount: u64, units: &[(&'static str, u64)]) -> String {
    let exact = units
        .iter()
        .filter(|(_, scale)| amount != 0 && amount.is_multiple_of(*scale));
    let (unit, scale) = exact
        .max_by_key(|(_, scale)| *scale)
        .copied()
        .unwrap_or(units[0]);
    format!("{}{unit}", amount / scale)
}
