//! `host run --watch`: the call again, whenever the plugin's file changes, for whoever
//! is writing it.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use tokio::sync::mpsc;
use toolhost::{PluginWatch, Reload};

use super::args::RunArgs;
use super::call::{self, Ready};
use super::plan::{self, RunPlan, ShowPlan};
use super::show;
use crate::exit::ExitCode;
use crate::failure::{Failure, Stop};
use crate::interrupt::Interrupts;
use crate::printer::Printer;

/// Makes the call, and again at each change, until Ctrl-C.
///
/// # Errors
///
/// When the first call cannot be made, and at Ctrl-C.
pub(super) async fn run(args: RunArgs, printer: &Printer) -> Result<ExitCode, Stop> {
    let typed = args.call.args.clone();
    let (plan, show) = RunPlan::new(args)?.split();
    let file = plan.plugin.clone();
    let interrupts = Interrupts::listen()?;
    let mut ready = call::ready(plan, &interrupts, printer).await?;
    let mut watch = PluginWatch::new(ready.loaded.clone()).map_err(Failure::from)?;
    let mut enter = Enter::listen(typed.as_deref());
    loop {
        let called = call::make(ready.clone(), &show, &interrupts, printer).await;
        shown(show::show(&called, &show, printer), printer)?;
        if interrupts.is_heard() {
            return Err(Stop::Interrupted);
        }
        printer.note(&waiting(&file, enter.is_heard));
        again(
            &mut ready,
            &mut watch,
            &mut enter,
            &interrupts,
            (&show, printer),
        )
        .await?;
        // They may be in a file that was edited as well.
        match plan::arguments(typed.clone()) {
            Ok(arguments) => ready.call.arguments = arguments,
            Err(failure) => printer.failure(&failure),
        }
    }
}

/// Waits for a reason to make the call again.
async fn again(
    ready: &mut Ready,
    watch: &mut PluginWatch,
    enter: &mut Enter,
    interrupts: &Interrupts,
    (show, printer): (&ShowPlan, &Printer),
) -> Result<(), Stop> {
    loop {
        tokio::select! {
            () = interrupts.heard() => return Err(Stop::Interrupted),
            () = enter.next() => return Ok(()),
            reload = watch.next(&ready.host) => match reload {
                Reload::Replaced => {
                    ready.loaded = watch.plugin().clone();
                    printer.note("the plugin has changed: running the call again");
                    return Ok(());
                }
                Reload::Kept(error) => {
                    let failure = Failure::from(error);
                    if show.json {
                        printer.result(&failure.to_json().to_string())?;
                    } else {
                        printer.failure(&failure);
                    }
                    printer.note("the plugin of before stays");
                }
                _ => {}
            },
        }
    }
}

/// A call that fails is no reason to end.
fn shown(ended: Result<ExitCode, Stop>, printer: &Printer) -> Result<(), Stop> {
    match ended {
        Err(Stop::Failed(failure)) => printer.failure(&failure),
        Err(stop) => return Err(stop),
        Ok(_) => {}
    }
    Ok(())
}

fn waiting(file: &Path, enter: bool) -> String {
    let file = file.display();
    let enter = if enter {
        "Enter runs the call again, "
    } else {
        ""
    };
    format!("waiting for `{file}` to change; {enter}Ctrl-C ends")
}

/// Hears the Enter key, where there is one.
struct Enter {
    pressed: mpsc::Receiver<()>,
    is_heard: bool,
}

impl Enter {
    /// Starts to listen, unless stdin is no terminal or was read for the arguments.
    fn listen(arguments: Option<&str>) -> Self {
        let (press, pressed) = mpsc::channel(1);
        let is_heard = io::stdin().is_terminal() && arguments != Some("-");
        if is_heard {
            // A read of a terminal cannot be broken off; it ends with the process.
            std::thread::spawn(move || {
                for line in io::stdin().lock().lines() {
                    if line.is_err() || press.blocking_send(()).is_err() {
                        return;
                    }
                }
            });
        }
        Self { pressed, is_heard }
    }

    async fn next(&mut self) {
        if self.pressed.recv().await.is_none() {
            // Nothing will come any more.
            std::future::pending::<()>().await;
        }
    }
}
