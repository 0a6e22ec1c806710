//! One key at a time, and many of them.

use guest_support::{Answer, Request, Tool, said, structured};
use serde_json::{Value, json};

use crate::bindings::wasi::keyvalue0_2_0_draft2::{atomics, batch, store};
use store::{Bucket, Error};

const KEY: &str =
    r#"{"bucket":{"type":"string","default":""},"key":{"type":"string","default":"key"}}"#;
const VALUE: &str = r#"{"bucket":{"type":"string","default":""},"key":{"type":"string","default":"key"},"value":{"type":"string","default":"value"}}"#;

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "get",
        description: "Returns the value at `key` as text, or null.",
        properties: KEY,
        run: |request| with(request, |bucket, key| Ok(text(bucket.get(key)?))),
    },
    Tool {
        name: "exists",
        description: "Whether there is a value at `key`.",
        properties: KEY,
        run: |request| with(request, |bucket, key| Ok(bucket.exists(key)?.into())),
    },
    Tool {
        name: "set",
        description: "Sets the value at `key`.",
        properties: VALUE,
        run: set,
    },
    Tool {
        name: "delete",
        description: "Removes `key`.",
        properties: KEY,
        run: |request| with(request, |bucket, key| Ok(bucket.delete(key)?.into())),
    },
    Tool {
        name: "list",
        description: "Lists all keys, page by page: how many on each page, and the keys sorted.",
        properties: r#"{"bucket":{"type":"string","default":""}}"#,
        run: list,
    },
    Tool {
        name: "fill",
        description: "Sets `n` keys to values of `bytes` bytes each; says how many could be set.",
        properties: r#"{"bucket":{"type":"string","default":""},"n":{"type":"integer","default":10},"bytes":{"type":"integer","default":10}}"#,
        run: fill,
    },
    Tool {
        name: "increment",
        description: "Adds `delta` to the number at `key`, `n` times, and returns the last sum.",
        properties: r#"{"bucket":{"type":"string","default":""},"key":{"type":"string","default":"n"},"delta":{"type":"integer","default":1},"n":{"type":"integer","default":1}}"#,
        run: increment,
    },
    Tool {
        name: "swap",
        description: "Swaps the value at `key`; with `meddle` it is changed in between, and the swap is tried once more.",
        properties: r#"{"bucket":{"type":"string","default":""},"key":{"type":"string","default":"key"},"value":{"type":"string","default":"value"},"meddle":{"type":"boolean","default":false}}"#,
        run: swap,
    },
    Tool {
        name: "count",
        description: "Adds 1 to the number at `key` by swapping, `n` times, trying again when somebody else was there.",
        properties: r#"{"bucket":{"type":"string","default":""},"key":{"type":"string","default":"n"},"n":{"type":"integer","default":1}}"#,
        run: count,
    },
    Tool {
        name: "many",
        description: "Sets, gets and deletes `n` keys in three calls of the host.",
        properties: r#"{"bucket":{"type":"string","default":""},"n":{"type":"integer","default":3},"bytes":{"type":"integer","default":1}}"#,
        run: many,
    },
];

fn open(request: &Request) -> Result<Bucket, Error> {
    store::open(request.text("bucket", ""))
}

fn with(request: &Request, act: fn(&Bucket, &str) -> Result<Value, Error>) -> Answer {
    let bucket = open(request);
    structured(said(
        bucket.and_then(|bucket| act(&bucket, request.text("key", ""))),
    ))
}

fn text(value: Option<Vec<u8>>) -> Value {
    let text = value.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.into()
}

fn set(request: &Request) -> Answer {
    let act = || {
        open(request)?.set(
            request.text("key", ""),
            request.text("value", "").as_bytes(),
        )
    };
    structured(said(act()))
}

fn list(request: &Request) -> Answer {
    let act = || -> Result<Value, Error> {
        let bucket = open(request)?;
        let (mut pages, mut keys, mut cursor) = (Vec::new(), Vec::new(), None);
        loop {
            let page = bucket.list_keys(cursor.as_deref())?;
            pages.push(page.keys.len());
            keys.extend(page.keys);
            cursor = page.cursor;
            if cursor.is_none() {
                keys.sort();
                return Ok(json!({ "pages": pages, "keys": keys }));
            }
        }
    };
    structured(said(act()))
}

fn fill(request: &Request) -> Answer {
    let value = vec![b'x'; request.size("bytes", 10)];
    let bucket = match open(request) {
        Ok(bucket) => bucket,
        Err(error) => return structured(said::<Value, _>(Err(error))),
    };
    for number in 0..request.number("n", 10) {
        if let Err(error) = bucket.set(&format!("key-{number}"), &value) {
            return structured(json!({ "set": number, "error": format!("{error:?}") }));
        }
    }
    structured(json!({ "set": request.number("n", 10), "error": null }))
}

fn increment(request: &Request) -> Answer {
    let delta = request.get("delta").and_then(Value::as_i64).unwrap_or(1);
    let act = || -> Result<i64, Error> {
        let bucket = open(request)?;
        let mut sum = 0;
        for _ in 0..request.number("n", 1) {
            sum = atomics::increment(&bucket, request.text("key", ""), delta)?;
        }
        Ok(sum)
    };
    structured(said(act()))
}

fn swap(request: &Request) -> Answer {
    let (key, value) = (
        request.text("key", ""),
        request.text("value", "").as_bytes(),
    );
    let act = || -> Result<Value, Error> {
        let bucket = open(request)?;
        let (cas, before) = atomics::Cas::new_with_read(&bucket, key)?;
        if request.flag("meddle") {
            bucket.set(key, b"meddled")?;
        }
        match atomics::swap(cas, value) {
            Ok(()) => Ok(json!({ "before": text(before), "tries": 1 })),
            Err(atomics::CasError::StoreError(error)) => Err(error),
            Err(atomics::CasError::CasFailed((again, now))) => {
                let tried = atomics::swap(again, value).is_ok();
                Ok(json!({ "before": text(before), "now": text(now), "again": tried }))
            }
        }
    };
    structured(said(act()))
}

fn count(request: &Request) -> Answer {
    let key = request.text("key", "");
    let act = || -> Result<u64, Error> {
        let bucket = open(request)?;
        let mut sum = 0;
        for _ in 0..request.number("n", 1) {
            let (mut cas, mut value) = atomics::Cas::new_with_read(&bucket, key)?;
            loop {
                let old = value.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                sum = old.and_then(|old| old.parse::<u64>().ok()).unwrap_or(0) + 1;
                match atomics::swap(cas, sum.to_string().as_bytes()) {
                    Ok(()) => break,
                    Err(atomics::CasError::StoreError(error)) => return Err(error),
                    Err(atomics::CasError::CasFailed((again, now))) => (cas, value) = (again, now),
                }
            }
        }
        Ok(sum)
    };
    structured(said(act()))
}

fn many(request: &Request) -> Answer {
    let keys: Vec<String> = (0..request.number("n", 3))
        .map(|n| format!("many-{n}"))
        .collect();
    let value = vec![b'x'; request.size("bytes", 1)];
    let act = || -> Result<Value, Error> {
        let bucket = open(request)?;
        let pairs: Vec<_> = keys
            .iter()
            .map(|key| (key.clone(), value.clone()))
            .collect();
        batch::set_many(&bucket, &pairs)?;
        let found = batch::get_many(&bucket, &keys)?
            .into_iter()
            .flatten()
            .count();
        batch::delete_many(&bucket, &keys)?;
        let left = batch::get_many(&bucket, &keys)?
            .into_iter()
            .flatten()
            .count();
        Ok(json!({ "found": found, "left": left }))
    };
    structured(said(act()))
}
