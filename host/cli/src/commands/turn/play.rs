//! The turn itself: load the plugins, run the calls, and pass events on meanwhile.

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use toolhost::{Event, Host, SqliteJournal, Turn, TurnOptions, TurnResult};

use super::plan::{TurnPlan, Work};
use super::{decisions, show};
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::loader;
use crate::printer::Printer;

/// Events that wait to be printed before the tools are held up.
const EVENTS_AHEAD: usize = 16;

/// Runs the turn that `plan` describes.
///
/// # Errors
///
/// When nothing is run: a plugin cannot be loaded, or a decision not be applied.
pub(crate) async fn play(plan: TurnPlan, printer: &Printer) -> Result<ExitCode, Stop> {
    let interrupts = Interrupts::listen()?;
    let mut options = TurnOptions {
        mode: plan.mode,
        ..TurnOptions::default()
    };
    options.concurrency = plan.concurrency.unwrap_or(options.concurrency);
    let host = host(&plan, options.concurrency, &interrupts, printer).await?;
    let all = loader::load_all(&host, &plan.plugins, &interrupts, printer).await?;
    for ((path, _), loaded) in plan.plugins.iter().zip(all) {
        for warning in &loaded.warnings {
            printer.warning(&format!("`{}`: {warning}", path.display()));
        }
    }
    warn_of_idle_rules(&host, &plan, printer);
    let watching = watch(&plan, &mut options, printer);
    let cancel = options.cancel.clone();
    let _cancelling = interrupts.cancel(cancel.clone(), printer.clone());
    let ended = match plan.work {
        Work::Start { calls, context } => {
            let context = *context;
            host.run_turn(Turn { calls, context }, options).await
        }
        Work::Resume { turn, decisions } => host.resume_turn(&turn, decisions, options).await,
    };
    if let Some(watching) = watching {
        // Its channel is closed, so it ends with the last event.
        let _ = watching.await;
    }
    let ended = ended.map_err(|error| decisions::failure(&error))?;
    let show = show::Show {
        origin: &plan.origin,
        state: plan.state.as_ref(),
        stream: plan.stream,
        json: plan.json,
        printer,
    };
    match ended {
        TurnResult::Done(done) => {
            let code = show.done(&done)?;
            Ok(if cancel.is_cancelled() {
                ExitCode::Interrupted
            } else {
                code
            })
        }
        TurnResult::Suspended(turn) => show.suspended(turn),
    }
}

/// The host of the turn, with all that its plugins may need.
async fn host(
    plan: &TurnPlan,
    concurrency: usize,
    interrupts: &Interrupts,
    printer: &Printer,
) -> Result<Host, Stop> {
    let calls = u32::try_from(concurrency).unwrap_or(u32::MAX);
    let limits = plan.limits;
    let mut builder = loader::builder(&plan.cache, limits, printer)
        .max_calls(loader::sandboxes(calls, &limits))
        .permissions(plan.permissions.clone())
        .ca_file(plan.ca_file.clone())
        .secrets(plan.secrets.clone());
    if let Some(journal) = journal(plan, interrupts, printer).await? {
        builder = builder.journal(journal);
    }
    let plugins = plan.plugins.iter().map(|(_, options)| options);
    let builder = plan
        .storage
        .open(builder, plugins, limits.wall_clock, interrupts)
        .await?;
    let builder = plan.audit.open(builder)?;
    Ok(builder.build().map_err(Failure::from)?)
}

/// The journal, unless the calls cannot be told apart from those of other turns.
async fn journal(
    plan: &TurnPlan,
    interrupts: &Interrupts,
    printer: &Printer,
) -> Result<Option<SqliteJournal>, Stop> {
    let Some(path) = plan.origin.journal.clone() else {
        return Ok(None);
    };
    if plan.origin.has_made_up_ids() {
        printer.warning("the calls have no ids of their own, so they are not in the journal");
        return Ok(None);
    }
    let name = path.display().to_string();
    let opened = interrupts.or_blocking(move || SqliteJournal::open(path));
    let journal = opened.await?.map_err(|error| {
        Failure::usage(format!("cannot use the journal `{name}`"))
            .because(&error)
            .hint("name another file with `--journal`")
    })?;
    Ok(Some(journal))
}

/// A rule that fits no tool is misspelt, most likely; one that denies would then
/// guard nothing.
fn warn_of_idle_rules(host: &Host, plan: &TurnPlan, printer: &Printer) {
    let definitions = host.definitions();
    let names: Vec<&str> = definitions.iter().map(|tool| tool.name.as_str()).collect();
    for (_, rule) in plan.permissions.rules_without_tool(&names) {
        printer.warning(&format!("there is no tool for the rule `{rule}`"));
    }
}

/// Prints events as they come. When nobody reads stdout any more, the channel is
/// closed and the tools are told to stop emitting.
fn watch(plan: &TurnPlan, options: &mut TurnOptions, printer: &Printer) -> Option<JoinHandle<()>> {
    if !plan.stream {
        return None;
    }
    let (sender, mut events) = mpsc::channel::<Event>(EVENTS_AHEAD);
    options.events = Some(sender);
    let printer = printer.clone();
    Some(tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            if printer.result(&event.to_json().to_string()).is_err() {
                return;
            }
        }
    }))
}
