//! First stage: what was written between the parentheses of `#[tool(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, Lit, LitInt, LitStr, Path, Token};

use crate::names::nearest;

/// One argument: a word, or a word and a value.
pub(crate) struct Argument {
    pub(crate) key: Ident,
    pub(crate) value: Option<Expr>,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error("#[tool] takes words and `word = value`, such as `read_only`"));
        }
        let key = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { key, value })
    }
}

/// The arguments as a list, for attributes on functions and on parameters.
pub(crate) fn arguments(tokens: TokenStream) -> syn::Result<Vec<Argument>> {
    let list = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(tokens)?;
    Ok(list.into_iter().collect())
}

/// The attribute on a function, as it was written.
#[derive(Default)]
pub(crate) struct ToolAttr {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<LitStr>,
    pub(crate) display_name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) approval: Option<LitStr>,
    pub(crate) max_retries: Option<LitInt>,
    pub(crate) meta: Option<Expr>,
    /// `read_only` and the other hints that were given.
    pub(crate) hints: Vec<(Ident, bool)>,
    /// `edits_files` and the other flags that were given.
    pub(crate) behaviour: Vec<(Ident, bool)>,
    /// `validate` and the other hooks that were given.
    pub(crate) hooks: Vec<(Ident, Path)>,
}

const TEXTS: [&str; 5] = ["name", "description", "display_name", "title", "approval"];
const VALUES: [&str; 2] = ["max_retries", "meta"];
const HINTS: [&str; 4] = ["read_only", "destructive", "idempotent", "open_world"];
const BEHAVIOUR: [&str; 7] = [
    "edits_files",
    "defer_loading",
    "sequential",
    "ends_run",
    "client_side",
    "programmatic_only",
    "programmatic",
];
const HOOKS: [&str; 4] = ["needs_approval", "validate", "prepare", "model_output"];

impl ToolAttr {
    /// Reads the attribute. What is wrong with it is added to `errors`, and the
    /// rest is still read.
    pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Self {
        let mut attr = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let arguments = match arguments(tokens) {
            Ok(arguments) => arguments,
            Err(error) => {
                errors.push(error);
                return attr;
            }
        };
        for argument in arguments {
            let key = argument.key.to_string();
            if seen.contains(&key) {
                errors.at(
                    &argument.key,
                    format!("#[tool] has `{key}` twice; keep one"),
                );
                continue;
            }
            if let Err(error) = attr.set(argument) {
                errors.push(error);
            }
            seen.push(key);
        }
        attr
    }

    fn set(&mut self, argument: Argument) -> syn::Result<()> {
        let key = argument.key.to_string();
        let word = key.as_str();
        if TEXTS.contains(&word) {
            *self.text(word) = Some(argument.text()?);
        } else if HINTS.contains(&word) {
            let is_set = argument.flag()?;
            self.hints.push((argument.key, is_set));
        } else if BEHAVIOUR.contains(&word) {
            let is_set = argument.flag()?;
            self.behaviour.push((argument.key, is_set));
        } else if HOOKS.contains(&word) {
            let path = argument.path()?;
            self.hooks.push((argument.key, path));
        } else if word == "max_retries" {
            self.max_retries = Some(argument.number()?);
        } else if word == "meta" {
            self.meta = Some(argument.expression("json!({ \"team\": \"maps\" })")?);
        } else {
            return Err(unknown(&argument.key));
        }
        Ok(())
    }

    fn text(&mut self, word: &str) -> &mut Option<LitStr> {
        match word {
            "name" => &mut self.name,
            "description" => &mut self.description,
            "display_name" => &mut self.display_name,
            "title" => &mut self.title,
            _ => &mut self.approval,
        }
    }

    /// The hook of that name, if it was given.
    pub(crate) fn hook(&self, name: &str) -> Option<&Path> {
        let mut hooks = self.hooks.iter();
        hooks.find(|(key, _)| key == name).map(|(_, path)| path)
    }
}

fn unknown(key: &Ident) -> syn::Error {
    let known: Vec<&str> = [&TEXTS[..], &VALUES, &HINTS, &BEHAVIOUR, &HOOKS].concat();
    let help = match nearest(&key.to_string(), &known) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("it takes {}", known.join(", ")),
    };
    syn::Error::new(key.span(), format!("#[tool] does not know `{key}`; {help}"))
}

impl Argument {
    fn wants(&self, example: &str) -> syn::Error {
        let key = &self.key;
        let message = format!("#[tool] wants `{key} = {example}`");
        match &self.value {
            Some(value) => syn::Error::new_spanned(value, message),
            None => syn::Error::new(key.span(), message),
        }
    }

    fn literal(&self) -> Option<&Lit> {
        match &self.value {
            Some(Expr::Lit(ExprLit { lit, .. })) => Some(lit),
            _ => None,
        }
    }

    fn text(&self) -> syn::Result<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => Err(self.wants("\"text\"")),
        }
    }

    fn number(&self) -> syn::Result<LitInt> {
        match self.literal() {
            Some(Lit::Int(number)) if number.base10_parse::<u32>().is_ok() => Ok(number.clone()),
            _ => Err(self.wants("3")),
        }
    }

    /// `word` and `word = true` set a flag, `word = false` denies it.
    fn flag(&self) -> syn::Result<bool> {
        match (&self.value, self.literal()) {
            (None, _) => Ok(true),
            (_, Some(Lit::Bool(flag))) => Ok(flag.value),
            _ => Err(self.wants("true")),
        }
    }

    fn path(&self) -> syn::Result<Path> {
        match &self.value {
            Some(Expr::Path(ExprPath {
                path, qself: None, ..
            })) => Ok(path.clone()),
            _ => Err(self.wants("a_function")),
        }
    }

    fn expression(&self, example: &str) -> syn::Result<Expr> {
        self.value.clone().ok_or_else(|| self.wants(example))
    }
}

/// All that is wrong with one tool, told at once.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error that is already made.
    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Adds a sentence about some tokens.
    pub(crate) fn at(&mut self, tokens: impl quote::ToTokens, sentence: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(tokens, sentence));
    }

    /// Adds a sentence about one place.
    pub(crate) fn here(&mut self, span: Span, sentence: impl std::fmt::Display) {
        self.push(syn::Error::new(span, sentence));
    }

    /// The errors as one, if there are any.
    pub(crate) fn into_error(self) -> Option<syn::Error> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn read(tokens: TokenStream) -> (ToolAttr, Vec<String>) {
        let mut errors = Errors::default();
        let attr = ToolAttr::parse(tokens, &mut errors);
        let sentences = errors.into_error().into_iter().flatten();
        (attr, sentences.map(|error| error.to_string()).collect())
    }

    #[test]
    fn everything_written_is_kept() {
        let (attr, errors) = read(quote!(
            name = "a-b",
            read_only,
            sequential = false,
            max_retries = 2,
            validate = own::check
        ));
        assert!(errors.is_empty());
        assert_eq!(attr.name.as_ref().unwrap().value(), "a-b");
        assert!(attr.hints[0].0 == "read_only" && attr.hints[0].1);
        assert!(attr.behaviour[0].0 == "sequential" && !attr.behaviour[0].1);
        assert!(attr.hook("validate").is_some() && attr.hook("prepare").is_none());
    }

    #[test]
    fn one_mistake_does_not_hide_another() {
        let (attr, errors) = read(quote!(titel = "T", title = 1, read_only, name = "kept"));
        assert_eq!(errors.len(), 2);
        assert!(errors.iter().all(|error| error.starts_with("#[tool] ")));
        assert_eq!(attr.name.unwrap().value(), "kept");
    }
}
