//! Requests as tools send them.

use crate::request::Wanted;
use crate::response;
use guest_support::{Answer, Request, Tool, structured};
use serde_json::{Value, json};
use wasip2::http::types::IncomingResponse;

/// What makes a request, as every tool here takes it.
const WANTED: &str = r#"{"url":{"type":"string"},"method":{"type":"string","default":"GET"},"headers":{"type":"array","items":{"type":"array","items":{"type":"string"}}},"body":{"type":"string"},"bodyBytes":{"type":"integer"},"finish":{"enum":["finish","drop","open"],"default":"finish"},"connectMs":{"type":"integer"},"firstByteMs":{"type":"integer"},"betweenBytesMs":{"type":"integer"},"n":{"type":"integer","default":1}}"#;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "fetch",
        description: "Sends one request and reads the response.",
        properties: WANTED,
        run: |request| structured(said(fetch(Wanted::of(request)))),
    },
    Tool {
        name: "fetch_follow",
        description: "Sends one request and follows up to `n` redirects, with the same headers.",
        properties: WANTED,
        run: |request| structured(said(follow(Wanted::of(request), request.number("n", 10)))),
    },
    Tool {
        name: "fetch_in_turn",
        description: "Sends `n` requests, one after the other.",
        properties: WANTED,
        run: in_turn,
    },
    Tool {
        name: "fetch_at_once",
        description: "Sends `n` requests and then waits for the heads; no body is read.",
        properties: WANTED,
        run: at_once,
    },
    Tool {
        name: "fetch_and_go",
        description: "Sends one request, waits for `n` milliseconds and returns without its response.",
        properties: WANTED,
        run: and_go,
    },
    Tool {
        name: "fetch_and_spin",
        description: "Sends one request, reads the response and then loops for ever.",
        properties: WANTED,
        run: and_spin,
    },
];

fn fetch(wanted: Wanted) -> Result<Value, String> {
    response::read(&wanted.send()?)
}

/// As `{"ok": …}` or `{"error": …}`.
pub(crate) fn said(result: Result<Value, String>) -> Value {
    match result {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error }),
    }
}

fn follow(mut wanted: Wanted, hops: u64) -> Result<Value, String> {
    let mut seen = Vec::new();
    for _ in 0..=hops {
        let sent = wanted.clone().send()?;
        let response = response::head(&sent).map_err(|error| format!("{error} after {seen:?}"))?;
        let Some(location) = location(&response) else {
            return Ok(json!({ "status": response.status(), "seen": seen }));
        };
        seen.push(location.clone());
        wanted.url = location;
    }
    Err("too many redirects".into())
}

fn location(response: &IncomingResponse) -> Option<String> {
    let found = response.headers().get("location").into_iter().next()?;
    String::from_utf8(found).ok()
}

fn in_turn(request: &Request) -> Answer {
    let wanted = Wanted::of(request);
    let all = (0..request.number("n", 1)).map(|_| said(fetch(wanted.clone())));
    structured(all.collect::<Vec<_>>().into())
}

fn at_once(request: &Request) -> Answer {
    let wanted = Wanted::of(request);
    let sent: Vec<_> = (0..request.number("n", 1))
        .map(|_| wanted.clone().send())
        .collect();
    // Heads are kept, so that none of the responses is given up before the last.
    let heads: Vec<_> = sent
        .iter()
        .map(|sent| match sent {
            Ok(sent) => response::head(sent),
            Err(error) => Err(error.clone()),
        })
        .collect();
    let said = heads.iter().map(|head| match head {
        Ok(response) => json!({ "ok": response.status() }),
        Err(error) => json!({ "error": error }),
    });
    structured(said.collect::<Vec<_>>().into())
}

fn and_go(request: &Request) -> Answer {
    let sent = Wanted::of(request).send();
    std::thread::sleep(std::time::Duration::from_millis(request.number("n", 1)));
    structured(said(sent.map(|_| Value::Null)))
}

fn and_spin(request: &Request) -> Answer {
    let answer = said(fetch(Wanted::of(request)));
    std::hint::black_box(&answer);
    guest_support::spin()
}
