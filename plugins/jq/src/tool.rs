//! The tool as the model sees it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use toolhost_sdk::{Context, Output, ToolError, tool};

use crate::failure::{Failure, FailureKind};
use crate::input::Cut;
use crate::query::{self, Answer, Query, Source};
use crate::stderr;

/// Arguments of `jq`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of jq's own"
)]
pub struct JqArgs {
    /// The jq filter, such as `.items[] | select(.price > 10) | .name`.
    pub filter: String,
    /// The input, as JSON. Give one of `input`, `text` and `path`.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Value>")]
    pub input: Option<Box<RawValue>>,
    /// The input as text: one or more JSON values, one a line for example
    /// (NDJSON). The filter runs on each of them.
    #[serde(default)]
    pub text: Option<String>,
    /// The input as a file of JSON or NDJSON in a directory granted to the tool.
    /// It is read value by value and may be large.
    #[serde(default)]
    pub path: Option<String>,
    /// Variables: `{"min": 4}` makes `$min` known to the filter.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub args: BTreeMap<String, Box<RawValue>>,
    /// Give strings as plain text, without quotes (`jq -r`).
    #[serde(default)]
    pub raw: bool,
    /// Make one array of all inputs and run the filter once (`jq -s`).
    #[serde(default)]
    pub slurp: bool,
    /// Take each line of the text as a string instead of as JSON (`jq -R`); with
    /// `slurp` all of it as one string.
    #[serde(default)]
    pub raw_input: bool,
    /// Run the filter once on `null` (`jq -n`); `input` and `inputs` give the
    /// inputs, if there are any.
    #[serde(default)]
    pub null_input: bool,
    /// Stop after so many outputs.
    #[serde(default = "default_outputs")]
    #[schemars(range(min = 1, max = 100_000))]
    pub max_outputs: usize,
}

fn default_outputs() -> usize {
    query::DEFAULT_OUTPUTS
}

/// One output, as the JSON text the filter made.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Json(#[schemars(with = "serde_json::Value")] Box<RawValue>);

/// Runs a jq filter over JSON: pick, filter, reshape, count, group, join. Knows
/// the jq 1.7 language and its functions, regular expressions and dates
/// included. Numbers in `text` and files keep every digit.
///
/// One output comes back as JSON, several as text with one JSON value a line.
/// Outputs beyond `maxOutputs` or 256 KiB are left out with a note.
#[tool(title = "jq", read_only, idempotent, open_world = false)]
pub(crate) fn jq(#[tool(args)] args: JqArgs, ctx: &Context) -> Result<Output<Json>, ToolError> {
    stderr::install();
    let query = query_of(args)?;
    let answer = query::run(&query, &|| ctx.is_aborted())?;
    output(answer)
}

fn query_of(args: JqArgs) -> Result<Query, Failure> {
    let given = [
        args.input.is_some(),
        args.text.is_some(),
        args.path.is_some(),
    ];
    let source = match (args.input, args.text, args.path) {
        _ if given.iter().filter(|given| **given).count() > 1 => {
            let message = "give one of `input`, `text` and `path`: to join several, pass the others in `args`";
            return Err(Failure::new(FailureKind::Arguments, message));
        }
        (Some(input), ..) => Source::Text(input.get().to_owned()),
        (_, Some(text), _) => Source::Text(text),
        (.., Some(path)) => Source::File(path),
        _ if args.null_input => Source::Nothing,
        _ => {
            let message = "there is no input: give `input`, `text` or `path`; for a filter that needs none set `nullInput`";
            return Err(Failure::new(FailureKind::Arguments, message));
        }
    };
    let variables = args
        .args
        .into_iter()
        .map(|(name, value)| (name, value.get().to_owned()));
    Ok(Query {
        filter: args.filter,
        source,
        variables: variables.collect(),
        cut: Cut {
            lines: args.raw_input,
            slurp: args.slurp,
        },
        null_input: args.null_input,
        raw: args.raw,
        max_outputs: Some(args.max_outputs),
    })
}

fn output(answer: Answer) -> Result<Output<Json>, ToolError> {
    let count = answer.outputs.len();
    let mut output = Output::new();
    if answer.is_json
        && answer
            .outputs
            .iter()
            .all(|text| crate::json::is_readable(text))
    {
        let text = answer.outputs.into_iter().next().unwrap_or_default();
        let json = RawValue::from_string(text).map_err(|error| ToolError::from_error(&error))?;
        output = output.structured(Json(json));
    } else if count > 0 {
        output = output.content(answer.outputs.join("\n"));
    } else {
        output = output.content("(the filter gave no output)");
    }
    let is_truncated = answer.truncated.is_some();
    if let Some(note) = answer.truncated {
        output = output.content(format!("(truncated: {note})"));
    }
    Ok(output.custom_data(json!({ "outputs": count, "truncated": is_truncated })))
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        let error = Self::new(failure.kind.name(), failure.message);
        match failure.details {
            Some(details) => error.details(details),
            None => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use toolhost_sdk::{Outcome, testing};

    use super::*;

    fn call(arguments: serde_json::Value) -> Result<Output, ToolError> {
        testing::call::<JqTool>(arguments)
    }

    #[test]
    fn one_output_is_json() {
        let output = call(json!({ "filter": ".a|add", "input": { "a": [1, 2, 3] } })).unwrap();
        assert_eq!(output.structured, Some(json!(6)));
        assert!(output.content.is_empty());
    }

    #[test]
    fn a_number_that_no_reader_holds_is_text_with_every_digit() {
        for number in ["1e1000", "123456789012345678901234567890"] {
            let output = call(json!({ "filter": number, "nullInput": true })).unwrap();
            assert_eq!((output.text().as_str(), output.structured), (number, None));
        }
    }

    #[test]
    fn several_outputs_are_lines() {
        let output = call(json!({ "filter": ".[]", "input": [1, "b", null] })).unwrap();
        assert_eq!(
            (output.text().as_str(), output.structured),
            ("1\n\"b\"\nnull", None)
        );
    }

    #[test]
    fn a_raw_string_is_text() {
        let output = call(json!({ "filter": ".", "input": "a b", "raw": true })).unwrap();
        assert_eq!((output.text().as_str(), output.structured), ("a b", None));
    }

    #[test]
    fn no_output_and_too_many_are_told() {
        let output = call(json!({ "filter": "empty", "input": 1 })).unwrap();
        assert_eq!(output.text(), "(the filter gave no output)");
        let output = call(json!({ "filter": "repeat(1)", "input": 1, "maxOutputs": 2 })).unwrap();
        assert!(
            output
                .text()
                .starts_with("1\n1\n(truncated: stopped after 2 outputs")
        );
        assert_eq!(
            output.custom_data,
            Some(json!({ "outputs": 2, "truncated": true }))
        );
    }

    #[test]
    fn exactly_one_input_is_asked_for() {
        let none = call(json!({ "filter": "." })).unwrap_err();
        assert_eq!(none.name, "JqArgumentsError");
        assert!(none.message.contains("set `nullInput`"), "{none}");
        assert!(call(json!({ "filter": ".", "input": 1, "text": "2" })).is_err());
        let output =
            call(json!({ "filter": "[inputs]", "text": "1 2", "nullInput": true })).unwrap();
        assert_eq!(output.structured, Some(json!([1, 2])));
    }

    #[test]
    fn variables_and_unknown_arguments() {
        let output =
            call(json!({ "filter": ".[$key]", "input": { "a": 5 }, "args": { "key": "a" } }));
        assert_eq!(output.unwrap().structured, Some(json!(5)));
        assert!(call(json!({ "filter": ".", "inputs": 1 })).is_err());
    }

    #[test]
    fn the_definition_says_what_a_model_needs() {
        let definition = testing::definition::<JqTool>();
        assert_eq!(definition.name, "jq");
        assert!(definition.description.contains("jq filter over JSON"));
        assert_eq!(definition.input_schema["required"], json!(["filter"]));
        assert_eq!(
            definition.input_schema["additionalProperties"],
            json!(false)
        );
        assert!(definition.input_schema["properties"]["maxOutputs"]["default"] == json!(1000));
    }

    #[test]
    fn a_cancelled_call_fails_soon() {
        let ctx = Context::fake().aborted().build();
        let arguments = json!({ "filter": "range(infinite) | select(. < 0), 1", "input": 1 });
        let result = testing::call_with::<JqTool>(&arguments, &ctx);
        assert!(!matches!(result, Ok(Outcome::Done(_))));
    }
}
