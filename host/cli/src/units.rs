//! Numbers as people read them.

use std::time::Duration;

/// `12 bytes`, `1.5 KiB`, `64 MiB`: at most one digit after the point.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return if bytes == 1 {
            "1 byte".into()
        } else {
            format!("{bytes} bytes")
        };
    }
    let mut scale = 1024_u64;
    let mut unit = 0;
    while unit + 1 < UNITS.len() && bytes / scale >= 1024 {
        scale *= 1024;
        unit += 1;
    }
    let tenths = u128::from(bytes) * 10 / u128::from(scale);
    match tenths % 10 {
        0 => format!("{} {}", tenths / 10, UNITS[unit]),
        tenth => format!("{}.{tenth} {}", tenths / 10, UNITS[unit]),
    }
}

/// `1,234,567`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `0.4 ms`, `312 ms`, `1.2 s`.
pub(crate) fn duration(duration: Duration) -> String {
    let milliseconds = duration.as_secs_f64() * 1_000.0;
    if milliseconds < 10.0 {
        format!("{milliseconds:.1} ms")
    } else if milliseconds < 1_000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// `1 tool`, `2 tools`.
pub(crate) fn plural(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{} {noun}s", count(number as u64))
    }
}

/// An amount of fuel as one types it: `5000000`, `5_000_000`, `5M`.
///
/// # Errors
///
/// A sentence that shows how an amount is written.
pub(crate) fn parse_fuel(text: &str) -> Result<u64, String> {
    const HELP: &str = "write a whole number of instructions such as `5000000`, `5_000_000` or \
                        `5M` (k, M, G)";
    let plain: String = text.chars().filter(|letter| *letter != '_').collect();
    let (number, scale) = match plain.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&plain[..end], 1_000),
        Some((end, 'm' | 'M')) => (&plain[..end], 1_000_000),
        Some((end, 'g' | 'G')) => (&plain[..end], 1_000_000_000),
        _ => (plain.as_str(), 1_u64),
    };
    let number: u64 = number.parse().map_err(|_| HELP.to_owned())?;
    number
        .checked_mul(scale)
        .ok_or_else(|| format!("that is more than {}; {HELP}", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let shown: Vec<String> = [0, 1, 1023, 1024, 1536, 262_144, 64 << 20, u64::MAX]
            .map(bytes)
            .into();
        let expected = [
            "0 bytes",
            "1 byte",
            "1023 bytes",
            "1 KiB",
            "1.5 KiB",
            "256 KiB",
            "64 MiB",
        ];
        assert_eq!(shown[..7], expected);
        assert!(shown[7].ends_with(" TiB"));
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn fuel_is_typed_in_several_ways() {
        for text in ["5000000", "5_000_000", "5M", "5m", "5_000k"] {
            assert_eq!(parse_fuel(text), Ok(5_000_000), "{text}");
        }
        assert_eq!(parse_fuel("5G"), Ok(5_000_000_000));
        for text in ["", "M", "5 Mio", "-1", "1.5", "five", "é"] {
            assert!(parse_fuel(text).unwrap_err().contains("`5M`"), "{text}");
        }
        assert!(parse_fuel("99999999999G").is_err());
    }
}
