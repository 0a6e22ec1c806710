//! Requests of a plugin over the network: what was granted, to the address that was
//! checked, and no more than the limits allow. The servers are real ones on the
//! loopback, so a grant for them needs `allow-private`.

mod echoes;
mod effects;
mod hostile;
mod limits;
mod rules;
mod secrets;
mod server;
mod stories;
mod tls;

use serde_json::{Value, json};
use toolhost::policy::HttpGrant;
use toolhost::{CallResult, Grants, Host, LimitsPatch, PluginOptions};

use crate::support::{call, call_limited, load, structured};
use server::Server;

/// A host whose guest `fetcher` may send these requests. A `!` before a grant opens
/// private addresses.
async fn granted(grants: &[&str]) -> Host {
    load("fetcher", options(grants)).await.0
}

fn options(grants: &[&str]) -> PluginOptions {
    PluginOptions {
        grants: Grants {
            http: grants.iter().map(|text| grant(text)).collect(),
            ..Grants::default()
        },
        ..PluginOptions::default()
    }
}

fn grant(text: &str) -> HttpGrant {
    match text.strip_prefix('!') {
        Some(text) => text.parse::<HttpGrant>().unwrap().allow_private().unwrap(),
        None => text.parse().unwrap(),
    }
}

/// A host whose guest may send everything to `server`.
async fn open_to(server: &Server) -> Host {
    granted(&[&format!("!* {}", server.url("/"))]).await
}

fn patch(limits: Value) -> LimitsPatch {
    serde_json::from_value(limits).unwrap()
}

async fn fetch(host: &Host, arguments: Value) -> CallResult {
    call(host, "fetch", arguments).await
}

async fn fetch_limited(host: &Host, arguments: Value, limits: Value) -> CallResult {
    call_limited(host, "fetch", arguments, patch(limits)).await
}

/// The response that the guest got.
fn response(result: &CallResult) -> &Value {
    let told = structured(result);
    told.get("ok")
        .unwrap_or_else(|| panic!("no response: {result:?}"))
}

/// The code that the guest got in the place of a response.
fn code(result: &CallResult) -> &str {
    let told = structured(result)["error"].as_str();
    told.unwrap_or_else(|| panic!("no error: {result:?}"))
}

/// The code with which the body of a response broke.
fn body_code(result: &CallResult) -> &str {
    let told = response(result)["bodyError"].as_str();
    told.unwrap_or_else(|| panic!("the body is whole: {result:?}"))
}

/// What the report says was refused, as `capability target`.
fn refused(result: &CallResult) -> Vec<String> {
    let denials = result.report.denials.iter();
    denials
        .map(|denial| format!("{} {}", denial.capability, denial.target))
        .collect()
}

/// The flags that would allow what was refused.
fn advice(result: &CallResult) -> Vec<String> {
    let denials = result.report.denials.iter();
    denials
        .filter_map(|denial| denial.allow_with.clone())
        .collect()
}

/// Arguments for a plain request.
fn get(url: impl Into<String>) -> Value {
    json!({"url": url.into()})
}
