//! Second stage: what was written as a function. Attributes that only `#[tool]`
//! understands are taken off it, so that what is left is a function that
//! compiles.

use proc_macro2::Ident;
use syn::{Attribute, Expr, FnArg, ItemFn, Lit, LitStr, Meta, Pat, PatType, Type};

use crate::attr::{Errors, arguments};

/// The function and its parameters.
pub(crate) struct ToolFn {
    /// The function without what is only for `#[tool]`.
    pub(crate) item: ItemFn,
    /// Its doc comment, one paragraph of text.
    pub(crate) docs: String,
    /// Its parameters, in order.
    pub(crate) params: Vec<Param>,
}

/// One parameter.
pub(crate) struct Param {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// Its doc comment.
    pub(crate) docs: Vec<Attribute>,
    /// `#[serde(…)]` and `#[schemars(…)]`.
    pub(crate) handed_on: Vec<Attribute>,
    /// `#[tool(args)]`: it takes all arguments.
    pub(crate) is_args: bool,
    /// `#[tool(default)]` or `#[tool(default = …)]`.
    pub(crate) default: Option<Default>,
}

/// The default of a parameter.
pub(crate) struct Default {
    pub(crate) key: Ident,
    /// What was given; `Default::default()` otherwise.
    pub(crate) value: Option<Expr>,
}

impl ToolFn {
    /// Reads the function. What is wrong with it is added to `errors`.
    pub(crate) fn parse(mut item: ItemFn, errors: &mut Errors) -> Self {
        let docs = text_of(&item.attrs, errors);
        let mut params = Vec::new();
        for input in &mut item.sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    errors.at(receiver, "#[tool] wants a free function, without `self`");
                }
                FnArg::Typed(typed) => params.extend(Param::parse(typed, errors)),
            }
        }
        Self { item, docs, params }
    }
}

impl Param {
    fn parse(typed: &mut PatType, errors: &mut Errors) -> Option<Self> {
        let (own, rest) = std::mem::take(&mut typed.attrs)
            .into_iter()
            .partition(is_own);
        typed.attrs = rest;
        let Pat::Ident(name) = &*typed.pat else {
            let sentence = "#[tool] wants a name here: it is the name of the argument";
            errors.at(&typed.pat, sentence);
            return None;
        };
        let mut param = Self {
            ident: name.ident.clone(),
            ty: (*typed.ty).clone(),
            docs: Vec::new(),
            handed_on: Vec::new(),
            is_args: false,
            default: None,
        };
        for attribute in own {
            param.take(attribute, errors);
        }
        Some(param)
    }

    fn take(&mut self, attribute: Attribute, errors: &mut Errors) {
        if attribute.path().is_ident("doc") {
            self.docs.push(attribute);
        } else if attribute.path().is_ident("tool") {
            let tokens = match &attribute.meta {
                Meta::List(list) => list.tokens.clone(),
                _ => proc_macro2::TokenStream::new(),
            };
            match arguments(tokens) {
                Ok(list) if list.is_empty() => errors.at(&attribute, PARAM_FORMS),
                Ok(list) => list
                    .into_iter()
                    .for_each(|argument| self.set(argument, errors)),
                Err(error) => errors.push(error),
            }
        } else {
            self.handed_on.push(attribute);
        }
    }

    fn set(&mut self, argument: crate::attr::Argument, errors: &mut Errors) {
        let key = argument.key;
        if key == "default" {
            let value = argument.value;
            self.default = Some(Default { key, value });
        } else if key == "args" && argument.value.is_none() {
            self.is_args = true;
        } else {
            errors.at(key, PARAM_FORMS);
        }
    }
}

const PARAM_FORMS: &str =
    "#[tool] on a parameter is `#[tool(default)]`, `#[tool(default = 10)]` or `#[tool(args)]`";

fn is_own(attribute: &Attribute) -> bool {
    let own = ["doc", "tool", "serde", "schemars"];
    own.iter().any(|name| attribute.path().is_ident(name))
}

/// The text of a doc comment, without the space after the slashes.
fn text_of(attributes: &[Attribute], errors: &mut Errors) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(meta) = &attribute.meta else {
            continue;
        };
        if !meta.path.is_ident("doc") {
            continue;
        }
        match doc_line(&meta.value) {
            Some(line) => {
                let line = line.value();
                lines.push(line.strip_prefix(' ').unwrap_or(&line).to_owned());
            }
            None => errors.at(
                &meta.value,
                "#[tool] cannot read this doc comment; write it out, or give `description = \"…\"`",
            ),
        }
    }
    lines.join("\n").trim().to_owned()
}

fn doc_line(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn the_function_that_is_left_has_only_what_rust_understands() {
        let mut errors = Errors::default();
        let item = syn::parse2(quote! {
            /// First.
            ///
            ///   Second.
            fn hello(
                /// Who.
                #[tool(default = "x")]
                #[serde(rename = "who")]
                #[allow(unused)]
                name: String,
            ) {}
        });
        let function = ToolFn::parse(item.unwrap(), &mut errors);
        assert!(errors.into_error().is_none());
        assert_eq!(function.docs, "First.\n\n  Second.");
        let signature = &function.item.sig;
        let left = quote!(#signature).to_string();
        assert_eq!(
            left,
            quote!(fn hello(#[allow(unused)] name: String,)).to_string()
        );
        let param = &function.params[0];
        assert_eq!((param.docs.len(), param.handed_on.len()), (1, 1));
        assert!(param.default.is_some());
    }
}
