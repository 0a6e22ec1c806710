//! `host inspect` and `host tools`.

use serde_json::Value;

use super::program::{guest_path, host};

#[test]
fn a_plugin_reads_well() {
    let shown = host(["inspect", &guest_path("contract")])
        .ends_with(0)
        .quietly();
    assert!(shown.starts_with("contract: "), "{shown}");
    for line in [
        "  contract  toolhost:plugin@0.1.0\n",
        "\nevery_field (destructive, idempotent, edits files, loaded on demand, one at a time, ends the run)\n",
        "\nguarded (may ask for approval)\n",
        "\nhooks\n  needs-approval  guarded\n  validate        span\n",
        "\nimports\n",
    ] {
        assert!(shown.contains(line), "{line:?} is not in\n{shown}");
    }
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("  digest    sha256:") && line.len() == 83)
    );
    assert!(!shown.contains("\nwarnings\n"), "{shown}");
}

#[test]
fn tools_that_were_left_out_are_told_and_cannot_harm() {
    let shown = host(["inspect", &guest_path("liar-names")])
        .ends_with(0)
        .quietly();
    assert!(
        shown.contains("\ngood_before\n") && shown.contains("\ngood_after\n"),
        "{shown}"
    );
    let (_, warnings) = shown
        .split_once("\nwarnings\n")
        .expect("there are warnings");
    assert!(warnings.lines().count() >= 8, "{warnings}");
    assert!(
        !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
}

#[test]
fn a_program_reads_it_as_an_object() {
    let ran = host(["inspect", &guest_path("contract"), "--json"]).ends_with(0);
    let object = ran.json();
    assert_eq!(object["name"], "contract");
    assert_eq!(object["contract"], "toolhost:plugin@0.1.0");
    assert!(
        object["tools"]
            .as_array()
            .unwrap()
            .iter()
            .any(|tool| tool["name"] == "span")
    );
    assert_eq!(object["warnings"], Value::Array(Vec::new()));
}

#[test]
fn definitions_are_listed_for_a_protocol() {
    let plugins = [guest_path("contract"), guest_path("env")];
    let ran = host(["tools", "--plugin", &plugins[0], &plugins[1]]).ends_with(0);
    let object = ran.json();
    let tools = object["tools"].as_array().unwrap();
    let find = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap();
    assert_eq!(find("every_field")["title"], "All fields at once");
    assert_eq!(find("every_field")["annotations"]["destructiveHint"], true);
    assert_eq!(find("read_file")["inputSchema"]["type"], "object");
    ran.quietly();

    let ran = host(["tools", "--format", "json", "--plugin", &plugins[0]]).ends_with(0);
    assert!(
        ran.stdout.contains("\"editsFiles\": true"),
        "{}",
        ran.stdout
    );
}

#[test]
fn definitions_are_written_for_each_provider() {
    let plugin = guest_path("contract");
    let tools = |format: &str| {
        let ran = host(["tools", "--plugin", &plugin, "--format", format]).ends_with(0);
        ran.json()["tools"].as_array().unwrap().clone()
    };
    let find = |tools: &[Value], at: &str| {
        let is_span = |tool: &&Value| tool.pointer(at).is_some_and(|name| name == "span");
        tools.iter().find(is_span).unwrap().clone()
    };
    let chat = find(&tools("openai"), "/function/name");
    assert_eq!(chat["type"], "function");
    assert_eq!(chat["function"]["parameters"]["type"], "object");
    let responses = find(&tools("openai-responses"), "/name");
    assert_eq!(responses["strict"], false);
    let anthropic = find(&tools("anthropic"), "/name");
    assert_eq!(anthropic["input_schema"]["type"], "object");
    let gemini = tools("gemini");
    let declarations = gemini[0]["functionDeclarations"].as_array().unwrap();
    let gemini = find(declarations, "/name");
    assert_eq!(gemini["parameters"]["type"], "OBJECT");
}

#[test]
fn strict_mode_is_refused_with_the_property_and_then_used_where_it_can_be() {
    let plugin = guest_path("contract");
    let asked =
        |strict: &'static str| host(["tools", "--plugin", &plugin, "--format", "openai", strict]);
    let said = asked("--strict").ends_with(2).without_output();
    assert!(said.contains("cannot be offered to OpenAI chat"), "{said}");
    assert!(said.contains("strict mode is ruled out by `"), "{said}");
    assert!(said.contains("hint: `--strict=prefer`"), "{said}");

    let ran = asked("--strict=prefer").ends_with(0);
    assert!(
        ran.stderr.contains("rules strict mode out"),
        "{}",
        ran.stderr
    );
    let object = ran.json();
    let tools = object["tools"].as_array().unwrap();
    let strict = |tool: &&Value| tool["function"]["strict"] == true;
    let count = tools.iter().filter(strict).count();
    assert!(
        0 < count && count < tools.len(),
        "{count} of {}",
        tools.len()
    );
    for tool in tools.iter().filter(strict) {
        let parameters = &tool["function"]["parameters"];
        assert_eq!(parameters["additionalProperties"], false, "{tool}");
    }

    let said = host(["tools", "--plugin", &plugin, "--strict"])
        .ends_with(2)
        .without_output();
    assert!(said.contains("hint: add `--format openai`"), "{said}");
}

#[test]
fn two_plugins_with_the_same_tools_are_refused() {
    let plugin = guest_path("contract");
    let said = host(["tools", "--plugin", &plugin, &plugin])
        .ends_with(2)
        .without_output();
    assert!(said.contains("is already there from `contract`"), "{said}");
    assert!(said.contains("\nhint: "), "{said}");
}
