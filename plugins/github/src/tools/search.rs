//! `github_search`: issues, files and repositories by their words.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toolhost_sdk::{ToolError, tool};

use super::{first, next_page, twenty};
use crate::api::Api;
use crate::hit::{FileHit, RawFile, RawHits, RawRepository, RepositoryHit};
use crate::issue::{Issue, RawIssue};
use crate::repo::Repo;

/// GitHub shows the first thousand hits only.
const MAX_HITS: u64 = 1000;

/// What to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Issues and pull requests.
    Issues,
    /// Files, on the main branches.
    Code,
    /// Repositories.
    Repositories,
}

/// The arguments of `github_search`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchArgs {
    /// What to search.
    pub kind: Kind,
    /// The words, with qualifiers as on GitHub: `is:open is:pr author:ada leak`,
    /// `fn main language:rust`, `stars:>100 topic:wasm`.
    #[schemars(length(min = 1, max = 256))]
    pub query: String,
    /// Only in this repository, `owner/name`.
    #[serde(default)]
    pub repo: Option<String>,
    /// The page of the hits: `nextPage` of the one before.
    #[serde(default = "first")]
    #[schemars(range(min = 1, max = 1000))]
    pub page: u32,
    /// Hits on a page.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    pub per_page: u32,
}

/// A page of hits; one of the lists is there.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hits {
    /// How many there are in all; GitHub shows the first 1000.
    pub total: u64,
    /// Whether GitHub gave up before it had looked everywhere.
    pub incomplete: bool,
    /// Issues and pull requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues: Option<Vec<Issue>>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<FileHit>>,
    /// Repositories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repositories: Option<Vec<RepositoryHit>>,
    /// The next page, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<u32>,
}

/// Searches GitHub for issues and pull requests, for code, or for repositories.
#[tool(title = "Search GitHub", read_only, open_world, max_retries = 1)]
pub(crate) fn github_search(#[tool(args)] args: SearchArgs) -> Result<Hits, ToolError> {
    let mut hits = Hits::default();
    match args.kind {
        Kind::Issues => hits.issues = Some(search::<RawIssue, _>(&args, "issues", &mut hits)?),
        Kind::Code => hits.files = Some(search::<RawFile, _>(&args, "code", &mut hits)?),
        Kind::Repositories => {
            hits.repositories = Some(search::<RawRepository, _>(
                &args,
                "repositories",
                &mut hits,
            )?);
        }
    }
    Ok(hits)
}

fn search<R: DeserializeOwned + Default + Into<T>, T>(
    args: &SearchArgs,
    kind: &str,
    hits: &mut Hits,
) -> Result<Vec<T>, ToolError> {
    let mut query = args.query.trim().to_owned();
    if let Some(repo) = &args.repo {
        query = format!("{query} repo:{}", Repo::read(repo)?);
    }
    let api = Api::of_operator()?;
    // The only way to learn where in a file it is.
    let form = match args.kind {
        Kind::Code => "text-match+json",
        Kind::Issues | Kind::Repositories => "json",
    };
    let request = api
        .request_as("GET", ["search", kind], form)
        .query("q", query)
        .query("page", args.page)
        .query("per_page", args.per_page);
    let found: RawHits<R> = api.get(request, "search result")?;
    let seen = u64::from(args.page) * u64::from(args.per_page);
    hits.total = found.total_count;
    hits.incomplete = found.incomplete_results;
    hits.next_page = next_page(args.page, seen < found.total_count.min(MAX_HITS));
    Ok(found.items.into_iter().map(Into::into).collect())
}
