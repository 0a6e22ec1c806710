//! `github_comment`: the one thing that is written.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use toolhost_sdk::{ToolError, tool};

use crate::api::Api;
use crate::issue::RawComment;
use crate::repo::Repo;

/// A comment that was written.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// Its page.
    pub url: String,
}

/// Comments on an issue or a pull request on GitHub, for everybody to read and in the
/// name of whoever the token belongs to. Writes at once: show the text to the user
/// first unless they asked for it.
#[tool(
    title = "Comment on GitHub",
    destructive = false,
    idempotent = false,
    open_world
)]
pub(crate) fn github_comment(
    /// The repository, `owner/name`.
    repo: &str,
    /// The number of the issue or pull request.
    #[schemars(range(min = 1))]
    number: u64,
    /// The comment, as Markdown.
    #[schemars(length(min = 1, max = 65536))]
    body: &str,
) -> Result<Written, ToolError> {
    if body.trim().is_empty() {
        return Err(ToolError::new(
            "GitHubArgumentError",
            "the comment is empty",
        ));
    }
    let repo = Repo::read(repo)?;
    let api = Api::of_operator()?;
    let number = number.to_string();
    let path = [
        "repos",
        &repo.owner,
        &repo.name,
        "issues",
        &number,
        "comments",
    ];
    let what = format!("issue or pull request `{number}` in `{repo}`");
    let written: RawComment =
        api.post(api.request("POST", path), &json!({ "body": body }), &what)?;
    Ok(Written {
        url: written.html_url,
    })
}
