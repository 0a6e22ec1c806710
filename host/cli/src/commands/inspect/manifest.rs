//! What a plugin says of itself and asks for. None of it is verified, and none of it
//! is granted.

use toolhost::policy::{Manifest, Want};

use super::page::table;
use crate::text;

/// Who it says it is: labels and values.
pub(crate) fn about(manifest: Option<&Manifest>) -> Vec<(String, String)> {
    let Some(manifest) = manifest else {
        let none = "none: the operator's grants alone limit what it reaches";
        return vec![("manifest".into(), none.into())];
    };
    let Manifest {
        name,
        version,
        license,
        source,
        description,
        wants: _,
    } = manifest;
    let mut rows = vec![("manifest".to_owned(), format!("{name} {version}"))];
    for (label, value) in [
        ("license", license),
        ("source", source),
        ("about", description),
    ] {
        rows.extend(value.iter().map(|value| (label.to_owned(), value.clone())));
    }
    rows
}

/// What it asks for, and why; nothing for a plugin without a manifest.
pub(super) fn wants(manifest: Option<&Manifest>) -> String {
    let Some(manifest) = manifest else {
        return String::new();
    };
    let wants = manifest.wants.items();
    let mut rows: Vec<_> = wants
        .iter()
        .map(|want| (wanted(want), text::line(&want.why).into_owned()))
        .collect();
    if rows.is_empty() {
        rows.push((
            "nothing".into(),
            "whatever is granted, it gets nothing".into(),
        ));
    }
    table("wants", &rows)
}

/// A want as a line: `http GET https://api.example.com/`.
pub(crate) fn wanted(want: &Want) -> String {
    let shown = format!("{} {}", want.capability, want.what);
    text::line(shown.trim_end()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_says_what_it_wants_and_cannot_forge_a_line() {
        let text = r#"{"name": "x\nallowed", "version": "1", "description": "Reads.",
            "wants": {"env": [{"name": "TZ", "why": "time\u001b[2J"}], "messages": {"why": "y"}}}"#;
        let manifest = Manifest::parse(text.as_bytes()).unwrap();
        let about = about(Some(&manifest));
        assert_eq!(
            about[0].1, "x\nallowed 1",
            "made harmless where it is shown"
        );
        assert_eq!(
            wants(Some(&manifest)),
            "\nwants\n  env TZ          time\\u001b[2J\n  allow-messages  y\n"
        );
        assert_eq!(wants(None), "");
    }

    #[test]
    fn a_manifest_without_wants_is_told_from_no_manifest() {
        let manifest = Manifest::parse(br#"{"name": "x", "version": "1"}"#).unwrap();
        assert_eq!(
            wants(Some(&manifest)),
            "\nwants\n  nothing  whatever is granted, it gets nothing\n"
        );
        assert!(about(None)[0].1.starts_with("none: "));
    }
}
