//! Answers and lists as people read them, and as programs do. Some words are the
//! plugin's own, so all of it is made harmless.

use std::fmt::Write as _;

use serde_json::{Value, json};
use toolhost::PluginOutline;
use toolhost::policy::{Answer, Decider, Item, Origin, Policy};

use super::question::Asked;
use crate::commands::inspect::manifest::{about, wanted};
use crate::text;

/// Widest first column, in characters; longer lines push their second one.
const MAX_COLUMN: usize = 60;

/// An answer.
pub(super) fn answer(asked: &Asked, answer: &Answer) -> String {
    let verdict = if answer.allowed { "allowed" } else { "denied" };
    let mut shown = format!("{verdict}: {}\n", text::line(&asked.words()));
    let mut say = |said: &str| {
        let _ = writeln!(shown, "  {}", text::line(said));
    };
    say(&answer.decider.to_string());
    for note in &answer.notes {
        say(note);
    }
    if let Some(with) = &answer.allow_with {
        say(&format!("add {}", with.flag));
        for line in with.line.lines() {
            say(&format!("or, under {}: {line}", with.section));
        }
    }
    shown
}

/// An answer for programs.
pub(super) fn answer_json(policy: &Policy<'_>, asked: &Asked, answer: &Answer) -> Value {
    let decided = match &answer.decider {
        Decider::Grant { item, origin } => {
            let mut grant = granted(item, origin.as_ref());
            grant["by"] = json!("grant");
            grant
        }
        Decider::Manifest { .. } => json!({ "by": "manifest" }),
        Decider::Nothing => json!({ "by": "nothing" }),
        _ => json!({ "by": "rule" }),
    };
    let mut object = json!({
        "plugin": policy.plugin,
        "question": asked.to_json(),
        "allowed": answer.allowed,
        "decidedBy": decided,
        "reason": answer.decider.to_string(),
        "notes": answer.notes,
    });
    if let Some(with) = &answer.allow_with {
        object["allowWith"] = json!({
            "flag": with.flag,
            "line": with.line,
            "section": with.section,
        });
    }
    object
}

/// All that a plugin may do, on one page. Nothing on it is wrapped: flags are there to
/// be copied.
pub(super) fn list(policy: &Policy<'_>, outline: &PluginOutline) -> String {
    let mut shown = format!("{}\n", text::line(policy.plugin));
    let digest = ("digest".to_owned(), format!("sha256:{}", outline.digest));
    let rows = std::iter::once(digest).chain(about(outline.manifest.as_ref()));
    for (label, value) in rows {
        let _ = writeln!(shown, "  {label:<9} {}", text::line(&value));
    }
    let grants = &policy.effective.grants;
    let allowed = grants.items();
    let allowed = allowed.iter().map(|item| row(item, grants.origin(item)));
    let mut allowed: Vec<_> = allowed.collect();
    if allowed.is_empty() {
        allowed.push(("nothing".into(), String::new()));
    }
    section(&mut shown, "allowed", &allowed);
    let unwanted = policy.effective.unwanted.iter();
    let unwanted = unwanted.map(|unwanted| row(&unwanted.item, unwanted.origin.as_ref()));
    section(
        &mut shown,
        "granted in vain: the manifest does not want it",
        &unwanted.collect::<Vec<_>>(),
    );
    let missing = policy.effective.missing.iter().flat_map(|want| {
        let why = text::line(&want.why).into_owned();
        // `--secret` asks here; the other name of the flag grants in every command.
        let flag = want.flag.replacen("--secret ", "--allow-secret ", 1);
        let add = format!("  add {}", text::line(&flag));
        [(wanted(want), why), (add, String::new())]
    });
    section(
        &mut shown,
        "wanted, and not or not wholly granted",
        &missing.collect::<Vec<_>>(),
    );
    let unreadable = policy.setting.unreadable.into_iter().flatten();
    let unreadable = unreadable.filter(|(name, _)| grants.secrets.contains(name));
    section(
        &mut shown,
        "no call starts: a secret cannot be read",
        &unreadable
            .map(|(name, why)| (name.clone(), text::line(why).into_owned()))
            .collect::<Vec<_>>(),
    );
    shown
}

/// A heading and lines of two columns; nothing when there are no lines.
fn section(shown: &mut String, heading: &str, rows: &[(String, String)]) {
    if rows.is_empty() {
        return;
    }
    let two = rows.iter().filter(|(_, second)| !second.is_empty());
    let width = two.map(|(first, _)| first.chars().count()).max();
    let width = width.unwrap_or(0).min(MAX_COLUMN);
    let _ = writeln!(shown, "\n{heading}");
    for (first, second) in rows {
        let line = format!("  {first:<width$}  {second}");
        let _ = writeln!(shown, "{}", line.trim_end());
    }
}

/// The same for programs.
pub(super) fn list_json(policy: &Policy<'_>, outline: &PluginOutline) -> Value {
    let effective = policy.effective;
    let grants = &effective.grants;
    let allowed = grants.items();
    let allowed = allowed
        .iter()
        .map(|item| granted(item, grants.origin(item)));
    let unwanted = effective.unwanted.iter();
    let unwanted = unwanted.map(|one| granted(&one.item, one.origin.as_ref()));
    let missing = effective.missing.iter().map(|want| {
        json!({
            "capability": want.capability.as_str(),
            "what": want.what,
            "why": want.why,
            "allowWith": { "flag": want.flag },
        })
    });
    json!({
        "plugin": policy.plugin,
        "digest": format!("sha256:{}", outline.digest),
        "manifest": outline.manifest,
        "allowed": allowed.collect::<Vec<_>>(),
        "unreadable": policy.setting.unreadable,
        "unwanted": unwanted.collect::<Vec<_>>(),
        "missing": missing.collect::<Vec<_>>(),
    })
}

fn row(item: &Item, origin: Option<&Origin>) -> (String, String) {
    let origin = origin.map_or_else(String::new, ToString::to_string);
    (
        text::line(&item.to_string()).into_owned(),
        text::line(&origin).into_owned(),
    )
}

fn granted(item: &Item, origin: Option<&Origin>) -> Value {
    let mut grant = json!({
        "capability": item.capability.as_str(),
        "grant": item.text,
    });
    if item.allow_private {
        grant["allowPrivate"] = json!(true);
    }
    match origin {
        Some(Origin::Line { file, line, .. }) => {
            grant["file"] = json!(file);
            grant["line"] = json!(line);
        }
        Some(Origin::Flag(flag)) => grant["flag"] = json!(flag),
        _ => {}
    }
    grant
}
