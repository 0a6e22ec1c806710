//! GitHub through a server that speaks like its API, with a token that only the
//! operator has.

use serde_json::{Value, json};

use super::run;
use super::secret::secret_file;
use super::server::{Answer, Request, Server};
use crate::cli::program::Ran;

const TOKEN: &str = "ghp_correct-horse-battery-9y";

/// Answers as GitHub does, to whoever has the token.
fn github() -> Server {
    Server::answering(|request| {
        if request.header("authorization") != Some(&format!("Bearer {TOKEN}")) {
            return told(401, "Bad credentials");
        }
        assert_eq!(request.header("x-github-api-version"), Some("2022-11-28"));
        assert!(
            request
                .header("user-agent")
                .unwrap()
                .starts_with("toolhost-github/")
        );
        answer(request)
    })
}

fn told(status: u16, message: &str) -> Answer {
    Answer::json(&json!({ "message": message, "documentation_url": "https://docs.github.com" }))
        .status(status)
}

fn issue() -> Value {
    json!({
        "number": 7, "title": "It leaks", "state": "open", "user": { "login": "ada" },
        "labels": [{ "name": "bug" }], "assignees": [], "comments": 1, "body": "Oil everywhere.",
        "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-02T00:00:00Z",
        "html_url": "https://github.com/ada/engine/issues/7",
    })
}

fn answer(request: &Request) -> Answer {
    match &*request.line() {
        "GET /api/v3/repos/ada/engine/issues?state=open&page=1&per_page=20" => {
            let next = "<https://x/repos/ada/engine/issues?page=2>; rel=\"next\"";
            Answer::json(&json!([issue()])).header("link", next)
        }
        "GET /api/v3/repos/ada/engine/issues/7" => Answer::json(&issue()),
        "GET /api/v3/repos/ada/engine/issues/7/comments?page=1&per_page=20" => {
            Answer::json(&json!([{ "user": { "login": "bob" }, "body": "Mine too" }]))
        }
        "POST /api/v3/repos/ada/engine/issues/7/comments" => {
            assert_eq!(request.json(), json!({ "body": "Fixed by #8." }));
            let url = "https://github.com/ada/engine/issues/7#issuecomment-1";
            Answer::json(&json!({ "id": 1, "html_url": url })).status(201)
        }
        "GET /api/v3/repos/ada/engine/contents/src/a%20b.rs?ref=main" => Answer::json(&json!({
            "type": "file", "path": "src/a b.rs", "size": 8, "encoding": "base64", "content": "b25lCnR3\nbwo=\n",
        })),
        "GET /api/v3/repos/ada/engine/contents/src" => {
            Answer::json(&json!([{ "type": "file", "path": "src/a b.rs", "size": 8 }]))
        }
        "GET /api/v3/search/issues?q=leak+repo%3Aada%2Fengine&page=1&per_page=20" => {
            Answer::json(&json!({ "total_count": 1, "items": [issue()] }))
        }
        "GET /api/v3/repos/ada/busy/issues?state=open&page=1&per_page=20" => {
            told(403, "API rate limit exceeded")
                .header("x-ratelimit-remaining", "0")
                .header("x-ratelimit-reset", "4102444800")
        }
        _ => told(404, "Not Found"),
    }
}

/// Calls a tool with what the operator grants: the server, the secret and `base-url`.
fn call(server: &Server, token: &str, tool: &str, arguments: &Value) -> Ran {
    let (_folder, secret) = secret_file("github-token", token);
    let [flag, grant] = server.grant("GET,POST");
    let base = format!("base-url={}", server.url("/api/v3"));
    let flags = [&*flag, &grant, "--secret", &secret, "--config-value", &base];
    let ran = run("github", tool, arguments, &flags);
    let said = format!("{ran:?}");
    assert!(!said.contains("correct-horse"), "the token is out: {said}");
    ran
}

fn done(server: &Server, tool: &str, arguments: &Value) -> Value {
    call(server, TOKEN, tool, arguments).ends_with(0).json()
}

#[test]
fn issues_are_listed_read_and_found() {
    let server = github();
    let list = done(
        &server,
        "github_list_issues",
        &json!({ "repo": "ada/engine" }),
    );
    assert_eq!(
        (&list["issues"][0]["title"], &list["nextPage"]),
        (&json!("It leaks"), &json!(2))
    );
    let arguments = json!({ "repo": "ada/engine", "number": 7 });
    let issue = done(&server, "github_get_issue", &arguments);
    assert_eq!(issue["body"], "Oil everywhere.");
    assert_eq!(issue["comments"][0]["author"], "bob");
    let arguments = json!({ "kind": "issues", "query": "leak", "repo": "ada/engine" });
    let hits = done(&server, "github_search", &arguments);
    assert_eq!(
        (&hits["total"], &hits["issues"][0]["number"]),
        (&json!(1), &json!(7))
    );
}

#[test]
fn a_comment_is_written_with_the_operator_s_token() {
    let server = github();
    let arguments = json!({ "repo": "ada/engine", "number": 7, "body": "Fixed by #8." });
    let written = done(&server, "github_comment", &arguments);
    assert_eq!(
        written["url"],
        "https://github.com/ada/engine/issues/7#issuecomment-1"
    );
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn files_are_listed_and_read() {
    let server = github();
    let arguments = json!({ "repo": "ada/engine", "path": "src" });
    let list = done(&server, "github_list_files", &arguments);
    assert_eq!(list["entries"][0]["path"], "src/a b.rs");
    let arguments = json!({ "repo": "ada/engine", "path": "src/a b.rs", "ref": "main" });
    assert_eq!(
        done(&server, "github_read_file", &arguments)["text"],
        "one\ntwo\n"
    );
}

#[test]
fn a_refusal_says_what_to_do() {
    let server = github();
    let list = |repo: &str, token| {
        call(
            &server,
            token,
            "github_list_issues",
            &json!({ "repo": repo }),
        )
        .ends_with(1)
        .stderr
    };
    let missing = list("ada/nothing", TOKEN);
    assert!(
        missing.contains("there is no repository `ada/nothing`"),
        "{missing}"
    );
    let limited = list("ada/busy", TOKEN);
    assert!(
        limited.contains("GitHubRateLimitError") && limited.contains(" UTC"),
        "{limited}"
    );
    let old = list("ada/engine", "ghp_old-correct-horse");
    assert!(old.contains("renew the secret `github-token`"), "{old}");
}

#[test]
fn a_setting_that_is_not_understood_is_told_and_not_guessed() {
    let server = github();
    let [flag, grant] = server.grant("GET");
    let base = format!("base-url={}", server.url("/api/v3"));
    let arguments = json!({ "repo": "ada/engine" });
    let flags = ["--config-value", &base, "--config-value", "anonymous=yes"];
    let flags = [&[&*flag, &grant], &flags[..]].concat();
    let said = run("github", "github_list_issues", &arguments, &flags)
        .ends_with(1)
        .stderr;
    assert!(
        said.contains("`anonymous` is `true` or `false`, not `yes`"),
        "{said}"
    );
    assert!(server.seen().is_empty());
}

#[test]
fn without_a_grant_nothing_is_asked() {
    let server = github();
    let base = format!("base-url={}", server.url("/api/v3"));
    let arguments = json!({ "repo": "ada/engine" });
    let flags = ["--config-value", &base];
    let said = run("github", "github_list_issues", &arguments, &flags)
        .ends_with(1)
        .stderr;
    assert!(said.contains("HttpDeniedError"), "{said}");
    // With the server but without the secret the placeholder goes nowhere.
    let [flag, grant] = server.grant("GET");
    let flags = [&*flag, &grant, "--config-value", &base];
    let said = run("github", "github_list_issues", &arguments, &flags)
        .ends_with(1)
        .stderr;
    assert!(said.contains("--secret github-token"), "{said}");
    assert!(server.seen().is_empty());
}
