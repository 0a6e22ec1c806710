//! `host`: runs third-party tools in sandboxes. Flags and printing, nothing
//! else; the work is done by the library `toolhost`.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod audit_choice;
mod cache_choice;
mod cli;
mod commands;
mod compiler;
mod configured;
mod exit;
mod failure;
mod grants;
mod input;
mod interrupt;
mod loader;
mod misspelt;
mod printer;
mod runtime;
mod storage_choice;
mod text;
mod units;
mod usage;
mod warnings;

fn main() -> std::process::ExitCode {
    match toolhost::compile_when_asked(std::env::args_os()) {
        Some(code) => code,
        None => cli::run(std::env::args_os()),
    }
}
