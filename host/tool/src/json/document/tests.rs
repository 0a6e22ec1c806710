//! A document means what the tree of the same text means, or is left to `parse`.

use super::{Document, JsonLimits, Kind, SMALL_OBJECT};
use crate::json::{depth_of, measure, parse};

fn read(text: &str) -> Option<Document<'_>> {
    Document::read(text, &JsonLimits::default())
}

#[test]
fn a_document_is_the_tree_and_its_text() {
    for text in [
        r#" {"b": [1, -2.5, "x\né"], "a": {"c": null, "d": [true, false], "": {}}} "#,
        r#"["", "\"", "\\", "\/", "\u00e9\ud83d\ude00\u0000", "tab\t", "plain 😀 text"]"#,
        "[0, -1, 0.1, 1e-7, 22.5, 9007199254740993, 18446744073709551615, -9223372036854775808]",
        r#"{"\u0061\n": {"k\"": 1}, "é": []}"#,
        "\r\n\t 7 \n",
        "\"\"",
        "null",
        "[[],{},[[]]]",
    ] {
        let tree = parse(text, &JsonLimits::default()).unwrap();
        let document = read(text).unwrap();

        assert_eq!(document.root().to_value(), tree, "{text}");
        assert_eq!(document.to_text().unwrap(), tree.to_string(), "{text}");
        let (found, expected) = (
            document.measure(),
            measure(&tree, &JsonLimits::default()).unwrap(),
        );
        assert_eq!(found.depth, depth_of(&tree), "{text}");
        assert_eq!(
            (found.values, found.bytes),
            (expected.values, expected.bytes)
        );
    }
}

#[test]
fn a_float_without_a_fraction_is_read_as_the_integer_it_equals() {
    let document = read("[3.0, -0.0, -0, 1e3, 9007199254740992.0, 0.5]").unwrap();

    assert_eq!(
        document.to_text().unwrap(),
        "[3,0,0,1000,9007199254740992.0,0.5]"
    );
}

#[test]
fn what_parse_refuses_is_no_document() {
    let deep = "[".repeat(100_000);
    for text in [
        "",
        "\u{feff}{}",
        "{} {}",
        "{\"a\": tru}",
        "[1,]",
        "[01]",
        "{'a': 1}",
        "\"a\tb\"",
        r#""\ud800""#,
        "18446744073709551616",
        "-9223372036854775809",
        "1e400",
        r#"{"a": 1, "\u0061": 2}"#,
        &deep,
    ] {
        assert!(parse(text, &JsonLimits::default()).is_err(), "{text}");
        assert!(read(text).is_none(), "{text}");
    }
    // A float this large could be an integer that was rounded: only the text tells.
    assert!(read("[1e300]").is_none());
}

#[test]
fn limits_are_those_of_parse_to_the_last_value() {
    let texts = [
        "[1,2,3]",
        "[1,2,3,4]",
        "[[],[]]",
        "[{},[[]]]",
        r#"{"a":{}}"#,
        "[[[[]]]]",
    ];
    for bytes in [7, 8, 100] {
        for depth in 0..5 {
            for values in 0..8 {
                let limits = JsonLimits {
                    bytes,
                    depth,
                    values,
                };
                for text in texts {
                    let (parsed, read) = (parse(text, &limits), Document::read(text, &limits));
                    assert_eq!(read.is_some(), parsed.is_ok(), "{text} {limits:?}");
                }
            }
        }
    }
}

#[test]
fn members_are_found_by_name_in_small_and_in_large_objects() {
    for len in [1, SMALL_OBJECT, SMALL_OBJECT + 1, 1000] {
        let members: Vec<_> = (0..len).map(|n| format!(r#""key{n}":[{n}]"#)).collect();
        let text = format!("{{{}}}", members.join(","));
        let document = read(&text).unwrap();
        let Kind::Object(found) = document.root().kind() else {
            panic!("no object");
        };
        for n in 0..len {
            let member = found.get(&format!("key{n}")).unwrap();
            assert_eq!(member.to_value(), serde_json::json!([n]));
        }
        for absent in ["", "key", "key01", "kex0", "key1000"] {
            assert!(found.get(absent).is_none(), "{absent}");
        }
        assert_eq!(document.to_text().unwrap(), text);
    }
}

#[test]
fn a_key_given_twice_is_found_wherever_it_stands() {
    for len in [2, SMALL_OBJECT, SMALL_OBJECT + 1, SMALL_OBJECT + 2, 1000] {
        for (first, second) in [(0, len - 1), (0, 1), (len - 2, len - 1)] {
            let name = |n: usize| if n == second { first } else { n };
            let members: Vec<_> = (0..len).map(|n| format!(r#""k{}":0"#, name(n))).collect();
            let text = format!("[{{{}}}]", members.join(","));
            assert!(read(&text).is_none(), "{first} and {second} of {len}");
        }
    }
}
