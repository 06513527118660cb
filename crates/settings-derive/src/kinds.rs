//! Implementation of `#[derive(Kinds)]`.

use crate::attributes::{Arguments, OF_VARIANTS, doc, variant_name};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

/// Generates the implementations of `Kinds` and `Setting`.
pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(input, "Kinds is for enums"));
    };
    let ident = &input.ident;
    let arguments = Arguments::of(&input.attrs, "settings", &["what", "named", "overlay"])?;
    let what = arguments.literal("what")?;
    let what = what.ok_or_else(|| syn::Error::new_spanned(ident, "say #[settings(what = \"...\")]"))?;
    let schema = arguments.literal("named")?.unwrap_or_else(|| what.clone());
    let (mut names, mut kinds, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut lays, mut keys) = (Vec::new(), Vec::new());
    for variant in &data.variants {
        if Arguments::of(&variant.attrs, "setting", OF_VARIANTS)?.has("skip") {
            let value = &variant.ident;
            writes.push(quote!(Self::#value(..) => {}));
            continue;
        }
        let (name, about, value) = (variant_name(variant)?, doc(&variant.attrs), &variant.ident);
        let fields = match &variant.fields {
            Fields::Unit => {
                reads.push(quote! {
                    #name => ::settings::table::of_kind::<::settings::table::Nothing>(node, None).map(|_| Self::#value)
                });
                writes.push(quote!(Self::#value => table.insert("kind", #name)));
                quote!(::std::vec::Vec::new())
            }
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let inner = &fields.unnamed[0].ty;
                reads.push(quote! {
                    #name => ::settings::table::of_kind::<#inner>(node, None).map(Self::#value)
                });
                lays.push(quote! {
                    (#name, Self::#value(base)) => {
                        ::settings::table::of_kind::<#inner>(node, Some(base)).map(Self::#value)
                    }
                });
                writes.push(quote! {
                    Self::#value(inner) => {
                        table.insert("kind", #name);
                        ::settings::Settings::write_fields(inner, &mut table);
                    }
                });
                keys.push(quote!(#name => ::settings::table::names::<#inner>()));
                quote!(<#inner as ::settings::Settings>::fields(schemas))
            }
            _ => {
                return Err(syn::Error::new_spanned(
                    variant,
                    "a kind holds one struct of settings, or nothing",
                ));
            }
        };
        kinds.push(quote!(::settings::Kind { name: #name, about: #about, fields: #fields }));
        names.push(name);
    }
    let read_over = arguments.has("overlay").then(|| {
        quote! {
            fn read_over(
                node: &::settings::Node,
                base: &Self,
            ) -> ::core::result::Result<Self, ::settings::Error> {
                match (::settings::table::kind::<Self>(node)?, base) {
                    #(#lays)*
                    _ => <Self as ::settings::Setting>::read(node),
                }
            }
        }
    });
    let (generics, of, bounds) = input.generics.split_for_impl();
    Ok(quote! {
        impl #generics ::settings::Kinds for #ident #of #bounds {
            const WHAT: &'static str = #what;
            const NAMES: &'static [&'static str] = &[#(#names),*];
            fn keys(name: &str) -> ::std::vec::Vec<&'static str> {
                match name {
                    #(#keys,)*
                    _ => ::std::vec::Vec::new(),
                }
            }
            fn kinds(schemas: &mut ::settings::Schemas) -> ::std::vec::Vec<::settings::Kind> {
                vec![#(#kinds),*]
            }
        }

        impl #generics ::settings::Setting for #ident #of #bounds {
            fn expected() -> String {
                "a table with a kind".to_owned()
            }
            fn value() -> String {
                #what.to_owned()
            }
            fn read(node: &::settings::Node) -> ::core::result::Result<Self, ::settings::Error> {
                match ::settings::table::kind::<Self>(node)? {
                    #(#reads,)*
                    _ => unreachable!("`kind` answers with one of the names"),
                }
            }
            #read_over
            fn write(&self) -> ::settings::Node {
                let mut table = ::settings::Node::table();
                match self { #(#writes),* }
                table
            }
            fn schema(schemas: &mut ::settings::Schemas) -> ::settings::schema::Json {
                schemas.named(#schema, |schemas| {
                    ::settings::table::kinds_schema(&<Self as ::settings::Kinds>::kinds(schemas))
                })
            }
        }
    })
}
