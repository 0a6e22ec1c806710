//! What a cell holds.

use std::cmp::Ordering;

use crate::number::Number;

/// What a cell looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A whole number.
    Integer,
    /// A number with a point or an exponent.
    Number,
    /// `true`, `false`, `yes`, `no`.
    Boolean,
    /// `2024-01-31`.
    Date,
    /// `2024-01-31 12:00`, with seconds and offset if it likes.
    Datetime,
    /// Anything else.
    Text,
}

impl Kind {
    /// All kinds, in the order of their index.
    pub const ALL: [Self; 6] = [
        Self::Integer,
        Self::Number,
        Self::Boolean,
        Self::Date,
        Self::Datetime,
        Self::Text,
    ];

    /// The kind of a cell that is not null, without spaces around it.
    #[must_use]
    pub fn of(cell: &str) -> Self {
        Self::with(cell, Number::parse(cell))
    }

    /// [`of`](Self::of), for a cell whose number is known.
    #[must_use]
    pub fn with(cell: &str, number: Option<Number>) -> Self {
        if let Some(number) = number {
            return if number.is_integer() {
                Self::Integer
            } else {
                Self::Number
            };
        }
        let words = ["true", "false", "yes", "no"];
        if cell.len() <= 5 && words.iter().any(|word| cell.eq_ignore_ascii_case(word)) {
            return Self::Boolean;
        }
        match date_length(cell) {
            Some(length) if length == cell.len() => Self::Date,
            Some(length) if is_time(&cell[length..]) => Self::Datetime,
            _ => Self::Text,
        }
    }

    /// The word the model reads.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Datetime => "datetime",
            Self::Text => "text",
        }
    }

    /// The kind that covers both, when it is not simply text.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match (self.min(other), self.max(other)) {
            (a, b) if a == b => a,
            (Self::Integer, Self::Number) => Self::Number,
            (Self::Date, Self::Datetime) => Self::Datetime,
            _ => Self::Text,
        }
    }
}

/// The length of a date `YYYY-MM-DD` at the beginning.
fn date_length(cell: &str) -> Option<usize> {
    let bytes: &[u8; 10] = cell.as_bytes().first_chunk()?;
    let [_, _, _, _, b'-', m, n, b'-', d, e] = bytes else {
        return None;
    };
    let is_year = bytes[..4].iter().all(u8::is_ascii_digit);
    let good = is_year && (1..=12).contains(&pair(*m, *n)?) && (1..=31).contains(&pair(*d, *e)?);
    good.then_some(10)
}

/// The number of two digits.
fn pair(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}

/// `THH:MM`, then seconds, fraction and offset in any reasonable form.
fn is_time(rest: &str) -> bool {
    let Some((start, rest)) = rest.as_bytes().split_first_chunk::<6>() else {
        return false;
    };
    let [b'T' | b' ', h, i, b':', m, n] = start else {
        return false;
    };
    let good = pair(*h, *i).is_some_and(|hour| hour < 24)
        && pair(*m, *n).is_some_and(|minute| minute < 60);
    good && rest
        .iter()
        .all(|byte| byte.is_ascii_digit() || b":.+-Z ".contains(byte))
}

/// A cell, ready to be compared: numbers by size, the rest by its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Number),
    /// Any other text.
    Text(Box<str>),
    /// Nothing. Comes last.
    Null,
}

impl Value {
    /// The value of a cell; `None` is a null.
    #[must_use]
    pub fn of(cell: Option<&str>) -> Self {
        let Some(cell) = cell else { return Self::Null };
        Number::parse(cell).map_or_else(|| Self::Text(cell.into()), Self::Number)
    }
}

impl Value {
    /// Where a cell that is not null stands beside this value. Copies nothing,
    /// unlike [`of`](Self::of).
    #[must_use]
    pub fn cmp_cell(&self, cell: &str, number: Option<Number>) -> Ordering {
        match (self, number) {
            (Self::Number(value), Some(number)) => number.cmp(value),
            (Self::Text(text), None) => cell.cmp(text),
            (Self::Number(_), None) => Ordering::Greater,
            (Self::Text(_) | Self::Null, _) => Ordering::Less,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Null, Self::Null) => Ordering::Equal,
            (Self::Number(_), _) | (Self::Text(_), Self::Null) => Ordering::Less,
            (Self::Null, _) | (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_cells() {
        let kinds = [
            ("12", Kind::Integer),
            ("-1.5", Kind::Number),
            ("True", Kind::Boolean),
            ("2024-01-31", Kind::Date),
            ("2024-01-31T12:00:00Z", Kind::Datetime),
            ("2024-01-31 12:00", Kind::Datetime),
            ("2024-13-31", Kind::Text),
            ("007", Kind::Text),
            ("2024-01-31abc", Kind::Text),
            ("äöüäöüäöü", Kind::Text),
        ];
        for (cell, kind) in kinds {
            assert_eq!(Kind::of(cell), kind, "{cell}");
        }
    }

    #[test]
    fn kinds_join_to_what_covers_both() {
        assert_eq!(Kind::Integer.join(Kind::Number), Kind::Number);
        assert_eq!(Kind::Datetime.join(Kind::Date), Kind::Datetime);
        assert_eq!(Kind::Boolean.join(Kind::Integer), Kind::Text);
    }

    #[test]
    fn a_cell_compares_like_its_value() {
        let cells = ["b", "10", "9", "a"];
        for (value, cell) in cells
            .iter()
            .flat_map(|a| cells.iter().map(move |b| (*a, *b)))
        {
            let (value, number) = (Value::of(Some(value)), Number::parse(cell));
            assert_eq!(
                value.cmp_cell(cell, number),
                Value::of(Some(cell)).cmp(&value)
            );
        }
        assert!(Value::Null.cmp_cell("a", None).is_lt());
    }

    #[test]
    fn numbers_sort_before_text_and_nulls_last() {
        let mut values = [None, Some("b"), Some("10"), Some("9"), Some("a")].map(Value::of);
        values.sort();
        assert_eq!(
            values,
            [Some("9"), Some("10"), Some("a"), Some("b"), None].map(Value::of)
        );
    }
}
