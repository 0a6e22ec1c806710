//! `plugin!`: from names of functions to the exports of a component, with its
//! manifest beside them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Path, PathSegment, Token};

use crate::attr::Errors;
use crate::manifest;
use crate::names::{chooser, tool_type};

/// `plugin!`, from tokens to tokens.
pub(crate) fn expand(tokens: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let tools = parse(tokens, &mut errors);
    let manifest = manifest::expand().unwrap_or_else(|sentences| {
        for sentence in sentences {
            errors.here(proc_macro2::Span::call_site(), sentence);
        }
        TokenStream::new()
    });
    match errors.into_error() {
        None => {
            let exports = write(&tools);
            quote!(#exports #manifest)
        }
        Some(error) => error.to_compile_error(),
    }
}

fn parse(tokens: TokenStream, errors: &mut Errors) -> Vec<Path> {
    let list = Punctuated::<Path, Token![,]>::parse_terminated_with;
    let parser = |input: syn::parse::ParseStream<'_>| list(input, Path::parse_mod_style);
    let Ok(paths) = parser.parse2(tokens.clone()) else {
        errors.at(
            tokens,
            "plugin! wants names of tools: `plugin!(hello, weather::forecast)`",
        );
        return Vec::new();
    };
    if paths.is_empty() {
        let here = proc_macro2::Span::call_site();
        errors.here(here, "plugin! wants at least one tool: `plugin!(hello)`");
    }
    let mut seen = Vec::new();
    for path in &paths {
        let text = path.to_token_stream().to_string();
        if seen.contains(&text) {
            errors.at(path, format!("plugin! has `{text}` twice; keep one"));
        }
        seen.push(text);
    }
    paths.into_iter().collect()
}

fn write(tools: &[Path]) -> TokenStream {
    let types = tools.iter().map(|path| beside(path, tool_type));
    let sdk = quote!(::toolhost_sdk::__private);
    let plain = quote! {
        #sdk::plain::export_tools!(Exported with_types_in #sdk::plain);
    };
    let hooked = quote! {
        #sdk::plain::export_tools!(Exported with_types_in #sdk::plain);
        #sdk::hooked::export_hooks!(Exported with_types_in #sdk::hooked);
    };
    // One choice inside the other: the first tool with hooks decides, and only
    // when none has them is the innermost, plain one reached.
    let exports = tools.iter().rev().fold(plain, |inner, path| {
        let chooser = beside(path, chooser);
        quote!(#chooser! { { #inner } { #hooked } })
    });
    quote! {
        const _: () = {
            struct Exported;

            impl #sdk::Plugin for Exported {
                const TOOLS: &'static [#sdk::Entry] = &[#(#sdk::Entry::of::<#types>()),*];
            }

            const _: () = ::core::assert!(
                !#sdk::have_same_name(<Exported as #sdk::Plugin>::TOOLS),
                "plugin! has two tools of the same name; give one of them another with `#[tool(name = \"…\")]`"
            );

            #[cfg(target_arch = "wasm32")]
            const _: () = {
                #exports
            };
        };
    }
}

/// What stands beside the function at the end of a path, under another name.
fn beside(path: &Path, name: fn(&proc_macro2::Ident) -> proc_macro2::Ident) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        *last = PathSegment::from(name(&last.ident));
    }
    path
}
