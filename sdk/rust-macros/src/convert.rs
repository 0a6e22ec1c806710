//! The expressions that turn what a function returns into what the host wants.
//!
//! They are the caller's side of `toolhost_sdk::returns`, whose traits decide by
//! the number of references in front of a probe. Each expression stands at the
//! place of the type it converts, so that a message about that type points
//! there.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Path, Type};

/// The place of some tokens, in code that no lint takes for the author's own.
fn at(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// The output schema of a tool that returns `returned`.
pub(crate) fn output_schema(returned: &Type) -> TokenStream {
    quote_spanned! {at(returned)=> {
        #[allow(unused_imports, reason = "not every type takes every step")]
        use ::toolhost_sdk::returns::*;
        let __failure = (&&Probe::<#returned>::new()).failure();
        let __ending = (&&&__failure.value()).ending();
        ((&&&&__ending.value()).shape().conversion().schema)()
    }}
}

/// What `Tool::execute` returns when the function returns `value`.
pub(crate) fn outcome(returned: &Type, value: &TokenStream) -> TokenStream {
    quote_spanned! {at(returned)=> {
        #[allow(unused_imports, reason = "not every type takes every step")]
        use ::toolhost_sdk::returns::*;
        let __failure = (&&Probe::<#returned>::new()).failure();
        match __failure.split(#value) {
            ::core::result::Result::Ok(__value) => {
                let __ending = (&&&__failure.value()).ending();
                match __ending.split(__value) {
                    ::toolhost_sdk::Outcome::Done(__value) => {
                        ((&&&&__ending.value()).shape().conversion().output)(__value)
                            .map(::toolhost_sdk::Outcome::Done)
                    }
                    ::toolhost_sdk::Outcome::Suspended(__suspension) => {
                        ::core::result::Result::Ok(::toolhost_sdk::Outcome::Suspended(__suspension))
                    }
                }
            }
            ::core::result::Result::Err(__error) => ::core::result::Result::Err(
                ((&&&__failure.error()).report().conversion())(__error),
            ),
        }
    }}
}

/// A `Result<wanted, ToolError>` when the hook `path` returns `value`.
pub(crate) fn hook(path: &Path, wanted: &TokenStream, value: &TokenStream) -> TokenStream {
    quote_spanned! {at(path)=> {
        #[allow(unused_imports, reason = "not every type takes every step")]
        use ::toolhost_sdk::returns::*;
        let __returned = #value;
        let __failure = (&&probe_of(&__returned)).failure();
        match __failure.split(__returned) {
            ::core::result::Result::Ok(__value) => ::core::result::Result::Ok(
                HookReturn::<#wanted>::into_hook(__value),
            ),
            ::core::result::Result::Err(__error) => ::core::result::Result::Err(
                ((&&&__failure.error()).report().conversion())(__error),
            ),
        }
    }}
}
