//! What is promised of redaction, tried on generated texts: no form survives, any
//! cut gives the same result, and what holds no secret is left alone.

use std::borrow::Cow;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::coding::{CODINGS, Unit};
use super::*;

fn redactor(secrets: &[&str]) -> Redactor {
    let values: Vec<SecretValue> = secrets
        .iter()
        .map(|secret| SecretValue::new((*secret).to_owned()).unwrap())
        .collect();
    Redactor::new(values.iter().map(|value| ("secret", value)))
}

/// Encodes the characters that `choose` says, in the case it says.
fn percent(text: &str, choose: &[u8]) -> String {
    let mut encoded = String::new();
    for (index, char) in text.chars().enumerate() {
        let choice = choose[index % choose.len()];
        let mut buffer = [0; 4];
        for byte in char.encode_utf8(&mut buffer).bytes() {
            match choice {
                0 => write!(encoded, "%{byte:02x}").unwrap(),
                1 => write!(encoded, "%{byte:02X}").unwrap(),
                _ => {}
            }
        }
        if choice > 1 {
            encoded.push(char);
        }
    }
    encoded
}

/// Escapes as JSON must, and what `choose` says as JSON may.
fn escape(text: &str, choose: &[u8]) -> String {
    let mut escaped = String::new();
    for (index, char) in text.chars().enumerate() {
        let choice = choose[index % choose.len()];
        let mut units = [0; 2];
        match (char, choice) {
            (_, 0) => {
                for unit in char.encode_utf16(&mut units) {
                    write!(escaped, "\\u{unit:04x}").unwrap();
                }
            }
            ('"' | '\\', _) | ('/', 1) => escaped.extend(['\\', char]),
            _ => escaped.push(char),
        }
    }
    escaped
}

fn hex(text: &str) -> String {
    text.bytes()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Secrets of all characters but `|`, which the texts here put around them, and
/// those of percent-encoding that would make two forms of one secret overlap.
fn secret() -> impl Strategy<Value = String> {
    "[ -$&-{}~é€😀]{8,40}".prop_filter("not blank", |text| !text.trim().is_empty())
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0..4u8, 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_secret_is_found_in_every_text_form(
        secret in secret(),
        one in choices(),
        other in choices(),
        before in "[a-z %\\\\]{0,20}",
        after in "[a-z %\\\\]{0,20}",
    ) {
        let redactor = redactor(&[&secret]);
        let forms = [
            secret.clone(),
            percent(&secret, &one),
            escape(&secret, &one),
            escape(&escape(&secret, &one), &other),
            percent(&escape(&secret, &one), &other),
            hex(&secret),
            hex(&secret).to_uppercase(),
            secret.replace(' ', "+"),
        ];
        for form in forms {
            let text = format!("{before}|{form}|{after}");
            prop_assert_eq!(
                redactor.redact_text(&text),
                format!("{before}|[REDACTED]|{after}"),
                "{}", form
            );
        }
    }

    #[test]
    fn a_secret_is_found_in_base64_at_every_place(
        secret in secret(),
        before in prop::collection::vec(any::<u8>(), 0..10),
        after in prop::collection::vec(any::<u8>(), 0..10),
        choose in choices(),
    ) {
        let redactor = redactor(&[&secret]);
        let bytes = [&before[..], secret.as_bytes(), &after[..]].concat();
        for encoded in [
            STANDARD.encode(&bytes),
            STANDARD_NO_PAD.encode(&bytes),
            URL_SAFE.encode(&bytes),
            URL_SAFE_NO_PAD.encode(&bytes),
        ] {
            for text in [percent(&encoded, &choose), escape(&encoded, &choose), encoded] {
                let clean = redactor.redact_text(&text);
                // No more is left than the characters shared with what is around.
                let most = (before.len() + after.len()) * 4 / 3 + 8;
                let decoded = undone(&clean.replace(REDACTED, ""));
                prop_assert!(clean.contains(REDACTED), "{}", text);
                prop_assert!(decoded.len() <= most, "{} of {}", clean, text);
            }
        }
    }

    #[test]
    fn any_cut_gives_the_same_result(
        text in hostile_text(),
        cuts in prop::collection::vec(0..400usize, 0..12),
    ) {
        let redactor = redactor(&HOSTILE);
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut < text.len()).collect();
        cuts.push(text.len());
        cuts.sort_unstable();
        let mut stream = redactor.stream();
        let mut clean = Vec::new();
        let mut from = 0;
        for cut in cuts {
            clean.extend(stream.push(&text.as_bytes()[from..cut]));
            from = cut;
        }
        clean.extend(stream.finish());
        prop_assert_eq!(String::from_utf8(clean).unwrap(), redactor.redact_text(&text));
    }

    #[test]
    fn views_that_are_opened_late_find_what_full_decoding_finds(text in hostile_text()) {
        let redactor = redactor(&HOSTILE);
        let covered = covered_by_full_decoding(text.as_bytes());
        let matcher = redactor.matcher().unwrap();
        let mut found = vec![false; text.len()];
        let mut mark = |one: super::matcher::Found| {
            let (start, end) = (one.start.try_into().unwrap(), one.end.try_into().unwrap());
            found[std::ops::Range::<usize> { start, end }].fill(true);
        };
        let mut scan = Scan::new(matcher);
        for block in text.as_bytes().chunks(7) {
            scan.feed(matcher, block, &mut mark);
        }
        scan.finish(matcher, &mut mark);
        prop_assert_eq!(found, covered);
    }

    #[test]
    fn a_text_without_secrets_is_left_as_it_is(text in "[a-z%\\\\u0-9 é]{0,300}") {
        let redactor = redactor(&["SECRET-VALUE"]);
        let is_borrowed = matches!(redactor.redact_text(&text), Cow::Borrowed(same) if same == text);
        prop_assert!(is_borrowed);
    }

    #[test]
    fn a_json_value_keeps_its_shape_and_no_secret(value in json_value()) {
        let redactor = redactor(&["correct-horse"]);
        let mut clean = value.clone();
        redactor.redact_json(&mut clean);
        prop_assert_eq!(redactor.contains(clean.to_string().as_bytes()), None);
        prop_assert_eq!(count(&value), count(&clean));
    }
}

/// Secrets that overlap themselves and each other, and what encodings are made of.
const HOSTILE: [&str; 4] = ["aaaaaaaa", "aaaabaaaab", r#"a"\u0061\a"#, "%61%61aaaaaa"];

fn hostile_text() -> impl Strategy<Value = String> {
    const PARTS: [&str; 27] = [
        "a",
        "aa",
        "aaaa",
        "b",
        "aaaab",
        "\"",
        "\\",
        "\\\\",
        "%",
        "%6",
        "%61",
        "%25",
        "%5c",
        "\\u0061",
        "\\u00",
        "\\u{61}",
        "\\x61",
        "\\x5c",
        "\\u005cu0061",
        "\\\"",
        "%5Cu0061",
        "61",
        "é",
        "|",
        "YWFhYWFhYWE",
        "%2561",
        "\\ud83d",
    ];
    prop::collection::vec(select(&PARTS[..]), 0..60).prop_map(|parts| parts.concat())
}

fn json_value() -> impl Strategy<Value = serde_json::Value> {
    let text = || {
        let parts = [
            "correct-horse",
            "correct%2dhorse",
            r"correct\u002dhorse",
            "correct",
            "\"",
            "-",
            " ",
        ];
        prop::collection::vec(prop::sample::select(parts.to_vec()), 0..6)
            .prop_map(|parts| parts.concat())
    };
    let leaf = prop_oneof![
        text().prop_map(Into::into),
        any::<u32>().prop_map(Into::into)
    ];
    leaf.prop_recursive(3, 20, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|pairs| serde_json::Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn count(value: &serde_json::Value) -> usize {
    match value {
        serde_json::Value::Array(items) => 1 + items.iter().map(count).sum::<usize>(),
        serde_json::Value::Object(object) => 1 + object.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

fn undone(text: &str) -> Vec<u8> {
    let percent = coding::undo(coding::Coding::Percent, text.as_bytes());
    coding::undo(coding::Coding::Escape, &percent)
}

/// Which bytes are part of a secret, told the slow way: by decoding all of it.
fn covered_by_full_decoding(text: &[u8]) -> Vec<bool> {
    let raw = text.iter().enumerate().map(|(index, byte)| Unit {
        byte: *byte,
        start: index as u64,
        end: index as u64 + 1,
    });
    let mut covered = vec![false; text.len()];
    let mut views: Vec<Vec<Unit>> = vec![raw.collect()];
    for layer in 0..=2 {
        for view in &views {
            for form in HOSTILE.iter().flat_map(|secret| forms::of(secret)) {
                for window in view.windows(form.len()) {
                    if window.iter().map(|unit| unit.byte).eq(form.iter().copied()) {
                        let start = usize::try_from(window[0].start).unwrap();
                        let end = usize::try_from(window[form.len() - 1].end).unwrap();
                        covered[start..end].fill(true);
                    }
                }
            }
        }
        if layer < 2 {
            views = views
                .iter()
                .flat_map(|view| CODINGS.map(|coding| decode(coding, view)))
                .collect();
        }
    }
    covered
}

fn decode(coding: coding::Coding, view: &[Unit]) -> Vec<Unit> {
    let (mut units, mut pending) = (Vec::new(), Vec::new());
    let mut decoded = |unit| units.push(unit);
    for unit in view {
        coding.push(&mut pending, *unit, &mut decoded);
    }
    coding.finish(&mut pending, &mut decoded);
    units
}

#[test]
fn a_stream_holds_back_no_more_than_a_secret_can_take() {
    let redactor = redactor(&HOSTILE);
    // The longest form of these is hexadecimal, and an escaped character that is
    // percent-encoded takes 18 bytes.
    let most = 2 * 12 * 18;
    for part in [
        "a", "\\u0061", "%5cu0061", "%61", "\\", "%", "aaaab", "\\ud83d", "%5c%75",
    ] {
        let mut stream = redactor.stream();
        for _ in 0..2_000 {
            let _ = stream.push(part.as_bytes());
            assert!(stream.held() <= most, "{part}: {}", stream.held());
        }
    }
}

#[test]
fn a_mask_keeps_the_length_of_the_text() {
    let redactor = redactor(&["aaaaaaaa", "correct-horse"]);
    for text in [
        "is aaaaaaaa.",
        "aaaaaaaaaaa",
        "%63orrect%2Dhorsé correct-horse%",
        "none",
    ] {
        for size in 1..text.len() {
            let mut stream = redactor.stream().masking();
            let mut masked = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                masked.extend(stream.push(piece));
            }
            masked.extend(stream.finish());
            assert_eq!(masked.len(), text.len());
            assert_eq!(redactor.contains(&masked), None);
            assert_eq!(masked.contains(&b'*'), text != "none");
        }
    }
}

#[test]
fn what_cannot_be_a_secret_is_not_held_back() {
    let mut stream = redactor(&["correct-horse"]).stream();
    assert_eq!(stream.push(b"100 corrections, "), b"100 corrections, ");
    assert_eq!(stream.push(b"correct-h"), b"");
    assert_eq!(stream.push(b"umour"), b"correct-humour");
}

#[test]
fn lines_of_a_secret_are_found_by_themselves() {
    let key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END KEY-----";
    let redactor = redactor(&[key]);
    assert_eq!(redactor.redact_text(key), REDACTED);
    assert_eq!(redactor.redact_text("a: kqhkiG9w0BAQEF"), "a: [REDACTED]");
    assert_eq!(
        redactor.redact_text("-----BEGIN KEY-----"),
        "-----BEGIN KEY-----"
    );
}

#[test]
fn what_a_plugin_may_decode_is_found_before_it_does() {
    let secret = "a+b/c='d\"e&f";
    let redactor = redactor(&[secret]);
    for page in [
        "a+b/c=&#039;d&quot;e&amp;f",
        "a+b/c=&#x27;d&quot;e&amp;f",
        "a&#43;b/c=&#39;d&#34;e&amp;f",
        "a+b&#x2F;c&#x3D;&#39;d&quot;e&amp;f",
    ] {
        assert_eq!(
            redactor.redact_text(&format!("<b>{page}</b>")),
            "<b>[REDACTED]</b>"
        );
    }
    let wide: Vec<u8> = format!("is {secret}!")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(*redactor.redact_bytes(&wide), *b"i\0s\0 \0[REDACTED]\0!\0");
}

#[test]
fn browsers_leave_a_percent_sign_alone() {
    let redactor = redactor(&["p%41ss word"]);
    for text in [
        "p%41ss%20word",
        "p%2541ss%20word",
        "p%41ss+word",
        "p%41ss word",
    ] {
        assert_eq!(redactor.redact_text(text), REDACTED, "{text}");
    }
}

#[test]
fn keys_and_numbers_of_json_are_redacted() {
    let redactor = redactor(&["12345678", "correct-horse"]);
    let mut value = json!({
        "a": [12_345_678, -123_456_789.5, 1],
        "correct-horse": 1,
        "correct%2Dhorse": 2,
        "[REDACTED]": 3,
    });
    redactor.redact_json(&mut value);
    let expected = json!({
        "a": [REDACTED, REDACTED, 1],
        "[REDACTED] 2": 1,
        "[REDACTED] 3": 2,
        "[REDACTED]": 3,
    });
    assert_eq!(value, expected);
}

#[test]
fn many_occurrences_and_many_secrets_are_told_apart() {
    let redactor = redactor(&["first-secret", "second-secret", "secret-secret-secret"]);
    assert_eq!(
        redactor.redact_text("first-secretsecond-secret secret-secret-secret-secret"),
        "[REDACTED][REDACTED] [REDACTED]"
    );
    let text = "first-secret ".repeat(10_000);
    assert_eq!(redactor.redact_text(&text), "[REDACTED] ".repeat(10_000));
}

#[test]
fn nothing_shows_the_secrets_of_a_redactor() {
    let redactor = redactor(&["correct-horse"]);
    assert_eq!(format!("{redactor:?}"), r#"Redactor(["secret"])"#);
    assert!(Redactor::default().is_empty());
    assert_eq!(
        Redactor::default().redact_text("correct-horse"),
        "correct-horse"
    );
}
