//! Files by bare host calls, with whatever path the test wants the host to see.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags, filesystem_error_code,
};
use wasip2::io::streams::StreamError;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "preopens",
        description: "Returns the granted directories with their rights.",
        properties: "{}",
        run: preopens,
    },
    Tool {
        name: "raw_read",
        description: "Reads `path` from the granted directory `dir`; the path goes to the host as it is.",
        properties: r#"{"dir":{"type":"string"},"path":{"type":"string","default":"../secret"},"follow":{"type":"boolean","default":true}}"#,
        run: |request| with_dir(request, read),
    },
    Tool {
        name: "raw_write",
        description: "Writes `text` to `path` from the granted directory `dir`.",
        properties: r#"{"dir":{"type":"string"},"path":{"type":"string","default":"../secret"},"text":{"type":"string","default":"written by a guest"}}"#,
        run: |request| with_dir(request, write),
    },
    Tool {
        name: "raw_stream",
        description: "Writes `bytes` bytes to the file `path` by a stream, and asks the host what its error means.",
        properties: r#"{"dir":{"type":"string"},"path":{"type":"string","default":"a"},"bytes":{"type":"integer","default":1}}"#,
        run: |request| with_dir(request, stream),
    },
    Tool {
        name: "raw_symlink",
        description: "Makes the link `path` to `to` in the granted directory `dir`.",
        properties: r#"{"dir":{"type":"string"},"path":{"type":"string","default":"link"},"to":{"type":"string","default":"../secret"}}"#,
        run: |request| with_dir(request, symlink),
    },
    Tool {
        name: "raw_list",
        description: "Opens the directory `path` from the granted directory `dir` and lists it.",
        properties: r#"{"dir":{"type":"string"},"path":{"type":"string","default":".."}}"#,
        run: |request| with_dir(request, list),
    },
];

fn preopens(_: &Request) -> Answer {
    let directories = get_directories();
    let shown = directories.iter().map(|(dir, path)| {
        let flags = dir.get_flags().map(|flags| {
            json!({
                "read": flags.contains(DescriptorFlags::READ),
                "mutate": flags.contains(DescriptorFlags::MUTATE_DIRECTORY),
            })
        });
        json!({ "path": path, "flags": said(flags) })
    });
    structured(shown.collect::<Vec<_>>().into())
}

/// Does something with the granted directory that the request names, or the
/// first one.
fn with_dir(
    request: &Request,
    act: fn(&Descriptor, &Request) -> Result<Value, ErrorCode>,
) -> Answer {
    let wanted = request.get("dir").and_then(Value::as_str);
    let directories = get_directories();
    let found = directories
        .iter()
        .find(|(_, path)| wanted.is_none_or(|wanted| wanted == path));
    structured(match found {
        Some((dir, _)) => said(act(dir, request)),
        None => json!({ "error": "NoSuchGrant" }),
    })
}

fn path(request: &Request) -> &str {
    request.text("path", ".")
}

fn read(dir: &Descriptor, request: &Request) -> Result<Value, ErrorCode> {
    let follow = if request.flag("follow") {
        PathFlags::SYMLINK_FOLLOW
    } else {
        PathFlags::empty()
    };
    let file = dir.open_at(
        follow,
        path(request),
        OpenFlags::empty(),
        DescriptorFlags::READ,
    )?;
    let (bytes, _) = file.read(64 * 1024, 0)?;
    Ok(String::from_utf8_lossy(&bytes).into())
}

fn write(dir: &Descriptor, request: &Request) -> Result<Value, ErrorCode> {
    let file = dir.open_at(
        PathFlags::SYMLINK_FOLLOW,
        path(request),
        OpenFlags::CREATE,
        DescriptorFlags::READ | DescriptorFlags::WRITE,
    )?;
    file.write(request.text("text", "").as_bytes(), 0)
        .map(Value::from)
}

fn stream(dir: &Descriptor, request: &Request) -> Result<Value, ErrorCode> {
    let file = dir.open_at(
        PathFlags::empty(),
        path(request),
        OpenFlags::CREATE,
        DescriptorFlags::WRITE,
    )?;
    let stream = file.write_via_stream(0)?;
    let piece = vec![b'x'; request.size("bytes", 1)];
    match stream.blocking_write_and_flush(&piece) {
        Ok(()) => Ok(Value::Null),
        Err(StreamError::LastOperationFailed(error)) => {
            Err(filesystem_error_code(&error).unwrap_or(ErrorCode::Io))
        }
        Err(StreamError::Closed) => Err(ErrorCode::Pipe),
    }
}

fn symlink(dir: &Descriptor, request: &Request) -> Result<Value, ErrorCode> {
    dir.symlink_at(request.text("to", ""), path(request))
        .map(|()| Value::Null)
}

fn list(dir: &Descriptor, request: &Request) -> Result<Value, ErrorCode> {
    let inner = dir.open_at(
        PathFlags::SYMLINK_FOLLOW,
        path(request),
        OpenFlags::DIRECTORY,
        DescriptorFlags::READ,
    )?;
    let entries = inner.read_directory()?;
    let mut names = Vec::new();
    while let Some(entry) = entries.read_directory_entry()? {
        names.push(entry.name);
    }
    names.sort();
    Ok(names.into())
}
