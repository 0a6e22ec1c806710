//! Tools with schemas that no host can or should use, between two good ones. Each is
//! named after its fault; those called `good_…` are sound.

use guest_support::bindings::types::ToolDefinition;
use guest_support::{Answer, Request, Tool, definition, schema, text};

fn execute(request: &Request) -> Answer {
    text(request.call.arguments.as_deref().unwrap_or("absent"))
}

/// Every name the host might call.
fn tools() -> &'static [Tool] {
    let row = |definition: ToolDefinition| Tool {
        name: definition.name.leak(),
        description: "",
        properties: "{}",
        run: execute,
    };
    describe().into_iter().map(row).collect::<Vec<_>>().leak()
}

fn property(text: &str) -> String {
    schema(&format!(r#"{{"a":{text}}}"#))
}

fn describe() -> Vec<ToolDefinition> {
    let deep = r#"{"properties":{"a":"#.repeat(5_000) + "{}" + &"}}".repeat(5_000);
    let wide = format!(r#"{{"enum":["{}"]}}"#, "x".repeat(2 << 20));
    let doubling = doubling(30);
    let schemas: &[(&str, &str)] = &[
        ("good_before", &property(r#"{"type":"integer"}"#)),
        ("broken_json", r#"{"type":"object","#),
        ("empty_text", ""),
        ("not_an_object", r#"["object"]"#),
        ("true_schema", "true"),
        ("type_array", r#"{"type":"array"}"#),
        ("unknown_type", &property(r#"{"type":"banana"}"#)),
        ("bad_keyword", &property(r#"{"minimum":"three"}"#)),
        (
            "remote_http",
            &property(r#"{"$ref":"http://127.0.0.1:9/schema.json"}"#),
        ),
        ("remote_file", &property(r#"{"$ref":"file:///etc/passwd"}"#)),
        ("remote_relative", &property(r#"{"$ref":"other.json"}"#)),
        (
            "remote_id",
            r#"{"$id":"http://127.0.0.1:9/","type":"object","properties":{"a":{"$ref":"b.json"}}}"#,
        ),
        (
            "remote_meta",
            r#"{"$schema":"http://127.0.0.1:9/meta.json","type":"object"}"#,
        ),
        ("dangling_ref", &property(r##"{"$ref":"#/$defs/nowhere"}"##)),
        ("self_ref", &property(r##"{"$ref":"#/properties/a"}"##)),
        ("doubling_refs", &doubling),
        ("huge", &property(&wide)),
        ("deep", &property(&deep)),
        (
            "regex_backtracking",
            &property(r#"{"type":"string","pattern":"^(a+)+$"}"#),
        ),
        (
            "regex_lookahead",
            &property(r#"{"type":"string","pattern":"^(?=(a+)+b)a*$"}"#),
        ),
        (
            "regex_repeat",
            &property(r#"{"type":"string","pattern":"(a{1000}){1000}"}"#),
        ),
        (
            "regex_broken",
            &property(r#"{"type":"string","pattern":"("}"#),
        ),
        (
            "good_local_ref",
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/whole"}},"$defs":{"whole":{"type":"integer"}}}"##,
        ),
        (
            "good_recursive",
            r##"{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}"##,
        ),
        ("good_after", &property(r#"{"type":"integer","default":5}"#)),
    ];
    let mut definitions: Vec<_> = schemas
        .iter()
        .map(|(name, schema)| definition(name, "A tool with a schema.", schema))
        .collect();
    let mut bad_output = definition("bad_output_schema", "Lies about its result.", &schema("{}"));
    bad_output.output_schema = Some(r#"{"type":"#.to_owned());
    definitions.push(bad_output);
    definitions
}

/// A short schema that says `n` times "two of the next": 2^n places to look at.
fn doubling(n: usize) -> String {
    let steps = (0..n).map(|step| {
        let next = step + 1;
        format!(
            r##""d{step}":{{"allOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}}"##
        )
    });
    let steps = steps.collect::<Vec<_>>().join(",");
    format!(
        r##"{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/d0"}}}},"$defs":{{{steps},"d{n}":{{"type":"integer"}}}}}}"##
    )
}

guest_support::plugin!(tools(), describe());
