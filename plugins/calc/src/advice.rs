//! What to write instead, added to the calculator's own words.

/// Said when the time is up.
pub(crate) const TOO_LONG: &str = "stopped, it takes too long: use smaller numbers, or a logarithm (`9^9 * log 9` is the number of digits of 9^9^9)";
/// Said when there is nothing between parentheses.
pub(crate) const NOTHING: &str =
    "the parentheses hold nothing: write an expression into them, and close each";
/// How much of an expression is repeated in a message, in bytes.
const MAX_REPEATED: usize = 80;
/// Functions and words that the calculator knows beside its units.
const WORDS: &[&str] = &[
    "abs",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "ln",
    "log",
    "log2",
    "log10",
    "exp",
    "sqrt",
    "cbrt",
    "floor",
    "ceil",
    "round",
    "not",
    "mean",
    "fibonacci",
    "fraction",
    "mixed_fraction",
    "exact",
    "hex",
    "binary",
    "octal",
    "decimal",
    "pi",
    "tau",
    "ans",
];

/// The calculator's words, and what to do.
pub(crate) fn explain(line: &str, error: &str) -> String {
    if let Some(name) = error
        .strip_prefix("unknown identifier '")
        .and_then(|rest| rest.strip_suffix('\''))
    {
        return unknown(name);
    }
    let advice = if error.contains("exchange rates") {
        "there are no exchange rates here: write the rate into the calculation, such as `12 * 1.08`"
    } else if error.contains("random numbers") {
        return "there are no random numbers here: the same expression always has the same value"
            .into();
    } else if error.contains("current date") {
        "the date of today is not known here: write a date, such as `@2024-01-31 + 5 days`"
    } else if error.contains("incompatible") {
        "multiply or divide until both sides measure the same thing"
    } else if error.contains("expected a number") && line.matches('@').count() > 1 {
        "one date cannot be taken from another: only a date plus or minus days is known"
    } else if error.contains("expected an identifier") && line.contains(['(', ':']) {
        "a function is defined as `f = x: x^2` and used as `f 3`"
    } else if error.contains("unexpected input") || error.contains("expected an identifier") {
        "something is missing, or there is a sign too many: check operators and parentheses"
    } else if error.contains("modulo") {
        "shift the number into the positive first, such as `(a + n) mod n`"
    } else {
        return error.to_owned();
    };
    format!("{error}: {advice}")
}

fn unknown(name: &str) -> String {
    if matches!(name, "ans" | "_") {
        return format!("`{name}` is the result of the line before, and this is the first");
    }
    let near = similar(name);
    if matches!(
        name,
        "max" | "min" | "gcd" | "lcm" | "sum" | "avg" | "median"
    ) {
        return format!(
            "no function `{name}`: functions take one argument here, compare or add the values yourself"
        );
    }
    if near.is_empty() {
        return format!(
            "no unit, function or variable `{name}`: define it on a line before, such as `{name} = 5`"
        );
    }
    let listed: Vec<_> = near.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "no unit, function or variable `{name}`: did you mean {}?",
        listed.join(" or ")
    )
}

/// Known names that look like `name`, best first.
fn similar(name: &str) -> Vec<String> {
    let first: String = name.chars().take(1).collect();
    let units = fend_core::get_completions_for_prefix(&first).1;
    let units = units.iter().map(|unit| unit.display().to_owned());
    // Prefixed units are not listed: look at what follows the prefix, too.
    let known = [
        "kilo", "mega", "giga", "tera", "milli", "micro", "nano", "centi",
    ];
    let split = known
        .iter()
        .filter_map(|prefix| Some((*prefix, name.strip_prefix(prefix)?)));
    let prefixed = split.flat_map(|(prefix, rest)| {
        let first: String = rest.chars().take(1).collect();
        let units = fend_core::get_completions_for_prefix(&first).1;
        units
            .into_iter()
            .map(move |unit| format!("{prefix}{}", unit.display()))
            .collect::<Vec<_>>()
    });
    let words = WORDS.iter().map(|word| (*word).to_owned());
    let mut scored: Vec<_> = units
        .chain(prefixed)
        .chain(words)
        .map(|unit| (strsim::jaro_winkler(&unit, name), unit))
        .filter(|(score, _)| *score > 0.88)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The beginning of `text`, short enough for a message.
pub(crate) fn cut(text: &str) -> String {
    if text.len() <= MAX_REPEATED {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_REPEATED)])
}
