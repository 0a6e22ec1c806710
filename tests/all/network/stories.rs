//! The network as an operator opens it: with flags and with a file.

use std::process::Command;

use serde_json::json;

use super::server::Server;
use super::tls::Authority;
use crate::cli::program::{Ran, command, copy_guest, guest_path};

/// `host run` of the tool `fetch` for a URL and more arguments.
fn line(url: &str, more: &[&str]) -> Command {
    let arguments = json!({ "url": url }).to_string();
    let plugin = guest_path("fetcher");
    let fixed = [
        "run",
        "--plugin",
        &plugin,
        "--tool",
        "fetch",
        "--args",
        &arguments,
        "--verbose",
    ];
    command(fixed.iter().chain(more))
}

/// The servers of a test go on while the program runs.
async fn run(mut command: Command) -> Ran {
    let ran = tokio::task::spawn_blocking(move || command.output());
    ran.await.unwrap().expect("host runs").into()
}

/// The advice of a refusal, as words of a command line.
fn advice(ran: &Ran) -> Vec<String> {
    let (_, rest) = ran.stderr.split_once("; `").expect("there is advice");
    let (advice, _) = rest.split_once("` would allow it").unwrap();
    let (flag, value) = advice.split_once(' ').unwrap();
    vec![flag.to_owned(), value.trim_matches('"').to_owned()]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_flag_that_a_refusal_names_opens_the_way() {
    let server = Server::saying("hello").await;
    let refused = run(line(&server.url("/v1"), &[])).await.ends_with(0);
    assert_eq!(refused.json()["error"], "ErrorCode::HttpRequestDenied");
    let flag = advice(&refused);
    assert_eq!(flag[0], "--allow-private-host");
    let words: Vec<&str> = flag.iter().map(String::as_str).collect();
    let allowed = run(line(&server.url("/v1"), &words)).await.ends_with(0);
    assert_eq!(allowed.json()["ok"]["body"], "hello");

    // Open to the public is not open to this machine.
    let public = format!("http://127.0.0.1:{}", server.port);
    let refused = run(line(&server.url("/v1"), &["--allow-host", &public])).await;
    assert_eq!(refused.json()["error"], "ErrorCode::HttpRequestDenied");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_opens_the_way_and_bounds_it() {
    let server = Server::saying("hello").await;
    let dir = tempfile::tempdir().unwrap();
    copy_guest("fetcher", &dir.path().join("fetcher.wasm"));
    let file = dir.path().join("host.toml");
    let text = format!(
        "[plugins.fetcher]\npath = 'fetcher.wasm'\n\
         limits = {{ http-requests = 2 }}\n\
         grants = {{ http = [{{ allow = '{}', allow-private = true }}] }}\n",
        server.url("/v1")
    );
    std::fs::write(&file, text).unwrap();
    let config = file.display().to_string();
    let arguments = json!({"url": server.url("/v1/x"), "n": 3}).to_string();
    let line = [
        "run",
        "--config",
        &config,
        "--plugin",
        "fetcher",
        "--tool",
        "fetch_in_turn",
        "--args",
        &arguments,
        "--verbose",
    ];
    let ran = run(command(line)).await.ends_with(0);
    let told = ran.json();
    assert_eq!(told[1]["ok"]["body"], "hello");
    assert_eq!(told[2]["error"], "ErrorCode::ConnectionLimitReached");
    assert!(ran.stderr.contains("`http-requests` (limit)"), "{ran:#?}");
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proxies_of_the_environment_are_not_used() {
    let server = Server::saying("hello").await;
    let proxy = Server::saying("the proxy").await;
    let grant = server.url("/");
    let mut command = line(&server.url("/"), &["--allow-private-host", &grant]);
    for name in [
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
    ] {
        command.env(name, proxy.url("/"));
    }
    let ran = run(command).await.ends_with(0);
    assert_eq!(ran.json()["ok"]["body"], "hello");
    assert!(proxy.seen().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_private_authority_is_trusted_with_the_flag_that_the_refusal_names() {
    let authority = Authority::new();
    let server = authority.server("localhost", false).await;
    let url = format!("https://localhost:{}/", server.port);
    let grant = ["--allow-private-host", url.as_str()];
    let refused = run(line(&url, &grant)).await.ends_with(0);
    assert_eq!(refused.json()["error"], "ErrorCode::TlsCertificateError");
    assert_eq!(advice(&refused), ["--ca-file", "FILE"]);

    let file = authority.file.display().to_string();
    let more = [grant[0], grant[1], "--ca-file", file.as_str()];
    let allowed = run(line(&url, &more)).await.ends_with(0);
    assert_eq!(allowed.json()["ok"]["body"], "hello");

    let more = [grant[0], grant[1], "--ca-file", "gone.pem"];
    let ran = run(line(&url, &more)).await.ends_with(2);
    assert!(ran.stderr.contains("`gone.pem`"), "{ran:#?}");
}

/// The value goes to the server, and the guest has a placeholder.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_put_in_on_the_way_out() {
    let authority = Authority::new();
    let server = authority.server("localhost", false).await;
    let other = authority.server("127.0.0.1", false).await;
    let file = authority.file.display().to_string();
    let there = format!("https://localhost:{}/", server.port);
    let elsewhere = format!("https://127.0.0.1:{}/", other.port);
    let grants = [&there, &elsewhere].map(|url| format!("* {url}"));
    let header = |value: &str| json!([["authorization", value]]);
    let send = async |arguments: serde_json::Value| {
        let plugin = guest_path("fetcher");
        let mut command = command([
            "run",
            "--plugin",
            &plugin,
            "--tool",
            "fetch",
            "--args",
            &arguments.to_string(),
            "--allow-private-host",
            &grants[0],
            "--allow-private-host",
            &grants[1],
            "--ca-file",
            &file,
            "--verbose",
        ]);
        command
            .args(["--secret", "token=env:TOKEN@localhost"])
            .env("TOKEN", "s3cr3t-of-the-house");
        let ran = run(command).await;
        assert!(!format!("{ran:?}").contains("s3cr3t"), "{ran:#?}");
        ran
    };

    let allowed = send(json!({"url": there, "headers": header("Bearer {{secret:token}}")})).await;
    assert_eq!(allowed.json()["ok"]["status"], 200, "{allowed:#?}");
    let seen = server.seen().concat();
    assert!(
        seen.contains("\r\nauthorization: Bearer s3cr3t-of-the-house\r\n"),
        "{seen}"
    );

    for arguments in [
        json!({"url": elsewhere, "headers": header("Bearer {{secret:token}}")}),
        json!({"url": format!("{there}?key={{{{secret:token}}}}")}),
        json!({"url": format!("{there}?key=s3cr3t-of-the-house")}),
        json!({"url": there, "headers": header("{{secret:other}}")}),
        json!({"url": there, "headers": header("s3cr3t-of-the-house")}),
        json!({"url": there, "method": "POST", "body": "it is s3cr3t-of-the-house"}),
    ] {
        let refused = send(arguments.clone()).await;
        assert_eq!(
            refused.json()["error"],
            "ErrorCode::HttpRequestDenied",
            "{arguments}: {refused:#?}"
        );
    }
    let seen = server.seen();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!(other.seen().is_empty());
}
