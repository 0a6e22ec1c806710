//! An author writes parameters; the model gets a schema and sends JSON.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolhost_sdk::{Context, ToolError, testing, tool};

/// Searches for a pattern.
///
/// Give short patterns.
#[tool]
fn search(
    /// What to look for.
    pattern: &str,
    ctx: &Context,
    /// Where to look.
    #[tool(default = "/")]
    root: String,
    /// How many matches to return.
    #[tool(default = 10)]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// Only files of these types.
    extensions: Option<Vec<String>>,
    #[tool(default)] words: Vec<String>,
    tags: &[String],
    note: Option<&str>,
) -> Value {
    json!({
        "pattern": pattern, "root": root, "limit": limit, "extensions": extensions,
        "words": words, "tags": tags, "note": note, "call": ctx.tool_call_id(),
    })
}

#[test]
fn the_description_is_the_doc_comment() {
    let definition = testing::definition::<SearchTool>();
    assert_eq!(definition.name, "search");
    assert_eq!(
        definition.description,
        "Searches for a pattern.\n\nGive short patterns."
    );
}

#[test]
fn parameters_become_a_schema() {
    let schema = testing::definition::<SearchTool>().input_schema;
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "items": text });
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "pattern": { "type": "string", "description": "What to look for." },
                "root": { "type": "string", "description": "Where to look.", "default": "/" },
                "limit": {
                    "type": "integer",
                    "description": "How many matches to return.",
                    "default": 10,
                    "minimum": 1,
                    "maximum": 100,
                },
                "extensions": {
                    "type": ["array", "null"],
                    "description": "Only files of these types.",
                    "items": text,
                },
                "words": { "type": "array", "items": text, "default": [] },
                "tags": texts,
                "note": { "type": ["string", "null"] },
            },
            "required": ["pattern", "tags"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn properties_keep_the_order_of_the_parameters() {
    let schema = testing::definition::<SearchTool>().input_schema;
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    let order = [
        "pattern",
        "root",
        "limit",
        "extensions",
        "words",
        "tags",
        "note",
    ];
    assert_eq!(names, order);
}

#[test]
fn defaults_are_filled_in() {
    let output = testing::call::<SearchTool>(json!({ "pattern": "x", "tags": ["t"] })).unwrap();
    assert_eq!(
        output.structured.unwrap(),
        json!({
            "pattern": "x", "root": "/", "limit": 10, "extensions": null,
            "words": [], "tags": ["t"], "note": null, "call": "call-1",
        })
    );
}

#[test]
fn everything_given_arrives() {
    let given = json!({
        "pattern": "ä\n", "root": "/src", "limit": 3, "extensions": ["rs"],
        "words": ["a"], "tags": [], "note": "n",
    });
    let output = testing::call::<SearchTool>(given.clone()).unwrap();
    let mut structured = output.structured.unwrap();
    structured.as_object_mut().unwrap().remove("call");
    assert_eq!(structured, given);
}

#[test]
fn the_function_is_still_one() {
    let ctx = Context::fake().build();
    let found = search("x", &ctx, "/".into(), 1, None, vec![], &[], Some("n"));
    assert_eq!(found["note"], "n");
}

fn refused(arguments: Value) -> ToolError {
    testing::call::<SearchTool>(arguments).unwrap_err()
}

#[test]
fn arguments_that_do_not_fit_are_a_clean_error() {
    for arguments in [
        json!({}),
        json!({ "pattern": 1, "tags": [] }),
        json!({ "pattern": "x", "tags": [], "limit": 5_000_000_000_u64 }),
        json!({ "pattern": "x", "tags": [], "surprise": true }),
        json!("x"),
        json!(null),
    ] {
        let error = refused(arguments);
        assert_eq!(error.name, "ToolArgumentsValidationError");
        assert!(!error.retryable);
        let issues = &error.details.unwrap()["issues"];
        assert_eq!(issues[0]["path"], "");
    }
    let message = refused(json!({ "pattern": "x" })).message;
    assert!(message.contains("missing field `tags`"), "{message}");
}

/// Takes nothing.
#[tool]
fn ping() -> &'static str {
    "pong"
}

#[test]
fn a_tool_without_parameters_takes_an_empty_object() {
    assert_eq!(
        testing::definition::<PingTool>().input_schema,
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
    assert_eq!(testing::call::<PingTool>(json!({})).unwrap().text(), "pong");
}

/// A place.
#[derive(Deserialize, JsonSchema)]
struct Place {
    /// Degrees north.
    latitude: f64,
    #[serde(default)]
    labels: Vec<Label>,
}

#[derive(Deserialize, JsonSchema)]
struct Label {
    text: String,
}

/// Tells where a place is.
#[tool]
fn locate(#[tool(args)] place: Place, ctx: &Context) -> String {
    ctx.info("locating");
    let labels: Vec<_> = place.labels.into_iter().map(|label| label.text).collect();
    format!("{}° {}", place.latitude, labels.join(" "))
}

#[test]
fn a_struct_of_the_authors_takes_all_arguments() {
    let schema = testing::definition::<LocateTool>().input_schema;
    assert_eq!(
        schema["properties"]["latitude"]["description"],
        "Degrees north."
    );
    assert_eq!(schema["properties"]["labels"]["items"]["type"], "object");
    assert!(schema.get("title").is_none() && schema.get("$defs").is_none());
    let arguments = json!({ "latitude": 52.5, "labels": [{ "text": "Berlin" }] });
    let output = testing::call::<LocateTool>(arguments).unwrap();
    assert_eq!(output.text(), "52.5° Berlin");
}

/// Words that Rust keeps to itself.
#[tool]
fn r#match(r#type: String, #[serde(rename = "maxRows")] max_rows: u8) -> String {
    format!("{type} {max_rows}")
}

#[test]
fn keywords_and_other_spellings_are_names() {
    let definition = testing::definition::<MatchTool>();
    assert_eq!(definition.name, "match");
    assert_eq!(
        definition.input_schema["required"],
        json!(["type", "maxRows"])
    );
    let output = testing::call::<MatchTool>(json!({ "type": "a", "maxRows": 2 })).unwrap();
    assert_eq!(output.text(), "a 2");
}
