//! An operator writes rules; a model tries calls.

use serde_json::{Value, json};

use super::*;

fn permissions(section: Value) -> Permissions {
    serde_json::from_value(section).unwrap()
}

/// A tool as the rules see it: `read`, `edit`, or plain.
#[derive(Clone, Copy)]
struct Tool {
    read_only: bool,
    edits_files: bool,
    requirement: &'static ApprovalRequirement,
    has_hook: bool,
}

const PLAIN: Tool = Tool {
    read_only: false,
    edits_files: false,
    requirement: &ApprovalRequirement::Never,
    has_hook: false,
};

fn decide(permissions: &Permissions, tool: Tool, name: &str, arguments: &Value) -> Verdict {
    permissions.decide(&CallFacts {
        tool_name: name,
        arguments,
        read_only: tool.read_only,
        edits_files: tool.edits_files,
        requirement: tool.requirement,
        has_hook: tool.has_hook,
    })
}

/// The verdict in a word.
fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Allow { .. } => "allow",
        Verdict::Ask { .. } => "ask",
        Verdict::Deny { .. } => "deny",
        Verdict::AskTool => "hook",
    }
}

#[test]
fn rules_match_names_and_arguments() {
    let deny = |tool: &str, arguments: Value| {
        permissions(json!({"rules": [{"action": "deny", "tool": tool, "arguments": arguments}]}))
    };
    for (tool, patterns, name, arguments, expected) in [
        ("write_file", json!({}), "write_file", json!({}), "deny"),
        ("write_file", json!({}), "Write_file", json!({}), "allow"),
        ("write_file", json!({}), "fs_write_file", json!({}), "allow"),
        ("*write_*", json!({}), "fs_write_file", json!({}), "deny"),
        ("write_?", json!({}), "write_ab", json!({}), "allow"),
        (
            "*",
            json!({"/path": "/etc/*"}),
            "w",
            json!({"path": "/etc/a"}),
            "deny",
        ),
        (
            "*",
            json!({"/path": "/etc/*"}),
            "w",
            json!({"path": "/tmp/a"}),
            "allow",
        ),
        (
            "*",
            json!({"/a": "1", "/b": "2"}),
            "w",
            json!({"a": 1, "b": 3}),
            "allow",
        ),
        (
            "*",
            json!({"/a": "1", "/b": "2"}),
            "w",
            json!({"a": 1, "b": 2.0}),
            "deny",
        ),
        ("*", json!({"/n": "0"}), "w", json!({"n": -0.0}), "deny"),
        ("*", json!({"/n": "1000"}), "w", json!({"n": 1e3}), "deny"),
        (
            "*",
            json!({"/n": "18446744073709551615"}),
            "w",
            json!({"n": u64::MAX}),
            "deny",
        ),
        ("*", json!({"/n": "true"}), "w", json!({"n": true}), "deny"),
        ("*", json!({"/n": "null"}), "w", json!({"n": null}), "deny"),
        ("*", json!({"/n": "x"}), "w", json!({"n": null}), "allow"),
        ("*", json!({"/a~1b": "x"}), "w", json!({"a/b": "x"}), "deny"),
        (
            "*",
            json!({"/to/0": "x"}),
            "w",
            json!({"to": ["x"]}),
            "deny",
        ),
        (
            "*",
            json!({"": "x"}),
            "w",
            json!({"deep": [{"er": "x"}]}),
            "deny",
        ),
    ] {
        let verdict = decide(&deny(tool, patterns.clone()), PLAIN, name, &arguments);
        assert_eq!(word(&verdict), expected, "{tool} {patterns} {arguments}");
    }
}

#[test]
fn one_bad_value_in_a_list_refuses_and_one_good_value_does_not_allow() {
    let rules = permissions(json!({"rules": [
        {"action": "deny", "tool": "*", "arguments": {"/paths": "/etc/*"}},
        {"action": "allow", "tool": "*", "arguments": {"/paths": "/tmp/*"}},
    ]}));
    let asks = Tool {
        requirement: &ApprovalRequirement::Always,
        ..PLAIN
    };
    for (paths, expected) in [
        (json!(["/tmp/a", "/tmp/b"]), "allow"),
        (json!(["/tmp/a", "/home/b"]), "ask"),
        (json!(["/tmp/a", "/etc/b"]), "deny"),
    ] {
        let arguments = json!({"paths": paths});
        let verdict = decide(&rules, asks, "copy", &arguments);
        assert_eq!(word(&verdict), expected, "{arguments}");
    }
}

#[test]
fn leaving_an_argument_out_is_no_way_around_a_rule() {
    for (action, when_absent, expected) in [
        ("deny", None, "deny"),
        ("ask", None, "ask"),
        ("allow", None, "hook"),
        ("deny", Some("skip"), "hook"),
        ("ask", Some("skip"), "hook"),
        ("allow", Some("match"), "allow"),
    ] {
        let mut rule = json!({"action": action, "tool": "*", "arguments": {"/path": "/etc/*"}});
        if let Some(choice) = when_absent {
            rule["when-absent"] = json!(choice);
        }
        let rules = permissions(json!({"rules": [rule]}));
        let hooked = Tool {
            requirement: &ApprovalRequirement::AskHook,
            has_hook: true,
            ..PLAIN
        };
        for arguments in [json!({}), json!({"path": []}), json!({"path": {}})] {
            let verdict = decide(&rules, hooked, "write", &arguments);
            assert_eq!(
                word(&verdict),
                expected,
                "{action} {when_absent:?} {arguments}"
            );
        }
    }
    let rules = permissions(
        json!({"rules": [{"action": "deny", "tool": "*", "arguments": {"/path": "/etc/*"}}]}),
    );
    let Verdict::Deny { reason, .. } = decide(&rules, PLAIN, "write", &json!({})) else {
        panic!("not denied")
    };
    assert_eq!(
        reason,
        "a rule denies the call; its argument `/path` is absent, which counts as a match unless \
         the rule says `when-absent = \"skip\"`"
    );
}

#[test]
fn deny_beats_ask_beats_allow_in_any_order() {
    let rule = |action: &str| json!({"action": action, "tool": "t"});
    let orders = [
        vec!["allow", "ask", "deny"],
        vec!["deny", "ask", "allow"],
        vec!["ask", "deny", "allow"],
    ];
    for order in orders {
        let all = order.iter().copied().map(rule).collect::<Vec<_>>();
        let verdict = decide(&permissions(json!({"rules": all})), PLAIN, "t", &json!({}));
        assert_eq!(word(&verdict), "deny", "{order:?}");
        let without = order.iter().copied().filter(|action| *action != "deny");
        let two = without.map(rule).collect::<Vec<_>>();
        let verdict = decide(&permissions(json!({"rules": two})), PLAIN, "t", &json!({}));
        assert_eq!(word(&verdict), "ask", "{order:?}");
    }
}

#[test]
fn modes_and_requirements_together() {
    use ApprovalRequirement::{Always, AskHook, Never, Other};
    static OTHER: std::sync::LazyLock<ApprovalRequirement> =
        std::sync::LazyLock::new(|| Other("two-people".into()));
    let read = Tool {
        read_only: true,
        ..PLAIN
    };
    let edit = Tool {
        edits_files: true,
        ..PLAIN
    };
    let no_hook = AskHook;
    // tool × requirement, then the verdict in `default`, `plan`, `accept-edits`,
    // `unattended`.
    let table: [(Tool, &ApprovalRequirement, bool, [&str; 4]); 9] = [
        (PLAIN, &Never, false, ["allow", "deny", "allow", "allow"]),
        (PLAIN, &Always, false, ["ask", "deny", "ask", "deny"]),
        (PLAIN, &AskHook, true, ["hook", "deny", "hook", "hook"]),
        (PLAIN, &no_hook, false, ["ask", "deny", "ask", "deny"]),
        (PLAIN, &OTHER, true, ["ask", "deny", "ask", "deny"]),
        (read, &Never, false, ["allow", "allow", "allow", "allow"]),
        (read, &Always, false, ["ask", "ask", "ask", "deny"]),
        (edit, &Always, false, ["ask", "deny", "allow", "deny"]),
        (edit, &AskHook, true, ["hook", "deny", "allow", "hook"]),
    ];
    let modes = ["default", "plan", "accept-edits", "unattended"];
    for (row, (tool, requirement, has_hook, expected)) in table.into_iter().enumerate() {
        for (mode, expected) in modes.into_iter().zip(expected) {
            let verdict = permissions(json!({"mode": mode})).decide(&CallFacts {
                tool_name: "t",
                arguments: &json!({}),
                read_only: tool.read_only,
                edits_files: tool.edits_files,
                requirement,
                has_hook,
            });
            assert_eq!(word(&verdict), expected, "row {row}, mode {mode}");
        }
    }
}

#[test]
fn rules_stand_above_modes_except_that_plan_stays_plan() {
    let edit = Tool {
        edits_files: true,
        ..PLAIN
    };
    for (mode, action, expected) in [
        ("plan", "allow", "deny"),
        ("plan", "ask", "deny"),
        ("accept-edits", "ask", "ask"),
        ("accept-edits", "deny", "deny"),
        ("unattended", "ask", "deny"),
        ("unattended", "allow", "allow"),
    ] {
        let section = json!({"mode": mode, "rules": [{"action": action, "tool": "edit"}]});
        let verdict = decide(&permissions(section), edit, "edit", &json!({}));
        assert_eq!(word(&verdict), expected, "{mode} {action}");
    }
}

#[test]
fn the_hooks_answer_passes_through_the_mode() {
    let attended = Permissions::default();
    let unattended = permissions(json!({"mode": "unattended"}));
    let ask = HookAnswer::Ask {
        reason: Some("large sum".into()),
    };
    assert_eq!(word(&attended.after_hook(HookAnswer::NotNeeded)), "allow");
    assert_eq!(word(&attended.after_hook(ask.clone())), "ask");
    assert_eq!(
        unattended.after_hook(ask),
        Verdict::Deny {
            reason: "the call needs approval, and nobody is there to ask: large sum".into(),
            by: Decider::Hook,
        }
    );
}

#[test]
fn a_verdict_names_the_rule_that_decided() {
    let rules = permissions(json!({"rules": [
        {"action": "allow", "tool": "read_*"},
        {"action": "deny", "tool": "*", "arguments": {"/path": "*.key", "/mode": "w"},
         "reason": "keys are not for models"},
    ]}));
    let arguments = json!({"path": "a.key", "mode": "w"});
    let Verdict::Deny { reason, by } = decide(&rules, PLAIN, "read_file", &arguments) else {
        panic!("not denied")
    };
    assert_eq!(reason, "keys are not for models");
    assert_eq!(
        by.to_string(),
        "rule 2 (deny `*` where `/mode` is `w` and `/path` is `*.key`)"
    );
    let verdict = decide(
        &permissions(json!({"mode": "plan"})),
        PLAIN,
        "t",
        &json!({}),
    );
    let Verdict::Deny { by, .. } = verdict else {
        panic!("not denied")
    };
    assert_eq!(by.to_string(), "mode `plan`");
}

#[test]
fn a_rule_that_could_never_match_is_refused_when_it_is_read() {
    for (rule, expected) in [
        (
            json!({"action": "deny", "tool": "fs.write"}),
            "can match no tool",
        ),
        (
            json!({"action": "deny", "tool": ""}),
            "write `*` to match everything",
        ),
        (
            json!({"action": "deny", "tool": "a", "arguments": {"path": "*"}}),
            "write `/path`",
        ),
        (
            json!({"action": "deny", "tool": "a", "arguments": {"/a~b": "*"}}),
            "neither `~0`",
        ),
        (
            json!({"action": "deny", "tool": "a", "argument": {}}),
            "unknown field `argument`",
        ),
        (
            json!({"action": "forbid", "tool": "a"}),
            "unknown variant `forbid`",
        ),
        (json!({"tool": "a"}), "missing field `action`"),
        (json!({"action": "deny"}), "missing field `tool`"),
    ] {
        let section = json!({"rules": [rule]});
        let error = serde_json::from_value::<Permissions>(section.clone()).unwrap_err();
        assert!(error.to_string().contains(expected), "{section}: {error}");
    }
    let error = serde_json::from_value::<Permissions>(json!({"modes": "plan"})).unwrap_err();
    assert!(error.to_string().contains("unknown field `modes`"));
}

#[test]
fn a_rule_for_a_misspelt_tool_is_found() {
    let rules = permissions(json!({"rules": [
        {"action": "deny", "tool": "write_fiel"},
        {"action": "deny", "tool": "read_*"},
    ]}));
    let idle: Vec<usize> = rules
        .rules_without_tool(&["write_file", "read_file"])
        .map(|(index, _)| index)
        .collect();
    assert_eq!(idle, [0]);
}

#[test]
fn the_section_survives_being_written_and_read() {
    let section = json!({"mode": "accept-edits", "rules": [
        {"action": "deny", "tool": "a*", "arguments": {"/x": "\\*"}, "when-absent": "skip"},
        {"action": "ask", "tool": "b", "reason": "why"},
    ]});
    assert_eq!(json!(permissions(section.clone())), section);
}

#[test]
fn arguments_nested_without_end_are_walked_without_a_stack() {
    let mut value = json!("x");
    for _ in 0..5_000 {
        value = Value::Array(vec![value]);
    }
    let rules =
        permissions(json!({"rules": [{"action": "deny", "tool": "*", "arguments": {"": "x"}}]}));
    assert_eq!(word(&decide(&rules, PLAIN, "t", &value)), "deny");
    crate::json::discard(value);
}
