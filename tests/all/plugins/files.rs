//! Files in granted directories, and nowhere else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use toolhost_tests::plugin;

use super::run;
use crate::cli::program::{Ran, host};

/// A directory that is granted as `/work`.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.put("notes.md", "# Notes\n\none\ntwo\nthree\n");
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn reading(&self, tool: &str, arguments: &Value) -> Ran {
        self.granted("", tool, arguments)
    }

    fn writing(&self, tool: &str, arguments: &Value) -> Ran {
        self.granted(":rw", tool, arguments)
    }

    fn granted(&self, access: &str, tool: &str, arguments: &Value) -> Ran {
        let grant = format!("{}::/work{access}", self.path().display());
        run("files", tool, arguments, &["--dir", &grant])
    }
}

#[test]
fn a_file_is_read_part_by_part() {
    let folder = Folder::new();
    let first = folder
        .reading(
            "read_file",
            &json!({ "path": "/work/notes.md", "limit": 3 }),
        )
        .ends_with(0)
        .quietly();
    assert!(first.starts_with("# Notes\n\none\n"), "{first}");
    assert!(first.contains("[lines 1 to 3 of 5 in `/work/notes.md`; go on with `offset` 4]"));
    let rest = folder
        .reading(
            "read_file",
            &json!({ "path": "/work/notes.md", "offset": 4 }),
        )
        .ends_with(0)
        .quietly();
    assert_eq!(rest.trim_end(), "two\nthree");
}

#[test]
fn a_large_file_is_cut_and_a_binary_one_described() {
    let folder = Folder::new();
    folder.put("long.txt", format!("{}\n", "x".repeat(99)).repeat(2_000));
    folder.put("line.txt", "y".repeat(100_000));
    folder.put("picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    let part = |path: &str| {
        let arguments = json!({ "path": path });
        folder
            .reading("read_file", &arguments)
            .ends_with(0)
            .quietly()
    };
    let long = part("/work/long.txt");
    assert!(
        long.len() < 66_000 && long.contains("of 2000 in"),
        "{}",
        &long[long.len() - 99..]
    );
    assert!(part("/work/line.txt").contains("go on with `byteOffset` 65536]"));
    assert!(part("/work/picture.png").contains("is a PNG image (10 bytes)"));
}

#[test]
fn writing_needs_a_grant_for_it() {
    let folder = Folder::new();
    let arguments = json!({ "path": "/work/new/file.txt", "content": "hello\n" });
    let refused = folder.reading("write_file", &arguments).ends_with(1);
    assert!(
        refused.stderr.contains("`--dir HOST::/work:rw`"),
        "{refused:#?}"
    );
    assert!(!folder.path().join("new").exists());

    let said = folder
        .writing("write_file", &arguments)
        .ends_with(0)
        .quietly();
    assert_eq!(said, "created `/work/new/file.txt` (6 bytes)\n");
    assert_eq!(folder.text("new/file.txt"), "hello\n");
    let once = json!({ "path": "/work/new/file.txt", "content": "x", "overwrite": false });
    let refused = folder.writing("write_file", &once).ends_with(1);
    assert!(refused.stderr.contains("is there already"), "{refused:#?}");
    assert_eq!(folder.text("new/file.txt"), "hello\n");
}

#[test]
fn an_edit_has_to_be_clear() {
    let folder = Folder::new();
    folder.put("code.rs", "let a = 1;\nlet b = 1;\n");
    let edit = |old: &str, new: &str| {
        let arguments = json!({ "path": "/work/code.rs", "oldText": old, "newText": new });
        folder.writing("edit_file", &arguments)
    };
    let unclear = edit("= 1", "= 2").ends_with(1);
    assert!(
        unclear.stderr.contains("2 times (lines 1, 2)"),
        "{unclear:#?}"
    );
    let missing = edit("let a  = 1;", "").ends_with(1);
    assert!(
        missing.stderr.contains("is not in the file"),
        "{missing:#?}"
    );
    assert_eq!(folder.text("code.rs"), "let a = 1;\nlet b = 1;\n");

    let said = edit("b = 1", "b = 2").ends_with(0).quietly();
    assert_eq!(said, "replaced 1 occurrence in `/work/code.rs`, line 2\n");
    let all = json!({ "path": "/work/code.rs", "oldText": "let", "newText": "const", "replaceAll": true });
    folder.writing("edit_file", &all).ends_with(0);
    assert_eq!(folder.text("code.rs"), "const a = 1;\nconst b = 2;\n");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(
        names.len(),
        2,
        "nothing is left beside the files: {names:?}"
    );
}

#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let folder = Folder::new();
    let arguments = json!({ "path": "/work/notes.md", "content": "x".repeat(50_000) });
    let grant = format!("{}::/work:rw", folder.path().display());
    let config = folder.path().join("host.toml");
    fs::write(&config, "[limits]\nwritten-bytes = \"10KiB\"\n").unwrap();
    let line = ["--dir", &grant, "--config", &config.display().to_string()];
    let ran = run("files", "write_file", &arguments, &line).ends_with(1);
    assert!(ran.stderr.contains("there is probably no room"), "{ran:#?}");
    assert!(folder.text("notes.md").starts_with("# Notes\n"));
    assert!(!folder.path().join(".toolhost-0.tmp").exists());
}

#[test]
fn a_file_stays_the_same_file_with_other_content() {
    let folder = Folder::new();
    folder.put("run.sh", "echo one, and much more that goes away\n");
    let (script, other) = (folder.path().join("run.sh"), folder.path().join("other.sh"));
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    fs::hard_link(&script, &other).unwrap();
    let arguments = json!({ "path": "/work/run.sh", "content": "echo one\n" });
    folder.writing("write_file", &arguments).ends_with(0);
    let arguments = json!({ "path": "/work/run.sh", "oldText": "one", "newText": "two" });
    folder.writing("edit_file", &arguments).ends_with(0);
    assert_eq!(folder.text("run.sh"), "echo two\n");
    assert_eq!(folder.text("other.sh"), "echo two\n");
    let mode = fs::metadata(&script).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert!(!folder.path().join(".toolhost-0.tmp").exists());
}

/// There was room for the content beside the file, and none for writing it again.
#[test]
fn content_that_could_not_be_put_in_place_is_not_lost() {
    let folder = Folder::new();
    let content = "x".repeat(6_000);
    let arguments = json!({ "path": "/work/notes.md", "content": content });
    let grant = format!("{}::/work:rw", folder.path().display());
    let config = folder.path().join("host.toml");
    fs::write(&config, "[limits]\nwritten-bytes = \"10KB\"\n").unwrap();
    let line = ["--dir", &grant, "--config", &config.display().to_string()];
    let ran = run("files", "write_file", &arguments, &line).ends_with(1);
    let told = "all of it is in `/work/.toolhost-0.tmp`";
    assert!(ran.stderr.contains(told), "{ran:#?}");
    assert_eq!(folder.text(".toolhost-0.tmp"), content);
}

#[test]
fn a_file_in_the_way_is_named() {
    let folder = Folder::new();
    for path in ["/work/notes.md/a", "/work/notes.md/a/b"] {
        let arguments = json!({ "path": path, "content": "x" });
        let ran = folder.writing("write_file", &arguments).ends_with(1);
        let told = "`/work/notes.md` is a file and no directory";
        assert!(ran.stderr.contains(told), "{path}: {ran:#?}");
        assert!(!ran.stderr.contains("os error"), "{path}: {ran:#?}");
    }
}

/// Its owner may not write it, whatever is granted.
#[test]
fn permissions_of_the_file_itself_are_told_from_grants() {
    let folder = Folder::new();
    let notes = folder.path().join("notes.md");
    fs::set_permissions(&notes, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::OpenOptions::new().write(true).open(&notes).is_ok() {
        // This user may write everything.
        return;
    }
    let arguments = json!({ "path": "/work/notes.md", "content": "x" });
    let ran = folder.writing("write_file", &arguments).ends_with(1);
    assert!(
        ran.stderr.contains("the permissions of the file"),
        "{ran:#?}"
    );
    assert!(folder.text("notes.md").starts_with("# Notes\n"));
}

#[test]
fn nothing_outside_is_read_or_written() {
    let folder = Folder::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let deep = outside.path().join("secret.txt").display().to_string();
    for path in ["/work/link/secret.txt", "/work/../../secret.txt", &deep] {
        let ran = folder
            .writing("read_file", &json!({ "path": path }))
            .ends_with(1);
        assert!(!ran.stdout.contains("secret"), "{ran:#?}");
        let arguments = json!({ "path": path, "content": "mine" });
        folder.writing("write_file", &arguments).ends_with(1);
    }
    assert_eq!(fs::read_to_string(deep).unwrap(), "secret");
}

#[test]
fn files_are_listed_and_found() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("src")).unwrap();
    folder.put("src/main.rs", "fn main() {}\n");
    folder.put(".hidden", "two\n");
    let said =
        |tool: &str, arguments: Value| folder.reading(tool, &arguments).ends_with(0).quietly();
    assert_eq!(
        said("list_directory", json!({})),
        ".hidden (4 bytes)\nnotes.md (23 bytes)\nsrc/\n"
    );
    let page = said("list_directory", json!({ "path": "/work", "limit": 1 }));
    assert!(page.contains("go on with `offset` 1"), "{page}");
    let found = said("glob", json!({ "pattern": "**/*.rs" }));
    assert!(found.starts_with("/work/src/main.rs"), "{found}");
    let found = said("grep", json!({ "pattern": "^two$" }));
    assert!(found.starts_with("/work/notes.md\n4: two\n"), "{found}");
    let found = said(
        "grep",
        json!({ "pattern": "^two$", "all": true, "output": "files" }),
    );
    assert!(found.contains("/work/.hidden"), "{found}");
}

/// Most of a large tree is not what is looked for, and looking costs all the same.
#[test]
fn a_tree_that_is_too_large_gives_what_was_found_until_then() {
    let folder = Folder::new();
    folder.put("0.so", "");
    let deep = folder.path().join("deep");
    for number in 0..70 {
        let inner = deep.join(number.to_string());
        fs::create_dir_all(&inner).unwrap();
        for number in 0..1_000 {
            fs::write(inner.join(number.to_string()), "").unwrap();
        }
    }
    let arguments = json!({ "pattern": "**/*.so*", "maxResults": 3 });
    let config = folder.path().join("host.toml");
    fs::write(&config, "[limits]\nwall-clock = \"120s\"\n").unwrap();
    let grant = format!("{}::/work", folder.path().display());
    let line = ["--dir", &grant, "--config", &config.display().to_string()];
    let found = run("files", "glob", &arguments, &line).ends_with(0).stdout;
    assert!(found.starts_with("/work/0.so"), "{found}");
    assert!(found.contains("65,000 files and directories"), "{found}");
}

#[test]
fn nothing_is_there_without_a_grant() {
    for (tool, arguments) in [
        ("read_file", json!({ "path": "/work/notes.md" })),
        ("list_directory", json!({})),
        (
            "write_file",
            json!({ "path": "/work/notes.md", "content": "" }),
        ),
        ("grep", json!({ "pattern": "x" })),
    ] {
        let said = run("files", tool, &arguments, &[])
            .ends_with(1)
            .without_output();
        assert!(said.contains("`--dir HOST::GUEST:r"), "{said}");
    }
}

#[test]
fn a_host_that_only_plans_reads_files_and_does_not_edit_them() {
    let folder = Folder::new();
    let path = "/work/notes.md";
    let calls = json!([
        { "id": "read", "name": "read_file", "arguments": { "path": path } },
        { "id": "write", "name": "write_file", "arguments": { "path": path, "content": "gone" } },
    ]);
    let plugin = plugin("files").display().to_string();
    let calls = calls.to_string();
    let config = folder.path().join("host.toml");
    fs::write(&config, "[grants]\ndirs = [\".::/work:rw\"]\n").unwrap();
    let config = config.display().to_string();
    let mut line = vec!["turn", "--plugin", &plugin, "--message", &calls];
    line.extend(["--mode", "plan", "--config", &config]);
    let done = host(line).json();
    assert!(done[0].to_string().contains("# Notes"), "{done:#}");
    assert_eq!(done[1]["isError"], true, "{done:#}");
    assert!(done[1].to_string().contains("ToolDeniedError"), "{done:#}");
    assert!(folder.text("notes.md").starts_with("# Notes\n"));
}
