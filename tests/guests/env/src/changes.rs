//! Changes to files that run into quotas or leave a mark: holes, sizes, times,
//! many files at once, and paths that change while they are used.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::time::{Duration, SystemTime};

const PATH: &str = r#"{"path":{"type":"string","default":"/a"}}"#;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "write_at",
        description: "Writes `bytes` bytes at `offset` of the file `path`, past its end too.",
        properties: r#"{"path":{"type":"string","default":"/a"},"offset":{"type":"integer","default":0},"bytes":{"type":"integer","default":1}}"#,
        run: |request| answer(write_at(request)),
    },
    Tool {
        name: "set_len",
        description: "Makes the file `path` `bytes` bytes long.",
        properties: r#"{"path":{"type":"string","default":"/a"},"bytes":{"type":"integer","default":0}}"#,
        run: |request| answer(set_len(request)),
    },
    Tool {
        name: "truncate",
        description: "Opens the file `path` to write it anew, and writes nothing.",
        properties: PATH,
        run: |request| answer(truncate(request)),
    },
    Tool {
        name: "set_times",
        description: "Sets the time of the file `path` to one second after 1970.",
        properties: PATH,
        run: |request| answer(set_times(request)),
    },
    Tool {
        name: "make_many",
        description: "Makes `n` files, or `what` else, in the directory `path`; says how many.",
        properties: r#"{"path":{"type":"string","default":"/"},"n":{"type":"integer","default":10},"what":{"enum":["files","dirs","links"],"default":"files"}}"#,
        run: make_many,
    },
    Tool {
        name: "try_often",
        description: "Reads and writes the file `path` `n` times; counts how it went and what was read.",
        properties: r#"{"path":{"type":"string","default":"/a"},"n":{"type":"integer","default":100}}"#,
        run: try_often,
    },
];

fn path(request: &Request) -> &str {
    request.text("path", "/a")
}

fn answer(result: io::Result<()>) -> Answer {
    structured(said(result.map_err(|error| error.kind())))
}

fn write_at(request: &Request) -> io::Result<()> {
    let options = &mut File::options();
    let mut file = options.write(true).create(true).open(path(request))?;
    file.seek(SeekFrom::Start(request.number("offset", 0)))?;
    file.write_all(&vec![b'x'; request.size("bytes", 1)])
}

fn set_len(request: &Request) -> io::Result<()> {
    let options = &mut File::options();
    let file = options.write(true).create(true).open(path(request))?;
    file.set_len(request.number("bytes", 0))
}

fn truncate(request: &Request) -> io::Result<()> {
    let options = &mut File::options();
    options.write(true).truncate(true).open(path(request))?;
    Ok(())
}

fn set_times(request: &Request) -> io::Result<()> {
    let file = File::options().write(true).open(path(request))?;
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1))
}

fn make_many(request: &Request) -> Answer {
    let folder = request.text("path", "/");
    for number in 0..request.number("n", 10) {
        let name = format!("{folder}/made-{number}");
        let made = match request.text("what", "files") {
            "dirs" => fs::create_dir(name),
            "links" => fs::hard_link(format!("{folder}/a"), name),
            _ => File::create(name).map(drop),
        };
        if let Err(error) = made {
            return structured(json!({ "made": number, "error": format!("{:?}", error.kind()) }));
        }
    }
    structured(json!({ "made": request.number("n", 10), "error": null }))
}

fn try_often(request: &Request) -> Answer {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..request.number("n", 100) {
        let read = match fs::read_to_string(path(request)) {
            Ok(text) => format!("read {text}"),
            Err(error) => format!("not read: {:?}", error.kind()),
        };
        *seen.entry(read).or_default() += 1;
        let written = match File::options().append(true).open(path(request)) {
            Ok(mut file) => format!("written: {:?}", file.write_all(b"!").is_ok()),
            Err(error) => format!("not written: {:?}", error.kind()),
        };
        *seen.entry(written).or_default() += 1;
    }
    structured(json!(
        seen.into_iter()
            .map(|(what, count)| (what, Value::from(count)))
            .collect::<serde_json::Map<_, _>>()
    ))
}
