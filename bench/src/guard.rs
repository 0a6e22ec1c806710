//! A guard against calls that slowly become dearer: the instructions of a call,
//! counted by callgrind, beside figures that are committed. Unlike times they are
//! the same on a busy machine, and nearly the same on another one.
//!
//! The same program is counted with few calls of each case, and with many of one: the
//! difference is that of the calls alone, without the start. Code that was compiled
//! for the guest counts too.

mod baseline;
mod callgrind;
mod count;
mod judgement;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use crate::artifacts::Artifacts;

use baseline::Baseline;
use callgrind::Callgrind;
use count::Case;
pub(crate) use count::CountArgs;
pub(crate) use count::run as count;
use judgement::Judgement;

/// What `guard` compares with.
#[derive(Args, Debug)]
pub(crate) struct GuardArgs {
    /// The committed figures
    #[arg(long, value_name = "FILE", default_value = BASELINE)]
    baseline: PathBuf,
    /// Write what is counted into the file instead of comparing
    #[arg(long)]
    update: bool,
}

/// How the figures of this build are called in the file.
const PROFILE: &str = if cfg!(debug_assertions) {
    "dev"
} else {
    "release"
};

/// Beside the sources that this program was built from.
const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline.json");

/// `bench guard`.
pub(crate) fn run(args: &GuardArgs, artifacts: &Artifacts) -> Result<()> {
    let Some(callgrind) = Callgrind::find(artifacts)? else {
        println!("skipped: there is no `valgrind`, whose callgrind counts");
        return Ok(());
    };
    let mut baseline = Baseline::read(&args.baseline)?;
    let here = baseline::Place::here()?;
    if !args.update {
        if let Some(other) = baseline.other_than(&here) {
            println!("skipped: {other}, so the figures cannot be compared");
            return Ok(());
        }
        if !baseline.has(PROFILE) {
            println!("skipped: there are no figures of the profile `{PROFILE}`");
            return Ok(());
        }
    }
    callgrind.fill_cache()?;
    let few = callgrind.count(None)?;
    let mut judgements = Vec::new();
    for case in Case::ALL {
        let (_, more) = case.counts();
        let counted = callgrind.count(Some(case))?.saturating_sub(few) / u64::from(more);
        let expected = (!args.update)
            .then(|| baseline.figure(PROFILE, case))
            .flatten();
        let judgement = Judgement::new(case, counted, expected);
        println!("{judgement}");
        judgements.push(judgement);
    }
    if args.update {
        baseline.replace(here, PROFILE, &judgements);
        baseline.write(&args.baseline)?;
        let shown = args.baseline.display();
        println!("written to `{shown}`");
        return Ok(());
    }
    verdict(&judgements)
}

/// Fails when a case takes more instructions than it may.
fn verdict(judgements: &[Judgement]) -> Result<()> {
    let dearer: Vec<_> = judgements.iter().filter(|one| one.is_dearer()).collect();
    if dearer.is_empty() {
        if judgements.iter().any(Judgement::is_cheaper) {
            println!(
                "cheaper than the committed figures: keep it so with `cargo xtask guard --update`"
            );
        }
        return Ok(());
    }
    let names: Vec<_> = dearer.iter().map(|one| one.case.name()).collect();
    let first = dearer.first().context("one is dearer")?.case.name();
    bail!(
        "dearer by more than {} %: {}. `callgrind_annotate target/bench/guard/{first}.out` says where \
         the instructions go; if it is worth them, accept it with `cargo xtask guard --update`",
        judgement::ALLOWED_PERCENT,
        names.join(", "),
    )
}
