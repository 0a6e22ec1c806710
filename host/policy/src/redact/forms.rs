//! The texts that are looked for: a secret, and what becomes of it in encodings
//! that hide it from a plain search.
//!
//! Percent-encoding and escaping are not here: which characters they touch is up
//! to whoever encodes, so they are undone while searching (`coding`).

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::coding::{Coding, undo};
use crate::secret::MIN_SECRET_BYTES;

/// What engines of pages write in the place of characters, beside `&amp;`, `&lt;` and
/// `&gt;`: that of PHP, of Python and React, of Jinja, of Go, of Mustache.
const PAGES: [&[(char, &str)]; 5] = [
    &[('"', "&quot;"), ('\'', "&#039;")],
    &[('"', "&quot;"), ('\'', "&#x27;")],
    &[('"', "&#34;"), ('\'', "&#39;")],
    &[('"', "&#34;"), ('\'', "&#39;"), ('+', "&#43;")],
    &[
        ('"', "&quot;"),
        ('\'', "&#39;"),
        ('/', "&#x2F;"),
        ('=', "&#x3D;"),
        ('`', "&#x60;"),
    ],
];

/// All forms of a secret, none of them empty.
pub(super) fn of(secret: &str) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    add(secret, &mut forms);
    // A log is cut into lines, so a secret of several lines is known by each.
    if secret.contains('\n') {
        for line in secret.lines().filter(|line| is_secret_line(line)) {
            add(line, &mut forms);
        }
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The lines that frame a PEM file are no secret.
fn is_secret_line(line: &str) -> bool {
    line.len() >= MIN_SECRET_BYTES && !line.starts_with("-----")
}

fn add(text: &str, forms: &mut Vec<Vec<u8>>) {
    let bytes = text.as_bytes();
    forms.push(bytes.to_owned());
    // The host of a URL is made lower-case.
    let lower = text.to_ascii_lowercase();
    if lower != text {
        forms.push(lower.into_bytes());
    }
    if text.contains(' ') {
        forms.push(text.replace(' ', "+").into_bytes());
    }
    // Browsers leave a `%` of the secret as it is and encode what is around it;
    // undoing that undoes too much.
    let undone = undo(Coding::Percent, bytes);
    if undone != bytes && undone.len() >= MIN_SECRET_BYTES && std::str::from_utf8(&undone).is_ok() {
        forms.push(undone);
    }
    forms.extend(PAGES.iter().map(|page| html(text, page).into_bytes()));
    // Both orders are the same but for a zero byte at one end.
    let low: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let high: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    forms.push(low[..low.len() - 1].to_owned());
    forms.push(high[1..].to_owned());
    for before in 0..3 {
        forms.push(base64(&STANDARD_NO_PAD, bytes, before));
        forms.push(base64(&URL_SAFE_NO_PAD, bytes, before));
    }
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    forms.push(hex.to_uppercase().into_bytes());
    forms.push(hex.into_bytes());
}

/// The text as an engine of pages writes it.
fn html(text: &str, page: &[(char, &str)]) -> String {
    let mut written = String::with_capacity(text.len());
    for char in text.chars() {
        let special = page.iter().find(|(special, _)| *special == char);
        match (char, special) {
            (_, Some((_, entity))) => written.push_str(entity),
            ('&', _) => written.push_str("&amp;"),
            ('<', _) => written.push_str("&lt;"),
            ('>', _) => written.push_str("&gt;"),
            _ => written.push(char),
        }
    }
    written
}

/// The characters of base64 that `bytes` alone decide when `before` bytes (mod 3)
/// come before them: those at the ends are shared with what is around.
fn base64(engine: &impl Engine, bytes: &[u8], before: usize) -> Vec<u8> {
    let mut padded = vec![0; before];
    padded.extend_from_slice(bytes);
    let encoded = engine.encode(&padded).into_bytes();
    let from = (before * 8).div_ceil(6);
    let to = padded.len() * 8 / 6;
    encoded[from..to].to_owned()
}
