//! What no honest tool does with `wasi:http`.

use crate::fetch::said;
use crate::request::debug;
use guest_support::{Answer, Request, Tool, structured};
use serde_json::{Value, json};
use wasip2::http::types::{Fields, OutgoingRequest};
use wasip2::io::streams::StreamError;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "set_header",
        description: "Sets the header `name` to `value` on a request that is not sent.",
        properties: r#"{"name":{"type":"string"},"value":{"type":"string"}}"#,
        run: set_header,
    },
    Tool {
        name: "set_parts",
        description: "Sets the parts of a request that is not sent, each as given.",
        properties: r#"{"path":{"type":"string"},"authority":{"type":"string"}}"#,
        run: set_parts,
    },
    Tool {
        name: "hoard_bodies",
        description: "Opens the bodies of `n` requests, fills them as far as they go, sends none.",
        properties: r#"{"n":{"type":"integer","default":1000}}"#,
        run: hoard_bodies,
    },
    Tool {
        name: "hoard_fields",
        description: "Makes `n` lists of headers with one value of `bytes`, drops none.",
        properties: r#"{"n":{"type":"integer","default":1000},"bytes":{"type":"integer","default":60000}}"#,
        run: hoard_fields,
    },
    Tool {
        name: "write_error",
        description: "Writes more of a body than was said and returns all that is told of it.",
        properties: "{}",
        run: write_error,
    },
];

fn set_header(request: &Request) -> Answer {
    let (name, value) = (request.text("name", "x"), request.text("value", ""));
    let set = Fields::new().append(name, value.as_bytes());
    structured(said(set.map(|()| Value::Null).map_err(debug)))
}

fn set_parts(request: &Request) -> Answer {
    let made = OutgoingRequest::new(Fields::new());
    let part = |name| request.get(name).and_then(Value::as_str);
    structured(json!({
        "path": made.set_path_with_query(part("path")).is_ok(),
        "authority": made.set_authority(part("authority")).is_ok(),
    }))
}

fn write_error(_: &Request) -> Answer {
    let fields = Fields::new();
    let set = fields.append("content-length", b"2");
    let made = OutgoingRequest::new(fields);
    let body = made.body();
    let told = set.map_err(debug).and_then(|()| {
        let body = body.map_err(|()| "no body")?;
        let stream = body.write().map_err(|()| "no stream")?;
        match stream.blocking_write_and_flush(b"12345") {
            Err(StreamError::LastOperationFailed(error)) => Ok(error.to_debug_string()),
            other => Err(debug(other)),
        }
    });
    structured(said(told.map(Value::from)))
}

fn hoard_bodies(request: &Request) -> Answer {
    let mut kept = Vec::new();
    let mut bytes = 0;
    for _ in 0..request.number("n", 1000) {
        let made = OutgoingRequest::new(Fields::new());
        let Ok(body) = made.body() else { break };
        let Ok(stream) = body.write() else { break };
        while let Ok(room @ 1..) = stream.check_write() {
            let piece = vec![b'x'; usize::try_from(room).unwrap_or(0)];
            if stream.write(&piece).is_err() {
                break;
            }
            bytes += room;
        }
        kept.push((stream, body, made));
    }
    structured(json!({ "bodies": kept.len(), "bytes": bytes }))
}

fn hoard_fields(request: &Request) -> Answer {
    let value = vec![b'x'; request.size("bytes", 60_000)];
    let mut kept = Vec::new();
    for _ in 0..request.number("n", 1000) {
        let fields = Fields::new();
        if let Err(error) = fields.append("x", &value) {
            return structured(said(Err(debug(error))));
        }
        kept.push(fields);
    }
    structured(json!({ "ok": kept.len() }))
}
