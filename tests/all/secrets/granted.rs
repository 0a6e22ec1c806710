//! Who is handed a secret, and who is told why not.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;
use toolhost::{Call, Principal, PrincipalKind};
use toolhost::{Denial, ExecutionContext, Grants, Host, PluginOptions};

use super::{TOKEN, host_with, in_file, revealing, secret_file};
use crate::support::{cache_dir, call, structured};
use toolhost_tests::guest;

#[tokio::test]
async fn a_revealed_secret_is_handed_to_the_plugin_that_is_granted_it() {
    let host = revealing().await;
    let result = call(&host, "ask", json!({ "name": "token" })).await;
    assert_eq!(structured(&result), &json!({ "ok": TOKEN.len() }));
    let result = call(&host, "ask", json!({ "name": "other" })).await;
    let expected = Denial {
        capability: "secrets".into(),
        target: "other".into(),
        allow_with: Some("--secret other".into()),
    };
    assert_eq!(result.report.denials, [expected]);
}

#[tokio::test]
async fn a_secret_that_is_not_revealed_is_not_handed_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    let host = host_with(in_file(&path, "hosts = ['api.example']")).await;
    let result = call(&host, "ask", json!({ "name": "token" })).await;
    let told = structured(&result)["error"].as_str().unwrap();
    assert!(told.contains("not revealed"), "{told}");
    assert_eq!(
        result.report.denials[0].allow_with.as_deref(),
        Some("reveal = true in [secrets.token]")
    );
}

#[tokio::test]
async fn a_secret_that_is_bound_to_somebody_is_handed_out_on_their_behalf_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    let spec = "hosts = []\nreveal = true\nprincipals = ['ada']";
    let host = host_with(in_file(&path, spec)).await;
    let ask = async |principal: Option<&str>| {
        let context = ExecutionContext {
            principal: principal.map(|id| Principal {
                id: id.into(),
                kind: PrincipalKind::User,
                claims: None,
                verified: true,
            }),
            ..ExecutionContext::default()
        };
        let call = Call::new("call-1", "ask", json!({ "name": "token" }));
        let result = host.call(call, context).await;
        structured(&result).get("ok").is_some()
    };
    assert!(ask(Some("ada")).await);
    assert!(!ask(Some("bob")).await);
    assert!(!ask(None).await);
}

#[tokio::test]
async fn a_secret_is_read_again_when_the_program_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    let host = host_with(in_file(&path, "hosts = []\nreveal = true")).await;
    let length = async || {
        let result = call(&host, "ask", json!({ "name": "token" })).await;
        structured(&result)["ok"].as_u64()
    };
    fs::write(&path, "another-value\n").unwrap();
    assert_eq!(length().await, Some(TOKEN.len() as u64));
    host.reload_secrets().await.unwrap();
    assert_eq!(length().await, Some(13));
    // What cannot be read again stays as it was.
    fs::remove_file(&path).unwrap();
    let error = host.reload_secrets().await.unwrap_err().to_string();
    assert!(error.contains("`token` cannot be read again"), "{error}");
    assert_eq!(length().await, Some(13));
}

#[tokio::test]
async fn a_plugin_is_not_loaded_without_the_secret_it_is_granted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    let load = async |grants: Grants| {
        let host = Host::builder()
            .cache_dir(Some(cache_dir()))
            .secrets([in_file(&path, "hosts = ['api.example']")])
            .build()
            .unwrap();
        let options = PluginOptions {
            grants,
            ..PluginOptions::default()
        };
        let loaded = host.load(guest("keeper"), options).await;
        loaded
            .map(|loaded| loaded.warnings)
            .map_err(|error| error.to_string())
    };
    let granted = |name: &str| Grants {
        secrets: vec![name.into()],
        ..Grants::default()
    };
    let error = load(granted("token")).await.unwrap_err();
    let named = guest("keeper").canonicalize().unwrap();
    let said = format!("the secret `token` of the plugin `{}`", named.display());
    assert!(error.contains(&said), "{error}");
    let error = load(granted("tokn")).await.unwrap_err();
    assert!(error.contains("did you mean `token`?"), "{error}");
    // Nobody is granted it: what is missing is said and keeps nobody from working.
    let warnings = load(Grants::default()).await.unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("`token` (the file"), "{warnings:?}");

    fs::write(&path, TOKEN).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let warnings = load(granted("token")).await.unwrap();
    assert!(warnings[0].contains("chmod 600"), "{warnings:?}");
}

#[tokio::test]
async fn a_secret_of_another_plugin_is_kept_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    let unset = (
        "unset".parse().unwrap(),
        toml::from_str("env = 'TOOLHOST_TEST_UNSET'\nhosts = ['api.example']").unwrap(),
    );
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .secrets([in_file(&path, "hosts = ['api.example']"), unset])
        .build()
        .unwrap();
    // Nobody is granted one, and there is no value where the other should be.
    let loaded = host.load(guest("contract"), PluginOptions::default());
    assert_eq!(loaded.await.unwrap().warnings, Vec::<String>::new());
    let result = call(&host, "echo_arguments", json!({ "text": TOKEN })).await;
    let text = format!("{result:?}");
    assert!(text.contains("[REDACTED]"), "{text}");
    assert!(!text.contains("correct-horse"), "{text}");
}

#[tokio::test]
async fn a_value_that_no_header_takes_is_said_when_the_plugin_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), "first-line\nsecond-line\n");
    let host = Host::builder()
        .cache_dir(Some(cache_dir()))
        .secrets([in_file(&path, "hosts = ['api.example']")])
        .build()
        .unwrap();
    let options = PluginOptions {
        grants: Grants {
            secrets: vec!["token".into()],
            ..Grants::default()
        },
        ..PluginOptions::default()
    };
    let warnings = host.load(guest("keeper"), options).await.unwrap().warnings;
    assert!(warnings[0].contains("holds a line break"), "{warnings:?}");
}

/// A file is called whatever its author likes: what is bound to a plugin is for the one
/// that the operator knows by that name.
#[tokio::test]
async fn a_secret_that_is_bound_to_a_plugin_is_not_for_a_file_that_is_called_like_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = secret_file(folder.path(), TOKEN);
    let ask = async |name: Option<&str>| {
        let spec = in_file(&path, "hosts = []\nreveal = true\nplugins = ['keeper']");
        let host = Host::builder()
            .cache_dir(Some(cache_dir()))
            .secrets([spec])
            .build()
            .unwrap();
        let options = PluginOptions {
            grants: Grants {
                secrets: vec!["token".into()],
                ..Grants::default()
            },
            name: name.map(str::to_owned),
            ..PluginOptions::default()
        };
        host.load(guest("keeper"), options).await.unwrap();
        call(&host, "ask", json!({ "name": "token" })).await
    };
    let result = ask(Some("keeper")).await;
    assert_eq!(structured(&result), &json!({ "ok": TOKEN.len() }));
    for name in [None, Some("other")] {
        let result = ask(name).await;
        let told = structured(&result)["error"].as_str().unwrap();
        assert!(told.contains("bound to other plugins"), "{told}");
        assert!(!told.contains('/'), "a path is nobody's business: {told}");
    }
    let result = ask(None).await;
    let advice = result.report.denials[0].allow_with.as_deref().unwrap();
    assert!(advice.starts_with("--plugin NAME"), "{advice}");
}
