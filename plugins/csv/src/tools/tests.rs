//! The tools as the host calls them: JSON in, JSON out.

use serde_json::json;
use toolhost_sdk::{Context, Outcome, testing};

use super::profile::CsvProfileTool;
use super::query::CsvQueryTool;

const TEXT: &str = "city;amount\nRome;1,5\nOslo;-\n";

#[test]
fn a_profile_is_structured() {
    let arguments = json!({ "text": "city,amount\nRome,1\nOslo,2\n" });
    let profile = testing::call::<CsvProfileTool>(arguments)
        .unwrap()
        .structured
        .unwrap();
    assert_eq!(profile["rows"], 2);
    assert_eq!(profile["columns"][1]["type"], "integer");
    assert_eq!(profile["columns"][1]["max"], 2);
}

#[test]
fn a_query_is_structured() {
    let arguments = json!({
        "text": TEXT,
        "nullValues": ["-"],
        "filter": [{ "column": "amount", "op": "notNull" }],
        "select": ["city"],
    });
    let answer = testing::call::<CsvQueryTool>(arguments)
        .unwrap()
        .structured
        .unwrap();
    assert_eq!(answer["rows"], json!([["Rome"]]));
    assert_eq!(answer["rowsRead"], 2);
}

#[test]
fn a_wrong_column_comes_with_suggestions() {
    let arguments = json!({ "text": TEXT, "select": ["citty"] });
    let error = testing::call::<CsvQueryTool>(arguments).unwrap_err();
    assert_eq!(error.name, "CsvColumnError");
    assert_eq!(error.details.unwrap()["suggestions"], json!(["city"]));
}

#[test]
fn a_long_table_emits_what_is_known() {
    let text = format!("n\n{}", "1\n".repeat(120_000));
    let ctx = Context::fake().build();
    let outcome = testing::call_with::<CsvProfileTool>(&json!({ "text": text }), &ctx).unwrap();
    assert!(matches!(outcome, Outcome::Done(_)));
    let partials = &ctx.recording().partials;
    assert_eq!(partials.len(), 2);
    assert_eq!(partials[1]["rowsRead"], 100_000);
}

#[test]
fn a_cancelled_call_ends() {
    let ctx = Context::fake().aborted().build();
    let text = format!("n\n{}", "1\n".repeat(5000));
    let error =
        testing::call_with::<CsvQueryTool>(&json!({ "text": text, "groupBy": ["n"] }), &ctx);
    assert_eq!(error.unwrap_err().name, "CsvAbortedError");
}

#[test]
fn the_definitions_explain_themselves() {
    let query = testing::definition::<CsvQueryTool>();
    let properties = &query.input_schema["properties"];
    assert_eq!(properties["limit"]["maximum"], 10_000);
    assert_eq!(
        properties["nullValues"]["default"],
        json!(["", "NA", "N/A", "null", "NULL"])
    );
    let condition = &properties["filter"]["items"];
    assert_eq!(condition["required"], json!(["column", "op"]));
    assert!(
        query
            .output_schema
            .is_some_and(|schema| schema["properties"]["rows"].is_object())
    );
    assert!(
        testing::definition::<CsvProfileTool>()
            .output_schema
            .is_some()
    );
}
