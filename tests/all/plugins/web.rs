//! The web, as far as the operator opened it.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::run;
use super::secret::secret_file;
use super::server::{Answer, Server};
use crate::cli::program::Ran;

/// `web_fetch` of a page of `server`, with more arguments.
fn fetch(server: &Server, path: &str, more: &Value) -> Ran {
    let mut arguments = more.clone();
    arguments["url"] = json!(server.url(path));
    let [flag, grant] = server.grant("GET");
    run("web", "web_fetch", &arguments, &[&flag, &grant])
}

/// A page that is fetched as the operator allowed it.
fn page(server: &Server, path: &str, more: &Value) -> Value {
    fetch(server, path, more).ends_with(0).json()
}

#[test]
fn a_page_is_read_as_text() {
    let server = Server::answering(|request| match &*request.path {
        "/old" => Answer::redirect("/guide"),
        "/guide" => Answer::html(
            "<title>Guide</title><script>x</script><nav>Menu</nav><h1>Guide</h1>
             <ul><li>One <a href=/one>first</a></ul>",
        ),
        "/latin" => Answer::new("text/plain; charset=iso-8859-1", b"caf\xe9".to_vec()),
        "/data" => Answer::json(&json!({ "a": [1] })),
        "/image" => Answer::new("image/png", b"\x89PNG\r\n\x1a\n".to_vec()),
        _ => Answer::html("<p>No such page").status(404),
    });
    let guide = page(&server, "/old", &json!({}));
    assert_eq!(guide["url"], json!(server.url("/guide")));
    let text = format!("# Guide\n\n- One [first]({})", server.url("/one"));
    assert_eq!(
        (&guide["title"], &guide["text"]),
        (&json!("Guide"), &json!(text))
    );
    assert_eq!(
        (&guide["status"], &guide["truncated"]),
        (&json!(200), &json!(false))
    );

    assert_eq!(page(&server, "/latin", &json!({}))["text"], "café");
    assert_eq!(page(&server, "/data", &json!({}))["text"], r#"{"a":[1]}"#);
    let image = page(&server, "/image", &json!({}));
    assert_eq!(image["text"], "");
    assert!(
        image["note"]
            .as_str()
            .unwrap()
            .contains("`image/png` of 8 bytes")
    );
    let missing = page(&server, "/missing", &json!({}));
    assert_eq!(
        (&missing["status"], &missing["text"]),
        (&json!(404), &json!("No such page"))
    );
}

#[test]
fn nothing_is_asked_that_was_not_granted() {
    let server = Server::answering(|_| Answer::html("hello"));
    let arguments = json!({ "url": server.url("/x") });
    let denied = run("web", "web_fetch", &arguments, &[]).ends_with(1);
    let said = denied.without_output();
    assert!(
        said.contains("HttpDeniedError") && said.contains("--allow-private-host"),
        "{said}"
    );

    // Granted to read is not granted to write.
    let [flag, grant] = server.grant("GET");
    let arguments = json!({ "url": server.url("/x"), "method": "DELETE" });
    run("web", "http_request", &arguments, &[&flag, &grant]).ends_with(1);
    // Nor is a server on another port.
    let arguments = json!({ "url": "http://127.0.0.1:9/" });
    run("web", "web_fetch", &arguments, &[&flag, &grant]).ends_with(1);
    assert!(server.seen().is_empty());
}

#[test]
fn no_redirect_leads_out_of_what_was_granted() {
    let other = Server::answering(|_| Answer::html("internal"));
    let targets = [
        other.url("/"),
        "file:///etc/passwd".into(),
        "http://169.254.169.254/latest/meta-data".into(),
        "http://[::ffff:7f00:1]:1/".into(),
        "http://ada:secret@127.0.0.1/".into(),
    ];
    let list = targets.clone();
    let server = Server::answering(move |request| {
        let index: usize = request.path.trim_start_matches('/').parse().unwrap();
        Answer::redirect(list[index].clone())
    });
    for (index, target) in targets.iter().enumerate() {
        let said = fetch(&server, &format!("/{index}"), &json!({}))
            .ends_with(1)
            .without_output();
        let is_told = said.contains("HttpDeniedError") || said.contains("HttpRedirectError");
        assert!(is_told && !said.contains("secret@"), "{target}: {said}");
    }
    assert!(other.seen().is_empty());
}

#[test]
fn a_request_has_any_method_headers_and_body() {
    let server = Server::answering(|request| {
        let told = json!({ "method": request.method, "type": request.header("content-type"), "body": request.json() });
        Answer::json(&told).status(201).header("x-id", "7")
    });
    let [flag, grant] = server.grant("PATCH");
    let arguments = json!({
        "url": server.url("/items/7?a=b"), "method": "PATCH", "body": "{\"n\": 1}",
        "headers": { "Content-Type": "application/json" },
    });
    let answer = run("web", "http_request", &arguments, &[&flag, &grant])
        .ends_with(0)
        .json();
    assert_eq!(
        (&answer["status"], &answer["headers"]["x-id"]),
        (&json!(201), &json!("7"))
    );
    let body: Value = serde_json::from_str(answer["body"].as_str().unwrap()).unwrap();
    assert_eq!(
        body,
        json!({ "method": "PATCH", "type": "application/json", "body": { "n": 1 } })
    );
    assert_eq!(server.seen()[0].path, "/items/7?a=b");
}

#[test]
fn a_large_body_is_sent_whole() {
    let server = Server::answering(|request| Answer::html(&request.body.len().to_string()));
    let [flag, grant] = server.grant("PUT");
    let body = "0123456789".repeat(20_000);
    let arguments = json!({ "url": server.url("/"), "method": "PUT", "body": body });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), arguments.to_string()).unwrap();
    let plugin = toolhost_tests::plugin("web").display().to_string();
    let from_file = format!("@{}", file.path().display());
    let line = [
        "run",
        "--plugin",
        &plugin,
        "--tool",
        "http_request",
        "--args",
        &from_file,
    ];
    let ran = crate::cli::program::host([&line[..], &[&flag, &grant]].concat()).ends_with(0);
    assert_eq!(ran.json()["body"], "200000");
    assert_eq!(server.seen()[0].body, body.as_bytes());
}

#[test]
fn a_secret_is_put_in_and_stays_with_its_origin() {
    let other = Server::answering(|_| Answer::html("there"));
    let to = other.url("/there");
    let server = Server::answering(move |_| Answer::redirect(to.clone()));
    let (_folder, secret) = secret_file("token", "correct-horse-7");
    let arguments = json!({
        "url": server.url("/"),
        "headers": { "Authorization": "Bearer {{secret:token}}", "X-Key": "plain" },
    });
    let ([one, first], [two, second]) = (server.grant("GET"), other.grant("GET"));
    let flags = [&*one, &first, &two, &second, "--secret", &secret];
    let ran = run("web", "http_request", &arguments, &flags).ends_with(0);
    assert_eq!(ran.json()["body"], "there");
    let seen = server.seen().remove(0);
    assert_eq!(seen.header("authorization"), Some("Bearer correct-horse-7"));
    assert!(!format!("{ran:?}").contains("correct-horse"), "{ran:#?}");
    let seen = other.seen().remove(0);
    assert_eq!(
        (seen.header("authorization"), seen.header("x-key")),
        (None, None)
    );

    // One that was not granted goes nowhere.
    let said = run("web", "http_request", &arguments, &[&one, &first]).ends_with(1);
    assert!(said.stderr.contains("--secret token"), "{said:#?}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn the_operator_narrows_what_the_model_may_ask() {
    let server = Server::answering(|_| Answer::html("hello"));
    let [flag, grant] = server.grant("GET");
    let arguments = json!({ "url": server.url("/"), "allowedHosts": ["127.0.0.1"] });
    run("web", "web_fetch", &arguments, &[&flag, &grant]).ends_with(0);
    let narrowed = ["--config-value", "blocked-hosts=127.0.0.1"];
    let said = run(
        "web",
        "web_fetch",
        &arguments,
        &[&[&*flag, &grant], &narrowed[..]].concat(),
    )
    .ends_with(1)
    .without_output();
    assert!(said.contains("is on the list `blocked-hosts`"), "{said}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn an_empty_list_of_hosts_is_not_taken_for_any() {
    let server = Server::answering(|_| Answer::html("hello"));
    let [flag, grant] = server.grant("GET");
    for tool in ["web_fetch", "http_request"] {
        let arguments = json!({ "url": server.url("/"), "allowedHosts": [] });
        let ran = run("web", tool, &arguments, &[&flag, &grant]).ends_with(6);
        assert!(ran.stderr.contains("allowedHosts"), "{ran:#?}");
    }
    assert!(server.seen().is_empty());
}

/// A refusal does not say that a flag is missing which was given, and names none for
/// what no flag allows.
#[test]
fn a_refusal_offers_what_can_help() {
    let server = Server::answering(|_| Answer::html("hello"));
    let [flag, grant] = server.grant("GET");
    let (_folder, secret) = secret_file("token", "correct-horse-7");
    let trace = json!({ "url": server.url("/"), "method": "TRACE" });
    let ran = run("web", "http_request", &trace, &[&flag, &grant]).ends_with(1);
    assert!(ran.stderr.contains("`TRACE` is never sent"), "{ran:#?}");
    assert!(!ran.stderr.contains("--allow-"), "{ran:#?}");

    let with_secret = json!({
        "url": server.url("/"),
        "headers": { "x-key": "{{secret:other}}" },
    });
    let flags = [&*flag, &grant, "--secret", &secret];
    let ran = run("web", "http_request", &with_secret, &flags).ends_with(1);
    let said = "and each secret in it for this host (`--secret other`)";
    assert!(ran.stderr.contains(said), "{ran:#?}");
    assert!(!ran.stderr.contains("has not allowed"), "{ran:#?}");
    assert!(server.seen().is_empty());
}

#[test]
fn a_hostile_server_ends_in_an_error_or_a_part() {
    let server = Server::speaking(|request, stream| {
        let _ = match &*request.path {
            "/endless" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
                while stream.write_all(&[b'x'; 8192]).is_ok() {}
                Ok(())
            }
            "/drip" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
                while stream.write_all(b"x").is_ok() {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Ok(())
            }
            "/short" => stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"),
            "/headers" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
                while stream.write_all(b"x-more: 0123456789\r\n").is_ok() {}
                Ok(())
            }
            "/noise" => stream.write_all(b"SSH-2.0-nothing\r\n"),
            _ => stream
                .write_all(b"HTTP/1.1 302 -\r\nlocation: /loop?again\r\ncontent-length: 0\r\n\r\n"),
        };
    });
    let endless = page(&server, "/endless", &json!({ "maxBytes": 100_000 }));
    assert_eq!(endless["text"].as_str().unwrap().len(), 50_000);
    assert_eq!(endless["truncated"], true);
    for (path, more, said) in [
        ("/drip", json!({ "timeoutMs": 300 }), "HttpTimeoutError"),
        ("/short", json!({}), "HttpProtocolError"),
        ("/headers", json!({}), "HttpLimitError"),
        ("/noise", json!({}), "HttpProtocolError"),
        (
            "/loop",
            json!({ "maxRedirects": 3 }),
            "more than 3 redirects",
        ),
    ] {
        let ran = fetch(&server, path, &more).ends_with(1);
        assert!(ran.stderr.contains(said), "{path}: {ran:#?}");
    }
    // The host does not begin again what has used up the time it was given.
    let seen = server.seen();
    let drips = seen.iter().filter(|request| request.path == "/drip");
    assert_eq!(drips.count(), 1);
}

#[test]
fn a_bomb_is_unpacked_as_far_as_was_asked() {
    let server = Server::answering(|_| {
        Answer::new("text/plain", gzip_of_zeros()).header("content-encoding", "gzip")
    });
    let found = page(&server, "/", &json!({ "maxBytes": 5000 }));
    assert_eq!(found["text"].as_str().unwrap().chars().count(), 5000);
    assert_eq!(found["truncated"], true);
}

/// 64 MiB of the letter `0`, packed by hand: each block of DEFLATE with a fixed code
/// repeats the letter before it 258 times with 13 bits.
fn gzip_of_zeros() -> Vec<u8> {
    let mut bits = Bits::default();
    // The last block, with the fixed code of RFC 1951 §3.2.6.
    bits.add(0b1, 1);
    bits.add(0b01, 2);
    // The letter `0` is 0x30 + 0x30 in 8 bits, most significant first.
    bits.code(0x30 + u32::from(b'0'), 8);
    for _ in 0..64 * 1024 * 1024 / 258 {
        // Length 258 is symbol 285, 0xc0 + 5 in 8 bits; distance 1 is symbol 0 in 5.
        bits.code(0xc0 + 285 - 280, 8);
        bits.code(0, 5);
    }
    // The end of the block.
    bits.code(0, 7);
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    packed.extend(bits.bytes);
    // The check sum is wrong, but nobody gets there.
    packed.extend([0; 12]);
    packed
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// Adds bits, least significant first.
    fn add(&mut self, value: u32, count: u32) {
        for index in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            let bit = u8::try_from(value >> index & 1).unwrap();
            *self.bytes.last_mut().unwrap() |= bit << self.used;
            self.used = (self.used + 1) % 8;
        }
    }

    /// Adds a Huffman code, most significant bit first.
    fn code(&mut self, value: u32, count: u32) {
        for index in (0..count).rev() {
            self.add(value >> index & 1, 1);
        }
    }
}
