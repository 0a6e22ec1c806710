//! What a search finds, as GitHub tells it and as a model reads it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a description or a place in a file is shown, in characters.
const MAX_EXCERPT: usize = 500;

/// What a search finds, as GitHub tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawHits<T> {
    /// How many there are in all.
    pub total_count: u64,
    /// Whether GitHub gave up before it had looked everywhere.
    pub incomplete_results: bool,
    /// This part of them.
    pub items: Vec<T>,
}

/// A file, as GitHub tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawFile {
    path: String,
    html_url: String,
    repository: RawOwned,
    text_matches: Vec<RawMatch>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawOwned {
    full_name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RawMatch {
    fragment: String,
}

/// A repository, as GitHub tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct RawRepository {
    full_name: String,
    description: Option<String>,
    language: Option<String>,
    stargazers_count: u64,
    default_branch: String,
    archived: bool,
    updated_at: String,
    html_url: String,
}

/// A file with what was looked for.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileHit {
    /// The repository, `owner/name`.
    pub repo: String,
    /// The file.
    pub path: String,
    /// What is around the places.
    pub excerpts: Vec<String>,
    /// Its page.
    pub url: String,
}

/// A repository.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepositoryHit {
    /// Its name, `owner/name`.
    pub repo: String,
    /// What it is about.
    pub description: String,
    /// What most of it is written in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How many have marked it.
    pub stars: u64,
    /// Its main branch.
    pub default_branch: String,
    /// Whether nothing changes any more.
    pub archived: bool,
    /// When it last changed.
    pub updated_at: String,
    /// Its page.
    pub url: String,
}

impl From<RawFile> for FileHit {
    fn from(raw: RawFile) -> Self {
        let excerpts = raw.text_matches.into_iter().take(3);
        Self {
            repo: raw.repository.full_name,
            path: raw.path,
            excerpts: excerpts.map(|found| excerpt(&found.fragment)).collect(),
            url: raw.html_url,
        }
    }
}

impl From<RawRepository> for RepositoryHit {
    fn from(raw: RawRepository) -> Self {
        Self {
            repo: raw.full_name,
            description: excerpt(raw.description.as_deref().unwrap_or_default()),
            language: raw.language,
            stars: raw.stargazers_count,
            default_branch: raw.default_branch,
            archived: raw.archived,
            updated_at: raw.updated_at,
            url: raw.html_url,
        }
    }
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
