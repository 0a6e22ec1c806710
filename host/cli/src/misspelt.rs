//! A plugin file that is not there: which one was meant?

use std::fs;
use std::path::Path;

use toolhost::suggest;

use crate::failure::Failure;
use crate::units;

/// Entries of a folder that are looked at.
const MAX_ENTRIES: usize = 1_000;

/// Files that are listed when none is close.
const MAX_LISTED: usize = 8;

/// What to say about the plugin file `path` if it is not there. `names` are the
/// plugins of the configuration, which could have been meant as well.
pub(crate) fn plugin_file(path: &Path, names: &[&str]) -> Option<Failure> {
    if path.symlink_metadata().is_ok() {
        return None;
    }
    let failure = Failure::usage(format!("there is no plugin `{}`", path.display()));
    let typed = path.to_string_lossy();
    Some(match suggest(&typed, names.iter().copied()) {
        Some(name) => failure.hint(format!("did you mean `{name}` of the configuration?")),
        None => failure.hint(other_file(path)),
    })
}

fn other_file(path: &Path) -> String {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return format!("there is no folder `{}`", folder.display());
    }
    let known = plugins_in(folder);
    let typed = path.file_name().unwrap_or_default().to_string_lossy();
    if let Some(name) = closest(&typed, &known) {
        return format!("did you mean `{}`?", path.with_file_name(name).display());
    }
    match known.len() {
        0 => format!("there is no `.wasm` file in `{}`", folder.display()),
        1..=MAX_LISTED => format!("`{}` has {}", folder.display(), known.join(", ")),
        many => format!(
            "`{}` has {}",
            folder.display(),
            units::plural(many, "`.wasm` file")
        ),
    }
}

fn closest<'a>(typed: &str, known: &'a [String]) -> Option<&'a str> {
    // The ending is the same for all and must not make two names look alike.
    let stem = |name: &'a str| name.trim_end_matches(".wasm");
    let typed = typed.trim_end_matches(".wasm");
    let meant = known
        .iter()
        .map(|name| stem(name))
        .find(|name| *name == typed)
        .map(str::to_owned)
        .or_else(|| suggest(typed, known.iter().map(|name| stem(name))).map(str::to_owned))?;
    known
        .iter()
        .map(String::as_str)
        .find(|name| stem(name) == meant)
}

fn plugins_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .take(MAX_ENTRIES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|end| end == "wasm"))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint_for(typed: &str, files: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), "").unwrap();
        }
        let failure = plugin_file(&folder.path().join(typed), &["calc-pro"]).unwrap();
        let here = folder.path().display().to_string();
        failure.hints[0].replace(&here, "DIR")
    }

    #[test]
    fn a_slip_finds_the_file_beside_it() {
        let files = ["calc.wasm", "csv.wasm", "notes.txt"];
        assert_eq!(
            hint_for("clac.wasm", &files),
            "did you mean `DIR/calc.wasm`?"
        );
        assert_eq!(hint_for("csv", &files), "did you mean `DIR/csv.wasm`?");
        assert_eq!(
            hint_for("weather.wasm", &files),
            "`DIR` has calc.wasm, csv.wasm"
        );
        assert_eq!(hint_for("-", &["jq.wasm"]), "`DIR` has jq.wasm");
    }

    #[test]
    fn an_empty_or_missing_folder_is_said_to_be_one() {
        assert_eq!(
            hint_for("calc.wasm", &[]),
            "there is no `.wasm` file in `DIR`"
        );
        assert_eq!(
            hint_for("plugins/calc.wasm", &[]),
            "there is no folder `DIR/plugins`"
        );
    }

    #[test]
    fn a_name_of_the_configuration_may_be_meant() {
        let failure = plugin_file(Path::new("calc-prp"), &["calc-pro"]).unwrap();
        assert_eq!(
            failure.hints,
            ["did you mean `calc-pro` of the configuration?"]
        );
    }
}
