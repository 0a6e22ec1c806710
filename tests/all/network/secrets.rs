//! Secrets in requests: the server gets the value, the guest never does, and nobody
//! else gets it either.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use toolhost::policy::{SecretFlag, SecretSpec};
use toolhost::{
    Call, CallResult, EffectState, ExecutionContext, Grants, Host, PluginOptions, Principal,
    PrincipalKind,
};

use super::server::{Server, ok, read_request};
use super::{code, grant, refused, response};
use crate::cli::program::{Ran, command, run_line};
use crate::support::{cache_dir, structured};
use tokio::io::AsyncWriteExt;
use toolhost_tests::guest;

pub(super) const TOKEN: &str = "correct-horse/9y+";

/// A server that sends back what it was sent.
async fn echo() -> Server {
    Server::start(|mut stream, seen| async move {
        let request = read_request(&mut stream).await?;
        seen.note(request.clone());
        stream.write_all(ok(&request).as_bytes()).await?;
        stream.shutdown().await
    })
    .await
}

/// A host whose guest may send the secret `token` to the loopback, in the clear.
pub(super) async fn host(
    server: &Server,
    value: &str,
    change: impl FnOnce(&mut SecretSpec),
) -> Host {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    fs::write(&path, value).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let text = format!("token=file:{}@http://127.0.0.1", path.display());
    let SecretFlag { name, spec } = text.parse().unwrap();
    let mut spec = spec.unwrap();
    change(&mut spec);
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .secrets([(name, spec)])
        .build()
        .unwrap();
    let options = PluginOptions {
        grants: Grants {
            http: vec![grant(&format!("!* {}", server.url("/")))],
            secrets: vec!["token".into()],
            ..Grants::default()
        },
        name: Some("fetcher".into()),
        ..PluginOptions::default()
    };
    host.load(guest("fetcher"), options).await.unwrap();
    host
}

pub(super) async fn fetch(host: &Host, arguments: Value) -> CallResult {
    super::fetch(host, arguments).await
}

fn get(server: &Server, headers: &Value) -> Value {
    json!({ "url": server.url("/user"), "headers": headers })
}

pub(super) fn auth(server: &Server) -> Value {
    get(
        server,
        &json!([["authorization", "Bearer {{secret:token}}"]]),
    )
}

#[tokio::test]
async fn the_server_gets_the_value_and_the_guest_its_echo_without_it() {
    let server = echo().await;
    let host = host(&server, TOKEN, |_| {}).await;
    let result = fetch(&host, auth(&server)).await;
    let seen = server.seen().concat();
    assert!(
        seen.contains(&format!("authorization: Bearer {TOKEN}\r\n")),
        "{seen}"
    );
    let text = format!("{result:?}");
    assert!(!text.contains("correct-horse"), "{text}");
    assert!(
        text.contains("authorization: Bearer *****************\\r"),
        "{text}"
    );
    assert_eq!(result.report.effects[0].state, EffectState::Confirmed);
}

#[tokio::test]
async fn an_echo_in_two_halves_is_masked_and_its_length_stays() {
    let server = Server::start(|mut stream, _| async move {
        read_request(&mut stream).await?;
        let head = format!("HTTP/1.1 200 OK\r\nx-echo: {TOKEN}\r\ncontent-length: 43\r\n\r\n");
        for piece in [&head, "you sent ", "correct-h", "orse/9y+ and correct-hope"] {
            stream.write_all(piece.as_bytes()).await?;
            stream.flush().await?;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        stream.shutdown().await
    })
    .await;
    let host = host(&server, TOKEN, |_| {}).await;
    let result = fetch(&host, auth(&server)).await;
    let response = response(&result);
    assert_eq!(
        response["body"],
        "you sent ***************** and correct-hope"
    );
    let text = response["headers"].to_string();
    assert!(!text.contains("horse") && text.contains("*****"), "{text}");
}

#[tokio::test]
async fn a_placeholder_in_a_body_is_text_like_any_other() {
    let server = echo().await;
    let host = host(&server, TOKEN, |_| {}).await;
    let arguments =
        json!({ "url": server.url("/"), "method": "POST", "body": "see {{secret:token}}" });
    response(&fetch(&host, arguments).await);
    assert!(server.seen()[0].contains("see {{secret:token}}"));
}

#[tokio::test]
async fn each_rule_of_a_secret_keeps_the_request_from_being_sent() {
    type Change = fn(&mut SecretSpec);
    let rules: [(Change, &str); 5] = [
        (
            |spec| spec.hosts = vec!["api.example".parse().unwrap()],
            r#"hosts = ["127.0.0.1"]"#,
        ),
        (|spec| spec.insecure = false, "insecure = true"),
        (
            |spec| spec.plugins = Some(vec!["slack".into()]),
            r#"plugins = ["fetcher"]"#,
        ),
        (
            |spec| spec.principals = Some(vec!["ada".into()]),
            r#"principals = ["ID"]"#,
        ),
        (
            |spec| spec.headers = Some(vec!["x-key".into()]),
            r#"headers = ["authorization"]"#,
        ),
    ];
    for (change, line) in rules {
        let server = echo().await;
        let host = host(&server, TOKEN, change).await;
        let result = fetch(&host, auth(&server)).await;
        assert_eq!(code(&result), "ErrorCode::HttpRequestDenied", "{line}");
        let denial = &result.report.denials[0];
        assert_eq!(
            (denial.capability.as_str(), denial.allow_with.clone()),
            ("secrets", Some(format!("{line} in [secrets.token]")))
        );
        assert_eq!(server.seen().len(), 0, "{line}");
    }
}

#[tokio::test]
async fn a_secret_of_somebody_is_sent_on_their_behalf() {
    let server = echo().await;
    let host = host(&server, TOKEN, |spec| {
        spec.principals = Some(vec!["ada".into()]);
        spec.plugins = Some(vec!["fetcher".into()]);
        spec.headers = Some(vec!["authorization".into()]);
    })
    .await;
    let principal = Principal {
        id: "ada".into(),
        kind: PrincipalKind::User,
        claims: None,
        verified: true,
    };
    let context = ExecutionContext {
        principal: Some(principal),
        ..ExecutionContext::default()
    };
    let call = Call::new("call-1", "fetch", auth(&server));
    response(&host.call(call, context).await);
    assert!(server.seen()[0].contains(TOKEN));
}

#[tokio::test]
async fn a_secret_of_somebody_is_not_sent_for_one_who_only_says_to_be_them() {
    let server = echo().await;
    let host = host(&server, TOKEN, |spec| {
        spec.principals = Some(vec!["ada".into()]);
    })
    .await;
    let context = ExecutionContext {
        principal: Some(Principal {
            id: "ada".into(),
            kind: PrincipalKind::Service,
            claims: None,
            verified: false,
        }),
        ..ExecutionContext::default()
    };
    let result = host.call(Call::new("call-1", "fetch", auth(&server)), context);
    let result = result.await;
    assert_eq!(code(&result), "ErrorCode::HttpRequestDenied");
    assert!(refused(&result)[0].contains("not verified"), "{result:?}");
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_secret_steers_no_request() {
    let server = echo().await;
    let host = host(&server, TOKEN, |_| {}).await;
    for header in ["x-original-url", "content-type", "accept-encoding", "range"] {
        let result = fetch(&host, get(&server, &json!([[header, "{{secret:token}}"]]))).await;
        assert_eq!(code(&result), "ErrorCode::HttpRequestDenied", "{header}");
    }
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_placeholder_that_is_smuggled_refuses_the_request() {
    let server = echo().await;
    let host = host(&server, TOKEN, |_| {}).await;
    for arguments in [
        json!({ "url": server.url("/{{secret:token}}") }),
        json!({ "url": server.url("/?key={{secret:token}}") }),
        json!({ "url": server.url("/?key=%7B%7Bsecret:token%7D%7D") }),
        get(&server, &json!([["x-a", "{{secret:{{secret:token}}}}"]])),
        get(&server, &json!([["x-a", "{{secret:tok"], ["x-b", "en}}"]])),
        get(&server, &json!([["x-a", "{{secret:unknown}}"]])),
    ] {
        let result = fetch(&host, arguments.clone()).await;
        assert!(
            structured(&result).get("error").is_some(),
            "{arguments}: {result:?}"
        );
        assert!(!result.report.denials.is_empty(), "{arguments}");
    }
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_value_that_would_end_its_header_is_not_sent() {
    let server = echo().await;
    let host = host(&server, "first-line\r\nx-admin: yes", |_| {}).await;
    let result = fetch(&host, auth(&server)).await;
    assert!(
        refused(&result)[0].contains("control character"),
        "{result:?}"
    );
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_value_that_the_guest_has_is_sent_nowhere() {
    let server = echo().await;
    let host = host(&server, TOKEN, |_| {}).await;
    let body = format!("{}{TOKEN}", "x".repeat(4090));
    for (arguments, place) in [
        (
            json!({ "url": server.url("/?q=correct-horse%2F9y%2B") }),
            "the URL",
        ),
        (
            get(&server, &json!([["x-a", format!("is {TOKEN}")]])),
            "a header",
        ),
        (
            json!({ "url": server.url("/"), "method": "POST", "body": body }),
            "the body",
        ),
    ] {
        let result = fetch(&host, arguments).await;
        let refused = refused(&result).concat();
        assert!(
            refused.starts_with(&format!("secrets {place}")),
            "{place}: {refused}"
        );
        assert!(!format!("{result:?}").contains("horse"), "{place}");
        assert!(!server.seen().concat().contains("horse"), "{place}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_sends_a_secret_that_a_flag_names() {
    let server = echo().await;
    let arguments = auth(&server).to_string();
    let grant = server.url("/");
    let run = async |secret: &'static str| {
        let more = [
            "--args",
            &arguments,
            "--allow-private-host",
            &grant,
            "--json",
        ];
        let line = run_line(
            "fetcher",
            "fetch",
            &[&more[..], &["--secret", secret]].concat(),
        );
        let run = move || command(line).env("FETCHER_TOKEN", TOKEN).output();
        Ran::from(tokio::task::spawn_blocking(run).await.unwrap().unwrap())
    };
    let ran = run("token=env:FETCHER_TOKEN@127.0.0.1").await.ends_with(0);
    let denial = &ran.json()["report"]["denials"][0];
    assert_eq!(denial["allowWith"], "insecure = true in [secrets.token]");
    assert_eq!(server.seen().len(), 0);

    let ran = run("token=env:FETCHER_TOKEN@http://127.0.0.1")
        .await
        .ends_with(0);
    assert!(server.seen()[0].contains(&format!("authorization: Bearer {TOKEN}")));
    assert!(
        !ran.stdout.contains("horse") && !ran.stderr.contains("horse"),
        "{ran:#?}"
    );
}
