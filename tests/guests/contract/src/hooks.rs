//! The hooks, and the tools they are for. What a hook answers is asked for by the
//! arguments of the call or by the metadata of the run.

use bindings::{ApprovalDecision, Offer};
use guest_support::bindings::types::{
    ArgumentIssue, Call, ContentBlock, ExecutionContext, Output, ToolDefinition, ToolError,
};
use guest_support::{Answer, Request, Tool, failure, structured};
use serde_json::{Value, json};

mod bindings {
    //! The exported interface `hooks`, over the types of the shared bindings.
    #![allow(
        clippy::all,
        clippy::pedantic,
        unsafe_code,
        missing_docs,
        reason = "generated"
    )]

    wit_bindgen::generate!({
        inline: "package guest:contract; world hooks-only { export toolhost:plugin/hooks@0.1.0; }",
        path: "../../../wit",
        with: { "toolhost:plugin/types@0.1.0": guest_support::bindings::types },
        additional_derives: [Clone],
    });

    pub(super) use exports::toolhost::plugin::hooks::{ApprovalDecision, Guest, Offer};
}

pub(crate) const TOOLS: &[Tool] = &[
    Tool {
        name: "guarded",
        description: "Asks `needs-approval`, which answers as `decision` says.",
        properties: r#"{"decision":{"type":"string","enum":["not-needed","ask","ask-silently","deny","other","error","trap","spin"],"default":"not-needed"}}"#,
        run: approved,
    },
    Tool {
        name: "always_asks",
        description: "Needs an approval each time.",
        properties: "{}",
        run: approved,
    },
    Tool {
        name: "other_approval",
        description: "Has an approval requirement that this version does not name.",
        properties: "{}",
        run: approved,
    },
    Tool {
        name: "span",
        description: "Takes a span whose `start` is before its `end`, checked by `validate`.",
        properties: r#"{"start":{"type":"integer"},"end":{"type":"integer"},"trouble":{"type":"string","enum":["error","trap","spin"]}}"#,
        run: span,
    },
    Tool {
        name: "shy",
        description: "Is offered as the metadata's `offer` says: unchanged, hide, offer-as, rename, bad-schema, other, error, trap or spin.",
        properties: "{}",
        run: approved,
    },
    Tool {
        name: "dressed",
        description: "Has its result rewritten for the model by `model-output`, in the way `view` says.",
        properties: r#"{"view":{"type":"string","enum":["count","empty","error","trap","spin"],"default":"count"}}"#,
        run: dressed,
    },
];

fn approved(request: &Request) -> Answer {
    let approval = request.context.approval.as_ref();
    structured(json!({
        "ran": true,
        "note": approval.and_then(|approval| approval.note.clone()),
        "by": approval.and_then(|approval| approval.by.clone()),
    }))
}

fn span(request: &Request) -> Answer {
    structured(json!({ "start": request.get("start"), "end": request.get("end") }))
}

fn dressed(request: &Request) -> Answer {
    structured(json!({ "rows": [1, 2, 3], "view": request.text("view", "count") }))
}

struct Hooks;

mod exports {
    #![allow(unsafe_code, reason = "generated")]

    use super::{Hooks, bindings};

    bindings::export!(Hooks with_types_in bindings);
}

impl bindings::Guest for Hooks {
    fn needs_approval(
        call: Call,
        context: ExecutionContext,
    ) -> Result<ApprovalDecision, ToolError> {
        let request = Request::new(call, context)?;
        Ok(match request.text("decision", "not-needed") {
            "ask" => ApprovalDecision::Ask(Some("it sends a message".to_owned())),
            "ask-silently" => ApprovalDecision::Ask(None),
            "deny" => ApprovalDecision::Deny("not on a Sunday".to_owned()),
            "other" => ApprovalDecision::Other("ask-twice".to_owned()),
            "not-needed" => ApprovalDecision::NotNeeded,
            trouble => return Err(fall(trouble)),
        })
    }

    fn validate(call: Call) -> Result<Vec<ArgumentIssue>, ToolError> {
        let arguments: Value = serde_json::from_str(call.arguments.as_deref().unwrap_or("{}"))
            .map_err(|error| failure("ArgumentsError", error.to_string()))?;
        if let Some(trouble) = arguments.get("trouble").and_then(Value::as_str) {
            return Err(fall(trouble));
        }
        let at = |key: &str| arguments.get(key).and_then(Value::as_i64);
        let issue = |path: &str, message: &str| ArgumentIssue {
            path: path.to_owned(),
            message: message.to_owned(),
        };
        Ok(match (at("start"), at("end")) {
            (Some(start), Some(end)) if start >= end => vec![
                issue("/start", "must be before `end`"),
                issue("/end", "must be after `start`"),
            ],
            _ => Vec::new(),
        })
    }

    fn prepare(tool: ToolDefinition, context: ExecutionContext) -> Result<Offer, ToolError> {
        let metadata: Value = context
            .metadata
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let offer_as = |change: fn(&mut ToolDefinition)| {
            let mut changed = tool.clone();
            change(&mut changed);
            Offer::OfferAs(changed)
        };
        Ok(
            match metadata
                .get("offer")
                .and_then(Value::as_str)
                .unwrap_or("unchanged")
            {
                "hide" => Offer::Hide,
                "offer-as" => {
                    offer_as(|tool| tool.description = String::from("For this turn only."))
                }
                "rename" => offer_as(|tool| tool.name = String::from("bold")),
                "bad-schema" => offer_as(|tool| tool.input_schema = String::from("{")),
                "other" => Offer::Other("tomorrow".to_owned()),
                "unchanged" => Offer::Unchanged,
                trouble => return Err(fall(trouble)),
            },
        )
    }

    fn model_output(tool_name: String, output: Output) -> Result<Vec<ContentBlock>, ToolError> {
        let result: Value = output
            .structured
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let rows = result["rows"].as_array().map_or(0, Vec::len);
        match result["view"].as_str().unwrap_or("count") {
            "count" => Ok(vec![ContentBlock::Text(format!(
                "{tool_name}: {rows} rows"
            ))]),
            "empty" => Ok(Vec::new()),
            trouble => Err(fall(trouble)),
        }
    }
}

/// A hook that does not decide: it fails, or worse.
fn fall(how: &str) -> ToolError {
    match how {
        "trap" => std::arch::wasm32::unreachable(),
        "spin" => guest_support::spin(),
        _ => failure("HookError", "the hook cannot decide"),
    }
}
