//! Encodings of a secret, written by hand: what the host looks for was written by
//! somebody else.

use std::fmt::Write;

/// The secret in a form. An unknown form is a fault of the test.
pub(crate) fn of(secret: &str, form: &str) -> String {
    match form {
        "plain" => secret.to_owned(),
        "percent" => each(secret, |hex, byte| write!(hex, "%{byte:02X}")),
        "percent-lower" => each(secret, |hex, byte| write!(hex, "%{byte:02x}")),
        "percent-partly" => secret.replace('-', "%2D").replace(' ', "%20"),
        "hex" => each(secret, |hex, byte| write!(hex, "{byte:02x}")),
        "hex-upper" => each(secret, |hex, byte| write!(hex, "{byte:02X}")),
        "json" => each(secret, |text, byte| write!(text, "\\u{byte:04x}")),
        "json-in-json" => {
            serde_json::to_string(&each(secret, |text, byte| write!(text, "\\u{byte:04X}")))
                .unwrap_or_default()
        }
        "base64" => base64(secret.as_bytes(), *b"+/", true),
        "base64-second" => base64(format!("u{secret}").as_bytes(), *b"+/", true),
        "base64-third" => base64(format!("u:{secret}").as_bytes(), *b"+/", false),
        "base64-url" => base64(format!("\u{fb}\u{ff}{secret}").as_bytes(), *b"-_", false),
        "base64-percent" => base64(secret.as_bytes(), *b"+/", true)
            .replace('=', "%3D")
            .replace('y', "%79"),
        other => panic!("no form {other}"),
    }
}

fn each(secret: &str, add: impl Fn(&mut String, u8) -> std::fmt::Result) -> String {
    let mut text = String::new();
    for byte in secret.bytes() {
        // Writing to a string does not fail.
        let _ = add(&mut text, byte);
    }
    text
}

fn base64(bytes: &[u8], last: [u8; 2], padded: bool) -> String {
    let alphabet: Vec<u8> = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(last)
        .collect();
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |index: usize| u32::from(chunk.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..=chunk.len() {
            text.push(char::from(
                alphabet[(bits >> (18 - 6 * index) & 63) as usize],
            ));
        }
        if padded {
            text.extend(std::iter::repeat_n('=', 3 - chunk.len()));
        }
    }
    text
}
