//! The tool as the model sees it.

use serde_json::json;
use toolhost_sdk::{Context, Output, ToolError, tool};

use crate::calculation::{Failure, calculate};

/// Calculates with units and exact numbers of any size: `3 ft 4 in to cm`,
/// `2^200`, `1/3 to 5 dp`, `70 kg * 9.81 m/s^2 to N`, `0x1F to decimal`,
/// `sqrt 2 to 30 dp`, `10!`, `49 nCr 6`, `@2024-01-31 + 5 days`.
///
/// Convert with `to`; round with `to 3 dp` (decimal places) or `to 3 sf`
/// (significant figures); `to fraction` keeps a fraction exact. `approx.` before
/// a result means that digits were left out. Functions take one argument: `sin`,
/// `cos`, `tan`, `ln`, `log` (base 10), `log2`, `sqrt`, `abs`, `floor`, `ceil`,
/// `round`. `20%` is 0.2: 20 % more than x is `x * 1.2`. There are no exchange
/// rates, no random numbers and no date of today.
#[tool(title = "Calculator", read_only, idempotent, open_world = false)]
pub(crate) fn calc(
    /// The expression. Several lines are worked out one after the other and give
    /// one result each; `width = 3 m` on one line makes `width` known to the
    /// lines below, `f = x: x^2` the function `f`; `ans` is the result of the
    /// line before.
    expression: &str,
    ctx: &Context,
) -> Result<Output, ToolError> {
    let lines = calculate(expression, &|| ctx.is_aborted())?;
    let results: Vec<_> = lines.iter().map(|line| line.result.as_str()).collect();
    let data: Vec<_> = lines
        .iter()
        .map(|line| json!({ "expression": line.expression, "result": line.result }))
        .collect();
    Ok(Output::new().content(results.join("\n")).custom_data(data))
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        Self::new(failure.name(), failure.message).details(failure.details)
    }
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::testing;

    use super::*;

    #[test]
    fn a_result_is_text() {
        let output = testing::call::<CalcTool>(json!({ "expression": "3 ft to m" })).unwrap();
        assert_eq!(output.text(), "0.9144 m");
    }

    #[test]
    fn several_lines_give_several_results() {
        let output = testing::call::<CalcTool>(json!({ "expression": "a = 2\na^10" })).unwrap();
        assert_eq!(output.text(), "2\n1024");
        assert_eq!(output.custom_data.unwrap()[1]["expression"], "a^10");
    }

    #[test]
    fn an_error_has_a_name_and_says_where() {
        let error = testing::call::<CalcTool>(json!({ "expression": "1\n2 bananas" })).unwrap_err();
        assert_eq!(error.name, "CalculationError");
        assert_eq!(error.details.unwrap()["line"], 2);
    }
}
