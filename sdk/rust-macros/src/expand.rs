//! Fourth stage: the code that a tool becomes.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{ItemFn, Path, Type};

use crate::attr::{Errors, ToolAttr};
use crate::convert;
use crate::fallback;
use crate::model::ToolFn;
use crate::names::{args_type, chooser, tool_type};
use crate::valid::{self, Args, Field, Passed, Tool};

/// `#[tool]`, from tokens to tokens.
pub(crate) fn tool(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => return fallback::not_a_function(item, &error),
    };
    let mut errors = Errors::default();
    let attr = ToolAttr::parse(attribute, &mut errors);
    let function = ToolFn::parse(function, &mut errors);
    let tool = valid::check(attr, function, &mut errors);
    match errors.into_error() {
        None => expand(&tool),
        Some(error) => fallback::stub(&tool.function.item, &error),
    }
}

fn expand(tool: &Tool) -> TokenStream {
    let ident = &tool.function.item.sig.ident;
    let function = function(&tool.function.item);
    let marker = marker(&tool.function.item);
    let args_struct = match &tool.args {
        Args::Written(fields) => args_struct(tool, fields),
        Args::Own(_) => TokenStream::new(),
    };
    let implementation = implementation(tool);
    let chooser = chooser_macro(ident, !tool.attr.hooks.is_empty());
    quote! {
        #function
        #marker
        #args_struct
        #implementation
        #chooser
    }
}

/// The function itself. Arguments arrive by value and there may be many of
/// them, whatever clippy thinks of it elsewhere.
fn function(item: &ItemFn) -> TokenStream {
    quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            reason = "the parameters of a tool are its arguments"
        )]
        #item
    }
}

/// The type that stands for the tool.
pub(crate) fn marker(item: &ItemFn) -> TokenStream {
    let visibility = &item.vis;
    let marker = tool_type(&item.sig.ident);
    let docs = format!(
        "The tool `{}`, for `toolhost_sdk::testing`.",
        item.sig.ident
    );
    quote! {
        #[doc = #docs]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::marker::Copy)]
        #[allow(dead_code, reason = "only tests and `plugin!` name it")]
        #visibility struct #marker;
    }
}

fn args_struct(tool: &Tool, fields: &[Field]) -> TokenStream {
    let item = &tool.function.item;
    let visibility = &item.vis;
    let args = args_type(&item.sig.ident);
    let defaults = fields.iter().filter_map(|field| {
        let value = field.default()?;
        let ty = &field.ty;
        let function = default_function(field);
        Some(quote! {
            fn #function() -> #ty {
                #value
            }
        })
    });
    let members = fields.iter().map(|field| {
        let default = field.param.default.as_ref().map(|_| {
            let path = format!("{args}::{}", default_function(field));
            quote!(#[serde(default = #path)])
        });
        let (docs, handed_on) = (&field.param.docs, &field.param.handed_on);
        let (ident, ty) = (&field.param.ident, &field.ty);
        quote! {
            #(#docs)*
            #default
            #(#handed_on)*
            #visibility #ident: #ty
        }
    });
    quote! {
        #[derive(::toolhost_sdk::serde::Deserialize, ::toolhost_sdk::schemars::JsonSchema)]
        #[serde(crate = "::toolhost_sdk::serde", deny_unknown_fields)]
        #[schemars(crate = "::toolhost_sdk::schemars")]
        #[allow(missing_docs, reason = "a doc comment would become part of the schema")]
        #visibility struct #args {
            #(#members,)*
        }

        #[doc(hidden)]
        #[allow(clippy::unnecessary_wraps, reason = "written from a default")]
        impl #args {
            #(#defaults)*
        }
    }
}

fn default_function(field: &Field) -> Ident {
    use syn::ext::IdentExt;
    format_ident!("__default_{}", field.param.ident.unraw())
}

fn implementation(tool: &Tool) -> TokenStream {
    let ident = &tool.function.item.sig.ident;
    let marker = tool_type(ident);
    let name = &tool.name;
    let args = args_path(tool);
    let definition = definition(tool, &args);
    let passed = tool.passed.iter().map(passed);
    let call = quote!(#ident(#(#passed),*));
    let outcome = convert::outcome(&tool.returned, &call);
    let hooks = hooks(tool, &args);
    quote! {
        impl ::toolhost_sdk::Tool for #marker {
            const NAME: &'static str = #name;

            #definition

            fn execute(
                __arguments: ::core::option::Option<&str>,
                __ctx: &::toolhost_sdk::Context,
            ) -> ::core::result::Result<
                ::toolhost_sdk::__private::RawOutcome,
                ::toolhost_sdk::ToolError,
            > {
                #[allow(unused_variables, reason = "a tool may take no arguments")]
                let __args = ::toolhost_sdk::__private::arguments::<#args>(__arguments)?;
                #outcome
            }

            #hooks
        }
    }
}

fn args_path(tool: &Tool) -> Type {
    match &tool.args {
        Args::Own(ty) => ty.clone(),
        Args::Written(_) => {
            let args = args_type(&tool.function.item.sig.ident);
            Type::Verbatim(quote!(#args))
        }
    }
}

fn passed(passed: &Passed) -> TokenStream {
    match passed {
        Passed::Context => quote!(__ctx),
        Passed::All {
            by_reference: false,
        } => quote!(__args),
        Passed::All { by_reference: true } => quote!(&__args),
        Passed::Owned(field) => quote!(__args.#field),
        Passed::Borrowed(field) => quote!(&__args.#field),
        Passed::BorrowedOption(field) => quote!(__args.#field.as_deref()),
    }
}

fn definition(tool: &Tool, args: &Type) -> TokenStream {
    let attr = &tool.attr;
    let description = &tool.description;
    let output_schema = convert::output_schema(&tool.returned);
    let display_name = attr.display_name.iter();
    let title = attr.title.iter();
    let hints = attr.hints.iter().map(|(hint, is_set)| {
        quote!(definition.annotations.#hint = ::core::option::Option::Some(#is_set);)
    });
    let behaviour = attr
        .behaviour
        .iter()
        .map(|(flag, is_set)| quote!(definition.behaviour.#flag = #is_set;));
    let hooks = attr
        .hooks
        .iter()
        .map(|(hook, _)| quote!(definition.hooks.#hook = true;));
    let approval = approval(attr);
    let max_retries = attr.max_retries.iter();
    let meta = attr.meta.iter();
    quote! {
        fn definition() -> ::toolhost_sdk::Definition {
            let mut definition = ::toolhost_sdk::Definition::new(
                Self::NAME,
                #description,
                ::toolhost_sdk::__private::input_schema::<#args>(),
            );
            definition.output_schema = #output_schema;
            #(definition.display_name = ::core::option::Option::Some(::core::convert::Into::into(#display_name));)*
            #(definition.annotations.title = ::core::option::Option::Some(::core::convert::Into::into(#title));)*
            #(#hints)*
            #(#behaviour)*
            #(#hooks)*
            #approval
            #(definition.max_retries = #max_retries;)*
            #(definition.meta = ::core::option::Option::Some(::toolhost_sdk::__private::json(#meta));)*
            definition
        }
    }
}

fn approval(attr: &ToolAttr) -> TokenStream {
    let always = attr
        .approval
        .as_ref()
        .is_some_and(|text| text.value() == "always");
    let variant = if attr.hook("needs_approval").is_some() {
        quote!(AskHook)
    } else if always {
        quote!(Always)
    } else {
        return TokenStream::new();
    };
    quote!(definition.approval = ::toolhost_sdk::ApprovalRequirement::#variant;)
}

fn hooks(tool: &Tool, args: &Type) -> TokenStream {
    let hooks = tool.attr.hooks.iter();
    hooks
        .map(|(hook, path)| self::hook(hook, path, args))
        .collect()
}

fn hook(hook: &Ident, path: &Path, args: &Type) -> TokenStream {
    let sdk = quote!(::toolhost_sdk);
    let arguments = quote!(__arguments: ::core::option::Option<&str>);
    let parsed = quote!(&#sdk::__private::arguments::<#args>(__arguments)?);
    let (params, wanted, call) = match hook.to_string().as_str() {
        "needs_approval" => (
            quote!(#arguments, __ctx: &#sdk::Context),
            quote!(#sdk::ApprovalDecision),
            quote!(#path(#parsed, __ctx)),
        ),
        "validate" => (
            arguments,
            quote!(::std::vec::Vec<#sdk::ArgumentIssue>),
            quote!(#path(#parsed)),
        ),
        "prepare" => (
            quote!(__definition: &#sdk::Definition, __ctx: &#sdk::Context),
            quote!(#sdk::Offer),
            quote!(#path(__definition, __ctx)),
        ),
        _ => (
            quote!(__output: &#sdk::Output),
            quote!(::std::vec::Vec<#sdk::Content>),
            quote!(#path(__output)),
        ),
    };
    let converted = convert::hook(path, &wanted, &call);
    quote! {
        fn #hook(#params) -> ::core::result::Result<#wanted, #sdk::ToolError> {
            #converted
        }
    }
}

/// A macro that takes the code for a plugin without hooks and the code for one
/// with hooks, and becomes one of the two. It is how `plugin!`, which sees only
/// names, learns whether a tool has hooks.
pub(crate) fn chooser_macro(function: &Ident, has_hooks: bool) -> TokenStream {
    let chooser = chooser(function);
    let chosen = if has_hooks {
        quote!($($hooked)*)
    } else {
        quote!($($plain)*)
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros, reason = "only used in WebAssembly")]
        macro_rules! #chooser {
            ({ $($plain:tt)* } { $($hooked:tt)* }) => { #chosen };
        }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "only used in WebAssembly")]
        pub(crate) use #chooser;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tokens: TokenStream) -> Vec<String> {
        let file: syn::File = syn::parse2(tokens).expect("the code of a tool is items");
        let names = file.items.iter().filter_map(|item| match item {
            syn::Item::Fn(function) => Some(function.sig.ident.to_string()),
            syn::Item::Struct(structure) => Some(structure.ident.to_string()),
            _ => None,
        });
        names.collect()
    }

    #[test]
    fn a_tool_has_a_function_a_type_and_arguments() {
        let item = quote!(
            /// Documented.
            fn say_hello(name: String) {}
        );
        let written = tool(TokenStream::new(), &item);
        assert_eq!(
            names(written),
            ["say_hello", "SayHelloTool", "SayHelloArgs"]
        );
    }

    #[test]
    fn a_tool_that_is_wrong_still_has_a_function_and_a_type() {
        let written = tool(
            quote!(nonsense),
            &quote!(
                fn say_hello(name: String) {}
            ),
        );
        assert!(written.to_string().contains("compile_error"));
        assert_eq!(names(written), ["say_hello", "SayHelloTool"]);
    }

    #[test]
    fn anything_else_gets_a_message() {
        for item in [
            quote!(),
            quote!(
                struct S;
            ),
            quote!(fn),
            quote!(1 + 1),
        ] {
            let written = tool(quote!(=), &item).to_string();
            assert!(written.contains("compile_error"), "{written}");
        }
    }
}
