//! A compiled filter.

use jaq_core::data::HasLut;
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, DataT, Lut, ValX, Vars};
use jaq_json::Val;
use jaq_std::input::{HasInputs, Inputs};

use crate::failure::{Failure, FailureKind};
use crate::functions;
use crate::position::Problem;

/// The longest filter, in bytes. Compiling recurses and is not interruptible.
const MAX_LENGTH: usize = 64 * 1024;
/// How deep brackets nest in a filter: the parser recurses at each.
const MAX_NESTING: usize = 100;
/// How many operators a filter has: the compiler recurses at each.
const MAX_OPERATORS: usize = 1000;

/// The types a run of a filter works on.
pub struct Run;

impl DataT for Run {
    type V<'a> = Val;
    type Data<'a> = RunData<'a>;
}

/// What native functions reach during a run.
#[derive(Clone, Copy)]
pub struct RunData<'a> {
    lut: &'a Lut<Run>,
    inputs: Inputs<'a, Val>,
}

impl<'a> HasLut<'a, Run> for RunData<'a> {
    fn lut(&self) -> &'a Lut<Run> {
        self.lut
    }
}

impl<'a> HasInputs<'a, Val> for RunData<'a> {
    fn inputs(&self) -> Inputs<'a, Val> {
        self.inputs
    }
}

/// A filter, ready to run.
pub struct Filter(jaq_core::Filter<Run>);

impl Filter {
    /// Compiles `code`, which may use the variables `names` (each with its `$`).
    ///
    /// # Errors
    /// Says where the filter is wrong and what may have been meant.
    pub fn compile(code: &str, names: &[String]) -> Result<Self, Failure> {
        check_size(code)?;
        let arena = Arena::default();
        let modules = Loader::new(functions::definitions())
            .load(&arena, File { code, path: () })
            .map_err(|errors| Problem::from_load(code, &errors).into_failure(code))?;
        Compiler::default()
            .with_funs(functions::natives())
            .with_global_vars(names.iter().map(String::as_str))
            .compile(modules)
            .map(Self)
            .map_err(|errors| Problem::from_compile(code, &errors, names).into_failure(code))
    }

    /// The outputs for one input. `inputs` feeds the functions `input` and
    /// `inputs`; `values` are the variables, in the order they were named.
    pub fn run<'a>(
        &'a self,
        input: Val,
        inputs: Inputs<'a, Val>,
        values: &[Val],
    ) -> impl Iterator<Item = ValX<'a, Val>> {
        let data = RunData {
            lut: &self.0.lut,
            inputs,
        };
        let context = Ctx::<Run>::new(data, Vars::new(values.iter().cloned()));
        self.0.id.run((context, input))
    }
}

/// Refuses filters that only a machine would write: they cost stack and time
/// before the first input is read.
fn check_size(code: &str) -> Result<(), Failure> {
    if code.trim().is_empty() {
        let message =
            "the filter is empty: write a jq filter such as `.name`, or `.` for the whole input";
        return Err(Failure::new(FailureKind::Filter, message));
    }
    if code.len() > MAX_LENGTH {
        let message = format!(
            "the filter has {} bytes, at most {MAX_LENGTH} are taken: pass data in `input` or `args`, not in the filter",
            code.len()
        );
        return Err(Failure::new(FailureKind::Filter, message));
    }
    let mut depth = 0_usize;
    for byte in code.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            let message = format!(
                "brackets nest more than {MAX_NESTING} deep: split the filter with `def` or variables"
            );
            return Err(Failure::new(FailureKind::Filter, message));
        }
    }
    if operators(code) > MAX_OPERATORS {
        let message = format!(
            "the filter has more than {MAX_OPERATORS} operators: pass data in `input` or `args`, not in the filter"
        );
        return Err(Failure::new(FailureKind::Filter, message));
    }
    Ok(())
}

/// About how many operators, and words that open something, are in `code`. The
/// sign of a number in a list does not count.
fn operators(code: &str) -> usize {
    const WORDS: [&str; 8] = ["if", "def", "as", "and", "or", "try", "reduce", "foreach"];
    let code = without_strings(code);
    let mut before = ' ';
    let mut count = 0;
    for c in code.chars().filter(|c| !c.is_whitespace()) {
        let is_sign = c == '-' && ",[(:|".contains(before);
        count += usize::from("|,+-*/%=<>".contains(c) && !is_sign);
        before = c;
    }
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    count + words.filter(|word| WORDS.contains(word)).count()
}

/// The code with `""` for each string.
fn without_strings(code: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |c: &char| {
        let was_escaped = escaped;
        escaped = in_string && *c == '\\' && !was_escaped;
        if *c == '"' && !was_escaped {
            in_string = !in_string;
            return true;
        }
        !in_string
    };
    code.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compiling them would overflow the stack of the sandbox, which ends the call
    /// without a word on what to do.
    #[test]
    fn chains_that_only_a_machine_writes_are_refused() {
        let chain = |part: &str| part.repeat(3000) + "1";
        for code in [
            chain("1|"),
            chain("1,"),
            chain("1+"),
            chain("1 and "),
            chain("1 as $x|"),
            chain("-"),
            chain("def f: "),
            chain("if 1 then "),
        ] {
            let failure = check_size(&code).unwrap_err();
            assert!(failure.message.contains("operators"), "{failure:?}");
        }
    }

    #[test]
    fn long_texts_and_lists_pass() {
        let list: Vec<String> = (0..900).map(|n| format!("-{n}")).collect();
        assert!(check_size(&format!("[{}]", list.join(", "))).is_ok());
        let text = "if a, b | ".repeat(900);
        assert!(check_size(&format!(r#""{text}\"{text}" | ."#)).is_ok());
    }
}
