//! Third stage: what is meant, with every default settled, or sentences about
//! what is wrong.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, Lit, LitStr, PathArguments, ReturnType, Type, TypeReference};

use crate::attr::{Errors, ToolAttr};
use crate::model::{Param, ToolFn};

/// A tool that can be written out.
pub(crate) struct Tool {
    pub(crate) attr: ToolAttr,
    pub(crate) function: ToolFn,
    /// The name the model calls.
    pub(crate) name: LitStr,
    /// What the model reads.
    pub(crate) description: String,
    /// Where the arguments come from.
    pub(crate) args: Args,
    /// What the function is called with, in order.
    pub(crate) passed: Vec<Passed>,
    /// What the function returns.
    pub(crate) returned: Type,
}

/// The type that takes the arguments.
pub(crate) enum Args {
    /// A struct that is written for the tool.
    Written(Vec<Field>),
    /// A struct that the author wrote.
    Own(Type),
}

/// A field of the struct that is written.
pub(crate) struct Field {
    pub(crate) param: Param,
    /// The owned form of the parameter's type.
    pub(crate) ty: Type,
}

/// How a parameter gets its value.
pub(crate) enum Passed {
    /// The context.
    Context,
    /// All arguments, by value or by reference.
    All { by_reference: bool },
    /// A field, as it is.
    Owned(Ident),
    /// A field, by reference.
    Borrowed(Ident),
    /// A field of type `Option<String>`, as `Option<&str>`.
    BorrowedOption(Ident),
}

/// Checks everything. All that is wrong is added to `errors`; the result only
/// means something when nothing is.
pub(crate) fn check(attr: ToolAttr, mut function: ToolFn, errors: &mut Errors) -> Tool {
    check_signature(&function, errors);
    let name = check_name(&attr, &function, errors);
    let description = check_description(&attr, &function, errors);
    check_approval(&attr, errors);
    let params = std::mem::take(&mut function.params);
    let (args, passed) = check_params(params, errors);
    let returned = check_return(&function.item.sig.output, errors);
    Tool {
        attr,
        function,
        name,
        description,
        args,
        passed,
        returned,
    }
}

fn check_signature(function: &ToolFn, errors: &mut Errors) {
    let signature = &function.item.sig;
    if let Some(word) = &signature.asyncness {
        errors.at(
            word,
            "#[tool] wants a plain `fn`: a call runs alone in its sandbox, so blocking is fine",
        );
    }
    if let Some(word) = &signature.unsafety {
        errors.at(word, "#[tool] wants a safe function");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "#[tool] wants a plain `fn`, without `extern`");
    }
    let generics = &signature.generics;
    let is_generic =
        generics.type_params().next().is_some() || generics.const_params().next().is_some();
    if is_generic {
        errors.at(
            generics,
            "#[tool] wants a function without type parameters: the schema needs one type",
        );
    }
}

fn check_name(attr: &ToolAttr, function: &ToolFn, errors: &mut Errors) -> LitStr {
    let ident = &function.item.sig.ident;
    let name = attr
        .name
        .clone()
        .unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
    let text = name.value();
    let fits = (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if !fits {
        errors.here(
            name.span(),
            "#[tool] wants a name of 1 to 64 letters, digits, `_` and `-`; give one with `name = \"…\"`",
        );
    }
    name
}

fn check_description(attr: &ToolAttr, function: &ToolFn, errors: &mut Errors) -> String {
    let description = match &attr.description {
        Some(text) => text.value(),
        None => function.docs.clone(),
    };
    if description.trim().is_empty() {
        errors.here(
            function.item.sig.ident.span(),
            "#[tool] wants a description for the model: a doc comment above the function, or `description = \"…\"`",
        );
    }
    description
}

fn check_approval(attr: &ToolAttr, errors: &mut Errors) {
    let Some(approval) = &attr.approval else {
        return;
    };
    if !["never", "always"].contains(&approval.value().as_str()) {
        errors.at(
            approval,
            "#[tool] wants `approval = \"never\"` or `approval = \"always\"`",
        );
    } else if attr.hook("needs_approval").is_some() {
        errors.at(
            approval,
            "#[tool] has both `approval` and `needs_approval`; the function alone decides, so leave `approval` out",
        );
    }
}

fn check_return(output: &ReturnType, errors: &mut Errors) -> Type {
    match output {
        ReturnType::Default => Type::Verbatim(quote!(())),
        ReturnType::Type(_, ty) => {
            if matches!(**ty, Type::ImplTrait(_)) {
                errors.at(
                    ty,
                    "#[tool] wants the name of a type here: the output schema is made from it",
                );
            }
            (**ty).clone()
        }
    }
}

fn check_params(params: Vec<Param>, errors: &mut Errors) -> (Args, Vec<Passed>) {
    let mut fields = Vec::new();
    let mut own = None;
    let mut passed = Vec::new();
    let mut has_context = false;
    for param in params {
        if is_context(&param.ty, errors) {
            if has_context {
                errors.at(&param.ty, "#[tool] has the context twice; keep one");
            }
            has_context = true;
            passed.push(Passed::Context);
            check_bare(&param, errors);
        } else if param.is_args {
            let (ty, by_reference) = own_type(&param.ty);
            passed.push(Passed::All { by_reference });
            if own.replace(ty).is_some() {
                errors.at(&param.ident, "#[tool] has `#[tool(args)]` twice; keep one");
            }
            if let Some(default) = &param.default {
                errors.at(&default.key, "#[tool] takes no default for all arguments; use `#[serde(default)]` in the struct");
            }
        } else {
            let field = Field::check(param, errors);
            passed.push(field.passed());
            fields.push(field);
        }
    }
    match (own, fields.first()) {
        (Some(ty), None) => (Args::Own(ty), passed),
        (Some(ty), Some(field)) => {
            let sentence = "#[tool] has `#[tool(args)]` on another parameter, which takes all arguments; move this one into its struct";
            errors.at(&field.param.ident, sentence);
            (Args::Own(ty), passed)
        }
        (None, _) => (Args::Written(fields), passed),
    }
}

/// The context is no argument, so nothing can be said about it as one.
fn check_bare(param: &Param, errors: &mut Errors) {
    if param.is_args || param.default.is_some() {
        errors.at(
            &param.ident,
            "#[tool] gives the context itself; leave the attribute out",
        );
    }
}

/// Whether it is `&Context`; a `Context` in any other form is an error.
fn is_context(ty: &Type, errors: &mut Errors) -> bool {
    let (inner, reference) = match ty {
        Type::Reference(reference) => (&*reference.elem, Some(reference)),
        other => (other, None),
    };
    let Type::Path(path) = inner else {
        return false;
    };
    let is_context = path
        .path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Context" && last.arguments.is_none());
    let is_shared = reference.is_some_and(|reference| reference.mutability.is_none());
    if is_context && !is_shared {
        errors.at(
            ty,
            "#[tool] gives the context by reference: `ctx: &Context`",
        );
    }
    is_context
}

fn own_type(ty: &Type) -> (Type, bool) {
    match ty {
        Type::Reference(reference) => ((*reference.elem).clone(), true),
        other => (other.clone(), false),
    }
}

impl Field {
    fn check(param: Param, errors: &mut Errors) -> Self {
        let ty = match &param.ty {
            Type::Reference(reference) => {
                check_reference(reference, errors);
                owned(&reference.elem)
            }
            Type::ImplTrait(_) => {
                errors.at(
                    &param.ty,
                    "#[tool] wants the name of a type here: the schema is made from it",
                );
                param.ty.clone()
            }
            other => match option_of(other) {
                Some(Type::Reference(reference)) => {
                    let inner = owned(&reference.elem);
                    Type::Verbatim(quote!(::core::option::Option<#inner>))
                }
                _ => other.clone(),
            },
        };
        if let Some(default) = &param.default
            && option_of(&param.ty).is_some()
        {
            let sentence = "#[tool] has a default on an `Option`, which is optional without one; drop the default or the `Option`";
            errors.at(&default.key, sentence);
        }
        Self { param, ty }
    }

    fn passed(&self) -> Passed {
        let ident = self.param.ident.clone();
        match &self.param.ty {
            Type::Reference(_) => Passed::Borrowed(ident),
            other => match option_of(other) {
                Some(Type::Reference(_)) => Passed::BorrowedOption(ident),
                _ => Passed::Owned(ident),
            },
        }
    }

    /// The expression of its default, of the field's type.
    pub(crate) fn default(&self) -> Option<TokenStream> {
        let default = self.param.default.as_ref()?;
        Some(match &default.value {
            None => quote!(::core::default::Default::default()),
            Some(value) if is_text(value) => quote!(::core::convert::Into::into(#value)),
            Some(value) => value.to_token_stream(),
        })
    }
}

/// A literal text becomes a `String` by itself.
fn is_text(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)))
}

fn check_reference(reference: &TypeReference, errors: &mut Errors) {
    if let Some(word) = &reference.mutability {
        errors.here(
            word.span(),
            "#[tool] gives arguments by value or by shared reference, not by `&mut`",
        );
    }
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident == "static"
    {
        errors.at(
            lifetime,
            "#[tool] cannot give an argument for `'static`; leave the lifetime out",
        );
    }
}

/// The type that owns what a reference to `ty` borrows.
fn owned(ty: &Type) -> Type {
    match ty {
        Type::Path(path) if path.path.is_ident("str") => {
            Type::Verbatim(quote!(::std::string::String))
        }
        Type::Slice(slice) => {
            let item = &slice.elem;
            Type::Verbatim(quote!(::std::vec::Vec<#item>))
        }
        other => other.clone(),
    }
}

/// `T` of an `Option<T>`.
fn option_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    if last.ident != "Option" {
        return None;
    }
    match &last.arguments {
        PathArguments::AngleBracketed(generic) => match generic.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    fn field(param: &Type) -> String {
        let mut errors = Errors::default();
        let item = parse_quote!(fn f(value: #param) {});
        let function = ToolFn::parse(item, &mut errors);
        let (Args::Written(fields), _) = check_params(function.params, &mut errors) else {
            panic!("a parameter is a field");
        };
        assert!(errors.into_error().is_none());
        fields[0].ty.to_token_stream().to_string()
    }

    #[test]
    fn what_is_borrowed_is_owned_by_a_field() {
        assert_eq!(field(&parse_quote!(String)), "String");
        assert_eq!(field(&parse_quote!(&str)), ":: std :: string :: String");
        assert_eq!(field(&parse_quote!(&[u8])), ":: std :: vec :: Vec < u8 >");
        assert_eq!(field(&parse_quote!(&Place)), "Place");
        assert_eq!(field(&parse_quote!(Option<u8>)), "Option < u8 >");
        assert_eq!(
            field(&parse_quote!(Option<&str>)),
            ":: core :: option :: Option < :: std :: string :: String >"
        );
    }
}
