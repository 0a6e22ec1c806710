//! The macros of `toolhost-sdk`; use them from there.
//!
//! # Layout
//!
//! `#[tool]` goes through five stages, each a module that works on
//! `proc_macro2` tokens and can be tested without a compiler around it:
//! `attr` (what was written on the attribute) → `model` (what was written as a
//! function) → `valid` (what is meant, or what is wrong with it) → `expand`
//! (the code, with `convert` for what is returned) and `fallback` (the code that stands in when something is wrong,
//! so that one mistake gives one message). `plugin` is the other macro, and
//! `manifest` what it says about the plugin as a whole.

mod attr;
mod convert;
mod expand;
mod fallback;
mod manifest;
mod model;
mod names;
mod plugin;
mod valid;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// The function stays what it is. Beside it appear a unit type (`fn hello` →
/// `HelloTool`), which stands for the tool in `toolhost_sdk::testing`, and the
/// struct of its arguments (`HelloArgs`), which hooks get.
///
/// The name is the function's, the description its doc comment, and each
/// parameter is an argument with its own doc comment as description.
///
/// # On the function
///
/// | argument | meaning | default |
/// |---|---|---|
/// | `name = "…"` | the name the model calls | the function's |
/// | `description = "…"` | what it does and when to use it | the doc comment |
/// | `display_name = "…"`, `title = "…"` | names for people | none |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints; also `= false` | nothing claimed |
/// | `approval = "always"` | a person agrees to each call; or `"never"` | `"never"` |
/// | `edits_files`, `defer_loading`, `sequential`, `ends_run`, `client_side`, `programmatic_only`, `programmatic` | behaviour | off |
/// | `max_retries = 3` | calls again after a retryable failure | 0 |
/// | `meta = json!({…})` | whatever there is no field for | none |
/// | `needs_approval = f` | `fn(&Args, &Context) -> ApprovalDecision` (or `bool`) | no hook |
/// | `validate = f` | `fn(&Args) -> Vec<ArgumentIssue>` | no hook |
/// | `prepare = f` | `fn(&Definition, &Context) -> Offer` | no hook |
/// | `model_output = f` | `fn(&Output) -> impl IntoContent` | no hook |
///
/// A hook may also return a `Result` of that, with any error a tool may have.
///
/// # On a parameter
///
/// | form | meaning |
/// |---|---|
/// | `name: T` | a required argument |
/// | `name: Option<T>` | an optional one |
/// | `#[tool(default = 10)] name: T` | an optional one with a default, shown in the schema |
/// | `#[tool(default)] name: T` | the same with `T::default()` |
/// | `#[tool(args)] args: MyArgs` | your own struct takes all arguments |
/// | `#[schemars(…)]`, `#[serde(…)]` | handed on to the argument |
/// | `ctx: &Context` | the context; not an argument |
///
/// `&str`, `&[T]` and `&T` are as good as `String`, `Vec<T>` and `T`.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(attribute.into(), &item.into()).into()
}

/// Makes a plugin of tools: `plugin!(hello, weather::forecast);`, once in a
/// crate.
///
/// It writes the exports of the component. Those for hooks are only among them
/// when one of the tools has hooks. Outside of WebAssembly it exports nothing.
///
/// It also writes the manifest of the plugin from `Cargo.toml`: name, version,
/// licence, repository and description of the package, and what the plugin wants
/// from `[package.metadata.toolhost.wants]`. What is not wanted there cannot be
/// granted by an operator.
///
/// ```toml
/// [package.metadata.toolhost.wants]
/// http = [{ allow = "GET https://api.example.com/", why = "looks up cities" }]
/// dirs = [{ guest = "/work", access = "rw", why = "writes the report" }]
/// storage = { why = "remembers the last city" }
/// ```
#[proc_macro]
pub fn plugin(tools: TokenStream) -> TokenStream {
    plugin::expand(tools.into()).into()
}
