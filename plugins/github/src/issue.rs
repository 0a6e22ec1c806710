//! Issues, pull requests and comments, as GitHub tells them and as a model reads
//! them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest body that is shown in full, in characters.
const MAX_BODY: usize = 12_000;

/// An issue or a pull request, as GitHub tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawIssue {
    number: u64,
    title: String,
    state: String,
    state_reason: Option<String>,
    user: Option<RawUser>,
    labels: Vec<RawLabel>,
    assignees: Vec<RawUser>,
    comments: Option<u64>,
    created_at: String,
    updated_at: String,
    html_url: String,
    draft: Option<bool>,
    body: Option<String>,
    /// Set in a list of issues that holds pull requests as well.
    pull_request: Option<serde_json::Value>,
    /// Set where pull requests are asked for.
    head: Option<RawBranch>,
}

/// What else is told of a pull request.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawPull {
    head: RawBranch,
    base: RawBranch,
    merged: bool,
    mergeable: Option<bool>,
    additions: u64,
    deletions: u64,
    changed_files: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawUser {
    login: String,
}

/// A label is an object, in old answers only a name.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum RawLabel {
    Name(String),
    Object { name: String },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawBranch {
    label: String,
}

/// A comment, as GitHub tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawComment {
    user: Option<RawUser>,
    created_at: String,
    /// Its page.
    pub html_url: String,
    body: Option<String>,
}

/// An issue or a pull request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Its number.
    pub number: u64,
    /// `issue` or `pull-request`.
    pub kind: &'static str,
    /// Its title.
    pub title: String,
    /// `open` or `closed`.
    pub state: String,
    /// Why it is closed, such as `not_planned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_reason: Option<String>,
    /// Whether a pull request is a draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<bool>,
    /// Who opened it.
    pub author: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Who it is assigned to.
    pub assignees: Vec<String>,
    /// How many comments it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments: Option<u64>,
    /// When it was opened.
    pub created_at: String,
    /// When it last changed.
    pub updated_at: String,
    /// Its page.
    pub url: String,
}

/// What else there is to know of a pull request.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The branch it comes from, `owner:branch`.
    pub from: String,
    /// The branch it goes to, `owner:branch`.
    pub into: String,
    /// Whether it is merged.
    pub merged: bool,
    /// Whether it can be merged; absent while GitHub does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mergeable: Option<bool>,
    /// Lines that are added.
    pub additions: u64,
    /// Lines that are removed.
    pub deletions: u64,
    /// Files that are changed.
    pub changed_files: u64,
}

/// A comment.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Who wrote it.
    pub author: String,
    /// When.
    pub created_at: String,
    /// What, as Markdown.
    pub body: String,
    /// Its page.
    pub url: String,
}

impl RawIssue {
    /// Whether it is a pull request.
    #[must_use]
    pub fn is_pull(&self) -> bool {
        self.pull_request.is_some() || self.head.is_some()
    }

    /// What it says, as Markdown.
    #[must_use]
    pub fn body(&self) -> String {
        shown(self.body.as_deref())
    }
}

impl From<RawIssue> for Issue {
    fn from(raw: RawIssue) -> Self {
        let kind = if raw.is_pull() {
            "pull-request"
        } else {
            "issue"
        };
        let label = |label| match label {
            RawLabel::Name(name) | RawLabel::Object { name } => name,
        };
        Self {
            number: raw.number,
            kind,
            title: raw.title,
            state: raw.state,
            state_reason: raw.state_reason,
            draft: raw.draft.filter(|draft| *draft),
            author: login(raw.user),
            labels: raw.labels.into_iter().map(label).collect(),
            assignees: raw.assignees.into_iter().map(|user| user.login).collect(),
            comments: raw.comments,
            created_at: raw.created_at,
            updated_at: raw.updated_at,
            url: raw.html_url,
        }
    }
}

impl From<RawPull> for Pull {
    fn from(raw: RawPull) -> Self {
        Self {
            from: raw.head.label,
            into: raw.base.label,
            merged: raw.merged,
            mergeable: raw.mergeable,
            additions: raw.additions,
            deletions: raw.deletions,
            changed_files: raw.changed_files,
        }
    }
}

impl From<RawComment> for Comment {
    fn from(raw: RawComment) -> Self {
        Self {
            body: shown(raw.body.as_deref()),
            author: login(raw.user),
            created_at: raw.created_at,
            url: raw.html_url,
        }
    }
}

/// GitHub shows what a deleted account wrote as that of `ghost`.
fn login(user: Option<RawUser>) -> String {
    user.map_or_else(|| "ghost".into(), |user| user.login)
}

/// A body, cut where it is long.
fn shown(body: Option<&str>) -> String {
    let body = body.unwrap_or_default();
    match body.char_indices().nth(MAX_BODY) {
        Some((end, _)) => format!("{}… (truncated)", &body[..end]),
        None => body.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_github_tells_is_trimmed() {
        let raw = json!({
            "number": 7, "title": "It leaks", "state": "open", "user": { "login": "ada", "id": 1 },
            "labels": [{ "name": "bug", "color": "red" }, "old"], "assignees": [{ "login": "bob" }],
            "comments": 2, "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-02T00:00:00Z",
            "html_url": "https://github.com/ada/engine/issues/7", "reactions": { "+1": 3 },
            "pull_request": { "url": "…" }, "draft": false, "body": null, "state_reason": null,
        });
        let raw: RawIssue = serde_json::from_value(raw).unwrap();
        assert_eq!(raw.body(), "");
        assert_eq!(
            serde_json::to_value(Issue::from(raw)).unwrap(),
            json!({
                "number": 7, "kind": "pull-request", "title": "It leaks", "state": "open",
                "author": "ada", "labels": ["bug", "old"], "assignees": ["bob"], "comments": 2,
                "createdAt": "2024-01-01T00:00:00Z", "updatedAt": "2024-01-02T00:00:00Z",
                "url": "https://github.com/ada/engine/issues/7",
            })
        );
    }

    #[test]
    fn a_long_body_is_cut_and_a_deleted_account_has_a_name() {
        let raw = json!({ "body": "é".repeat(MAX_BODY + 1), "user": null });
        let comment: Comment = serde_json::from_value::<RawComment>(raw).unwrap().into();
        assert_eq!(comment.author, "ghost");
        assert!(comment.body.ends_with("é… (truncated)"));
    }
}
