//! Bounds of a manifest. All of it is the plugin's word and is shown to people, so
//! nothing in it is long, and nothing is asked for without a reason.

use serde_json::Value;
use toolhost_tool::truncate_chars;

use super::want::ANY;
use super::{Manifest, ManifestError, Wants};
use crate::grant::{check_config, check_guest, check_secret, check_tool, check_variable};

/// Most characters of each text.
const MAX_NAME: usize = 128;
const MAX_VERSION: usize = 64;
const MAX_LICENSE: usize = 128;
const MAX_SOURCE: usize = 500;
const MAX_DESCRIPTION: usize = 2_000;
const MAX_WHY: usize = 500;

/// Most things of one kind that are asked for: nobody reads more before they agree.
const MAX_WANTS: usize = 64;

/// Refuses lists in the place of objects, whose keys the reader would take from their
/// order.
pub(super) fn check_objects(manifest: &Value) -> Result<(), ManifestError> {
    let object = |path: &str, found: &Value| match found {
        Value::Object(_) => Ok(()),
        _ => Err(value(path, "is not an object")),
    };
    if !manifest.is_object() {
        return Err(ManifestError::NotAnObject);
    }
    let Some(wants) = manifest.get("wants") else {
        return Ok(());
    };
    object("wants", wants)?;
    for (key, want) in wants.as_object().into_iter().flatten() {
        let path = format!("wants.{}", truncate_chars(key.clone(), MAX_NAME));
        if matches!(key.as_str(), "storage" | "messages") {
            object(&path, want)?;
            continue;
        }
        let Some(list) = want.as_array() else {
            return Err(value(&path, "is not a list"));
        };
        for (index, want) in list.iter().enumerate() {
            let path = format!("{path}[{index}]");
            object(&path, want)?;
            // A table could say more than a plugin may: whether addresses may be
            // private is for the operator to decide.
            if want.get("allow").is_some_and(|allow| !allow.is_string()) {
                return Err(value(&format!("{path}.allow"), "is not a text"));
            }
        }
    }
    Ok(())
}

pub(super) fn check(manifest: &Manifest) -> Result<(), ManifestError> {
    let Manifest {
        name,
        version,
        license,
        source,
        description,
        wants,
    } = manifest;
    text("name", name, MAX_NAME)?;
    text("version", version, MAX_VERSION)?;
    for (path, value, most) in [
        ("license", license, MAX_LICENSE),
        ("source", source, MAX_SOURCE),
        ("description", description, MAX_DESCRIPTION),
    ] {
        if let Some(value) = value {
            text(path, value, most)?;
        }
    }
    check_wants(wants)
}

fn check_wants(wants: &Wants) -> Result<(), ManifestError> {
    let Wants {
        http,
        dirs,
        env,
        secrets,
        config,
        tools,
        storage,
        messages,
    } = wants;
    each("http", http, |at, want| why(at, &want.why))?;
    each("dirs", dirs, |at, want| {
        why(at, &want.why)?;
        check_guest(&want.guest).map_err(|error| refused(at, "guest", &error))
    })?;
    each("env", env, |at, want| {
        why(at, &want.why)?;
        whole_name(at, "name", &want.name)?;
        check_variable(&want.name, "").map_err(|error| refused(at, "name", &error))
    })?;
    each("secrets", secrets, |at, want| {
        why(at, &want.why)?;
        if want.name == ANY {
            return Ok(());
        }
        check_secret(&want.name).map_err(|error| refused(at, "name", &error))
    })?;
    each("config", config, |at, want| {
        why(at, &want.why)?;
        whole_name(at, "key", &want.key)?;
        check_config(&want.key, "").map_err(|error| refused(at, "key", &error))
    })?;
    each("tools", tools, |at, want| {
        why(at, &want.why)?;
        check_tool(&want.name).map_err(|error| refused(at, "name", &error))
    })?;
    for (key, want) in [("storage", storage), ("messages", messages)] {
        if let Some(want) = want {
            why(&format!("wants.{key}"), &want.why)?;
        }
    }
    Ok(())
}

fn each<T>(
    key: &str,
    wants: &[T],
    check: impl Fn(&str, &T) -> Result<(), ManifestError>,
) -> Result<(), ManifestError> {
    if wants.len() > MAX_WANTS {
        let problem = format!(
            "has {} entries; at most {MAX_WANTS} are allowed",
            wants.len()
        );
        return Err(value(&format!("wants.{key}"), problem));
    }
    wants
        .iter()
        .enumerate()
        .try_for_each(|(index, want)| check(&format!("wants.{key}[{index}]"), want))
}

/// Refuses what looks like a pattern where only names are compared: it would be shown
/// as a wish for everything and be granted nothing.
fn whole_name(at: &str, key: &str, name: &str) -> Result<(), ManifestError> {
    if name.contains(['*', '?']) {
        let problem = format!("`{name}` is a pattern; ask for each by its name");
        return Err(value(&format!("{at}.{key}"), problem));
    }
    Ok(())
}

fn why(at: &str, why: &str) -> Result<(), ManifestError> {
    text(&format!("{at}.why"), why, MAX_WHY)
}

fn text(path: &str, text: &str, most: usize) -> Result<(), ManifestError> {
    if text.trim().is_empty() {
        return Err(value(path, "is empty: say it in a few words"));
    }
    match text.chars().count() {
        used if used > most => {
            let problem = format!("has {used} characters; at most {most} are allowed");
            Err(value(path, problem))
        }
        _ => Ok(()),
    }
}

fn refused(at: &str, key: &str, error: &impl ToString) -> ManifestError {
    value(
        &format!("{at}.{key}"),
        format!("cannot be used: {}", error.to_string()),
    )
}

fn value(path: &str, problem: impl Into<String>) -> ManifestError {
    ManifestError::Value {
        path: path.to_owned(),
        problem: problem.into(),
    }
}
