//! The derives of crate `settings`: see its documentation.

mod attributes;
mod choice;
mod kinds;
mod table;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Declares the settings of a table: one for each field of a struct.
///
/// Of a field, `#[setting(...)]` says: `default = VALUE`; `needed = "what it looks like"`, if it has to be given; `range = LOW..=HIGH`;
/// `allowed = "..."`, in place of the bounds' own text; `form = TYPE`, a way to write it other than the type's own; `name = "key"`,
/// if the key is not the field's name; `absent = "..."`, what holds if it is not given, for pages; `source = "RFC ..."`; `value = "..."`,
/// what may be written, for pages; `flatten`, if the field is a struct whose settings stand in the same table; `skip`, if it is no
/// setting. A field of type `Option` is `None` if it is not given.
///
/// Of the struct, `#[settings(...)]` says: `expecting = "a table: { ... }"`; `named = "..."`, a name for the schema; `check`, if its
/// method `check(&self) -> Result<(), settings::Error>` is to be asked after reading; `complete`, if its method
/// `complete(&mut self) -> Result<(), settings::Error>` then fills in what follows from the rest; `no_default`, if it has a `Default` of its own.
#[proc_macro_derive(Settings, attributes(setting, settings))]
pub fn settings(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    table::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares the words that a setting chooses among: one for each variant, whose doc comment says what it means. The word is
/// the variant's name in kebab case, or `#[setting(name = "...")]`.
#[proc_macro_derive(Choice, attributes(setting))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    choice::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a table that says its `kind`: one for each variant, which holds the settings of that kind or nothing. The kind is the
/// variant's name in kebab case, or `#[setting(name = "...")]`. `#[settings(what = "queue")]` says what it is a kind of; `named = "..."` is its name
/// in the schema, if that is another; `overlay`, if over a value of the same kind what is not given stays as it is there. A variant with
/// `#[setting(skip)]` is no kind that a document says.
#[proc_macro_derive(Kinds, attributes(setting, settings))]
pub fn kinds(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    kinds::derive(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
