//! The files of a new project. Its SDK comes with it, under `vendor/`, laid out
//! as in this repository, because the SDK generates its bindings from `wit/` by a
//! relative path.

use super::name::Name;

/// The SDK and the WIT files, by their path in this repository.
static VENDORED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/vendored.rs"));

/// The lock file the SDK is tested with. A project starts from it, so that it
/// builds today as it did then; cargo adds the project and drops what it does
/// not use.
const LOCK_FILE: &str = "sdk/Cargo.lock";

const MANIFEST: &str = r#"[package]
name = "NAME"
version = "0.1.0"
edition = "2024"
# description, license and repository, if given, are shown by `host inspect`.

# The most that the plugin may ever be granted, each with a reason that the
# operator reads. It wants nothing yet; `vendor/sdk/README.md` lists the kinds:
# http = [{ allow = "GET https://api.example.com/", why = "looks up cities" }]
# dirs = [{ guest = "/work", access = "ro", why = "reads the table" }]
[package.metadata.toolhost.wants]

[lib]
crate-type = ["cdylib"]

[dependencies]
toolhost-sdk = { path = "vendor/sdk/rust" }

# Fast code; "s" gives a file a fifth smaller whose calls take a fifth longer.
[profile.release]
opt-level = 3
lto = true
codegen-units = 1
panic = "abort"
strip = true

# The project stands alone, also inside another workspace.
[workspace]
exclude = ["vendor"]
"#;

const SOURCE: &str = r#"//! The plugin `NAME`.

use toolhost_sdk::tool;

/// Greets someone by name.
#[tool]
fn hello(
    /// Who to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}
toolhost_sdk::plugin!(hello);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ada_is_greeted() {
        assert_eq!(hello("Ada".into()), "Hello, Ada!");
    }
}
"#;

const README: &str = "# NAME

A plugin with one tool, `hello`. Build it, see what it has, run it:

```sh
COMMANDS
```

The tool is a plain function in `src/lib.rs`: its name, doc comments and types become
what a model is told. `cargo test` calls it natively, without a sandbox.

Building needs the target `wasm32-wasip2`, which `rustup target add wasm32-wasip2`
installs. The guest SDK is in `vendor/sdk`; `cargo doc --open -p toolhost-sdk` shows what
it offers: results with files, errors, partial results, hooks.
";

const GIT_IGNORE: &str = "/target\n";

/// The commands that build and run the project, a line each; from the folder
/// `enter`, if it is given.
pub(super) fn commands(name: &Name, enter: Option<&str>) -> String {
    let wasm = format!("target/wasm32-wasip2/release/{}", name.wasm_file());
    let mut lines = vec![
        "cargo build --release --target wasm32-wasip2".to_owned(),
        format!("host inspect {wasm}"),
        format!("host run --plugin {wasm} --args '{{\"name\": \"Ada\"}}'"),
    ];
    if let Some(folder) = enter {
        lines.insert(0, format!("cd {}", shell_word(folder)));
    }
    lines.join("\n")
}

/// `text` as a shell reads it as one word.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+~".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// All files: path in the project, content.
pub(super) fn files(name: &Name) -> Vec<(String, String)> {
    let own = [
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", SOURCE),
        ("README.md", README),
        (".gitignore", GIT_IGNORE),
    ];
    let commands = commands(name, None);
    let fill = |text: &str| {
        text.replace("COMMANDS", &commands)
            .replace("NAME", name.as_str())
    };
    let mut files: Vec<(String, String)> = own
        .iter()
        .map(|(path, text)| ((*path).to_owned(), fill(text)))
        .collect();
    for (path, content) in VENDORED {
        let to = match *path {
            LOCK_FILE => "Cargo.lock".to_owned(),
            path => format!("vendor/{path}"),
        };
        files.push((to, (*content).to_owned()));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project() -> Vec<(String, String)> {
        files(&"word-count".parse().unwrap())
    }

    fn content(path: &str) -> String {
        let found = project().into_iter().find(|(name, _)| name == path);
        found.unwrap_or_else(|| panic!("no file {path}")).1
    }

    #[test]
    fn a_folder_with_a_space_is_one_word_for_a_shell() {
        assert_eq!(shell_word("a/b-c"), "a/b-c");
        assert_eq!(shell_word("my plugins/a"), "'my plugins/a'");
        assert_eq!(shell_word("ada's"), r"'ada'\''s'");
    }

    #[test]
    fn the_name_is_put_in_everywhere() {
        assert!(content("Cargo.toml").contains("name = \"word-count\""));
        assert!(content("README.md").contains("release/word_count.wasm --args"));
        for (path, text) in project()
            .iter()
            .filter(|(path, _)| !path.starts_with("vendor/"))
        {
            assert!(
                !text.contains("NAME") && !text.contains("COMMANDS"),
                "{path}"
            );
        }
    }

    #[test]
    fn the_sdk_comes_with_what_it_is_generated_from() {
        for path in [
            "vendor/sdk/Cargo.toml",
            "vendor/sdk/rust/Cargo.toml",
            "vendor/wit/world.wit",
        ] {
            assert!(!content(path).is_empty(), "{path}");
        }
        let bindings = content("vendor/sdk/rust/src/bindings.rs");
        assert!(
            bindings.contains("\"../../wit\""),
            "the relative path must lead to vendor/wit"
        );
        assert!(content("Cargo.lock").contains("name = \"wit-bindgen\""));
    }
}
