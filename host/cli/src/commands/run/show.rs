//! What of a result is shown, and where.

use std::path::Path;

use toolhost::{ContentBlock, Media, MediaSource, Outcome, Output};

use super::call::Called;
use super::files::{self, Bytes};
use super::plan::ShowPlan;
use super::{explain, report, resume};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::printer::Printer;
use crate::units;

/// Shows how a call ended.
///
/// # Errors
///
/// Without `--json`, the failure of a call that failed. When the result cannot
/// be written.
pub(crate) fn show(called: &Called, plan: &ShowPlan, printer: &Printer) -> Result<ExitCode, Stop> {
    let result = &called.result;
    if printer.is_verbose() {
        for warning in &called.warnings {
            printer.warning(warning);
        }
        report::say(result, printer);
    }
    if plan.json {
        printer.result(&result.to_json().to_string())?;
        if let (Some(output), Some(out)) = (result.output(), &plan.out) {
            write(out, &Parts::of(output).bytes, printer)?;
        }
        return Ok(ExitCode::of(result));
    }
    match &result.outcome {
        Ok(Outcome::Done(output)) => done(&Parts::of(output), plan, printer)?,
        Ok(Outcome::Suspended(suspension)) => {
            let shown = serde_json::to_string(suspension)
                .map_err(|error| Failure::usage("cannot write the suspension").because(&error))?;
            printer.result(&shown)?;
            printer.note("the call is suspended");
            printer.hint(&resume::hint(suspension));
        }
        Err(error) => return Err(explain::failure(error, called).into()),
    }
    Ok(ExitCode::of(result))
}

fn done(parts: &Parts<'_>, plan: &ShowPlan, printer: &Printer) -> Result<(), Stop> {
    match (&plan.out, &parts.text) {
        (None, None) if !parts.bytes.is_empty() => {
            return Err(
                Failure::usage(format!("the result is {}", listed(&parts.bytes)))
                    .hint("`--out FILE` writes it to a file, `--json` prints it as base64")
                    .into(),
            );
        }
        (_, Some(text)) => printer.result(text)?,
        (_, None) => {}
    }
    match &plan.out {
        Some(out) => write(out, &parts.bytes, printer)?,
        None if !parts.bytes.is_empty() => {
            let bytes = listed(&parts.bytes);
            printer.note(&format!(
                "the result also has {bytes}; `--out FILE` writes it"
            ));
        }
        None => {}
    }
    if parts.unseen > 0 {
        let blocks = units::plural(parts.unseen, "more block");
        printer.note(&format!("the result also has {blocks}; `--json` shows all"));
    }
    Ok(())
}

fn write(out: &Path, bytes: &[Bytes<'_>], printer: &Printer) -> Result<(), Failure> {
    if bytes.is_empty() {
        let out = out.display();
        printer.warning(&format!(
            "the result has no bytes, so `{out}` is not written"
        ));
    }
    // The user's own name goes to what fits it: `--out chart.svg` gets the SVG.
    let mut parts: Vec<&Bytes<'_>> = bytes.iter().collect();
    if !parts.is_empty() {
        let first = files::first(out, parts.iter().map(|part| part.mime_type));
        parts[..=first].rotate_right(1);
    }
    for (index, part) in parts.into_iter().enumerate() {
        let path = files::name(out, index, part.mime_type);
        files::write(&path, part.data)?;
        printer.note(&format!("wrote `{}`: {}", path.display(), described(part)));
    }
    Ok(())
}

/// `image/png (12 KiB) and image/svg+xml (3 KiB)`.
fn listed(bytes: &[Bytes<'_>]) -> String {
    bytes
        .iter()
        .map(described)
        .collect::<Vec<_>>()
        .join(" and ")
}

fn described(part: &Bytes<'_>) -> String {
    format!(
        "{} ({})",
        part.mime_type,
        units::bytes(part.data.len() as u64)
    )
}

/// A result, taken apart by where its parts go.
#[derive(Debug, Default, PartialEq)]
struct Parts<'a> {
    /// For stdout.
    text: Option<String>,
    /// For files.
    bytes: Vec<Bytes<'a>>,
    /// Blocks that are seen with `--json` only.
    unseen: usize,
}

impl<'a> Parts<'a> {
    /// People read text where there is text, else data, else links.
    fn of(output: &'a Output) -> Self {
        let mut links = Vec::new();
        let mut parts = Self::default();
        for block in &output.content {
            match block {
                ContentBlock::Text { .. } => {}
                ContentBlock::Image(media)
                | ContentBlock::Audio(media)
                | ContentBlock::File { media, .. } => match &media.source {
                    MediaSource::Bytes { data } => parts.bytes.push(bytes(media, data)),
                    MediaSource::Uri { uri } => links.push(uri.as_str()),
                    MediaSource::Other { .. } => parts.unseen += 1,
                },
                ContentBlock::Other { .. } => parts.unseen += 1,
            }
        }
        let text = output.joined_text();
        parts.text = text.or_else(|| output.structured.as_ref().map(ToString::to_string));
        if parts.text.is_none() && !links.is_empty() {
            parts.text = Some(links.join("\n"));
        } else {
            parts.unseen += links.len();
        }
        parts
    }
}

fn bytes<'a>(media: &'a Media, data: &'a [u8]) -> Bytes<'a> {
    Bytes {
        mime_type: &media.mime_type,
        data,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(text: &str) -> ContentBlock {
        ContentBlock::Text { text: text.into() }
    }

    fn image(source: MediaSource) -> ContentBlock {
        ContentBlock::Image(Media {
            mime_type: "image/png".into(),
            source,
        })
    }

    #[test]
    fn people_see_text_before_data() {
        let mut output = Output::structured(json!({"b": 1, "a": [2]}));
        assert_eq!(Parts::of(&output).text.unwrap(), r#"{"b":1,"a":[2]}"#);
        output.content = vec![text("one"), text("two")];
        assert_eq!(Parts::of(&output).text.unwrap(), "one\ntwo");
    }

    #[test]
    fn bytes_go_to_files_and_links_are_printed_when_there_is_nothing_else() {
        let picture = image(MediaSource::Bytes {
            data: vec![1, 2, 3],
        });
        let link = image(MediaSource::Uri {
            uri: "https://example.org/a.png".into(),
        });
        let output = Output {
            content: vec![picture, link.clone()],
            ..Output::default()
        };
        let parts = Parts::of(&output);
        assert_eq!(
            parts.bytes,
            [Bytes {
                mime_type: "image/png",
                data: &[1, 2, 3]
            }]
        );
        assert_eq!(parts.text.as_deref(), Some("https://example.org/a.png"));

        let output = Output {
            content: vec![text("see"), link],
            ..Output::default()
        };
        assert_eq!(Parts::of(&output).text.as_deref(), Some("see"));
        assert_eq!(Parts::of(&output).unseen, 1);
    }

    #[test]
    fn an_empty_result_prints_nothing() {
        assert_eq!(Parts::of(&Output::default()), Parts::default());
    }
}
