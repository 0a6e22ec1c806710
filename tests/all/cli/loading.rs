//! Files that are no plugins: each kind has a sentence of its own.

use std::fs;

use super::program::{command, copy_guest, guest_path, host, host_in};

#[test]
fn a_misspelt_file_is_answered_with_the_one_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    copy_guest("misbehave", &dir.path().join("calc.wasm"));
    let said = host_in(dir.path(), ["run", "--plugin", "clac.wasm", "--tool", "ok"])
        .ends_with(2)
        .without_output();
    assert_eq!(
        said,
        "error: there is no plugin `clac.wasm`\n\nhint: did you mean `calc.wasm`?\n"
    );
    let ran = host_in(dir.path(), ["run", "--plugin", "calc.wasm", "--tool", "ok"]);
    assert_eq!(ran.ends_with(0).quietly(), "{}\n");
}

#[test]
fn each_kind_of_wrong_file_has_its_own_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let whole = fs::read(guest_path("misbehave")).unwrap();
    let huge = write("huge.wasm", b"");
    fs::File::options()
        .write(true)
        .open(&huge)
        .unwrap()
        .set_len(65 << 20)
        .unwrap();
    let cases = [
        (
            dir.path().display().to_string(),
            "is a directory, not a plugin",
        ),
        (write("empty.wasm", b""), "it has 0 bytes"),
        (write("text.wasm", b"hello there"), "is not WebAssembly"),
        (
            write("cut.wasm", &whole[..whole.len() / 2]),
            "damaged or cut short",
        ),
        (huge, "too large to load"),
        ("/dev/null".to_owned(), "is not a regular file"),
        (
            guest_path("core-module"),
            "is a core WebAssembly module, not a component",
        ),
        (guest_path("no-tools"), "exports no tools"),
        (guest_path("other-version"), "is built for version"),
        (guest_path("other-import"), "which this host does not offer"),
    ];
    let mut sentences = Vec::new();
    for (file, expected) in cases {
        let said = host(["run", "--plugin", &file, "--no-cache"])
            .ends_with(2)
            .without_output();
        assert!(
            said.starts_with("error: cannot load the plugin `"),
            "{file}: {said}"
        );
        assert!(
            said.contains("\n  caused by: ") && said.contains(expected),
            "{file}: {said}"
        );
        sentences.push(said.replace(&file, "FILE"));
    }
    let count = sentences.len();
    sentences.sort();
    sentences.dedup();
    assert_eq!(sentences.len(), count);
}

#[test]
fn a_program_reads_such_a_failure_as_an_object() {
    let ran = host(["run", "--plugin", "/no/such/plugin.wasm", "--json"]).ends_with(2);
    assert_eq!(ran.json()["isError"], true);
    assert_eq!(
        ran.json()["error"]["message"],
        "there is no plugin `/no/such/plugin.wasm`"
    );
    ran.quietly();
}

#[test]
fn a_cache_that_cannot_be_used_costs_a_warning_and_not_the_call() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let cache = home.path().join("toolhost");
    fs::create_dir(&cache).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    let plugin = guest_path("misbehave");
    let line = ["run", "--plugin", &plugin, "--tool", "ok"];

    let output = command(line)
        .env("XDG_CACHE_HOME", home.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, b"{}\n");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("warning: the compiled plugin is not kept: "),
        "{said}"
    );

    // One that was asked for by name has to be right.
    let dir = cache.display().to_string();
    let said = host(line.into_iter().chain(["--cache-dir", &dir]))
        .ends_with(2)
        .without_output();
    assert!(
        said.contains(&format!("hint: `chmod go-w {dir}`")),
        "{said}"
    );
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o755)).unwrap();
    let ran = host(line.into_iter().chain(["--cache-dir", &dir])).ends_with(0);
    assert_eq!(ran.quietly(), "{}\n");
}
