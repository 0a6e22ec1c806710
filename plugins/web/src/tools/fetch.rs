//! `web_fetch`: one page, to be read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::http::{Request, Response, Url};
use toolhost_sdk::{Context, ToolError, tool};

use super::{default_bytes, default_chars, default_redirects, default_timeout};
use crate::body::{self, Body};
use crate::charset;
use crate::fetch::{Options, with_defaults};
use crate::hosts::Hosts;
use crate::media::{self, Kind, Media};
use crate::page::{self, Page, cut};

/// What a reader of pages takes.
const ACCEPT: &str = "text/html, application/xhtml+xml, application/json, text/*;q=0.9, */*;q=0.5";

/// The arguments of `web_fetch`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WebFetchArgs {
    /// The URL of the page, with `https://` (or `http://`), without user and password.
    #[schemars(length(min = 1, max = 8192))]
    pub url: String,
    /// Where in the text to begin, in characters: `nextOffset` of the call before.
    #[serde(default)]
    #[schemars(range(max = 10_000_000))]
    pub offset: u32,
    /// Most characters of text.
    #[serde(default = "default_chars")]
    #[schemars(range(min = 1, max = 200_000))]
    pub max_chars: u32,
    /// Most bytes of the page that are read.
    #[serde(default = "default_bytes")]
    #[schemars(range(min = 1, max = 16_777_216))]
    pub max_bytes: u32,
    /// How long all of it may take, in milliseconds.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 1, max = 300_000))]
    pub timeout_ms: u32,
    /// How many redirects are followed.
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

/// A page.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fetched {
    /// The status of the response, such as 200 or 404.
    pub status: u16,
    /// Where it comes from, after all redirects.
    pub url: String,
    /// Its content type, such as `text/html`; empty when the server does not say.
    pub content_type: String,
    /// The title of a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A page as Markdown; JSON and other text as they were sent.
    pub text: String,
    /// Whether there is more than this.
    pub truncated: bool,
    /// The `offset` at which the text goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u32>,
    /// What else there is to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Reads one web page, as text: headings, lists, tables and links stay, scripts,
/// styles and navigation go. JSON and other text come as they are, of pictures and
/// other files you learn the type only. Also pages with an error (404, 500) are
/// returned; look at `status`. Use `http_request` for anything but reading.
#[tool(title = "Read a web page", read_only, open_world, max_retries = 1)]
pub(crate) fn web_fetch(
    #[tool(args)] args: WebFetchArgs,
    ctx: &Context,
) -> Result<Fetched, ToolError> {
    let options = Options {
        timeout_ms: args.timeout_ms,
        max_redirects: args.max_redirects,
        hosts: Hosts::of_call(args.allowed_hosts.as_deref(), &args.blocked_hosts)?,
    };
    let request = Request::get(&*args.url).header("accept", ACCEPT);
    let response = options.send(with_defaults(request, |_| false), ctx)?;
    read(response, &args)
}

fn read(response: Response, args: &WebFetchArgs) -> Result<Fetched, ToolError> {
    let media = Media::read(response.header("content-type"));
    let mut fetched = Fetched {
        status: response.status(),
        url: response.url().to_owned(),
        content_type: media.essence.clone(),
        ..Fetched::default()
    };
    if (300..400).contains(&fetched.status)
        && let Some(location) = response.header("location")
    {
        fetched.note = Some(format!(
            "it redirects to `{location}`, which was not followed"
        ));
    }
    let size = response
        .header("content-length")
        .and_then(|length| length.parse().ok());
    if media.kind() == Kind::Binary {
        fetched.note = Some(not_text(&media.essence, size));
        return Ok(fetched);
    }
    let body = body::read(response, args.max_bytes as usize)?;
    if let Some(packing) = &body.packed {
        fetched.note = Some(format!(
            "the server packs it with `{packing}`, which is not understood"
        ));
        return Ok(fetched);
    }
    let kind = match media.kind() {
        Kind::Unknown => media::sniff(&body.bytes),
        kind => kind,
    };
    if kind == Kind::Binary {
        fetched.note = Some(not_text(&media.essence, size));
        return Ok(fetched);
    }
    show(&mut fetched, &body, &media, kind == Kind::Html, args);
    Ok(fetched)
}

/// Puts in the part of the text that was asked for.
fn show(fetched: &mut Fetched, body: &Body, media: &Media, is_page: bool, args: &WebFetchArgs) {
    let offset = args.offset as usize;
    let most = args.max_chars as usize;
    let mut text = charset::decode(&body.bytes, media.charset.as_deref(), is_page);
    let url = Url::parse(&fetched.url).ok();
    if let Some(url) = url.filter(|_| is_page) {
        let page = page::read(&text, &url, offset + most + 1);
        Page {
            title: fetched.title,
            text,
            ..
        } = page;
    }
    let start = text
        .char_indices()
        .nth(offset)
        .map_or(text.len(), |(start, _)| start);
    let has_ended = start == text.len() && offset > 0;
    let (part, is_cut) = cut(text.split_off(start), most);
    fetched.text = part;
    fetched.truncated = is_cut || body.truncated;
    if is_cut {
        fetched.next_offset = Some(args.offset.saturating_add(args.max_chars));
    } else if body.truncated {
        let read = args.max_bytes;
        fetched.note = Some(format!(
            "only the first {read} bytes were read: ask for more with `maxBytes`"
        ));
    } else if has_ended {
        fetched.note = Some("the text ends before this `offset`".into());
    }
}

fn not_text(essence: &str, size: Option<u64>) -> String {
    let what = if essence.is_empty() {
        "a file".to_owned()
    } else {
        format!("`{essence}`")
    };
    let size = size.map_or(String::new(), |size| format!(" of {size} bytes"));
    format!("this is {what}{size}, which cannot be shown as text")
}

#[cfg(test)]
mod tests;
