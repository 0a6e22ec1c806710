//! Last stage: what is written when something is wrong. The messages, and code
//! that has the right names, so that nothing else fails to compile for it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::expand::{chooser_macro, marker};
use crate::names::tool_type;

/// The messages, the function, and a tool that has only its name.
pub(crate) fn stub(item: &ItemFn, error: &syn::Error) -> TokenStream {
    let messages = error.to_compile_error();
    if item.sig.receiver().is_some() {
        // It stands in an `impl`, where no other items may be.
        return quote!(#messages #item);
    }
    let name = item.sig.ident.to_string();
    let type_name = tool_type(&item.sig.ident);
    let marker = marker(item);
    let chooser = chooser_macro(&item.sig.ident, false);
    quote! {
        #messages
        #item
        #marker
        impl ::toolhost_sdk::Tool for #type_name {
            const NAME: &'static str = #name;

            fn definition() -> ::toolhost_sdk::Definition {
                ::core::unreachable!()
            }

            fn execute(
                _: ::core::option::Option<&str>,
                _: &::toolhost_sdk::Context,
            ) -> ::core::result::Result<
                ::toolhost_sdk::__private::RawOutcome,
                ::toolhost_sdk::ToolError,
            > {
                ::core::unreachable!()
            }
        }
        #chooser
    }
}

/// The message and the item as it was. A function that does not parse gets
/// only the parser's own message.
pub(crate) fn not_a_function(item: &TokenStream, error: &syn::Error) -> TokenStream {
    if let Ok(other) = syn::parse2::<syn::Item>(item.clone()) {
        let sentence = "#[tool] goes on a function: `#[tool] fn hello(name: String) -> String`";
        let message = syn::Error::new_spanned(&other, sentence).to_compile_error();
        return quote!(#message #other);
    }
    let message = error.to_compile_error();
    quote!(#message #item)
}
