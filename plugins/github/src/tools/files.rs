//! `github_list_files` and `github_read_file`: a repository without a clone.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::http::Request;
use toolhost_sdk::{ToolError, tool};

use crate::api::Api;
use crate::repo::{self, Repo};

/// The most lines of a file that are shown at once.
const MAX_LINES: u32 = 2000;

/// The most bytes of a file that are shown at once.
const MAX_SHOWN: usize = 100_000;

/// What is at a path, as GitHub tells it: a directory is a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Raw {
    Directory(Vec<RawEntry>),
    File(RawEntry),
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawEntry {
    r#type: String,
    path: String,
    size: u64,
    encoding: String,
    content: String,
    html_url: Option<String>,
    target: Option<String>,
}

/// A file or directory of a repository.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Entry {
    /// Its path from the root.
    pub path: String,
    /// `file`, `dir`, `symlink` or `submodule`.
    pub kind: String,
    /// Bytes, of a file.
    pub size: u64,
}

/// A directory.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Listing {
    /// What is in it.
    pub entries: Vec<Entry>,
}

/// A part of a file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileText {
    /// Its path from the root.
    pub path: String,
    /// The text of these lines.
    pub text: String,
    /// The first line of `text`, counted from 1.
    pub start_line: u32,
    /// How many lines the file has.
    pub lines: u32,
    /// Whether the file goes on.
    pub truncated: bool,
    /// The `startLine` at which it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_line: Option<u32>,
    /// Its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Lists a directory of a repository on GitHub.
#[tool(title = "List files on GitHub", read_only, open_world, max_retries = 1)]
pub(crate) fn github_list_files(
    /// The repository, `owner/name`.
    repo: &str,
    /// The directory, from the root; the root itself when left out.
    #[tool(default)]
    path: &str,
    /// The branch, tag or commit; the main branch when left out.
    #[serde(rename = "ref")]
    reference: Option<&str>,
) -> Result<Listing, ToolError> {
    let place = Place::new(repo, path, reference)?;
    match place.read()? {
        Raw::Directory(entries) => Ok(Listing {
            entries: entries.into_iter().map(Entry::from).collect(),
        }),
        Raw::File(_) => Err(ToolError::new(
            "GitHubArgumentError",
            format!("{} is a file: `github_read_file` reads it", place.name()),
        )),
    }
}

/// Reads a text file of a repository on GitHub, at most 2000 lines at once.
#[tool(
    title = "Read a file on GitHub",
    read_only,
    open_world,
    max_retries = 1
)]
pub(crate) fn github_read_file(
    /// The repository, `owner/name`.
    repo: &str,
    /// The file, from the root.
    path: &str,
    /// The branch, tag or commit; the main branch when left out.
    #[serde(rename = "ref")]
    reference: Option<&str>,
    /// The first line to read, counted from 1.
    #[tool(default = 1)]
    #[serde(rename = "startLine")]
    #[schemars(range(min = 1))]
    start_line: u32,
    /// Most lines.
    #[tool(default = 2000)]
    #[serde(rename = "maxLines")]
    #[schemars(range(min = 1, max = 2000))]
    max_lines: u32,
) -> Result<FileText, ToolError> {
    let place = Place::new(repo, path, reference)?;
    let file = match place.read()? {
        Raw::File(file) => file,
        Raw::Directory(_) => {
            return Err(ToolError::new(
                "GitHubArgumentError",
                format!(
                    "{} is a directory: `github_list_files` lists it",
                    place.name()
                ),
            ));
        }
    };
    let bytes = place.content(&file)?;
    let text = String::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'));
    let Some(text) = text else {
        let message = format!("{} is no text ({} bytes)", place.name(), file.size);
        return Err(ToolError::new("GitHubBinaryFileError", message));
    };
    Ok(part(file, &text, start_line, max_lines.min(MAX_LINES)))
}

/// A path of a repository at some time.
struct Place {
    api: Api,
    repo: Repo,
    path: String,
    reference: Option<String>,
}

impl Place {
    fn new(repo: &str, path: &str, reference: Option<&str>) -> Result<Self, ToolError> {
        let path = repo::parts(path)?.join("/");
        Ok(Self {
            api: Api::of_operator()?,
            repo: Repo::read(repo)?,
            path,
            reference: reference.map(str::to_owned),
        })
    }

    fn name(&self) -> String {
        let at = self
            .reference
            .as_ref()
            .map_or(String::new(), |name| format!(" at `{name}`"));
        let path = if self.path.is_empty() {
            "/"
        } else {
            &self.path
        };
        format!("`{path}` in `{}`{at}", self.repo)
    }

    fn request(&self, form: &str) -> Request {
        let parts = self.path.split('/').filter(|part| !part.is_empty());
        let path = ["repos", &self.repo.owner, &self.repo.name, "contents"];
        let path = path.into_iter().chain(parts);
        let request = self.api.request_as("GET", path, form);
        match &self.reference {
            Some(reference) => request.query("ref", reference),
            None => request,
        }
    }

    fn read(&self) -> Result<Raw, ToolError> {
        self.api.get(self.request("json"), &self.name())
    }

    /// The bytes of a file. Those of a large one are not told with it.
    fn content(&self, file: &RawEntry) -> Result<Vec<u8>, ToolError> {
        if file.r#type == "submodule" || (file.r#type == "symlink" && file.encoding.is_empty()) {
            let target = file.target.as_deref().unwrap_or("another repository");
            let message = format!("{} leads to `{target}`: read that", self.name());
            return Err(ToolError::new("GitHubArgumentError", message));
        }
        if file.encoding == "base64" {
            let packed: Vec<u8> = file
                .content
                .bytes()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            return STANDARD.decode(packed).map_err(|error| {
                let message = format!("{} came broken: {error}", self.name());
                ToolError::new("GitHubError", message)
            });
        }
        self.api.bytes(self.request("raw+json"), &self.name())
    }
}

/// Some lines of a file, no more of them than can be shown.
fn part(file: RawEntry, text: &str, start_line: u32, max_lines: u32) -> FileText {
    let skipped = start_line.saturating_sub(1) as usize;
    let mut shown = String::new();
    let mut count = 0;
    for line in text
        .split_inclusive('\n')
        .skip(skipped)
        .take(max_lines as usize)
    {
        if count > 0 && shown.len() + line.len() > MAX_SHOWN {
            break;
        }
        shown.push_str(line);
        count += 1;
    }
    let is_cut = shown.len() > MAX_SHOWN;
    if is_cut {
        // One line that is larger than all that can be shown.
        shown.truncate(shown.floor_char_boundary(MAX_SHOWN));
        shown.push_str("… (line truncated)\n");
    }
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let next_line = start_line.saturating_add(count);
    FileText {
        path: file.path,
        text: shown,
        start_line,
        lines,
        truncated: is_cut || next_line <= lines,
        next_line: (next_line <= lines).then_some(next_line),
        url: file.html_url,
    }
}

impl From<RawEntry> for Entry {
    fn from(raw: RawEntry) -> Self {
        Self {
            path: raw.path,
            kind: raw.r#type,
            size: raw.size,
        }
    }
}
