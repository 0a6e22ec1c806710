//! What a caller asks, and what comes back.

use std::cell::Cell;

use super::*;

fn ask(filter: &str, text: &str) -> Result<Answer, Failure> {
    run(&query(filter, text), &|| false)
}

fn query(filter: &str, text: &str) -> Query {
    Query {
        filter: filter.into(),
        source: Source::Text(text.into()),
        ..Query::default()
    }
}

fn outputs(filter: &str, text: &str) -> Vec<String> {
    ask(filter, text).expect("an answer").outputs
}

#[test]
fn the_first_example_of_the_readme() {
    let answer = ask(".a|add", r#"{"a":[1,2,3]}"#).unwrap();
    assert_eq!(
        answer,
        Answer {
            outputs: vec!["6".into()],
            is_json: true,
            truncated: None
        }
    );
}

#[test]
fn each_value_of_the_text_is_an_input() {
    assert_eq!(outputs(".n", "{\"n\":1}\n{\"n\":2}"), ["1", "2"]);
    assert_eq!(outputs("[., input]", "1 2 3 4"), ["[1,2]", "[3,4]"]);
    let all = Query {
        null_input: true,
        ..query("[inputs.n]", "{\"n\":1}\n{\"n\":2}")
    };
    assert_eq!(run(&all, &|| false).unwrap().outputs, ["[1,2]"]);
}

#[test]
fn big_and_exact_numbers_pass_through() {
    let text = r#"{"id":9007199254740993,"price":1.10,"huge":1e400}"#;
    assert_eq!(outputs(".", text), [text]);
    assert_eq!(outputs(".id + 1", text), ["9007199254740994"]);
    assert_eq!(outputs("4 / 2", "null"), ["2"]);
}

#[test]
fn strings_are_json_unless_raw() {
    assert_eq!(outputs(".", r#""a b""#), [r#""a b""#]);
    let raw = run(
        &Query {
            raw: true,
            ..query(".", r#""a b""#)
        },
        &|| false,
    )
    .unwrap();
    assert_eq!((raw.outputs[0].as_str(), raw.is_json), ("a b", false));
}

#[test]
fn variables_come_from_the_caller() {
    let mut query = query("map(select(. > $min))", "[1,5,9]");
    query.variables = vec![("min".into(), "4".into())];
    assert_eq!(run(&query, &|| false).unwrap().outputs, ["[5,9]"]);
    query.variables = vec![("not a name".into(), "4".into())];
    assert_eq!(
        run(&query, &|| false).unwrap_err().kind,
        FailureKind::Arguments
    );
}

#[test]
fn formats_that_jaq_lacks() {
    assert_eq!(
        outputs("@csv", r#"["a\"b",1,null,true]"#),
        [r#""\"a\"\"b\",1,,true""#]
    );
    assert_eq!(outputs("@tsv", r#"["a\tb",1.5]"#), [r#""a\\tb\t1.5""#]);
    assert_eq!(outputs("IN(2, 3)", "2 4"), ["true", "false"]);
    assert_eq!(
        outputs("INDEX(.id)", r#"[{"id":7}]"#),
        [r#"{"7":{"id":7}}"#]
    );
    assert_eq!(outputs("[leaf_paths]", r#"{"a":[1]}"#), [r#"[["a",0]]"#]);
    assert!(
        ask("@csv", "[[1]]")
            .unwrap_err()
            .message
            .contains("use tostring or join")
    );
}

#[test]
fn what_models_often_write_works() {
    let rows = r#"[{"k":"a","v":1},{"k":"b","v":2},{"k":"a","v":3}]"#;
    assert_eq!(
        outputs(
            "group_by(.k) | map({k: .[0].k, total: (map(.v) | add)})",
            rows
        ),
        [r#"[{"k":"a","total":4},{"k":"b","total":2}]"#]
    );
    assert_eq!(
        outputs("[.[] | select(.k | test(\"^A\"; \"i\")) | .v]", rows),
        ["[1,3]"]
    );
    assert_eq!(outputs("to_entries | length", r#"{"a":1,"b":2}"#), ["2"]);
    assert_eq!(
        outputs("1700000000 | todate", "null"),
        [r#""2023-11-14T22:13:20Z""#]
    );
    assert_eq!(outputs("\"x\\(.a)\"", r#"{"a":1}"#), [r#""x1""#]);
    assert_eq!(
        outputs("[paths]", r#"{"a":{"b":1}}"#),
        [r#"[["a"],["a","b"]]"#]
    );
    assert_eq!(outputs("first(range(10; infinite))", "null"), ["10"]);
}

#[test]
fn endless_outputs_are_cut_and_the_rest_is_announced() {
    let answer = ask("repeat(1)", "null").unwrap();
    assert_eq!(answer.outputs.len(), DEFAULT_OUTPUTS);
    assert!(answer.truncated.unwrap().contains("`maxOutputs`"));
    let answer = run(
        &Query {
            max_outputs: Some(3),
            ..query("range(infinite)", "null")
        },
        &|| false,
    );
    assert_eq!(answer.unwrap().outputs, ["0", "1", "2"]);
}

#[test]
fn exactly_the_limit_is_not_cut() {
    let answer = run(
        &Query {
            max_outputs: Some(3),
            ..query("range(3)", "null")
        },
        &|| false,
    );
    assert_eq!(answer.unwrap().truncated, None);
}

#[test]
fn large_outputs_are_cut_and_announced() {
    let answer = ask("[range(100000)]", "null").unwrap();
    assert_eq!(answer.outputs[0].len(), MAX_BYTES);
    assert!(!answer.is_json && answer.truncated.unwrap().contains("was cut"));
    let answer = ask("\"x\" * 1000 | repeat(.)", "null").unwrap();
    assert!(answer.outputs.len() < DEFAULT_OUTPUTS);
    assert!(answer.truncated.unwrap().contains("stopped after"));
}

#[test]
fn a_failing_filter_says_what_to_do() {
    let error = ask(".a[]", r#"{"a":null}"#).unwrap_err();
    assert_eq!(error.kind, FailureKind::Run);
    assert!(error.message.contains("nothing under that name"), "{error}");
    let error = ask(".name", r#"[{"name":1}]"#).unwrap_err();
    assert!(
        error.message.contains("the value is an array: use `.[]`"),
        "{error}"
    );
    let error = ask(". + 1", "\"a\"").unwrap_err();
    assert!(error.message.contains("convert with `tonumber`"), "{error}");
}

#[test]
fn a_failure_counts_what_came_before() {
    let error = ask(".n + 1", "{\"n\":1}\n{\"n\":\"x\"}").unwrap_err();
    assert!(
        error.message.ends_with("(input 2); 1 outputs came before"),
        "{error}"
    );
    assert_eq!(error.details.unwrap()["firstOutputs"][0], "2");
}

#[test]
fn the_filters_own_errors_and_halts() {
    assert!(
        ask("error(\"no luck\")", "1")
            .unwrap_err()
            .message
            .starts_with("no luck")
    );
    assert_eq!(outputs("1, halt, 2", "1 1"), ["1"]);
    assert!(
        ask("halt_error(3)", "1")
            .unwrap_err()
            .message
            .contains("code 3")
    );
}

#[test]
fn hostile_values_are_refused_in_words() {
    let error = ask("reduce range(100000) as $i (0; [.])", "null").unwrap_err();
    assert!(error.message.contains("nests more than"), "{error}");
    let error = ask(".[0]", &format!("{}1", "[".repeat(5000))).unwrap_err();
    assert_eq!(error.kind, FailureKind::Input);
    let error = ask("error([range(1000000)])", "null").unwrap_err();
    assert!(error.message.len() < 1000, "{}", error.message.len());
}

#[test]
fn a_cancelled_call_ends_early() {
    let left = Cell::new(10);
    let is_aborted = || {
        left.set(left.get() - 1);
        left.get() <= 0
    };
    let error = run(&query("repeat(1)", "null"), &is_aborted).unwrap_err();
    assert_eq!(error.kind, FailureKind::Aborted);
    assert_eq!(left.get(), 0);
}

#[test]
fn a_file_is_read_like_text() {
    let query = Query {
        source: Source::File("Cargo.toml".into()),
        cut: Cut {
            lines: true,
            slurp: false,
        },
        filter: "select(startswith(\"name = \\\"toolhost\"))".into(),
        ..Query::default()
    };
    assert_eq!(
        run(&query, &|| false).unwrap().outputs,
        [r#""name = \"toolhost-plugin-jq\"""#]
    );
}
