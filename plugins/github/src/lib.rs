//! GitHub, as tools: issues, pull requests and files to read, and comments to write.
//!
//! # Layout
//! - [`tools`]: the tools as the model sees them
//! - [`api`]: requests to GitHub, and what its refusals mean
//! - [`repo`]: the name of a repository, and paths in one
//! - [`issue`], [`hit`]: what GitHub tells, without what no model needs

pub mod api;
pub mod hit;
pub mod issue;
pub mod repo;
pub mod tools;

toolhost_sdk::plugin!(
    tools::issues::github_list_issues,
    tools::issues::github_get_issue,
    tools::comment::github_comment,
    tools::files::github_list_files,
    tools::files::github_read_file,
    tools::search::github_search,
);
