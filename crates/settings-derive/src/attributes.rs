//! Parsing of attributes and doc comments.

use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta, Token, Variant};

/// Arguments of an attribute, by name; the value is `None` for a bare word.
pub struct Arguments {
    found: BTreeMap<String, (Ident, Option<Expr>)>,
}

/// One argument of an attribute: `word` or `name = VALUE`.
struct Argument(Ident, Option<Expr>);

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let value = input.parse::<Option<Token![=]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Self(name, value))
    }
}

impl Arguments {
    /// Parses the arguments of all attributes called `name`; an argument that is not in `known` is an error.
    pub fn of(attributes: &[Attribute], name: &str, known: &[&str]) -> syn::Result<Self> {
        let mut found = BTreeMap::new();
        for attribute in attributes.iter().filter(|a| a.path().is_ident(name)) {
            let tokens = attribute.meta.require_list()?.tokens.clone();
            for Argument(key, value) in Punctuated::<Argument, Token![,]>::parse_terminated.parse2(tokens)? {
                if !known.iter().any(|known| key == known) {
                    let message = format!("no argument `{key}`: there are {}", known.join(", "));
                    return Err(syn::Error::new_spanned(key, message));
                }
                found.insert(key.to_string(), (key, value));
            }
        }
        Ok(Self { found })
    }

    /// Returns true if the argument `name` is given, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        self.found.contains_key(name)
    }

    /// Returns the expression after `name =`.
    pub fn expression(&self, name: &str) -> Option<&Expr> {
        self.found.get(name).and_then(|(_, value)| value.as_ref())
    }

    /// Returns the tokens of the expression after `name =`, whose type is a string; an empty string literal
    /// if the argument is not given.
    pub fn text(&self, name: &str) -> TokenStream {
        self.expression(name).map_or_else(|| quote!(""), |text| quote!(#text))
    }

    /// Returns the string literal after `name =`; `None` if the argument is not given, and an error for any
    /// other expression.
    pub fn literal(&self, name: &str) -> syn::Result<Option<String>> {
        let Some((key, value)) = self.found.get(name) else { return Ok(None) };
        let text = value.as_ref().and_then(literal);
        text.map(Some).ok_or_else(|| syn::Error::new_spanned(key, "a text in quotes belongs here"))
    }
}

/// Returns the value of a string literal, including one within an invisible group from a macro.
fn literal(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Group(group) => literal(&group.expr),
        _ => None,
    }
}

/// Returns the doc comment, its lines joined by spaces.
pub fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|a| a.path().is_ident("doc")).filter_map(|a| match &a.meta {
        Meta::NameValue(pair) => literal(&pair.value),
        _ => None,
    });
    lines.map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Arguments of `#[setting(...)]` that are allowed on a variant.
pub const OF_VARIANTS: &[&str] = &["name", "skip"];

/// Returns the name of a variant in files: the `name` in its attribute, or the variant's identifier in kebab
/// case.
pub fn variant_name(variant: &Variant) -> syn::Result<String> {
    let arguments = Arguments::of(&variant.attrs, "setting", OF_VARIANTS)?;
    Ok(arguments.literal("name")?.unwrap_or_else(|| kebab(&variant.ident.to_string())))
}

fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
