//! Numbers as people read them: `1,234.5`, `−3`, `1e9`.

/// Numbers from here on are written with an exponent.
const LARGE: f64 = 1e15;

/// Steps below this are written with an exponent.
const SMALL: f64 = 1e-6;

/// `value` with as many decimals as `step` needs.
pub(crate) fn by_step(value: f64, step: f64, largest: f64) -> String {
    if largest >= LARGE || step < SMALL {
        return scientific(value, digits(largest, step));
    }
    // A multiple of the step can come out as −0.00000001.
    let value = if value.abs() < step * 1e-6 {
        0.0
    } else {
        value
    };
    with_separators(&format!("{value:.*}", decimals(step)))
}

/// `value` by itself, with up to four significant decimals.
pub(crate) fn plain(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..LARGE).contains(&magnitude) {
        return scientific(value, 3);
    }
    let decimals = if magnitude >= 1000.0 {
        0
    } else {
        4 - digits_before_point(magnitude)
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    with_separators(text)
}

/// A power of ten.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    if (-4..6).contains(&exponent) {
        return with_separators(&format!(
            "{:.*}",
            usize::try_from(-exponent).unwrap_or(0),
            10f64.powi(exponent)
        ));
    }
    minus(&format!("1e{exponent}"))
}

/// Decimals that tell multiples of `step` apart.
fn decimals(step: f64) -> usize {
    let places = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=12"
    )]
    let places = places as usize;
    places
}

fn digits_before_point(magnitude: f64) -> usize {
    match magnitude {
        m if m >= 100.0 => 3,
        m if m >= 10.0 => 2,
        m if m >= 1.0 => 1,
        _ => 0,
    }
}

/// Digits of a mantissa that tell multiples of `step` apart.
fn digits(largest: f64, step: f64) -> usize {
    let places = (largest.log10().floor() - step.log10().floor()).clamp(0.0, 12.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=12"
    )]
    let places = places as usize;
    places
}

fn scientific(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{value:.digits$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let mantissa = if mantissa.contains('.') {
        mantissa.trim_end_matches('0').trim_end_matches('.')
    } else {
        mantissa
    };
    minus(&format!("{mantissa}e{exponent}"))
}

/// Puts a comma between each three digits before the point.
fn with_separators(text: &str) -> String {
    let (sign, digits) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, None), |(whole, part)| (whole, Some(part)));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    minus(&out)
}

/// A minus is as wide as a plus; a hyphen is hard to see beside digits.
fn minus(text: &str) -> String {
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (value, text) in [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1,000"),
            (-1_234_567.0, "−1,234,567"),
        ] {
            assert_eq!(by_step(value, 1.0, 2e6), text);
        }
    }

    #[test]
    fn decimals_follow_the_step() {
        assert_eq!(by_step(0.3, 0.1, 1.0), "0.3");
        assert_eq!(by_step(1500.0, 0.5, 2000.0), "1,500.0");
        assert_eq!(by_step(-1e-17, 0.2, 1.0), "0.0");
        assert_eq!(by_step(0.02, 0.02, 0.1), "0.02");
    }

    #[test]
    fn very_large_and_very_small_numbers_have_an_exponent() {
        assert_eq!(by_step(2e299, 1e299, 1e300), "2e299");
        assert_eq!(by_step(1.5e-9, 5e-10, 3e-9), "1.5e−9");
        assert_eq!(plain(1e308), "1e308");
        assert_eq!(plain(5e-324), "4.941e−324");
    }

    #[test]
    fn single_values_have_no_idle_zeros() {
        for (value, text) in [
            (12.5, "12.5"),
            (1234.56, "1,235"),
            (0.1 + 0.2, "0.3"),
            (3.0, "3"),
            (-0.5, "−0.5"),
        ] {
            assert_eq!(plain(value), text);
        }
    }

    #[test]
    fn powers_of_ten() {
        for (exponent, text) in [
            (0, "1"),
            (3, "1,000"),
            (-2, "0.01"),
            (9, "1e9"),
            (-12, "1e−12"),
        ] {
            assert_eq!(power_of_ten(exponent), text);
        }
    }
}
