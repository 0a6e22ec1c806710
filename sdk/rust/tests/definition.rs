//! An author describes a tool and gives it hooks; the host learns all of it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use toolhost_sdk::{
    ApprovalDecision, ApprovalRequirement, ArgumentIssue, Content, Context, Definition, Offer,
    Output, Principal, PrincipalKind, ToolError, testing, tool,
};

/// Looks things up.
#[tool(
    name = "web-search",
    display_name = "Search",
    description = "Searches the web.",
    title = "Web search",
    read_only,
    destructive = false,
    open_world,
    approval = "always",
    edits_files = false,
    sequential,
    defer_loading,
    max_retries = 3,
    meta = json!({ "team": "maps" })
)]
fn search() {}

#[test]
fn the_attribute_says_everything() {
    let definition = testing::definition::<SearchTool>();
    assert_eq!(definition.name, "web-search");
    assert_eq!(definition.display_name.as_deref(), Some("Search"));
    assert_eq!(definition.description, "Searches the web.");
    assert_eq!(definition.annotations.title.as_deref(), Some("Web search"));
    assert_eq!(definition.annotations.read_only, Some(true));
    assert_eq!(definition.annotations.destructive, Some(false));
    assert_eq!(definition.annotations.idempotent, None);
    assert_eq!(definition.annotations.open_world, Some(true));
    assert_eq!(definition.approval, ApprovalRequirement::Always);
    assert!(definition.behaviour.sequential && definition.behaviour.defer_loading);
    assert!(!definition.behaviour.edits_files && !definition.behaviour.ends_run);
    assert_eq!(definition.max_retries, 3);
    assert_eq!(definition.meta.unwrap()["team"], "maps");
    assert_eq!(definition.hooks, toolhost_sdk::HookSet::default());
}

#[derive(Serialize, JsonSchema)]
struct Receipt {
    amount: u64,
}

/// Moves money.
#[tool(
    needs_approval = large,
    validate = different,
    prepare = hooks::signed_in,
    model_output = short
)]
fn transfer(from: String, to: &str, #[tool(default = 1)] amount: u64) -> Receipt {
    let _ = (from, to);
    Receipt { amount }
}

fn large(args: &TransferArgs, ctx: &Context) -> ApprovalDecision {
    match args.amount {
        0..=100 => ApprovalDecision::NotNeeded,
        _ if ctx.principal().is_none() => ApprovalDecision::deny("nobody is signed in"),
        amount => ApprovalDecision::ask(format!("{amount} is a lot")),
    }
}

fn different(args: &TransferArgs) -> Vec<ArgumentIssue> {
    if args.from == args.to {
        return vec![ArgumentIssue::new("/to", "is the same as `from`")];
    }
    Vec::new()
}

fn short(output: &Output) -> Result<String, ToolError> {
    let receipt = output.structured.as_ref();
    let receipt = receipt.ok_or_else(|| ToolError::message("no receipt"))?;
    Ok(format!("moved {}", receipt["amount"]))
}

mod hooks {
    //! A hook in another module.
    use super::{Context, Definition, Offer, RunFailed};

    pub(crate) fn signed_in(tool: &Definition, ctx: &Context) -> Result<Offer, RunFailed> {
        let Some(principal) = ctx.principal() else {
            return Ok(Offer::Hide);
        };
        if principal.id == "broken" {
            return Err(RunFailed::NoAccount);
        }
        let mut tool = tool.clone();
        tool.description = format!("{} For {}.", tool.description, principal.id);
        Ok(tool.into())
    }
}

#[derive(Debug, thiserror::Error)]
enum RunFailed {
    #[error("no account")]
    NoAccount,
}

fn signed_in_as(id: &str) -> Context {
    let principal = Principal {
        id: id.into(),
        kind: PrincipalKind::User,
        claims: Some(json!({ "role": "clerk" })),
        verified: true,
    };
    Context::fake().principal(principal).build()
}

#[test]
fn hooks_are_announced() {
    let definition = testing::definition::<TransferTool>();
    let hooks = definition.hooks;
    assert!(hooks.needs_approval && hooks.validate && hooks.prepare && hooks.model_output);
    assert_eq!(definition.approval, ApprovalRequirement::AskHook);
}

#[test]
fn approval_depends_on_the_arguments() {
    let ask = |amount: u64, ctx: &Context| {
        let arguments = json!({ "from": "a", "to": "b", "amount": amount });
        testing::needs_approval::<TransferTool>(&arguments, ctx)
    };
    let nobody = Context::fake().build();
    assert_eq!(ask(1, &nobody), Ok(ApprovalDecision::NotNeeded));
    assert_eq!(
        ask(101, &nobody),
        Ok(ApprovalDecision::deny("nobody is signed in"))
    );
    assert_eq!(
        ask(101, &signed_in_as("ada")),
        Ok(ApprovalDecision::ask("101 is a lot"))
    );
}

#[test]
fn arguments_are_checked_against_one_another() {
    let issues = testing::validate::<TransferTool>(&json!({ "from": "a", "to": "a" })).unwrap();
    assert_eq!(issues, [ArgumentIssue::new("/to", "is the same as `from`")]);
    assert_eq!(
        testing::validate::<TransferTool>(&json!({ "from": "a", "to": "b" })),
        Ok(vec![])
    );
    let error = testing::validate::<TransferTool>(&json!({ "from": 1 })).unwrap_err();
    assert_eq!(error.name, "ToolArgumentsValidationError");
}

#[test]
fn an_offer_may_be_changed_or_withdrawn() {
    let nobody = Context::fake().build();
    assert_eq!(testing::prepare::<TransferTool>(&nobody), Ok(Offer::Hide));
    let Offer::OfferAs(tool) = testing::prepare::<TransferTool>(&signed_in_as("ada")).unwrap()
    else {
        panic!("it is offered with another description");
    };
    assert_eq!(tool.description, "Moves money. For ada.");
    let error = testing::prepare::<TransferTool>(&signed_in_as("broken")).unwrap_err();
    assert_eq!(error.name, "NoAccountError");
}

#[test]
fn the_model_sees_what_the_hook_writes() {
    let output = testing::call::<TransferTool>(json!({ "from": "a", "to": "b" })).unwrap();
    let seen = testing::model_output::<TransferTool>(&output).unwrap();
    assert_eq!(seen, [Content::text("moved 1")]);
    let error = testing::model_output::<TransferTool>(&Output::new()).unwrap_err();
    assert_eq!(error.message, "no receipt");
}

/// Has one hook only.
#[tool(needs_approval = always)]
fn guarded(#[tool(args)] args: Guarded) -> bool {
    args.sure
}

#[derive(serde::Deserialize, JsonSchema)]
struct Guarded {
    sure: bool,
}

fn always(args: &Guarded, _ctx: &Context) -> bool {
    !args.sure
}

#[test]
fn a_bool_is_a_decision_and_an_own_struct_is_what_hooks_get() {
    let ctx = Context::fake().build();
    let decide = |sure| testing::needs_approval::<GuardedTool>(&json!({ "sure": sure }), &ctx);
    assert_eq!(decide(false), Ok(ApprovalDecision::Ask(None)));
    assert_eq!(decide(true), Ok(ApprovalDecision::NotNeeded));
}

#[test]
fn a_hook_that_is_not_there_fails_instead_of_agreeing() {
    let error = testing::validate::<GuardedTool>(&json!({ "sure": true })).unwrap_err();
    assert_eq!(error.name, "HookNotFoundError");
}
