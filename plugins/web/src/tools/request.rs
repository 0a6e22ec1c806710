//! `http_request`: any request.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::http::{Headers, Request, Response};
use toolhost_sdk::{Context, ToolError, tool};

use super::{default_bytes, default_chars, default_redirects, default_timeout};
use crate::body::{self, Body};
use crate::charset;
use crate::fetch::{Options, with_defaults};
use crate::hosts::Hosts;
use crate::media::{self, Kind, Media};
use crate::page::cut;

/// The arguments of `http_request`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HttpRequestArgs {
    /// The URL, with `https://` (or `http://`), without user and password.
    #[schemars(length(min = 1, max = 8192))]
    pub url: String,
    /// The method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, `HEAD` or another.
    #[serde(default = "get")]
    #[schemars(length(min = 1, max = 30))]
    pub method: String,
    /// Headers by name. A secret that the operator granted is written as
    /// `{{secret:NAME}}`, as in `Bearer {{secret:api-token}}`; its value is put in
    /// when the request leaves.
    #[serde(default)]
    #[schemars(extend("maxProperties" = 100))]
    pub headers: BTreeMap<String, String>,
    /// The body, as text. Set the header `content-type` to match.
    #[serde(default)]
    pub body: Option<String>,
    /// The body, as base64, when it is no text.
    #[serde(default)]
    pub body_base64: Option<String>,
    /// Most characters of the response's body, also when it comes as base64.
    #[serde(default = "default_chars")]
    #[schemars(range(min = 1, max = 500_000))]
    pub max_chars: u32,
    /// Most bytes of the response's body that are read.
    #[serde(default = "default_bytes")]
    #[schemars(range(min = 1, max = 16_777_216))]
    pub max_bytes: u32,
    /// How long all of it may take, in milliseconds.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 1, max = 300_000))]
    pub timeout_ms: u32,
    /// How many redirects are followed; 0 shows the redirect itself. Headers that may
    /// sign in and bodies do not follow to another origin.
    #[serde(default = "default_redirects")]
    #[schemars(range(max = 20))]
    pub max_redirects: u32,
    /// Only these hosts, also after a redirect: `example.com`, or `*.example.com` for
    /// all below it. Any when left out.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100))]
    pub allowed_hosts: Option<Vec<String>>,
    /// None of these hosts, in the same form.
    #[serde(default)]
    #[schemars(length(max = 100))]
    pub blocked_hosts: Vec<String>,
}

/// A response.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    /// The status, such as 200 or 404.
    pub status: u16,
    /// Where it comes from, after all redirects.
    pub url: String,
    /// Its headers, by names in lower case; several of one name are joined by `, `,
    /// of `set-cookie` by line breaks.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: String,
    /// Whether `body` is the text itself or base64.
    pub body_encoding: BodyEncoding,
    /// Whether there is more than this.
    pub truncated: bool,
}

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BodyEncoding {
    /// As text.
    Text,
    /// As base64: it is no text.
    Base64,
}

fn get() -> String {
    "GET".into()
}

/// Sends one HTTP request, with any method, headers and body, and returns status,
/// headers and body. A response with an error (404, 500) is a result as well; look at
/// `status`. To read a web page use `web_fetch`, which makes it readable.
#[tool(title = "HTTP request", destructive, open_world)]
pub(crate) fn http_request(
    #[tool(args)] args: HttpRequestArgs,
    ctx: &Context,
) -> Result<Answer, ToolError> {
    let options = Options {
        timeout_ms: args.timeout_ms,
        max_redirects: args.max_redirects,
        hosts: Hosts::of_call(args.allowed_hosts.as_deref(), &args.blocked_hosts)?,
    };
    let response = options.send(request(&args)?, ctx)?;
    read(response, &args)
}

fn request(args: &HttpRequestArgs) -> Result<Request, ToolError> {
    let mut request = Request::new(&args.method, &*args.url);
    for (name, value) in &args.headers {
        request = request.header(name, value.trim());
    }
    let request = with_defaults(request, |name| {
        args.headers
            .keys()
            .any(|known| known.eq_ignore_ascii_case(name))
    });
    match (&args.body, &args.body_base64) {
        (None, None) => Ok(request),
        (Some(text), None) => Ok(request.body(&**text)),
        (None, Some(text)) => match STANDARD.decode(text.trim()) {
            Ok(bytes) => Ok(request.body(bytes)),
            Err(error) => Err(ToolError::new(
                "HttpRequestError",
                format!("`bodyBase64` is no base64 ({error}): write text as `body`"),
            )),
        },
        (Some(_), Some(_)) => Err(ToolError::new(
            "HttpRequestError",
            "give `body` or `bodyBase64`, not both",
        )),
    }
}

fn read(response: Response, args: &HttpRequestArgs) -> Result<Answer, ToolError> {
    let media = Media::read(response.header("content-type"));
    let (status, url) = (response.status(), response.url().to_owned());
    let headers = joined(response.headers());
    let body = body::read(response, args.max_bytes as usize)?;
    let (text, body_encoding, truncated) = written(&body, &media, args.max_chars as usize);
    Ok(Answer {
        status,
        url,
        headers,
        body: text,
        body_encoding,
        truncated,
    })
}

/// The body as text if it is one.
fn written(body: &Body, media: &Media, most: usize) -> (String, BodyEncoding, bool) {
    let kind = match media.kind() {
        _ if body.packed.is_some() => Kind::Binary,
        Kind::Unknown => media::sniff(&body.bytes),
        kind => kind,
    };
    if kind == Kind::Binary {
        // Whole groups of three, so that what is shown decodes.
        let bytes = &body.bytes[..body.bytes.len().min(most / 4 * 3)];
        let is_cut = bytes.len() < body.bytes.len();
        return (
            STANDARD.encode(bytes),
            BodyEncoding::Base64,
            is_cut || body.truncated,
        );
    }
    let text = charset::decode(&body.bytes, media.charset.as_deref(), kind == Kind::Html);
    let (text, is_cut) = cut(text, most);
    (text, BodyEncoding::Text, is_cut || body.truncated)
}

fn joined(headers: &Headers) -> BTreeMap<String, String> {
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in headers.iter() {
        // The value of a cookie may have commas in it.
        let between = if name == "set-cookie" { "\n" } else { ", " };
        joined
            .entry(name.to_owned())
            .and_modify(|known| {
                known.push_str(between);
                known.push_str(value);
            })
            .or_insert_with(|| value.to_owned());
    }
    joined
}

#[cfg(test)]
mod tests;
