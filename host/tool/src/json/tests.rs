//! What each odd text of the module's table is answered with.

use serde_json::{Value, json};

use super::{JsonErrorKind, JsonLimits, MAX_DEPTH, check, depth_of, discard, parse};

fn read(text: &str) -> Value {
    parse(text, &JsonLimits::default()).unwrap()
}

fn refused(text: &str) -> String {
    parse(text, &JsonLimits::default()).unwrap_err().to_string()
}

/// `levels` arrays inside each other, built as a Rust caller would.
fn nested_value(levels: usize) -> Value {
    (0..levels).fold(Value::Null, |inner, _| Value::Array(vec![inner]))
}

#[test]
fn ordinary_text_is_read_and_keeps_the_order_of_its_keys() {
    let value = read(r#" {"b": [1, -2.5, "x\n\u00e9\ud83d\ude00"], "a": {"c": null, "d": true}} "#);

    assert_eq!(
        value,
        json!({"b": [1, -2.5, "x\né😀"], "a": {"c": null, "d": true}})
    );
    assert_eq!(
        value.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["b", "a"]
    );
}

#[test]
fn every_scalar_is_a_document() {
    assert_eq!(read("null"), Value::Null);
    assert_eq!(read("\"\""), json!(""));
    assert_eq!(read("0"), json!(0));
}

#[test]
fn integers_are_kept_to_the_last_digit() {
    assert_eq!(read("9007199254740993").to_string(), "9007199254740993");
    assert_eq!(
        read("18446744073709551615").to_string(),
        "18446744073709551615"
    );
    assert_eq!(
        read("-9223372036854775808").to_string(),
        "-9223372036854775808"
    );
}

#[test]
fn an_integer_that_would_be_rounded_is_refused_and_says_what_to_do() {
    assert_eq!(
        refused(r#"{"id": [1, 18446744073709551616]}"#),
        "the integer `18446744073709551616` does not fit into 64 bits: send it as a string \
         (line 1, column 12, at `/id/1`)"
    );
    assert!(refused("-9223372036854775809").starts_with("the integer `-9223372036854775809`"));
    let long = refused(&"9".repeat(5000));
    assert!(long.len() < 200, "{long}");
}

#[test]
fn floats_are_rounded_to_the_nearest_double_or_refused() {
    assert_eq!(read("0.1"), json!(0.1));
    assert_eq!(read("100000000000000000000.0"), json!(1e20));
    assert_eq!(read("1e-400"), json!(0.0));
    assert_eq!(
        refused("[1e400]"),
        "the number is too large for a double: send it as a string (line 1, column 6, at `/0`)"
    );
}

#[test]
fn minus_zero_is_the_float() {
    assert_eq!(read("-0").to_string(), "-0.0");
    assert_eq!(read("-0.0").to_string(), "-0.0");
}

#[test]
fn a_key_given_twice_is_refused_and_named() {
    let error = parse("{\n \"a\": {\"b\": 1, \"b\": 2}\n}", &JsonLimits::default()).unwrap_err();

    assert_eq!(
        error.kind(),
        &JsonErrorKind::DuplicateKey { key: "b".into() }
    );
    assert_eq!(error.path(), Some("/a/b"));
    assert_eq!(error.line(), Some(2));
}

#[test]
fn two_spellings_of_one_key_are_one_key() {
    assert!(refused(r#"{"a": 1, "\u0061": 2}"#).starts_with("the key `a` appears twice"));
}

#[test]
fn the_same_key_in_two_objects_is_fine() {
    assert_eq!(
        read(r#"[{"a": 1}, {"a": {"a": 2}}]"#),
        json!([{"a": 1}, {"a": {"a": 2}}])
    );
}

#[test]
fn half_of_a_surrogate_pair_is_refused() {
    for text in [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800\u0041""#,
        r#"{"\ud800": 1}"#,
    ] {
        assert!(
            refused(text).contains("surrogate"),
            "{text}: {}",
            refused(text)
        );
    }
}

#[test]
fn what_is_not_json_says_where() {
    let cases = [
        ("", "the text is empty, a JSON value was expected"),
        (" \n ", "the text is empty, a JSON value was expected"),
        (
            "\u{feff}{}",
            "the text starts with a byte order mark: leave it out",
        ),
        (
            "{} {}",
            "there is more text after the end of the JSON value (line 1, column 4)",
        ),
        (
            "{\"a\": tru}",
            "a JSON value was expected: text stands in double quotes (line 1, column 10, at `/a`)",
        ),
        (
            "{\"a\":",
            "the text ends too early: EOF while parsing a value (line 1, column 6, at `/a`)",
        ),
        (
            "[1,\n 2,]",
            "there is a comma before the end: leave it out (line 2, column 4, at `/2`)",
        ),
        (
            "{'a': 1}",
            "a key must be text in double quotes (line 1, column 2)",
        ),
        (
            "\"a\tb\"",
            "a control character in a string: write it as an escape, such as `\\n` (line 1, column 3)",
        ),
        ("[01]", "invalid number (line 1, column 3, at `/0`)"),
        (
            "NaN",
            "a JSON value was expected: text stands in double quotes (line 1, column 1)",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refused(text), message, "{text:?}");
    }
}

#[test]
fn depth_is_allowed_to_the_limit_and_not_beyond() {
    let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));

    assert_eq!(depth_of(&read(&nested(MAX_DEPTH))), MAX_DEPTH);
    assert!(
        refused(&nested(MAX_DEPTH + 1))
            .starts_with("arrays and objects are nested more than 127 deep")
    );
}

#[test]
fn a_hundred_thousand_levels_are_answered_at_once() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let text = open.repeat(100_000);
        assert!(
            refused(&text).starts_with("arrays and objects are nested"),
            "{open}"
        );
    }
    let strings = "[\"\\\"[[[[\",".repeat(100_000);
    assert!(refused(&strings).starts_with("arrays and objects are nested"));
}

#[test]
fn brackets_inside_strings_do_not_count() {
    assert_eq!(
        read(&format!("\"{}\"", "[".repeat(1000))),
        json!("[".repeat(1000))
    );
    assert_eq!(read(r#"["\\", "\"", "["]"#), json!(["\\", "\"", "["]));
}

#[test]
fn bytes_and_values_are_limited() {
    let limits = JsonLimits {
        bytes: 10,
        depth: 3,
        values: 4,
    };

    assert!(parse("[1,2,3]", &limits).is_ok());
    assert!(matches!(
        parse("[1,2,3,4]", &limits).unwrap_err().kind(),
        JsonErrorKind::TooManyValues { limit: 4 }
    ));
    assert!(matches!(
        parse("[1,2,      3]", &limits).unwrap_err().kind(),
        JsonErrorKind::TooLong {
            bytes: 13,
            limit: 10
        }
    ));
    assert!(matches!(
        parse("[[[[]]]]", &limits).unwrap_err().kind(),
        JsonErrorKind::TooDeep { limit: 3 }
    ));
}

#[test]
fn a_value_built_in_rust_is_held_to_the_same_limits() {
    let deep = nested_value(100_000);

    assert_eq!(depth_of(&deep), 100_000);
    let error = check(&deep, &JsonLimits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "arrays and objects are nested more than 127 deep"
    );
    discard(deep);

    assert!(check(&nested_value(MAX_DEPTH), &JsonLimits::default()).is_ok());
    let limits = JsonLimits {
        bytes: 10,
        depth: 3,
        values: 4,
    };
    assert!(check(&json!([1, 2, 3, 4]), &limits).is_err());
    assert!(check(&json!("a long enough text"), &limits).is_err());
}
