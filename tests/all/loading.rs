//! What is no plugin, or not one for this host, is refused with a sentence of
//! its own; one bad tool never disables the others.

use std::time::{Duration, Instant};

use serde_json::json;
use toolhost::{Error, Host, LoadError, LoadLimits, PluginOptions};
use toolhost_tests::guest;

use crate::bombs;
use crate::support::{call, host, load};

async fn refusal(host: &Host, name: &str, bytes: Vec<u8>) -> LoadError {
    match host.load_bytes(name, bytes, PluginOptions::default()).await {
        Err(Error::Load { source, .. }) => *source,
        Err(error) => panic!("{name}: {error}"),
        Ok(_) => panic!("{name} was loaded"),
    }
}

async fn guest_refusal(name: &str) -> LoadError {
    refusal(&host(), name, std::fs::read(guest(name)).unwrap()).await
}

#[tokio::test]
async fn each_kind_of_wrong_file_has_its_own_sentence() {
    let host = host();
    let component = std::fs::read(guest("contract")).unwrap();
    let half = component[..component.len() / 2].to_vec();
    for (name, bytes, sentence) in [
        ("empty", Vec::new(), "empty"),
        (
            "text",
            b"#!/bin/sh\necho hello\n".to_vec(),
            "not WebAssembly",
        ),
        (
            "module",
            std::fs::read(guest("core-module")).unwrap(),
            "core WebAssembly module",
        ),
        ("truncated", half, "damaged or cut short"),
        ("large", vec![0; (64 << 20) + 1], "too large"),
        (
            "garbage",
            [b"\0asm\x0d\0\x01\0", &[0xff; 64][..]].concat(),
            "damaged or cut short",
        ),
    ] {
        let error = refusal(&host, name, bytes).await;
        assert!(error.to_string().contains(sentence), "{name}: {error}");
        assert!(error.hint().is_some(), "{name} has no hint: {error}");
    }
    let directory = host.load("/", PluginOptions::default()).await;
    let Err(Error::Load { source, .. }) = directory else {
        panic!("a directory was loaded")
    };
    assert!(source.to_string().contains("directory"), "{source}");
}

#[tokio::test]
async fn a_plugin_for_another_host_is_refused_by_what_it_wants() {
    for (name, named) in [
        ("other-version", "0.9.0"),
        ("other-import", "acme:custom/thing@1.0.0"),
        ("no-tools", "toolhost:plugin/tools"),
        ("wrong-types", "tools"),
        ("missing-function", "execute"),
    ] {
        let error = guest_refusal(name).await;
        assert!(error.to_string().contains(named), "{name}: {error}");
        assert!(error.hint().is_some(), "{name} has no hint: {error}");
    }
}

#[tokio::test]
async fn proposals_that_nobody_asked_for_are_off() {
    for name in ["threads", "memory64", "gc", "exceptions", "page-size"] {
        let error = guest_refusal(&format!("proposal-{name}")).await;
        assert!(
            matches!(error, LoadError::Compile(_) | LoadError::Malformed(_)),
            "{name}: {error:?}"
        );
    }
}

#[tokio::test]
async fn describe_and_start_are_limited() {
    for (name, said) in [
        ("describe-spin", ""),
        ("describe-sleep", "ms"),
        ("describe-alloc", "memory"),
        ("describe-panic", "panicked"),
        ("describe-exit", "exited"),
        ("start-spin", ""),
        ("start-trap", "trapped"),
        ("start-alloc", "memory"),
    ] {
        let started = Instant::now();
        let error = guest_refusal(name).await;
        assert!(matches!(error, LoadError::Describe(_)), "{name}: {error:?}");
        assert!(error.to_string().contains(said), "{name}: {error}");
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{name}: {:?}",
            started.elapsed()
        );
    }
}

#[tokio::test]
async fn nothing_is_in_reach_of_describe() {
    let (host, _) = load("describe-fs", PluginOptions::default()).await;
    let tool = host.tool("nosy").expect("it is there");
    let got: serde_json::Value = serde_json::from_str(&tool.definition().description).unwrap();
    assert!(
        !got.to_string().contains("root:"),
        "no file was read: {got}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_names_are_left_out_and_good_tools_work() {
    let (host, plugin) = load("liar-names", PluginOptions::default()).await;
    for good in ["good_before", "good_after"] {
        assert!(!call(&host, good, json!({})).await.is_error(), "{good}");
    }
    assert!(plugin.warnings.len() >= 9, "{:#?}", plugin.warnings);
    let twice = host
        .definitions()
        .iter()
        .filter(|tool| tool.name == "twice")
        .count();
    assert!(twice <= 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bad_schemas_are_left_out_and_good_tools_work() {
    let (host, plugin) = load("liar-schemas", PluginOptions::default()).await;
    let good: Vec<String> = host
        .definitions()
        .into_iter()
        .map(|tool| tool.name)
        .filter(|name| name.starts_with("good_"))
        .collect();
    assert!(!good.is_empty());
    for tool in &good {
        assert!(!call(&host, tool, json!({})).await.is_error(), "{tool}");
    }
    let warnings = plugin.warnings.join("\n");
    assert!(warnings.contains("remote"), "{warnings}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plugin_may_not_flood_the_host_with_tools() {
    let (host, plugin) = load("liar-many", PluginOptions::default()).await;
    assert!(host.definitions().len() <= 256);
    assert!(
        plugin
            .warnings
            .iter()
            .any(|warning| warning.contains("10000")),
        "{:?}",
        plugin.warnings
    );
}

/// An operator may allow a plugin more tools than others; all of them can be called.
#[tokio::test]
async fn a_plugin_of_a_thousand_tools_works_where_so_many_are_allowed() {
    let (host, plugin) = load("many-tools", PluginOptions::default()).await;
    assert_eq!(host.definitions().len(), 256);
    assert!(
        plugin.warnings[0].contains("744 tools are left out"),
        "{:?}",
        plugin.warnings
    );

    let limits = LoadLimits {
        tools: 1_000,
        ..LoadLimits::default()
    };
    let host = Host::builder()
        .cache_dir(None)
        .load_limits(limits)
        .build()
        .unwrap();
    let loaded = host
        .load(guest("many-tools"), PluginOptions::default())
        .await;
    assert!(loaded.unwrap().warnings.is_empty());
    assert_eq!(host.definitions().len(), 1_000);
    for tool in ["tool_000", "tool_999"] {
        let result = call(&host, tool, json!({ "n": 7 })).await;
        assert_eq!(result.to_json()["result"], 7, "{result:?}");
    }
    let result = call(&host, "tool-99", json!({})).await;
    assert_eq!(
        result.to_json()["result"]["suggestions"],
        json!(["tool_099"])
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn descriptions_carry_no_escape_sequences() {
    let (host, _) = load("liar-text", PluginOptions::default()).await;
    assert!(!call(&host, "good", json!({})).await.is_error());
    for tool in host.definitions() {
        let shown = format!("{:?} {}", tool.display_name, tool.description);
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\0'),
            "{}",
            tool.name
        );
    }
}

#[tokio::test]
async fn two_plugins_cannot_have_a_tool_of_the_same_name() {
    let (host, _) = load("contract", PluginOptions::default()).await;
    let before = host.definitions().len();
    let again = host.load(guest("contract"), PluginOptions::default()).await;
    assert!(matches!(again, Err(Error::DuplicateTool { .. })));
    assert_eq!(host.definitions().len(), before);
}

#[tokio::test]
async fn compile_bombs_are_seen_before_they_are_compiled() {
    let host = host();
    let wrapped = bombs::component;
    for (name, bytes) in [
        ("functions", wrapped(&bombs::many_functions(500_000))),
        ("locals", wrapped(&bombs::many_locals(20_000))),
        ("body", wrapped(&bombs::enormous_body(7_000_000))),
        ("br_table", wrapped(&bombs::jump_table(1_000_000))),
        ("blocks", wrapped(&bombs::nested_blocks(900_000))),
        ("exports", wrapped(&bombs::many_exports(20_000))),
        ("types", wrapped(&bombs::many_types(100_000))),
        ("data", wrapped(&bombs::many_data_segments(100_000))),
        ("elements", wrapped(&bombs::many_elements(9_000_000))),
        ("component types", bombs::many_component_types(50_000)),
        ("component exports", bombs::many_component_exports(50_000)),
        ("tuples", bombs::nested_in(&bombs::doubling_tuples(18))),
        ("types in types", bombs::nested_types(5_000)),
        ("instances", bombs::many_instances(1_500, 1)),
        ("components", bombs::nested_components(900)),
        ("loops", wrapped(&bombs::many_loops(20_000, 1))),
        ("variables", wrapped(&bombs::loops_in_loops(1_000, 3_000))),
        ("arguments", wrapped(&bombs::wide_calls(1_000, 3_000))),
        ("block values", wrapped(&bombs::wide_blocks(1_000, 1_000))),
        ("signatures", wrapped(&bombs::wide_types(1_000, 1_000))),
    ] {
        let started = Instant::now();
        let error = refusal(&host, name, bytes).await;
        assert!(
            matches!(error, LoadError::TooLarge { .. }),
            "{name}: {error:?}"
        );
        // A compile of any of these takes tens of seconds.
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{name}: {:?}",
            started.elapsed()
        );
    }
}
