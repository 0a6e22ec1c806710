//! Refuses what the calculator would read as something else than was meant. It
//! takes `mean(1, 2)` for `mean(12)`: a comma only groups digits.

/// The longest line, in bytes: the parser recurses.
const MAX_LENGTH: usize = 4096;
/// How deep parentheses nest.
const MAX_NESTING: usize = 50;

/// Checks one line.
///
/// # Errors
/// Says what to write instead.
pub(crate) fn check(line: &str) -> Result<(), String> {
    if line.len() > MAX_LENGTH {
        return Err(format!(
            "the line has {} bytes, at most {MAX_LENGTH} are taken: use variables and several lines",
            line.len()
        ));
    }
    let mut open = Vec::new();
    let mut in_text = false;
    let mut before = String::new();
    for (at, c) in line.char_indices() {
        match c {
            '"' => in_text = !in_text,
            _ if in_text => {}
            '(' => open.push(ends_with_word(&before)),
            ')' => drop(open.pop()),
            ',' if open.last() == Some(&true) => return Err(one_argument()),
            ',' => check_grouping(line, at)?,
            '>' | '<' => check_comparison(line, at)?,
            _ => {}
        }
        if open.len() > MAX_NESTING {
            return Err(format!(
                "parentheses nest more than {MAX_NESTING} deep: use variables and several lines"
            ));
        }
        before.push(c);
    }
    Ok(())
}

/// Whether a parenthesis after this text holds the argument of a function.
fn ends_with_word(before: &str) -> bool {
    before
        .trim_end()
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphabetic() || c == '_')
}

fn one_argument() -> String {
    "functions take one argument, and a comma only groups digits: write `(1 + 2) / 2` for a mean, `a nCr b` for a binomial, one line for each value otherwise".into()
}

/// A comma stands between digits, with three of them behind it.
fn check_grouping(line: &str, at: usize) -> Result<(), String> {
    let before = line[..at].chars().next_back();
    let after: Vec<char> = line[at + 1..]
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    if before.is_some_and(|c| c.is_ascii_digit()) && after.len() == 3 {
        return Ok(());
    }
    if before.is_some_and(|c| c.is_ascii_digit()) && !after.is_empty() {
        return Err("a comma groups digits in threes: write `1.5` with a point for a decimal, `1,000` or `1000` for a thousand".into());
    }
    Err("a comma only groups digits: put each expression on a line of its own".into())
}

/// `<<` and `>>` shift; there is nothing else with these signs.
fn check_comparison(line: &str, at: usize) -> Result<(), String> {
    let sign = &line[at..=at];
    let doubled = line[at + 1..].starts_with(sign) || line[..at].ends_with(sign);
    if doubled {
        Ok(())
    } else {
        Err("there is no `<` or `>`: calculate the difference and look at its sign".into())
    }
}

/// The line with `inches` for an `in` that cannot mean "convert to", because
/// nothing to convert to follows: `5 ft 3 in to cm`, `12 in * 3`.
pub(crate) fn with_inches(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("in") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        text.push_str(before);
        let is_word = !text.chars().next_back().is_some_and(is_name)
            && !after.chars().next().is_some_and(is_name);
        text.push_str(if is_word && ends_a_value(after) {
            "inches"
        } else {
            "in"
        });
        rest = after;
    }
    text + rest
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '"'
}

/// Whether a value is over where this text goes on.
fn ends_a_value(after: &str) -> bool {
    let after = after.trim_start();
    let conversion = ["to ", "as ", "in "]
        .iter()
        .any(|word| after.starts_with(word));
    after.is_empty() || conversion || after.starts_with(['+', '-', '*', '/', '^', ')', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouped_digits_pass_and_other_commas_do_not() {
        assert_eq!(check("1,000 + 12,345,678.9"), Ok(()));
        assert_eq!(check("(1,000 + 1) * 2"), Ok(()));
        assert!(check("1,00").is_err());
        assert!(check("3, 4").is_err());
        assert!(check("gcd(1,200)").is_err_and(|text| text.contains("one argument")));
    }

    #[test]
    fn hostile_lines_are_refused() {
        assert!(check(&"(".repeat(1000)).is_err_and(|text| text.contains("nest")));
        assert!(check(&"1+".repeat(5000)).is_err_and(|text| text.contains("bytes")));
    }

    #[test]
    fn inches_and_conversions_are_told_apart() {
        assert_eq!(with_inches("5 ft 3 in to cm"), "5 ft 3 inches to cm");
        assert_eq!(with_inches("3 m in in"), "3 m in inches");
        assert_eq!(with_inches("(2 in)^2 + 1 min"), "(2 inches)^2 + 1 min");
        assert_eq!(with_inches("50 mph in km/h"), "50 mph in km/h");
        assert_eq!(with_inches("sin 1 in + inside"), "sin 1 inches + inside");
    }

    #[test]
    fn shifts_are_no_comparisons() {
        assert_eq!(check("1 << 10"), Ok(()));
        assert!(check("5 > 3").is_err());
    }
}
