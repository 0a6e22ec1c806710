//! Calls of one tool among many: of the same plugin, and of this program's own.

use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use toolhost::{Host, LoadLimits, NativeTool, PluginOptions, Tool, ToolContext};

use super::row::{Row, Rule, on_both};
use super::{bad, builder, good};
use crate::artifacts::Artifacts;

/// A plugin of one tool beside the same plugin of very many.
pub(super) async fn of_one_plugin(
    time: Duration,
    tools: u32,
    artifacts: &Artifacts,
) -> Result<Vec<Row>> {
    let (few, many) = (plugin(1, artifacts).await?, plugin(tools, artifacts).await?);
    let amounts = (1, tools.into());
    let of = "tools of the plugin";
    let call = async |host: &Host| good(host, "tool_000", json!({ "n": 7 })).await;
    let costs = on_both(time, &few, &many, call).await?;
    let good_call = Row {
        what: "a call",
        of,
        amounts,
        costs,
        rule: Rule::Same,
    };
    let invalid = async |host: &Host| {
        let error = "ToolArgumentsValidationError";
        bad(host, "tool_000", json!({ "n": "seven" }), error).await
    };
    let costs = on_both(time, &few, &many, invalid).await?;
    let refused = Row {
        what: "refused: arguments that do not fit",
        of,
        amounts,
        costs,
        rule: Rule::Same,
    };
    Ok(vec![good_call, refused])
}

async fn plugin(tools: u32, artifacts: &Artifacts) -> Result<Host> {
    let limits = LoadLimits {
        tools: tools.into(),
        ..LoadLimits::default()
    };
    let host = builder(artifacts)?.load_limits(limits).build()?;
    let guest = artifacts.guest("many-tools")?;
    host.load(guest, PluginOptions::default()).await?;
    Ok(host)
}

/// One native tool, and very many.
pub(super) async fn native(time: Duration, tools: u32) -> Result<Vec<Row>> {
    let (few, many) = (natives(1)?, natives(tools)?);
    let call = async |host: &Host| good(host, &name(0), json!({ "text": "seven" })).await;
    let costs = on_both(time, &few, &many, call).await?;
    Ok(vec![Row {
        what: "a call of a native tool",
        of: "native tools",
        amounts: (1, tools.into()),
        costs,
        rule: Rule::Same,
    }])
}

/// Names that no tool has: one that is close to one, which is suggested, and one that
/// is like none. Both are looked for among all names. `good_call` is what a call in a
/// sandbox takes, in microseconds.
pub(super) async fn unknown(time: Duration, tools: u32, good_call: f64) -> Result<Vec<Row>> {
    let few = natives(1)?;
    let mut rows = Vec::new();
    for (tools, rule) in [
        (tools, Rule::Less(good_call)),
        (10 * tools, Rule::Told("no host has so many")),
    ] {
        let many = natives(tools)?;
        for (what, name) in [
            ("refused: a name close to one", "list_invoces"),
            ("refused: a name like none", "weather_forecast"),
        ] {
            let call = async |host: &Host| bad(host, name, json!({}), "ToolNotFoundError").await;
            let costs = on_both(time, &few, &many, call).await?;
            rows.push(Row {
                what,
                of: "tools",
                amounts: (1, tools.into()),
                costs,
                rule,
            });
        }
    }
    Ok(rows)
}

/// A host with so many native tools, registered one by one.
pub(super) fn natives(tools: u32) -> Result<Host> {
    let host = Host::builder().cache_dir(None).build()?;
    for number in 0..tools {
        host.register(native_tool(number, false)?)?;
    }
    Ok(host)
}

/// What tools do, and with what: their names are those of real tools.
const VERBS: &str = "list get create update delete search send read write find open close start \
    stop add remove move copy check count";
const NOUNS: &str = "invoice letter parcel ticket contract issue user file folder branch commit \
    message channel payment order product customer event meeting note task project report page \
    table column record image video song city country weather route hotel flight train car bus \
    bike book author chapter review rating price stock fund bond account";

/// The name of a tool. A thousand have short ones.
pub(super) fn name(number: u32) -> String {
    let (verbs, nouns) = (words(VERBS), words(NOUNS));
    let number = number as usize;
    let noun = nouns[number % nouns.len()];
    let verb = verbs[number / nouns.len() % verbs.len()];
    match number / nouns.len() / verbs.len() {
        0 => format!("{verb}_{noun}"),
        more => format!("{verb}_{noun}_{more}"),
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// A tool that returns its arguments.
pub(super) fn native_tool(number: u32, deferred: bool) -> Result<Tool> {
    let name = name(number);
    let mut tool = NativeTool::builder(&name)
        .description(format!("Does what it says: {}.", name.replace('_', " ")))
        .parameters(r#"text: string "what it says", copies?: integer"#);
    if deferred {
        tool = tool.defer_loading();
    }
    let tool = tool.execute(async |arguments: Value, _: ToolContext| arguments);
    Ok(tool.build()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_tools_have_the_same_name() {
        let names: BTreeSet<String> = (0..10_000).map(name).collect();
        assert_eq!(names.len(), 10_000);
    }
}
