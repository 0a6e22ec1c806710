//! An author returns what is natural; the host gets an outcome.

#![expect(clippy::unnecessary_wraps, reason = "the types are the subject")]

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use toolhost_sdk::{
    Audio, Content, Context, File, Image, Outcome, Output, Suspension, Tool, ToolError, testing,
    tool,
};

fn output<T: Tool>() -> Output {
    testing::call::<T>(json!({})).unwrap()
}

fn schema<T: Tool>() -> Option<Value> {
    testing::definition::<T>().output_schema
}

mod text {
    //! Text in its forms.
    use std::borrow::Cow;
    use toolhost_sdk::tool;

    /// Text.
    #[tool]
    pub(crate) fn owned() -> String {
        "owned".into()
    }

    /// Text.
    #[tool]
    pub(crate) fn fixed() -> &'static str {
        "fixed"
    }

    /// Text.
    #[tool]
    pub(crate) fn maybe() -> Result<Cow<'static, str>, String> {
        Ok("maybe".into())
    }

    /// Text.
    #[tool]
    pub(crate) fn echo(#[tool(default = "echo")] text: &str) -> &str {
        text
    }
}

#[test]
fn text_is_a_text_block_without_a_schema() {
    assert_eq!(
        output::<text::OwnedTool>().content,
        [Content::text("owned")]
    );
    assert_eq!(output::<text::FixedTool>().text(), "fixed");
    assert_eq!(output::<text::MaybeTool>().text(), "maybe");
    assert_eq!(output::<text::EchoTool>().text(), "echo");
    assert_eq!(output::<text::OwnedTool>().structured, None);
    assert_eq!(schema::<text::OwnedTool>(), None);
    assert_eq!(schema::<text::MaybeTool>(), None);
}

/// Says nothing.
#[tool]
fn quiet() {}

#[test]
fn nothing_still_says_that_it_is_done() {
    assert_eq!(output::<QuietTool>().text(), "done");
}

#[derive(Serialize, JsonSchema)]
struct Statistics {
    /// How many rows there are.
    rows: u32,
    mean: Option<f64>,
}

/// Counts.
#[tool]
fn statistics() -> Statistics {
    let (rows, mean) = (3, None);
    Statistics { rows, mean }
}

/// Counts, or not.
#[tool]
fn try_statistics() -> Result<Statistics, ToolError> {
    Ok(statistics())
}

/// Counts, or waits.
#[tool]
fn patient_statistics() -> Result<Outcome<Statistics>, ToolError> {
    Ok(Outcome::Done(statistics()))
}

/// Counts, and draws.
#[tool]
fn drawn_statistics() -> Output<Statistics> {
    Output::of(statistics())
        .content(Image::png([1, 2]))
        .model_view("three rows")
        .custom_data(json!({ "seed": 1 }))
}

#[test]
fn a_struct_is_structured_and_has_a_schema() {
    let expected = json!({
        "type": "object",
        "properties": {
            "rows": {
                "type": "integer",
                "description": "How many rows there are.",
                "minimum": 0,
                "maximum": u32::MAX,
            },
            "mean": { "type": ["number", "null"] },
        },
        "required": ["rows", "mean"],
    });
    for schema in [
        schema::<StatisticsTool>(),
        schema::<TryStatisticsTool>(),
        schema::<PatientStatisticsTool>(),
        schema::<DrawnStatisticsTool>(),
    ] {
        assert_eq!(schema.unwrap(), expected);
    }
    for output in [
        output::<StatisticsTool>(),
        output::<TryStatisticsTool>(),
        output::<PatientStatisticsTool>(),
        output::<DrawnStatisticsTool>(),
    ] {
        assert_eq!(
            output.structured.unwrap(),
            json!({ "rows": 3, "mean": null })
        );
    }
}

#[test]
fn an_output_keeps_all_it_was_given() {
    let output = output::<DrawnStatisticsTool>();
    assert_eq!(output.content, [Content::Image(Image::png([1, 2]))]);
    assert_eq!(output.model_view.unwrap(), [Content::text("three rows")]);
    assert_eq!(output.custom_data.unwrap()["seed"], 1);
}

/// Adds.
#[tool]
fn number() -> f64 {
    1.5
}

/// Lists.
#[tool]
fn list() -> Vec<String> {
    vec!["a".into()]
}

/// Anything.
#[tool]
fn anything() -> Value {
    json!({ "any": [1] })
}

#[test]
fn other_values_are_structured_without_a_schema() {
    assert_eq!(output::<NumberTool>().structured.unwrap(), 1.5);
    assert_eq!(output::<ListTool>().structured.unwrap(), json!(["a"]));
    assert_eq!(output::<AnythingTool>().structured.unwrap()["any"][0], 1);
    assert_eq!(schema::<NumberTool>(), None);
    assert_eq!(schema::<ListTool>(), None);
    assert_eq!(schema::<AnythingTool>(), None);
}

/// One block.
#[tool]
fn picture() -> Image {
    Image::svg("<svg/>")
}

/// Several blocks.
#[tool]
fn blocks() -> Result<Vec<Content>, ToolError> {
    Ok(vec![
        "a file and a recording".into(),
        File::link("text/csv", "https://example.com/a")
            .named("a.csv")
            .into(),
        Audio::new("audio/wav", [0]).into(),
    ])
}

/// An output without a structured value.
#[tool]
fn untyped() -> Output {
    Output::new().content("text").content(picture())
}

#[test]
fn content_blocks_come_through() {
    assert_eq!(
        output::<PictureTool>().content,
        [Image::svg("<svg/>").into()]
    );
    assert_eq!(output::<BlocksTool>().content.len(), 3);
    assert_eq!(output::<UntypedTool>().text(), "text");
    assert_eq!(schema::<UntypedTool>(), None);
}

/// Waits for ever.
#[tool]
fn wait() -> Suspension {
    Suspension::approval("because")
}

/// Asks first.
#[tool]
fn ask(ctx: &Context) -> Outcome<String> {
    match ctx.resumption().and_then(|back| back.answer_as::<u8>()) {
        Some(answer) => Outcome::Done(format!("{answer}")),
        None => ctx.suspend(
            Suspension::question("How many?")
                .answer_of::<u8>()
                .state("half"),
        ),
    }
}

#[test]
fn a_tool_can_wait_for_an_answer() {
    let ctx = Context::fake().build();
    let first = testing::call_with::<AskTool>(&json!({}), &ctx).unwrap();
    let suspension = first.suspension().unwrap();
    assert_eq!(suspension.state, b"half");

    let resumption = toolhost_sdk::Resumption {
        state: suspension.state,
        answer: Some(json!(4)),
    };
    let ctx = Context::fake().resumption(resumption).build();
    let second = testing::call_with::<AskTool>(&json!({}), &ctx).unwrap();
    assert_eq!(second.done().unwrap().text(), "4");

    let error = testing::call::<WaitTool>(json!({})).unwrap_err();
    assert!(error.message.contains("Approval"), "{error}");
}

#[derive(Debug, thiserror::Error)]
enum WeatherError {
    #[error("no city is called `{0}`")]
    CityNotFound(String),
    #[error("no forecast")]
    Unavailable(#[from] std::num::ParseIntError),
}

#[derive(Debug)]
struct Custom;

impl From<Custom> for ToolError {
    fn from(_: Custom) -> Self {
        ToolError::new("CustomFailure", "told by hand")
            .code("c-1")
            .retryable()
            .propagate()
    }
}

struct OnlyText;

impl fmt::Display for OnlyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("only text")
    }
}

mod failing {
    //! Tools that fail, each in its own way.
    use super::{Custom, OnlyText, WeatherError};
    use toolhost_sdk::{ToolError, tool};

    /// Fails.
    #[tool]
    pub(crate) fn variant() -> Result<(), WeatherError> {
        Err(WeatherError::CityNotFound("X".into()))
    }

    /// Fails.
    #[tool]
    pub(crate) fn caused() -> Result<u8, WeatherError> {
        Ok("x".parse()?)
    }

    /// Fails.
    #[tool]
    pub(crate) fn custom() -> Result<String, Custom> {
        Err(Custom)
    }

    /// Fails.
    #[tool]
    pub(crate) fn whole() -> Result<String, ToolError> {
        Err(ToolError::new("WholeError", "w").details(toolhost_sdk::serde_json::json!([1])))
    }

    /// Fails.
    #[tool]
    pub(crate) fn only_text() -> Result<String, OnlyText> {
        Err(OnlyText)
    }

    /// Fails.
    #[tool]
    pub(crate) fn boxed() -> Result<String, Box<dyn std::error::Error>> {
        Err("boxed".into())
    }

    /// Fails.
    #[tool]
    pub(crate) fn io() -> std::io::Result<String> {
        std::fs::read_to_string("/no/such/file")
    }
}

fn failure<T: Tool>() -> (String, String) {
    let error = testing::call::<T>(json!({})).unwrap_err();
    (error.name, error.message)
}

#[test]
fn every_error_gets_a_name_and_a_message() {
    let cases = [
        (
            failure::<failing::VariantTool>(),
            "CityNotFoundError",
            "no city is called `X`",
        ),
        (
            failure::<failing::CausedTool>(),
            "UnavailableError",
            "no forecast: invalid digit found in string",
        ),
        (
            failure::<failing::CustomTool>(),
            "CustomFailure",
            "told by hand",
        ),
        (failure::<failing::WholeTool>(), "WholeError", "w"),
        (
            failure::<failing::OnlyTextTool>(),
            "ToolExecutionError",
            "only text",
        ),
        (
            failure::<failing::BoxedTool>(),
            "ToolExecutionError",
            "boxed",
        ),
    ];
    for ((name, message), expected_name, expected_message) in cases {
        assert_eq!(
            (name.as_str(), message.as_str()),
            (expected_name, expected_message)
        );
    }
    assert_eq!(failure::<failing::IoTool>().0, "NotFoundError");
}

#[test]
fn an_error_keeps_all_it_was_given() {
    let custom = testing::call::<failing::CustomTool>(json!({})).unwrap_err();
    assert!(custom.retryable && custom.propagate);
    assert_eq!(custom.code.unwrap(), "c-1");
    let whole = testing::call::<failing::WholeTool>(json!({})).unwrap_err();
    assert_eq!(*whole.details.unwrap(), json!([1]));
}

/// Writes what is no JSON.
#[tool]
fn no_json() -> std::collections::HashMap<Key, u8> {
    std::iter::once((Key { part: 1 }, 1)).collect()
}

#[derive(Serialize, JsonSchema, PartialEq, Eq, Hash)]
struct Key {
    part: u8,
}

#[test]
fn a_result_that_is_no_json_is_an_error() {
    let (name, message) = failure::<NoJsonTool>();
    assert_eq!(name, "ToolResultError");
    assert!(message.contains("key must be a string"), "{message}");
}
