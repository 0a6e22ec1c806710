//! The lines of a calculation. Each is worked out in turn; variables, functions
//! and the last result (`ans`) are carried from line to line.

use fend_core::Context;
use serde_json::json;

use crate::stop::{Stop, Stopped};
use crate::{advice, reading};

/// How many lines a calculation has at most.
const MAX_LINES: usize = 100;
/// The longest result, in bytes. Longer ones are cut: nobody reads on.
pub const MAX_RESULT: usize = 4000;

/// What came out of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line as it was given.
    pub expression: String,
    /// Its value; `approx. ` stands before it when digits were left out.
    pub result: String,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What went wrong, in which line, and what to write instead.
    pub message: String,
    /// The calculator was stopped, or the caller cancelled.
    pub stopped: Option<Stopped>,
    /// `{line, expression, results}`: the line at fault, and what came out of
    /// the lines before it.
    pub details: serde_json::Value,
}

impl Failure {
    /// The name under which the model sees the error.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.stopped {
            None => "CalculationError",
            Some(Stopped::TooLong) => "CalculationTooLongError",
            Some(Stopped::Aborted) => "CalculationAbortedError",
        }
    }
}

/// Works out `text`, line by line. `is_aborted` says whether the caller still
/// wants the result.
///
/// # Errors
/// The first line that has no value ends the calculation.
pub fn calculate(text: &str, is_aborted: &dyn Fn() -> bool) -> Result<Vec<Line>, Failure> {
    let lines = split(text)?;
    let mut context = Context::new();
    let stop = Stop::start();
    let mut done: Vec<Line> = Vec::new();
    for line in &lines {
        let outcome = if is_aborted() {
            Err(("the call was cancelled".to_owned(), Some(Stopped::Aborted)))
        } else {
            evaluate(line, &mut context, &stop)
        };
        match outcome {
            Ok(result) => done.push(Line {
                expression: (*line).to_owned(),
                result,
            }),
            Err(complaint) => return Err(located(complaint, &lines, &done)),
        }
    }
    Ok(done)
}

/// The lines that are not empty.
fn split(text: &str) -> Result<Vec<&str>, Failure> {
    let refuse = |message: String| Failure {
        message,
        stopped: None,
        details: json!({}),
    };
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if lines.is_empty() {
        return Err(refuse(
            "there is nothing to calculate: write an expression such as `3 ft to m`".into(),
        ));
    }
    if lines.len() > MAX_LINES {
        return Err(refuse(format!(
            "{} lines, at most {MAX_LINES} are taken: split the calculation",
            lines.len()
        )));
    }
    Ok(lines)
}

/// A complaint about the line after those that are done.
fn located((message, stopped): Complaint, lines: &[&str], done: &[Line]) -> Failure {
    let number = done.len() + 1;
    let expression = advice::cut(lines[done.len()]);
    let message = if lines.len() > 1 {
        format!("line {number}, `{expression}`: {message}")
    } else {
        message
    };
    let results: Vec<_> = done.iter().map(|line| &line.result).collect();
    let details = json!({ "line": number, "expression": expression, "results": results });
    Failure {
        message,
        stopped,
        details,
    }
}

/// What is wrong with a line, and whether it was stopped.
type Complaint = (String, Option<Stopped>);

fn evaluate(line: &str, context: &mut Context, stop: &Stop) -> Result<String, Complaint> {
    reading::check(line).map_err(|message| (message, None))?;
    match fend_core::evaluate_with_interrupt(&reading::with_inches(line), context, stop) {
        // What is left open is closed around nothing, which has no value.
        Ok(result) if result.get_main_result().is_empty() && line.contains(['(', ')']) => {
            Err((advice::NOTHING.into(), None))
        }
        Ok(result) => Ok(cut(result.get_main_result())),
        Err(_) if stop.has_fired() => Err((advice::TOO_LONG.into(), Some(Stopped::TooLong))),
        Err(error) => Err((advice::explain(line, &error), None)),
    }
}

/// A result no longer than [`MAX_RESULT`], with a note when it was cut.
fn cut(result: &str) -> String {
    if result.len() <= MAX_RESULT {
        return result.to_owned();
    }
    let head = &result[..result.floor_char_boundary(MAX_RESULT)];
    let all = result.chars().count();
    format!("{head}… (truncated: {all} characters in all; add `to 20 sf` for a rounded value)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_around_nothing_are_no_result() {
        for text in ["(((((", "()", "(("] {
            let failure = calculate(text, &|| false).unwrap_err();
            assert!(!failure.message.is_empty(), "{text}");
        }
        assert_eq!(results("2 * (3 + 4"), ["14"]);
    }

    #[test]
    fn the_last_result_before_there_is_one_is_told_to_be_missing() {
        let failure = calculate("ans + 1", &|| false).unwrap_err();
        assert!(failure.message.contains("the line before"), "{failure:?}");
    }

    fn results(text: &str) -> Vec<String> {
        calculate(text, &|| false)
            .expect("a value")
            .into_iter()
            .map(|line| line.result)
            .collect()
    }

    fn complaint(text: &str) -> String {
        calculate(text, &|| false).expect_err("no value").message
    }

    #[test]
    fn units_are_converted_exactly() {
        assert_eq!(results("3 ft to m"), ["0.9144 m"]);
        assert_eq!(results("5 feet 3 inches to cm"), ["160.02 cm"]);
        assert_eq!(results("5 ft 3 in to cm"), ["160.02 cm"]);
        assert_eq!(results("98.6 °F to °C"), ["37 °C"]);
        assert_eq!(results("1 kWh to MJ"), ["3.6 MJ"]);
        assert_eq!(results("50 mph in km/h"), ["80.4672 km / h"]);
    }

    #[test]
    fn numbers_are_exact_until_they_are_shown() {
        assert_eq!(results("0.1 + 0.2"), ["0.3"]);
        assert_eq!(results("2^200")[0].len(), 61);
        assert_eq!(results("1/3 to 5 dp"), ["approx. 0.33333"]);
        assert_eq!(results("1/3 * 3"), ["1"]);
        assert_eq!(results("1/3 to fraction"), ["1/3"]);
        assert_eq!(results("1,234,567 + 1"), ["1234568"]);
    }

    #[test]
    fn lines_share_variables() {
        assert_eq!(
            results("width = 3 m\nheight = 4 m\n\nwidth * height"),
            ["3 m", "4 m", "12 m^2"]
        );
        assert_eq!(results("f = x: x^2\nf 3")[1], "9");
        assert_eq!(results("2 * 3\nans + 1"), ["6", "7"]);
    }

    #[test]
    fn the_line_at_fault_is_named() {
        let failure = calculate("a = 1\na + nosuchname", &|| false).unwrap_err();
        assert!(
            failure.message.starts_with("line 2, `a + nosuchname`: "),
            "{}",
            failure.message
        );
        assert_eq!(failure.details["results"][0], "1");
    }

    #[test]
    fn a_runaway_is_stopped() {
        let failure = calculate("9^9^9", &|| false).unwrap_err();
        assert_eq!(failure.stopped, Some(Stopped::TooLong));
        assert_eq!(failure.name(), "CalculationTooLongError");
        assert!(
            failure.message.contains("smaller numbers"),
            "{}",
            failure.message
        );
    }

    #[test]
    fn a_long_result_is_cut_and_says_so() {
        let result = &results("2^20000")[0];
        assert!(result.len() < MAX_RESULT + 200);
        assert!(
            result.ends_with(
                "(truncated: 6021 characters in all; add `to 20 sf` for a rounded value)"
            )
        );
    }

    #[test]
    fn a_cancelled_calculation_ends() {
        let failure = calculate("1\n2", &|| true).unwrap_err();
        assert_eq!(failure.stopped, Some(Stopped::Aborted));
    }

    #[test]
    fn what_is_wrong_comes_with_what_to_write() {
        assert!(
            complaint("5 kilometr").contains("did you mean `kilometer`"),
            "{}",
            complaint("5 kilometr")
        );
        assert!(complaint("5 USD to EUR").contains("write the rate into the calculation"));
        assert!(complaint("1/0").contains("division by zero"));
        assert!(complaint("roll d6").contains("no random numbers"));
        assert!(complaint("f(x) = x^2").contains("`f = x: x^2`"));
        assert!(complaint("today").contains("write a date"));
        assert!(complaint("3 kg to m").contains("incompatible"));
        assert!(complaint("1 +").contains("something is missing"));
        assert!(complaint(" \n").contains("nothing to calculate"));
    }

    #[test]
    fn what_would_be_misread_is_refused() {
        assert!(
            complaint("mean(1, 2)").contains("one argument"),
            "{}",
            complaint("mean(1, 2)")
        );
        assert!(
            complaint("1,5 + 1").contains("decimal"),
            "{}",
            complaint("1,5 + 1")
        );
    }
}
