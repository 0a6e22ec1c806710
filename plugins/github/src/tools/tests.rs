//! Each tool asks GitHub for the right thing and shows what matters of the answer.

use serde_json::{Value, json};
use toolhost_sdk::http::{Fake, Reply};
use toolhost_sdk::{Tool, ToolError, testing};

use super::comment::GithubCommentTool;
use super::files::{GithubListFilesTool, GithubReadFileTool};
use super::issues::{GithubGetIssueTool, GithubListIssuesTool};
use super::search::GithubSearchTool;

fn call<T: Tool>(arguments: Value) -> Result<Value, ToolError> {
    Ok(testing::call::<T>(arguments)?.structured.unwrap())
}

/// Answers by the part of the URL after the host; 404 for anything else.
fn github(answers: Vec<(&'static str, Value)>) -> Fake {
    Fake::new(move |sent| {
        let path = sent.url.trim_start_matches("https://api.github.com");
        let answer = answers.iter().find(|(known, _)| *known == path);
        Ok(answer.map_or_else(
            || Reply::json(json!({ "message": "Not Found" })).with_status(404),
            |(_, answer)| Reply::json(answer.clone()),
        ))
    })
}

#[test]
fn issues_are_listed_by_state_and_label() {
    let list = "/repos/ada/engine/issues?state=closed&page=2&per_page=20&labels=bug%2Cp1";
    let pulls = "/repos/ada/engine/pulls?state=open&page=1&per_page=20";
    let _github = github(vec![
        (
            list,
            json!([{ "number": 7, "title": "A" }, { "number": 8, "pull_request": {} }]),
        ),
        (
            pulls,
            json!([{ "number": 8, "head": { "label": "bob:fix" } }]),
        ),
    ]);
    let arguments = json!({
        "repo": "ada/engine", "kind": "issues", "state": "closed", "labels": ["bug", "p1"], "page": 2,
    });
    let found = call::<GithubListIssuesTool>(arguments).unwrap();
    assert_eq!(found["issues"].as_array().unwrap().len(), 1);
    assert_eq!(found["issues"][0]["number"], 7);
    let arguments = json!({ "repo": "ada/engine", "kind": "pull-requests" });
    let found = call::<GithubListIssuesTool>(arguments).unwrap();
    assert_eq!(found["issues"][0]["kind"], "pull-request");
}

#[test]
fn a_pull_request_comes_with_its_change_and_comments() {
    let _github = github(vec![
        (
            "/repos/ada/engine/issues/8",
            json!({ "number": 8, "pull_request": {}, "body": "Fixes it" }),
        ),
        (
            "/repos/ada/engine/pulls/8",
            json!({ "head": { "label": "bob:fix" }, "base": { "label": "ada:main" }, "additions": 3 }),
        ),
        (
            "/repos/ada/engine/issues/8/comments?page=1&per_page=20",
            json!([{ "user": { "login": "ada" }, "body": "Thanks" }]),
        ),
    ]);
    let found = call::<GithubGetIssueTool>(json!({ "repo": "ada/engine", "number": 8 })).unwrap();
    assert_eq!(found["body"], "Fixes it");
    assert_eq!(found["pullRequest"]["from"], "bob:fix");
    assert_eq!(found["comments"][0]["body"], "Thanks");
    let error = call::<GithubGetIssueTool>(json!({ "repo": "ada/engine", "number": 9 }));
    let said = error.unwrap_err().message;
    assert!(
        said.starts_with("there is no issue or pull request `9` in `ada/engine`"),
        "{said}"
    );
}

#[test]
fn a_comment_is_posted_once() {
    let github = github(vec![(
        "/repos/ada/engine/issues/7/comments",
        json!({ "html_url": "https://github.com/ada/engine/issues/7#issuecomment-1" }),
    )]);
    let arguments = json!({ "repo": "ada/engine", "number": 7, "body": "Seen." });
    let written = call::<GithubCommentTool>(arguments).unwrap();
    assert_eq!(
        written["url"],
        "https://github.com/ada/engine/issues/7#issuecomment-1"
    );
    let sent = &github.sent()[0];
    assert_eq!(sent.method, "POST");
    assert_eq!(sent.body.as_deref(), Some(&br#"{"body":"Seen."}"#[..]));
    let arguments = json!({ "repo": "ada/engine", "number": 7, "body": " " });
    assert!(call::<GithubCommentTool>(arguments).is_err());
    assert_eq!(github.sent().len(), 1);
}

#[test]
fn files_are_listed_and_read_in_parts() {
    let file = json!({
        "type": "file", "path": "src/a.rs", "size": 12, "encoding": "base64", "content": "b25lCnR3\nbwp0aHJl\nZQ==\n",
    });
    let _github = github(vec![
        (
            "/repos/ada/engine/contents",
            json!([{ "type": "dir", "path": "src", "size": 0 }]),
        ),
        ("/repos/ada/engine/contents/src/a.rs?ref=v1", file),
    ]);
    let found = call::<GithubListFilesTool>(json!({ "repo": "ada/engine" })).unwrap();
    assert_eq!(
        found["entries"],
        json!([{ "path": "src", "kind": "dir", "size": 0 }])
    );
    let arguments =
        json!({ "repo": "ada/engine", "path": "/src/a.rs", "ref": "v1", "maxLines": 2 });
    let found = call::<GithubReadFileTool>(arguments).unwrap();
    assert_eq!(
        found,
        json!({
            "path": "src/a.rs", "text": "one\ntwo\n", "startLine": 1, "lines": 3, "truncated": true,
            "nextLine": 3,
        })
    );
    let arguments =
        json!({ "repo": "ada/engine", "path": "src/a.rs", "ref": "v1", "startLine": 3 });
    let found = call::<GithubReadFileTool>(arguments).unwrap();
    assert_eq!(
        (&found["text"], &found["truncated"]),
        (&json!("three"), &json!(false))
    );
    let error = call::<GithubReadFileTool>(json!({ "repo": "ada/engine", "path": "" }));
    assert!(
        error
            .unwrap_err()
            .message
            .contains("`github_list_files` lists it")
    );
}

#[test]
fn a_large_file_is_asked_for_as_it_is_and_bytes_are_no_text() {
    let github = Fake::new(|sent| {
        let is_raw = sent.headers.iter().any(|(_, value)| value.contains("raw"));
        Ok(if is_raw {
            Reply::bytes("application/vnd.github.raw+json", b"large\n".to_vec())
        } else {
            Reply::json(
                json!({ "type": "file", "path": "x", "encoding": "none", "size": 2_000_000 }),
            )
        })
    });
    let arguments = json!({ "repo": "ada/engine", "path": "x" });
    assert_eq!(
        call::<GithubReadFileTool>(arguments.clone()).unwrap()["text"],
        "large\n"
    );
    drop(github);
    let _github = Fake::new(|_| {
        let png =
            json!({ "type": "file", "path": "x", "encoding": "base64", "content": "iVBORwA=" });
        Ok(Reply::json(png))
    });
    let error = call::<GithubReadFileTool>(arguments).unwrap_err();
    assert_eq!(error.name, "GitHubBinaryFileError");
}

#[test]
fn a_search_says_how_much_there_is() {
    let issues = "/search/issues?q=leak+is%3Aopen+repo%3Aada%2Fengine&page=1&per_page=20";
    let code = "/search/code?q=main&page=50&per_page=20";
    let _github = github(vec![
        (
            issues,
            json!({ "total_count": 21, "items": [{ "number": 7 }] }),
        ),
        (
            code,
            json!({ "total_count": 5000, "items": [{
                "path": "a.rs", "repository": { "full_name": "ada/engine" },
                "text_matches": [{ "fragment": "fn main()" }],
            }] }),
        ),
    ]);
    let arguments = json!({ "kind": "issues", "query": "leak is:open", "repo": "ada/engine" });
    let found = call::<GithubSearchTool>(arguments).unwrap();
    assert_eq!(
        (&found["total"], &found["nextPage"]),
        (&json!(21), &json!(2))
    );
    let arguments = json!({ "kind": "code", "query": "main", "page": 50 });
    let found = call::<GithubSearchTool>(arguments).unwrap();
    assert_eq!(found["files"][0]["excerpts"], json!(["fn main()"]));
    assert_eq!(
        found.get("nextPage"),
        None,
        "GitHub shows no more than 1000"
    );
}
