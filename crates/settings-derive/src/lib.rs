//! Derive macros of crate `settings`, whose documentation explains them.

mod attributes;
mod choice;
mod kinds;
mod table;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `Settings` for a struct: each field is a setting of a table.
///
/// Arguments of `#[setting(...)]` on a field:
///
/// - `default = VALUE`: the value if the setting is not given; or `needed = "an example"` if it must be given
/// - `absent = "..."`: description, for pages, of the behaviour if the setting is not given
/// - `range = LOW..=HIGH`: bounds of the value; `allowed = "..."`: text for error messages that replaces the
///   bounds
/// - `form = TYPE`: form of the value in files, if it differs from the form of the field's type
/// - `name = "key"`: key in files, if it differs from the field's name
/// - `source = "RFC ..."`: source of the default
/// - `was = "key"`: key in the previous version, which is still read
/// - `value = "..."`: description, for pages, of the allowed values
/// - `flatten`: the field is a struct whose settings belong to the same table
/// - `skip`: the field is not a setting
///
/// A field of type `Option` is `None` if it is not given.
///
/// Arguments of `#[settings(...)]` on the struct:
///
/// - `expecting = "a table: { ... }"`: the expected form, for error messages
/// - `named = "..."`: name of the table in the schema
/// - `check`: after reading, calls the method `check(&self) -> Result<(), settings::Error>`
/// - `complete`: after that, calls the method `complete(&mut self) -> Result<(), settings::Error>`, which
///   fills in derived values
/// - `no_default`: generates no `Default`, because the struct implements it or needs none
#[proc_macro_derive(Settings, attributes(setting, settings))]
pub fn settings(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `Choice` for an enum without data: each variant is a word in files, and its doc comment is the
/// word's meaning. The word is the variant's name in kebab case, or given by `#[setting(name = "...")]`.
#[proc_macro_derive(Choice, attributes(setting))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    choice::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `Kinds` for an enum: a table whose key `kind` names the variant. A variant holds a struct with
/// the settings of that kind, or nothing. The kind is the variant's name in kebab case, or given by
/// `#[setting(name = "...")]`. A variant with `#[setting(skip)]` cannot be given in files.
///
/// Arguments of `#[settings(...)]`: `what = "queue"`, the noun for error messages; `named = "..."`, the name
/// in the schema, if it differs from `what`; `overlay`: settings that are not given are taken from a base of
/// the same kind.
#[proc_macro_derive(Kinds, attributes(setting, settings))]
pub fn kinds(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    kinds::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
