//! The references a schema may use: those that stay in the document.

use std::borrow::Cow;

use serde_json::Value;

/// A reference within the document.
pub(super) enum Reference<'a> {
    /// `#` or `#/…`, without the `#` and decoded.
    Pointer(Cow<'a, str>),
    /// `#name`.
    Anchor(&'a str),
}

/// Reads a reference; `None` when it leads, or may lead, out of the document.
pub(super) fn read(reference: &str) -> Option<Reference<'_>> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return percent_decode(fragment).map(Reference::Pointer);
    }
    Some(Reference::Anchor(fragment))
}

/// The value at a JSON Pointer, found the way the validator finds it.
pub(super) fn follow<'a>(root: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer
        .split('/')
        .skip(1)
        .try_fold(root, |value, step| match value {
            Value::Object(members) => members.get(&unescape(step)),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
}

/// One step of a JSON Pointer as it is written.
pub(super) fn escape(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

fn percent_decode(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut decoded = Vec::with_capacity(fragment.len());
    let mut bytes = fragment.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let code = digit(bytes.next()?)? * 16 + digit(bytes.next()?)?;
            decoded.push(u8::try_from(code).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}
