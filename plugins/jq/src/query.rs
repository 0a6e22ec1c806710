//! One run of the tool: from arguments to outputs.

use std::io::{BufRead, BufReader, Cursor};

use jaq_core::ValX;
use jaq_json::Val;
use jaq_std::input::RcIter;
use serde_json::json;
use toolhost_sdk::files;

use crate::failure::{Failure, FailureKind, excerpt, excerpt_of_error};
use crate::filter::Filter;
use crate::input::{self, Cut};
use crate::json::{self, MAX_DEPTH, WriteError};

/// How many outputs there are when the caller sets no limit.
pub const DEFAULT_OUTPUTS: usize = 1000;
/// The highest limit a caller can set.
pub const MAX_OUTPUTS: usize = 100_000;
/// The size of all outputs together, in bytes: far below what the host takes,
/// and more than a model should read.
pub const MAX_BYTES: usize = 256 * 1024;
/// After how many inputs without an output the caller's wish to stop is
/// looked at.
const INPUTS_PER_LOOK: usize = 256;

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The jq filter.
    pub filter: String,
    /// Where the inputs come from.
    pub source: Source,
    /// Variables: name without `$`, and JSON text.
    pub variables: Vec<(String, String)>,
    /// How the text is cut into inputs.
    pub cut: Cut,
    /// Run the filter once, on `null`; the inputs come from `inputs`.
    pub null_input: bool,
    /// Strings are given as text, without quotes.
    pub raw: bool,
    /// Stop after so many outputs; [`DEFAULT_OUTPUTS`] when absent.
    pub max_outputs: Option<usize>,
}

/// Where the inputs come from.
#[derive(Debug, Clone, Default)]
pub enum Source {
    /// There are none.
    #[default]
    Nothing,
    /// Text.
    Text(String),
    /// A file in a granted directory.
    File(String),
}

/// What came out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// One text an output: JSON, or plain text for a raw string.
    pub outputs: Vec<String>,
    /// The single output is JSON, whole and not raw.
    pub is_json: bool,
    /// Why there is less than the filter gives, and how to get at the rest.
    pub truncated: Option<String>,
}

/// Runs `query`; `is_aborted` says whether the caller still wants an answer.
///
/// # Errors
/// A filter that does not compile, input that is not JSON, a filter that fails.
pub fn run(query: &Query, is_aborted: &dyn Fn() -> bool) -> Result<Answer, Failure> {
    let (names, values) = variables(&query.variables)?;
    let filter = Filter::compile(&query.filter, &names)?;
    let source: Box<dyn BufRead> = match &query.source {
        Source::Nothing => Box::new(std::io::empty()),
        Source::Text(text) => Box::new(Cursor::new(text.as_bytes())),
        Source::File(path) => match files::open(path) {
            Ok(file) => Box::new(BufReader::with_capacity(64 * 1024, file)),
            Err(error) => return Err(Failure::new(FailureKind::Input, error.to_string())),
        },
    };
    let inputs = RcIter::new(input::values(source, query.cut));
    let inputs: &RcIter<dyn Iterator<Item = Result<Val, String>>> = &inputs;
    let mut collector = Collector::new(query, is_aborted);
    if query.null_input {
        collector.take(filter.run(Val::Null, inputs, &values))?;
        return Ok(collector.finish());
    }
    for (at, value) in inputs.enumerate() {
        let value = value.map_err(|error| collector.failed(FailureKind::Input, &error))?;
        if at % INPUTS_PER_LOOK == 0 {
            collector.look()?;
        }
        collector.input = at + 1;
        if !collector.take(filter.run(value, inputs, &values))? {
            break;
        }
    }
    Ok(collector.finish())
}

/// Names with `$`, and values, of the variables.
fn variables(given: &[(String, String)]) -> Result<(Vec<String>, Vec<Val>), Failure> {
    let mut names = Vec::new();
    let mut values = Vec::new();
    for (name, text) in given {
        let good = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !good {
            let message = format!(
                "`{}` in `args` cannot name a variable: use letters, digits and `_`",
                excerpt(name)
            );
            return Err(Failure::new(FailureKind::Arguments, message));
        }
        let value = input::values(Box::new(text.as_bytes()), Cut::default()).next();
        let value = value.unwrap_or(Err("nothing".into()));
        values.push(value.map_err(|error| {
            Failure::new(
                FailureKind::Arguments,
                format!("the value of `{name}` in `args`: {error}"),
            )
        })?);
        names.push(format!("${name}"));
    }
    Ok((names, values))
}

/// Gathers outputs up to the limits.
struct Collector<'a> {
    answer: Answer,
    raw: bool,
    max_outputs: usize,
    bytes: usize,
    /// Number of the input at work, from 1; 0 for none.
    input: usize,
    is_aborted: &'a dyn Fn() -> bool,
}

impl<'a> Collector<'a> {
    fn new(query: &Query, is_aborted: &'a dyn Fn() -> bool) -> Self {
        let max_outputs = query
            .max_outputs
            .unwrap_or(DEFAULT_OUTPUTS)
            .clamp(1, MAX_OUTPUTS);
        Self {
            answer: Answer::default(),
            raw: query.raw,
            max_outputs,
            bytes: 0,
            input: 0,
            is_aborted,
        }
    }

    /// Takes the outputs for one input. False when there shall be no more.
    fn take<'v>(&mut self, outputs: impl Iterator<Item = ValX<'v, Val>>) -> Result<bool, Failure> {
        for output in outputs {
            self.look()?;
            let value = match output {
                Ok(value) => value,
                Err(raised) => match raised.get_err() {
                    Ok(error) => {
                        return Err(
                            self.failed(FailureKind::Run, &explain(&excerpt_of_error(&error)))
                        );
                    }
                    Err(halt) => return self.halted(halt.get_halt().unwrap_or(0)),
                },
            };
            if self.answer.outputs.len() == self.max_outputs {
                self.answer.truncated = Some(format!(
                    "stopped after {} outputs, the filter has more: narrow it, with `limit(n; …)` for example, or raise `maxOutputs` (at most {MAX_OUTPUTS})",
                    self.max_outputs
                ));
                return Ok(false);
            }
            if !self.push(value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes one output. False when it did not fit.
    fn push(&mut self, value: Val) -> Result<bool, Failure> {
        let room = MAX_BYTES.saturating_sub(self.bytes);
        let mut text = String::new();
        let written = match &value {
            Val::TStr(bytes) if self.raw => {
                let whole = String::from_utf8_lossy(bytes);
                text.push_str(&whole[..whole.floor_char_boundary(room)]);
                if text.len() < whole.len() {
                    Err(WriteError::Full)
                } else {
                    Ok(())
                }
            }
            value => json::write(value, &mut text, room),
        };
        match written {
            Ok(()) => {
                self.answer.is_json = !(self.raw && matches!(value, Val::TStr(_)));
                self.bytes += text.len() + 1;
                self.answer.outputs.push(text);
                Ok(true)
            }
            Err(WriteError::Full) => {
                self.overflow(text);
                Ok(false)
            }
            Err(WriteError::TooDeep) => {
                // Dropping it recurses as deep as it nests and would end the
                // sandbox before the message is out.
                std::mem::forget(value);
                let message =
                    format!("an output nests more than {MAX_DEPTH} deep: take a part of it");
                Err(self.failed(FailureKind::Run, &message))
            }
            Err(WriteError::NoJson(what)) => {
                Err(self.failed(FailureKind::Run, &format!("JSON has no form for {what}")))
            }
        }
    }

    fn overflow(&mut self, text: String) {
        let so_far = self.answer.outputs.len();
        let note = if so_far == 0 {
            self.answer.outputs.push(text);
            self.answer.is_json = false;
            format!(
                "the output is longer than {MAX_BYTES} bytes and was cut, so it is no JSON: select a part of it, `.[:10]` or `keys` for example"
            )
        } else {
            format!(
                "stopped after {so_far} outputs, {MAX_BYTES} bytes: narrow the filter, or give less of each output"
            )
        };
        self.answer.truncated = Some(note);
    }

    fn halted(&self, code: i32) -> Result<bool, Failure> {
        if code == 0 {
            return Ok(false);
        }
        Err(self.failed(
            FailureKind::Run,
            &format!("the filter halted with code {code}"),
        ))
    }

    fn look(&self) -> Result<(), Failure> {
        if (self.is_aborted)() {
            return Err(Failure::new(FailureKind::Aborted, "the call was cancelled"));
        }
        Ok(())
    }

    /// A failure, with what came out before it.
    fn failed(&self, kind: FailureKind, what: &str) -> Failure {
        let so_far = self.answer.outputs.len();
        let mut message = what.to_owned();
        if kind == FailureKind::Run && self.input > 1 {
            message = format!("{message} (input {})", self.input);
        }
        if so_far > 0 {
            message = format!("{message}; {so_far} outputs came before");
        }
        let shown: Vec<_> = self.answer.outputs.iter().take(5).map(excerpt).collect();
        Failure::new(kind, message)
            .with_details(json!({ "input": self.input, "outputs": so_far, "firstOutputs": shown }))
    }

    fn finish(mut self) -> Answer {
        self.answer.is_json &= self.answer.outputs.len() == 1;
        self.answer
    }
}

/// Adds what helps to jaq's words for the most common mistakes.
fn explain(error: &str) -> String {
    let advice = if error.starts_with("cannot index [") {
        "the value is an array: use `.[]`, `map(…)` or an index"
    } else if error.starts_with("cannot index ") {
        "only objects have fields: look at the value with `type`, or use `?` to pass over it"
    } else if error.starts_with("cannot use null as iterable") {
        "there is nothing under that name: check it with `keys`, or use `[]?`"
    } else if error.contains(" as iterable") {
        "only arrays and objects have elements: check the value with `type`, or use `[]?`"
    } else if error.starts_with("cannot calculate") {
        "convert with `tonumber` or `tostring`, or give a default with `// 0`"
    } else if error.starts_with("cannot use") && error.ends_with("as string") {
        "convert with `tostring`"
    } else {
        return error.to_owned();
    };
    format!("{error}: {advice}")
}

#[cfg(test)]
mod tests;
