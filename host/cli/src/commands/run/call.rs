//! The call itself: load the plugin, choose the tool, run it, and pass its
//! partial results on while it runs.

use serde_json::{Value, json};
use toolhost::{Call, CallResult, Emitted, ExecutionContext, Host, LimitsPatch, LoadedPlugin};

use super::plan::{CallPlan, ShowPlan};
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::loader;
use crate::printer::Printer;
use crate::units;

/// A call that was made, and what is worth knowing of its plugin.
pub(crate) struct Called {
    /// How it ended.
    pub(crate) result: CallResult,
    /// The names of the plugin's tools.
    pub(crate) tools: Vec<String>,
    /// What is wrong with the plugin.
    pub(crate) warnings: Vec<String>,
}

/// Makes the call that `plan` describes.
///
/// # Errors
///
/// When no call is made: the plugin cannot be loaded, or no tool is chosen.
pub(crate) async fn run(
    plan: CallPlan,
    show: &ShowPlan,
    printer: &Printer,
) -> Result<Called, Stop> {
    let interrupts = Interrupts::listen()?;
    let ready = ready(plan, &interrupts, printer).await?;
    Ok(make(ready, show, &interrupts, printer).await)
}

/// Makes a call. Ctrl-C cancels it.
pub(super) async fn make(
    ready: Ready,
    show: &ShowPlan,
    interrupts: &Interrupts,
    printer: &Printer,
) -> Called {
    let Ready {
        host,
        loaded,
        call,
        context,
    } = ready;
    let mut running = host.start(call, context, LimitsPatch::default());
    let _cancelling = interrupts.cancel(running.cancel_handle(), printer.clone());
    let mut index = 0;
    while let Some(emitted) = running.next().await {
        let shown = match &emitted {
            Emitted::Partial(snapshot) => show_partial(snapshot, index, show, printer),
            Emitted::Event { name, data } => show_event(name, data, show, printer),
        };
        if shown.is_err() {
            // Nobody listens any more. The tool is told so, and may still end
            // as it likes.
            break;
        }
        index += u64::from(matches!(emitted, Emitted::Partial(_)));
    }
    Called {
        result: running.result().await,
        tools: names(&loaded),
        warnings: loaded.warnings,
    }
}

/// A call that can be made.
#[derive(Clone)]
pub(crate) struct Ready {
    pub(crate) host: Host,
    /// The plugin that is called.
    pub(crate) loaded: LoadedPlugin,
    pub(crate) call: Call,
    pub(crate) context: ExecutionContext,
}

/// Loads what `plan` needs.
///
/// # Errors
///
/// When something cannot be loaded, or no tool is chosen.
pub(crate) async fn ready(
    plan: CallPlan,
    interrupts: &Interrupts,
    printer: &Printer,
) -> Result<Ready, Stop> {
    let builder = loader::builder(&plan.cache, plan.limits, printer)
        .max_calls(loader::sandboxes(plan.calls, &plan.limits))
        .permissions(plan.permissions)
        .ca_file(plan.ca_file)
        .secrets(plan.secrets);
    let further = plan.with.iter().map(|(_, options)| options);
    let plugins = further.chain([&plan.options]);
    let builder = plan
        .storage
        .open(builder, plugins, plan.limits.wall_clock, interrupts)
        .await?;
    let builder = plan.audit.open(builder)?;
    let host = builder.build().map_err(Failure::from)?;
    let loaded = loader::load(&host, &plan.plugin, plan.options, interrupts, printer).await?;
    for (path, options) in plan.with {
        loader::load(&host, &path, options, interrupts, printer).await?;
    }
    let tools = names(&loaded);
    let tool_name = match plan.tool {
        // A name the plugin does not have is answered by the call, like any
        // other call a model makes.
        Some(name) => name,
        None => only_tool(&tools, &loaded)?,
    };
    let call = Call {
        tool_call_id: plan.id,
        tool_name,
        arguments: plan.arguments,
    };
    Ok(Ready {
        host,
        loaded,
        call,
        context: plan.context,
    })
}

fn names(loaded: &LoadedPlugin) -> Vec<String> {
    loaded
        .tools
        .iter()
        .map(|tool| tool.definition().name.clone())
        .collect()
}

fn only_tool(tools: &[String], loaded: &LoadedPlugin) -> Result<String, Failure> {
    let plugin = &loaded.plugin.info().name;
    match tools {
        [only] => Ok(only.clone()),
        [] => {
            let mut failure = Failure::usage(format!("the plugin `{plugin}` has no tools"));
            failure.details.extend_from_slice(&loaded.warnings);
            Err(failure)
        }
        [first, ..] => {
            let count = units::plural(tools.len(), "tool");
            let mut failure = Failure::usage(format!("the plugin `{plugin}` has {count}"));
            failure.details.extend_from_slice(tools);
            Err(failure.hint(format!("choose one, as with `--tool {first}`")))
        }
    }
}

fn show_event(name: &str, data: &Value, show: &ShowPlan, printer: &Printer) -> Result<(), Stop> {
    if show.stream {
        return printer.result(&json!({ "event": name, "data": data }).to_string());
    }
    printer.partial(&format!("{name} {data}"));
    Ok(())
}

fn show_partial(
    snapshot: &Value,
    index: u64,
    show: &ShowPlan,
    printer: &Printer,
) -> Result<(), Stop> {
    if show.stream {
        return printer.result(&json!({ "partial": snapshot, "index": index }).to_string());
    }
    printer.partial(&snapshot.to_string());
    Ok(())
}
