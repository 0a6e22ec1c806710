//! Answers that depend on more than grants: rules, other tools, who the call is for.

use std::path::Path;

use serde_json::json;
use toolhost_tool::ToolDefinition;

use super::*;

/// The configuration of the stories, with more at its end.
fn config(more: &str) -> Config {
    let text = format!("{CONFIG}{more}");
    Config::parse(&text, Path::new("host.toml")).unwrap()
}

fn tool(name: &str, programmatic: bool) -> ToolDefinition {
    let definition = json!({
        "name": name,
        "description": "does something",
        "inputSchema": { "type": "object" },
        "behaviour": { "programmatic": programmatic },
    });
    serde_json::from_value(definition).unwrap()
}

#[test]
fn a_granted_tool_is_called_as_far_as_the_rules_say() {
    let call = |rules: &str| {
        let config = config(&format!("[permissions]\n{rules}\n"));
        let setting = Setting {
            permissions: Some(&config.permissions),
            ..Setting::default()
        };
        ask_of(&config, None, setting, &Question::Tool("csv_read"))
    };
    assert!(call("").0);
    for rules in [
        r#"rules = [{ action = "allow", tool = "csv_*" }, { action = "deny", tool = "csv_r*" }]"#,
        r#"rules = [{ action = "ask", tool = "*" }]"#,
        "mode = 'unattended'\nrules = [{ action = 'ask', tool = '*' }]",
    ] {
        let (allowed, lines) = call(rules);
        assert!(!allowed, "{rules}: {lines:?}");
        assert!(lines[0].starts_with("rule "), "{lines:?}");
        assert_eq!(
            lines[1],
            "it is granted by host.toml:16: tools = \"csv_*\", which does not change that"
        );
    }
    let (_, lines) =
        call(r#"rules = [{ action = "allow", tool = "x" }, { action = "deny", tool = "csv_r*" }]"#);
    assert!(lines[0].starts_with("rule 2 (deny "), "{lines:?}");
    // What depends on the arguments is said and not decided.
    let (allowed, lines) = call(
        r#"rules = [{ action = "deny", tool = "csv_*", arguments = { "/path" = "/etc/*" } }]"#,
    );
    assert!(allowed);
    assert!(lines[1].starts_with("for some arguments"), "{lines:?}");
}

#[test]
fn a_tool_that_is_known_has_to_be_there_for_programs() {
    let config = config("");
    let tools = [tool("csv_read", true), tool("csv_write", false)];
    let call = |name: &str| {
        let setting = Setting {
            tools: Some(&tools),
            permissions: Some(&config.permissions),
            ..Setting::default()
        };
        ask_of(&config, None, setting, &Question::Tool(name))
    };
    let (allowed, lines) = call("csv_read");
    assert_eq!((allowed, lines.len()), (true, 1), "{lines:?}");
    let (allowed, lines) = call("csv_write");
    assert!(!allowed && lines[0].contains("`programmatic`"), "{lines:?}");
    let (allowed, lines) = call("csv_raed");
    assert!(!allowed);
    assert!(lines[0].ends_with("did you mean `csv_read`?"), "{lines:?}");
    let (_, lines) = call("csv_export_all");
    assert!(lines[0].ends_with("`--with FILE`"), "{lines:?}");
}

#[test]
fn a_tool_that_asks_cannot_be_called_by_a_tool() {
    let config = config("");
    let mut asks = tool("csv_read", true);
    asks.approval = toolhost_tool::ApprovalRequirement::Always;
    let setting = Setting {
        tools: Some(&[asks]),
        permissions: Some(&config.permissions),
        ..Setting::default()
    };
    let (allowed, lines) = ask_of(&config, None, setting, &Question::Tool("csv_read"));
    assert!(!allowed);
    assert!(lines[0].contains("cannot wait"), "{lines:?}");
}

fn secret<'a>(name: &'a str, url: Option<&'a str>) -> Question<'a> {
    Question::Secret {
        name,
        request: url.map(|url| ("GET", url)),
    }
}

#[test]
fn a_secret_is_answered_with_its_terms() {
    let more = "[secrets.token]\nenv = 'TOKEN'\nhosts = ['api.example.com']\n\
                principals = ['ada']\nheaders = ['x-key']\n";
    let text = CONFIG.replace(
        "[secrets.token]\nenv = \"TOKEN\"\nhosts = [\"api.example.com\"]\n",
        more,
    );
    let config = Config::parse(&text, Path::new("host.toml")).unwrap();
    let ask = |principal, url| {
        let setting = Setting {
            principal,
            ..Setting::default()
        };
        ask_of(&config, None, setting, &secret("token", url))
    };
    let (allowed, lines) = ask(None, None);
    assert!(
        !allowed && lines[0].contains("`--principal ID`"),
        "{lines:?}"
    );
    assert!(!ask(Some("eve"), None).0);
    let (allowed, lines) = ask(Some("ada"), None);
    assert!(allowed);
    assert_eq!(
        lines[1..],
        [
            "it is sent to `api.example.com` only, over TLS",
            "it is sent in the header `x-key` only",
        ]
    );
    let (_, lines) = ask(Some("ada"), Some("https://api.example.com/v1/x"));
    assert_eq!(lines[1], "it is sent in the header `x-key` only");
}

#[test]
fn a_secret_over_plain_http_needs_more_than_a_grant_of_the_request() {
    let (allowed, lines) = ask(None, &secret("token", Some("http://api.example.com/v1/x")));
    assert!(!allowed);
    let said = lines.join("\n");
    assert!(said.contains("over TLS only"), "{said}");
    assert!(!said.contains("add --allow-host"), "{said}");
}

#[test]
fn a_secret_and_its_request_are_advised_together() {
    let text = CONFIG.replace("secrets = [\"token\"]\n", "");
    let config = Config::parse(&text, Path::new("host.toml")).unwrap();
    let question = secret("token", Some("https://api.example.com/v2"));
    let (allowed, lines) = ask_of(&config, None, Setting::default(), &question);
    assert!(!allowed);
    assert!(
        lines.last().unwrap().starts_with(
            "add --allow-host \"https://api.example.com/v2\" --allow-secret token, or http = "
        ),
        "{lines:?}"
    );
}

#[test]
fn a_value_that_cannot_be_read_is_told_with_every_answer() {
    let config = config("");
    let unreadable = BTreeMap::from([("token".to_owned(), "TOKEN is not set".to_owned())]);
    let ask = |question: &Question<'_>| {
        let setting = Setting {
            unreadable: Some(&unreadable),
            ..Setting::default()
        };
        ask_of(&config, None, setting, question)
    };
    let (allowed, lines) = ask(&secret("token", None));
    assert_eq!(
        (allowed, &*lines[0]),
        (false, "its value cannot be read: TOKEN is not set")
    );
    let (allowed, lines) = ask(&Question::Env("TZ"));
    assert!(allowed);
    assert!(lines[1].starts_with("but no call starts: "), "{lines:?}");
}

#[test]
fn a_plugin_without_a_name_has_no_section_and_no_bound_secret() {
    let text = CONFIG.replace("plugins = [\"other\"]", "plugins = [\"github\"]");
    let config = Config::parse(&text, Path::new("host.toml")).unwrap();
    let ask = |unnamed, question: &Question<'_>| {
        let setting = Setting {
            unnamed,
            ..Setting::default()
        };
        ask_of(&config, None, setting, question).1
    };
    let lines = ask(true, &Question::Storage);
    assert!(
        lines.last().unwrap().ends_with("under [grants]"),
        "{lines:?}"
    );
    let said = ask(false, &secret("bound", None)).join("\n");
    assert!(said.contains("add --allow-secret bound"), "{said}");
    let said = ask(true, &secret("bound", None)).join("\n");
    assert!(said.contains("bound to other plugins"), "{said}");
    assert!(!said.contains("add "), "{said}");
}

#[test]
fn this_machine_needs_a_grant_for_private_addresses() {
    let text = CONFIG.replace("\"https://b.example\"", "\"http://localhost:7080\"");
    let config = Config::parse(&text, Path::new("host.toml")).unwrap();
    let question = request("GET", "http://localhost:7080/a");
    let (allowed, lines) = ask_of(&config, None, Setting::default(), &question);
    assert!(!allowed);
    assert!(
        lines[1].contains("127.0.0.1 is not a public address"),
        "{lines:?}"
    );
    let advice = lines.last().unwrap();
    assert!(advice.starts_with("add --allow-private-host "), "{advice}");
    // Without any grant the advice is enough as well.
    let (_, lines) = ask(None, &request("GET", "http://localhost:7080/a"));
    let advice = lines.last().unwrap();
    assert!(
        advice.starts_with("add --allow-private-host \"http://localhost:7080/\""),
        "{advice}"
    );
}

#[test]
fn a_folder_beside_a_granted_one_is_advised_by_its_own_name() {
    let (allowed, lines) = ask(
        None,
        &Question::Path {
            path: "/datax",
            write: false,
        },
    );
    assert!(!allowed);
    let advice = lines.last().unwrap();
    assert!(advice.starts_with("add --dir HOST::/datax:ro"), "{advice}");
}
