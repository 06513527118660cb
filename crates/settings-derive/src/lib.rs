//! The derives of crate `settings`: see its documentation.

mod attributes;
mod choice;
mod kinds;
mod table;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Declares the settings of a table: one for each field of a struct.
///
/// Arguments of `#[setting(...)]` on a field:
///
/// - `default = VALUE`; or `needed = "an example"` if it has to be given
/// - `absent = "..."`: for pages, what holds if it is not given
/// - `range = LOW..=HIGH`; `allowed = "..."` instead of the bounds' own text
/// - `form = TYPE`: a form other than the type's own
/// - `name = "key"` if the key is not the field's name
/// - `source = "RFC ..."`
/// - `was = "key"`: the key of the version before, which is still read
/// - `value = "..."`: for pages, the values that may be written
/// - `flatten` if the field is a struct whose settings are in the same table
/// - `skip` if it is no setting
///
/// A field of type `Option` is `None` if it is not given.
///
/// Arguments of `#[settings(...)]` on the struct:
///
/// - `expecting = "a table: { ... }"`
/// - `named = "..."`: a name for the schema
/// - `check`: calls its method `check(&self) -> Result<(), settings::Error>` after reading
/// - `complete`: then calls its method `complete(&mut self) -> Result<(), settings::Error>`, which fills in derived
///   values
/// - `no_default` if it has a `Default` of its own
#[proc_macro_derive(Settings, attributes(setting, settings))]
pub fn settings(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares the words of a choice: one for each variant, whose doc comment gives the meaning. The word is the variant's
/// name in kebab case, or `#[setting(name = "...")]`.
#[proc_macro_derive(Choice, attributes(setting))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    choice::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a table with a `kind`: one for each variant, which holds the settings of that kind or nothing. The kind is
/// the variant's name in kebab case, or `#[setting(name = "...")]`. A variant with `#[setting(skip)]` is not in
/// documents.
///
/// Arguments of `#[settings(...)]`: `what = "queue"`, the noun for messages; `named = "..."`, its name in the schema if
/// that differs; `overlay` if settings that are not given keep the value of a base of the same kind.
#[proc_macro_derive(Kinds, attributes(setting, settings))]
pub fn kinds(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    kinds::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
