//! Many plugins at once: `bench load` on those of this repository.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::guests::Kind;
use crate::repository::Repository;
use crate::{files, process};

/// Loads all plugins, one after another and together; gives what `bench load` says.
pub(super) fn measure(repository: &Repository, mut bench: Command) -> Result<Value> {
    let mut plugins = files::list(&Kind::Plugins.output(repository))?;
    plugins.retain(|path| path.extension().is_some_and(|ending| ending == "wasm"));
    bench.arg("load").args(plugins);
    let said = process::long_output_of(&mut bench)?;
    serde_json::from_str(&said).context("`bench load` printed no JSON")
}

/// The lines of the page.
pub(super) fn text(page: &mut String, loaded: &Value) -> std::fmt::Result {
    let ms = |way: &str, cache: &str| {
        let time = loaded[way][cache].as_f64();
        let digits = usize::from(time.is_some_and(|time| time < 1_000.0));
        time.map_or("—".to_owned(), |time| format!("{time:.digits$}"))
    };
    writeln!(
        page,
        "\nThe {} plugins of this repository loaded by one host, in milliseconds; whoever compiles one alone has all cores \
         for it already:\n",
        loaded["plugins"]
    )?;
    writeln!(page, "| | one after another | together |")?;
    writeln!(page, "|---|---:|---:|")?;
    for (name, cache) in [("compiled anew", "coldMs"), ("compiled before", "warmMs")] {
        let (one, all) = (ms("oneByOne", cache), ms("together", cache));
        writeln!(page, "| {name} | {one} | {all} |")?;
    }
    Ok(())
}
