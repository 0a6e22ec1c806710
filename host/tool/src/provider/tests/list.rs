//! The list of a request.

use serde_json::{Value, json};

use super::*;

#[test]
fn hosted_tools_pass_through_in_their_place() {
    let first = tool("one", json!({"type": "object"}));
    let second = tool("two", json!({"type": "object"}));
    let hosted = json!({"type": "code_interpreter", "container": {"type": "auto"}, "x": [1, null]});
    for provider in Provider::ALL {
        let entries = [
            ListEntry::from(&first),
            ListEntry::HostedTool(&hosted),
            ListEntry::from(&second),
        ];
        let list = export_all(entries, provider, Options::default()).unwrap();
        assert_eq!(list.tools[1], hosted, "{provider}");
        if provider == Provider::Gemini {
            assert_eq!(list.tools.len(), 2);
            assert_eq!(list.tools[0]["functionDeclarations"][1]["name"], "two");
        } else {
            assert_eq!(list.tools.len(), 3);
        }
    }
}

#[test]
fn a_list_has_limits_of_its_own() {
    let tools: Vec<ToolDefinition> = (0..129)
        .map(|n| tool(&format!("t{n}"), json!({"type": "object"})))
        .collect();
    let entries = || tools.iter().map(ListEntry::from);
    let all = |provider, strict| export_all(entries(), provider, Options { strict });

    let error = all(Provider::OpenAiChat, Strict::Off).unwrap_err();
    assert_eq!(error.tool, "t128");
    assert_eq!(error.problem, Problem::TooManyTools { limit: 128 });
    assert!(all(Provider::Anthropic, Strict::Off).is_ok());
    assert_eq!(all(Provider::Gemini, Strict::Off).unwrap().notes.len(), 1);

    let error = all(Provider::Anthropic, Strict::Require).unwrap_err();
    assert_eq!(error.tool, "t20");
    let list = all(Provider::Anthropic, Strict::Prefer).unwrap();
    assert_eq!(list.strict.len(), 20);
    assert_eq!(list.tools.len(), 129);
    assert_eq!(list.notes.len(), 109);

    let twice = [ListEntry::from(&tools[0]), ListEntry::from(&tools[0])];
    let error = export_all(twice, Provider::Mcp, Options::default()).unwrap_err();
    assert_eq!(error.problem, Problem::SameName);
}

#[test]
fn optional_parameters_are_counted_over_all_strict_tools() {
    let ten: serde_json::Map<String, Value> = (0..10)
        .map(|n| (format!("p{n}"), json!({"type": "string"})))
        .collect();
    let tools: Vec<ToolDefinition> = (0..3)
        .map(|n| {
            tool(
                &format!("t{n}"),
                json!({"type": "object", "properties": ten}),
            )
        })
        .collect();
    let all = |strict| {
        export_all(
            tools.iter().map(ListEntry::from),
            Provider::Anthropic,
            Options { strict },
        )
    };
    let problem = all(Strict::Require).unwrap_err().problem;
    assert_eq!(
        problem.to_string(),
        "with it, the strict tools of the request have 30 optional parameters, and at most 24 are \
         taken: make fewer tools strict"
    );
    assert_eq!(all(Strict::Prefer).unwrap().strict, ["t0", "t1"]);
}
