//! What the tests share: a host with one guest, and a call of it.

use std::path::PathBuf;

use serde_json::Value;
use toolhost::{
    Call, CallError, CallOptions, CallResult, ExecutionContext, Host, LimitsPatch, LoadedPlugin,
    PluginOptions,
};
use toolhost_tests::guest;

/// A host whose compiled plugins are kept with the test artifacts, so that one
/// compile serves all tests.
pub(crate) fn host() -> Host {
    Host::builder()
        .cache_dir(Some(cache_dir()))
        .build()
        .expect("the host builds")
}

/// The compile cache of the tests.
pub(crate) fn cache_dir() -> PathBuf {
    toolhost_tests::scratch_dir("cache")
}

/// A host with one guest that is granted nothing.
pub(crate) async fn host_with(name: &str) -> Host {
    load(name, PluginOptions::default()).await.0
}

/// A host with one guest.
pub(crate) async fn load(name: &str, options: PluginOptions) -> (Host, LoadedPlugin) {
    let host = host();
    let plugin = host.load(guest(name), options).await;
    (
        host,
        plugin.unwrap_or_else(|error| panic!("{name}: {error:?}")),
    )
}

/// Calls a tool with no context and no limits of its own.
pub(crate) async fn call(host: &Host, tool: &str, arguments: Value) -> CallResult {
    host.call(
        Call::new("call-1", tool, arguments),
        ExecutionContext::default(),
    )
    .await
}

/// Calls a tool under limits of its own.
pub(crate) async fn call_limited(
    host: &Host,
    tool: &str,
    arguments: Value,
    limits: LimitsPatch,
) -> CallResult {
    let options = CallOptions {
        limits,
        ..CallOptions::default()
    };
    let call = Call::new("call-1", tool, arguments);
    host.call_with(call, ExecutionContext::default(), options)
        .await
}

/// The structured result of a call that must have worked.
pub(crate) fn structured(result: &CallResult) -> &Value {
    let output = result
        .output()
        .unwrap_or_else(|| panic!("not done: {:?}", result.outcome));
    output
        .structured
        .as_ref()
        .unwrap_or_else(|| panic!("nothing structured: {output:?}"))
}

/// The error of a call that must have failed.
pub(crate) fn error(result: &CallResult) -> &CallError {
    match &result.outcome {
        Err(error) => error,
        Ok(outcome) => panic!("it did not fail: {outcome:?}"),
    }
}
