//! The tools as the model sees them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolhost_sdk::{Context, Output, ToolError, store, tool};

use crate::list::{self, Counts, Item, List, NewItem};

/// What the caller's program is told when the list changes.
const EVENT: &str = "todo.updated";

/// The arguments of `todo_write`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TodoWriteArgs {
    /// The whole list, in order, with what is done already. Items keep their
    /// `id` from call to call.
    #[schemars(length(max = 200))]
    pub todos: Vec<NewItem>,
}

/// The list and how far it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Todos {
    /// The items, in order.
    pub todos: Vec<Item>,
    /// How many of them are how far.
    pub counts: Counts,
}

impl From<&List> for Todos {
    fn from(list: &List) -> Self {
        Self {
            todos: list.items().to_vec(),
            counts: list.counts(),
        }
    }
}

/// Replaces the list of what you have to do. Use it for work of several steps:
/// write the steps down first, set one to `in_progress` when you begin with it,
/// and to `completed` as soon as it is done. Send the whole list each time; an
/// empty one clears it.
#[tool(
    title = "Write the to-do list",
    destructive = false,
    idempotent,
    open_world = false,
    sequential
)]
pub(crate) fn todo_write(
    #[tool(args)] args: TodoWriteArgs,
    ctx: &Context,
) -> Result<Output<Todos>, ToolError> {
    list::check(&args.todos)?;
    let list = store::update(&key(ctx), |old: Option<List>| {
        old.unwrap_or_default().replaced_by(&args.todos)
    })?;
    let todos = Todos::from(&list);
    // The list is written; that nobody listens is no reason to fail.
    if let Err(error) = ctx.emit_event(EVENT, &todos) {
        ctx.warn(format!("the event `{EVENT}` was left out: {error}"));
    }
    Ok(Output::of(todos).content(list.text()))
}

/// Reads the list of what you have to do, with ids, and how far it is.
#[tool(
    title = "Read the to-do list",
    read_only,
    idempotent,
    open_world = false
)]
pub(crate) fn todo_read(ctx: &Context) -> Result<Output<Todos>, ToolError> {
    let list: List = store::get(&key(ctx))?.unwrap_or_default();
    Ok(Output::of(Todos::from(&list)).content(list.text()))
}

/// Each session has a list of its own, also where the storage is that of the
/// whole plugin.
fn key(ctx: &Context) -> String {
    match ctx.session_id() {
        Some(session) => format!("todos/{session}"),
        None => "todos".into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use toolhost_sdk::testing;

    use super::*;

    fn session(id: &str) -> Context {
        Context::fake().session_id(id).build()
    }

    fn write(ctx: &Context, todos: &serde_json::Value) -> Result<String, ToolError> {
        let arguments = json!({ "todos": todos });
        match testing::call_with::<TodoWriteTool>(&arguments, ctx)? {
            toolhost_sdk::Outcome::Done(output) => Ok(output.text()),
            toolhost_sdk::Outcome::Suspended(wait) => panic!("nothing to wait for: {wait:?}"),
        }
    }

    fn read(ctx: &Context) -> String {
        todo_read(ctx).unwrap().text()
    }

    #[test]
    fn what_is_written_is_read_and_told() {
        let ctx = session("a");
        let said = write(&ctx, &json!([{ "content": "plan" }])).unwrap();
        assert!(said.starts_with("[ ] 1: plan\n"), "{said}");
        assert_eq!(read(&ctx), said);
        let events = ctx.recording().events;
        assert_eq!(events[0].0, "todo.updated");
        assert_eq!(events[0].1["todos"][0]["id"], "1");
        assert_eq!(events[0].1["counts"]["pending"], 1);
    }

    #[test]
    fn every_session_has_its_own_list() {
        write(&session("a"), &json!([{ "content": "mine" }])).unwrap();
        assert_eq!(read(&session("b")), "the list is empty");
        assert_eq!(read(&Context::fake().build()), "the list is empty");
    }

    #[test]
    fn a_list_that_is_refused_changes_nothing() {
        let ctx = session("a");
        write(&ctx, &json!([{ "content": "plan" }])).unwrap();
        let two = json!([
            { "content": "a", "status": "in_progress" },
            { "content": "b", "status": "in_progress" },
        ]);
        assert_eq!(write(&ctx, &two).unwrap_err().name, "TodoListError");
        assert!(read(&ctx).starts_with("[ ] 1: plan"));
        assert_eq!(ctx.recording().events.len(), 1);
    }

    #[test]
    fn without_storage_the_missing_grant_is_named() {
        testing::deny_store();
        let error = write(&session("a"), &json!([])).unwrap_err();
        assert!(error.message.contains("--storage"), "{error}");
    }
}
