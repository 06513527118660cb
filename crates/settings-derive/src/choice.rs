//! Implementation of `#[derive(Choice)]`.

use crate::attributes::{doc, variant_name};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

/// Generates the implementations of `Choice` and `Setting`.
pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "Choice is for enums"));
    };
    let ident = &input.ident;
    let (mut words, mut values, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            return Err(syn::Error::new_spanned(variant, "a word holds nothing more"));
        }
        let (name, about, value) = (variant_name(variant)?, doc(&variant.attrs), &variant.ident);
        words.push(quote!(::settings::Word { name: #name, about: #about }));
        values.push(quote!(Self::#value));
        names.push(name);
    }
    Ok(quote! {
        impl ::settings::Choice for #ident {
            const WORDS: &'static [::settings::Word] = &[#(#words),*];
            const VALUES: &'static [Self] = &[#(#values),*];
            fn word(self) -> &'static str {
                match self { #(#values => #names),* }
            }
        }

        impl ::settings::Setting for #ident {
            fn expected() -> String {
                format!("one of {}", ::settings::table::quoted(<Self as ::settings::Choice>::WORDS, " "))
            }
            fn value() -> String {
                ::settings::table::quoted(<Self as ::settings::Choice>::WORDS, ", ")
            }
            fn read(node: &::settings::Node) -> ::core::result::Result<Self, ::settings::Error> {
                ::settings::table::choose(node)
            }
            fn write(&self) -> ::settings::Node {
                ::settings::Choice::word(*self).into()
            }
            fn schema(_: &mut ::settings::Schemas) -> ::settings::schema::Json {
                ::settings::table::choice_schema(<Self as ::settings::Choice>::WORDS)
            }
        }
    })
}
