//! Calls that work: arguments from everywhere, results and nothing else on
//! stdout.

use serde_json::json;

use super::program::{guest_path, host, host_with_stdin, run, run_line};

#[test]
fn a_result_is_all_there_is_on_stdout() {
    let ran = run(
        "misbehave",
        "ok",
        &["--args", r#"{"text": "hi", "list": [1, 2]}"#],
    );
    assert_eq!(
        ran.ends_with(0).quietly(),
        "{\"text\":\"hi\",\"list\":[1,2]}\n"
    );
}

#[test]
fn a_text_is_printed_as_text() {
    // The guest writes to its own stdout and stderr as well.
    assert_eq!(
        run("contract", "stdio", &[]).ends_with(0).quietly(),
        "the result\n"
    );
}

#[test]
fn arguments_come_from_a_file_or_from_stdin() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, r#"{"text": "from a file"}"#).unwrap();
    let at_file = format!("@{}", file.path().display());
    let ran = run("misbehave", "ok", &["--args", &at_file]);
    assert_eq!(ran.ends_with(0).quietly(), "{\"text\":\"from a file\"}\n");

    let line = run_line("misbehave", "ok", &["--args", "-"]);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let ran = host_with_stdin(br#"{"text": "from stdin"}"#, &line);
    assert_eq!(ran.ends_with(0).quietly(), "{\"text\":\"from stdin\"}\n");

    let ran = host_with_stdin(&vec![b' '; 9 << 20], &line).ends_with(6);
    let said = ran.without_output();
    assert!(
        said.starts_with("error: the stdin of `--args -` has more than 8 MiB\n\nhint: "),
        "{said}"
    );
}

#[test]
fn somebody_who_does_not_know_the_tools_is_told_them() {
    let plugin = guest_path("liar-names");
    let ran = host(["run", "--plugin", &plugin]).ends_with(2);
    let said = ran.without_output();
    assert!(
        said.starts_with("error: the plugin `liar-names` has "),
        "{said}"
    );
    assert!(
        said.contains("\n  good_before\n") && said.contains("\n  good_after\n"),
        "{said}"
    );
    assert!(
        said.ends_with("\nhint: choose one, as with `--tool good_before`\n"),
        "{said}"
    );

    let ran = host(["run", "--plugin", &plugin, "--tool", "good_before"]);
    assert_eq!(ran.ends_with(0).quietly(), "good_before\n");
}

#[test]
fn a_misspelt_tool_is_answered_with_the_right_one() {
    let said = run("liar-names", "good_befor", &[])
        .ends_with(2)
        .without_output();
    assert!(
        said.starts_with(
            "error: ToolNotFoundError: there is no tool `good_befor`; did you mean `good_before`?\n"
        ),
        "{said}"
    );
    assert!(said.contains("hint: the plugin has the tools "), "{said}");
}

#[test]
fn with_json_the_result_comes_with_a_report() {
    let ran = run("misbehave", "ok", &["--args", r#"{"number": 3}"#, "--json"]).ends_with(0);
    let object = ran.json();
    assert_eq!(object["toolCallId"], "call-1");
    assert_eq!(object["toolName"], "ok");
    assert_eq!(object["isError"], false);
    assert_eq!(object["result"], json!({ "number": 3 }));
    let report = &object["report"];
    assert!(report["fuel"].as_u64().unwrap() > 1_000, "{report}");
    assert!(
        report["memoryPeakBytes"].as_u64().unwrap() >= 65_536,
        "{report}"
    );
    assert!(
        report["durationMs"]["total"].as_f64().unwrap() > 0.0,
        "{report}"
    );
    ran.quietly();
}

#[test]
fn verbose_tells_what_the_plugin_logged_and_what_the_call_used() {
    let ran = run("contract", "stdio", &["--verbose"]).ends_with(0);
    assert_eq!(ran.stdout, "the result\n");
    assert!(
        ran.stderr.contains("[stdout] first line on stdout\n"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("[stderr] no end on stderr\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains(" of fuel, "), "{}", ran.stderr);
}

#[test]
fn partial_results_are_seen_on_stderr_and_do_not_touch_the_result() {
    let ran = run("contract", "partials", &["--args", r#"{"n": 2}"#]).ends_with(0);
    assert_eq!(ran.stdout, "{\"told\":[\"continue\",\"continue\"]}\n");
    assert_eq!(
        ran.stderr,
        "… {\"step\":1,\"of\":2}\n… {\"step\":2,\"of\":2}\n"
    );
}

#[test]
fn a_program_reads_partial_results_as_lines() {
    let line = ["--args", r#"{"n": 2}"#, "--json", "--stream"];
    let ran = run("contract", "partials", &line).ends_with(0);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        json!({ "partial": { "step": 1, "of": 2 }, "index": 0 })
    );
    assert_eq!(
        lines[1],
        json!({ "partial": { "step": 2, "of": 2 }, "index": 1 })
    );
    assert_eq!(
        lines[2]["result"],
        json!({ "told": ["continue", "continue"] })
    );
    ran.quietly();
}

#[test]
fn a_filter_of_jq_runs_as_the_readme_shows() {
    let plugin = toolhost_tests::plugin("jq").display().to_string();
    let arguments = r#"{"filter": ".a|add", "input": {"a": [1, 2, 3]}}"#;
    let ran = host(["run", "--plugin", &plugin, "--args", arguments]);
    assert_eq!(ran.ends_with(0).quietly(), "6\n");
}
