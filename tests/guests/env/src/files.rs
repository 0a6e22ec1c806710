//! Files, as an honest tool uses them: by the standard library and by paths.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};
use std::fs;
use std::io;

const PATH: &str = r#"{"path":{"type":"string","default":"/"}}"#;
const TWO_PATHS: &str =
    r#"{"path":{"type":"string","default":"/a"},"to":{"type":"string","default":"/b"}}"#;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "read_file",
        description: "Reads the file `path` as text.",
        properties: PATH,
        run: |request| answer(fs::read_to_string(path(request))),
    },
    Tool {
        name: "write_file",
        description: "Writes `text` to the file `path`, which is made if it is not there.",
        properties: r#"{"path":{"type":"string","default":"/a"},"text":{"type":"string","default":"written by a guest"}}"#,
        run: |request| nothing(fs::write(path(request), request.text("text", ""))),
    },
    Tool {
        name: "append_file",
        description: "Appends `n` times `bytes` bytes to the file `path`.",
        properties: r#"{"path":{"type":"string","default":"/a"},"n":{"type":"integer","default":1},"bytes":{"type":"integer","default":1024}}"#,
        run: append_file,
    },
    Tool {
        name: "list_dir",
        description: "Lists the names in the directory `path`, sorted.",
        properties: PATH,
        run: |request| answer(list(path(request))),
    },
    Tool {
        name: "stat",
        description: "Returns the kind and size of what is at `path`, following links.",
        properties: PATH,
        run: |request| answer(stat(path(request))),
    },
    Tool {
        name: "make_dir",
        description: "Makes the directory `path`.",
        properties: PATH,
        run: |request| nothing(fs::create_dir(path(request))),
    },
    Tool {
        name: "remove_file",
        description: "Removes the file `path`.",
        properties: PATH,
        run: |request| nothing(fs::remove_file(path(request))),
    },
    Tool {
        name: "remove_dir",
        description: "Removes the directory `path` and all in it.",
        properties: PATH,
        run: |request| nothing(fs::remove_dir_all(path(request))),
    },
    Tool {
        name: "rename",
        description: "Renames `path` to `to`.",
        properties: TWO_PATHS,
        run: |request| nothing(fs::rename(path(request), request.text("to", "/b"))),
    },
    Tool {
        name: "hard_link",
        description: "Makes `to` another name of the file `path`.",
        properties: TWO_PATHS,
        run: |request| nothing(fs::hard_link(path(request), request.text("to", "/b"))),
    },
    Tool {
        name: "open_many",
        description: "Opens the file `path` `n` times and keeps it open.",
        properties: r#"{"path":{"type":"string","default":"/a"},"n":{"type":"integer","default":100000}}"#,
        run: open_many,
    },
];

fn path(request: &Request) -> &str {
    request.text("path", "/")
}

/// An error by its kind, which is a name and does not depend on the system.
fn answer(result: io::Result<impl Into<Value>>) -> Answer {
    structured(said(result.map_err(|error| error.kind())))
}

fn nothing(result: io::Result<()>) -> Answer {
    answer(result.map(|()| Value::Null))
}

fn list(path: &str) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn stat(path: &str) -> io::Result<Value> {
    let found = fs::metadata(path)?;
    Ok(json!({ "directory": found.is_dir(), "bytes": found.len() }))
}

fn append_file(request: &Request) -> Answer {
    let piece = vec![b'x'; request.size("bytes", 1024)];
    let append = || -> io::Result<u64> {
        let mut file = fs::File::options()
            .append(true)
            .create(true)
            .open(path(request))?;
        for _ in 0..request.number("n", 1) {
            io::Write::write_all(&mut file, &piece)?;
        }
        Ok(file.metadata()?.len())
    };
    answer(append())
}

fn open_many(request: &Request) -> Answer {
    let mut open = Vec::new();
    for _ in 0..request.number("n", 1) {
        match fs::File::open(path(request)) {
            Ok(file) => open.push(file),
            Err(error) => {
                return structured(
                    json!({ "opened": open.len(), "error": format!("{:?}", error.kind()) }),
                );
            }
        }
    }
    structured(json!({ "opened": open.len(), "error": null }))
}
