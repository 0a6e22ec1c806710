//! Texts, and the schemas they are checked against.

use anyhow::Result;
use toolhost_tool::{SchemaLimits, ToolSchema};

/// A text that matches its schema.
pub(super) struct Sample {
    pub(super) what: &'static str,
    schema: &'static str,
    pub(super) text: String,
}

/// A tool as there are many: ten properties on two levels.
const ISSUE: &str = r#"{
    "type": "object", "required": ["title", "author"], "additionalProperties": false,
    "properties": {
        "title": {"type": "string", "minLength": 1, "description": "What is wrong, in a few words"},
        "body": {"type": "string"},
        "priority": {"type": "integer", "minimum": 1, "maximum": 5},
        "draft": {"type": "boolean"},
        "kind": {"enum": ["bug", "feature", "question"]},
        "labels": {"type": "array", "items": {"type": "string"}},
        "author": {
            "type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "email": {"type": "string"}, "age": {"type": "integer"}}
        }
    }
}"#;

/// The same with two members that are filled in.
const ISSUE_WITH_DEFAULTS: &str = r#"{
    "type": "object", "required": ["title", "author"], "additionalProperties": false,
    "properties": {
        "title": {"type": "string", "minLength": 1, "description": "What is wrong, in a few words"},
        "body": {"type": "string"},
        "priority": {"type": "integer", "minimum": 1, "maximum": 5},
        "draft": {"type": "boolean"},
        "kind": {"enum": ["bug", "feature", "question"]},
        "labels": {"type": "array", "items": {"type": "string"}},
        "assignee": {"type": ["string", "null"], "default": null},
        "notify": {"type": "boolean", "default": true},
        "author": {
            "type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "email": {"type": "string"}, "age": {"type": "integer"}}
        }
    }
}"#;

const ISSUE_TEXT: &str = r#"{"title": "It is slow", "body": "A call takes 20 ms.", "priority": 3,
    "draft": false, "kind": "bug", "labels": ["speed", "host"],
    "author": {"name": "Ann", "email": "ann@example.org", "age": 40}}"#;

/// Nothing is said of what the rows are.
const ANY_ROWS: &str = r#"{"type": "object", "properties": {"any": {}}}"#;

const ROWS: &str = r#"{
    "type": "object", "required": ["any"],
    "properties": {"any": {"type": "array", "items": {
        "type": "object", "required": ["name"],
        "properties": {
            "name": {"type": "string"},
            "numbers": {"type": "array", "items": {"type": "number"}},
            "ok": {"type": "boolean"}
        }
    }}}
}"#;

impl Sample {
    pub(super) fn all() -> [Self; 4] {
        let sample = |what, schema, text| Self { what, schema, text };
        [
            sample("10 properties on 2 levels", ISSUE, ISSUE_TEXT.to_owned()),
            sample(
                "the same, and 2 defaults are filled in",
                ISSUE_WITH_DEFAULTS,
                ISSUE_TEXT.to_owned(),
            ),
            sample("1 MB of rows, any", ANY_ROWS, rows()),
            sample("1 MB of rows, each by a schema", ROWS, rows()),
        ]
    }

    pub(super) fn schema(&self) -> Result<ToolSchema> {
        Ok(ToolSchema::compile(self.schema, &SchemaLimits::default())?)
    }
}

/// A megabyte: text, numbers and nesting.
pub(super) fn rows() -> String {
    let row =
        r#"{"name": "a row of some length, as they come", "numbers": [1, 22.5, 333], "ok": true}"#;
    let rows = vec![row; 1_000_000 / (row.len() + 1)].join(",");
    format!(r#"{{"any": [{rows}]}}"#)
}
