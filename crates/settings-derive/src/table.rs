//! Implementation of `#[derive(Settings)]`.

use crate::attributes::{Arguments, doc};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Expr, Field, Fields, GenericArgument, Ident, PathArguments, Type};

const OF_FIELDS: &[&str] = &[
    "default", "needed", "range", "allowed", "form", "name", "absent", "source", "value", "was", "flatten",
    "skip",
];
const OF_STRUCTS: &[&str] = &["expecting", "named", "check", "complete", "no_default"];

/// A field of the struct with its attributes.
struct Declared<'a> {
    ident: &'a Ident,
    ty: &'a Type,
    key: String,
    about: String,
    arguments: Arguments,
}

impl<'a> Declared<'a> {
    fn of(field: &'a Field) -> syn::Result<Self> {
        let ident =
            field.ident.as_ref().ok_or_else(|| syn::Error::new_spanned(field, "fields have names"))?;
        let arguments = Arguments::of(&field.attrs, "setting", OF_FIELDS)?;
        let key = arguments.literal("name")?.unwrap_or_else(|| ident.to_string());
        let declared = Self { ident, ty: &field.ty, key, about: doc(&field.attrs), arguments };
        let says = |name| declared.arguments.has(name);
        if !says("default")
            && !says("needed")
            && !says("flatten")
            && !says("skip")
            && declared.inner().is_none()
        {
            let message = "say what holds if it is not given: `default = ...` or `needed = \"...\"`";
            return Err(syn::Error::new_spanned(field, message));
        }
        Ok(declared)
    }

    fn expression(&self, name: &str) -> Option<&Expr> {
        self.arguments.expression(name)
    }

    /// Returns the type within `Option<...>`; `None` if the field is not an `Option`.
    fn inner(&self) -> Option<&Type> {
        let Type::Path(path) = self.ty else { return None };
        let last = path.path.segments.last().filter(|segment| segment.ident == "Option")?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        match arguments.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }
    }

    /// Returns the type that is written in files: the field's type, without `Option`.
    fn given(&self) -> &Type {
        self.inner().unwrap_or(self.ty)
    }

    fn form(&self) -> TokenStream {
        self.expression("form").map_or_else(|| quote!(::settings::Own), |form| quote!(#form))
    }

    /// Returns the expression for the value of a setting that neither the file nor a base gives; `None` if
    /// the setting must be given.
    fn default(&self) -> Option<TokenStream> {
        let given = self.expression("default").map(|default| quote!(#default));
        let none = || self.inner().map(|_| quote!(::core::option::Option::None));
        let own = || {
            let has = self.arguments.has("flatten") || self.arguments.has("skip");
            has.then(|| quote!(::core::default::Default::default()))
        };
        let needed = self.arguments.has("needed");
        if needed { None } else { given.or_else(none).or_else(own) }
    }

    fn read(&self) -> TokenStream {
        let (ident, key, ty, form) = (self.ident, &self.key, self.given(), self.form());
        if self.arguments.has("skip") {
            let default = self.default();
            return quote!(base.map_or_else(|| #default, |base| ::core::clone::Clone::clone(&base.#ident)));
        }
        if self.arguments.has("flatten") {
            let base = match self.expression("default") {
                Some(default) => {
                    quote!(::core::option::Option::Some(base.map_or(&#default, |base| &base.#ident)))
                }
                None => quote!(base.map(|base| &base.#ident)),
            };
            return quote!(<#ty as ::settings::Settings>::read_fields(table, #base)?);
        }
        let inner = match self.inner() {
            Some(_) => quote!(|value| value.as_ref()),
            None => quote!(|value| ::core::option::Option::Some(value)),
        };
        let check = match self.expression("range") {
            Some(range) => {
                let allowed = self.arguments.text("allowed");
                quote!(|value| ::settings::table::within::<#ty, #form>(value, #range, #allowed))
            }
            None => quote!(::core::result::Result::Ok),
        };
        let absent = match self.default() {
            Some(default) => quote!(::core::result::Result::Ok(#default)),
            None => {
                let example = self.arguments.text("needed");
                quote!(::core::result::Result::Err(::settings::table::missing(#key, #example)))
            }
        };
        let base = quote!(base.map(|base| &base.#ident));
        quote!(::settings::table::field::<#ty, _, #form>(table, #key, #base, #inner, #check, || #absent)?)
    }

    fn write(&self) -> TokenStream {
        let (ident, key, form, ty) = (self.ident, &self.key, self.form(), self.given());
        if self.arguments.has("skip") {
            return quote!();
        }
        if self.arguments.has("flatten") {
            return quote!(::settings::Settings::write_fields(&self.#ident, table););
        }
        let write =
            |value: TokenStream| quote!(table.insert(#key, <#form as ::settings::Form<#ty>>::write(#value)););
        if self.inner().is_some() {
            let write = write(quote!(value));
            return quote!(if let ::core::option::Option::Some(value) = &self.#ident { #write });
        }
        if self.arguments.has("needed") { write(quote!(&self.#ident)) } else { self.write_unless_empty() }
    }

    /// Generates code that writes the setting, unless its value is an empty list or table, which means the
    /// same as no key.
    fn write_unless_empty(&self) -> TokenStream {
        let (ident, key, form, ty) = (self.ident, &self.key, self.form(), self.ty);
        quote! {
            let node = <#form as ::settings::Form<#ty>>::write(&self.#ident);
            if !node.is_empty() {
                table.insert(#key, node);
            }
        }
    }

    fn any_key(&self) -> TokenStream {
        let (key, ty) = (&self.key, self.ty);
        if self.arguments.has("skip") {
            return quote!(false);
        }
        if self.arguments.has("flatten") {
            return quote!(<#ty as ::settings::Settings>::any_key(test));
        }
        quote!(test(#key))
    }

    fn describe(&self) -> TokenStream {
        let (key, about, ty, form) = (&self.key, &self.about, self.given(), self.form());
        if self.arguments.has("skip") {
            return quote!();
        }
        if self.arguments.has("flatten") {
            let own = quote!(<#ty as ::settings::Settings>::fields(schemas));
            return match self.expression("default") {
                Some(default) => quote!(fields.extend(::settings::table::with_defaults(#own, &#default));),
                None => quote!(fields.extend(#own);),
            };
        }
        let (absent, source) = (self.arguments.text("absent"), self.arguments.text("source"));
        let was = self.arguments.text("was");
        let value = match self.expression("value") {
            Some(value) => quote!(#value.to_owned()),
            None => quote!(<#form as ::settings::Form<#ty>>::value()),
        };
        let default = match (self.arguments.has("needed"), self.expression("default")) {
            (true, _) => {
                let example = self.arguments.text("needed");
                quote!(::settings::table::Default::Needed(#example))
            }
            (_, Some(default)) if !self.arguments.has("absent") && self.inner().is_none() => {
                quote!(::settings::table::Default::Value(<#form as ::settings::Form<#ty>>::write(&#default)))
            }
            _ => quote!(::settings::table::Default::Absent(#absent)),
        };
        let range = match self.expression("range") {
            // The attribute `value` replaces the description of the bounds.
            Some(range) if self.arguments.has("value") => quote! {{
                let (low, high) = (#range).into_inner();
                ::settings::table::bounds::<#ty, #form>(&mut schema, &low, &high);
                ::core::option::Option::None
            }},
            Some(range) => quote! {{
                let (low, high) = (#range).into_inner();
                ::core::option::Option::Some(::settings::table::bounds::<#ty, #form>(&mut schema, &low, &high))
            }},
            None => quote!(::core::option::Option::None),
        };
        quote! {{
            #[allow(unused_mut)]
            let mut schema = <#form as ::settings::Form<#ty>>::schema(schemas);
            let range = #range;
            fields.push(::settings::Field {
                name: #key, about: #about, source: #source, was: #was, value: #value, range, default: #default,
                schema,
            });
        }}
    }
}

/// Generates `Settings`, `Setting` and, unless a field is `needed` or `no_default` is given, `Default`.
pub fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new_spanned(
            input,
            "Settings is for structs: Choice and Kinds are for enums",
        ));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(syn::Error::new_spanned(input, "settings have names"));
    };
    let of_struct = Arguments::of(&input.attrs, "settings", OF_STRUCTS)?;
    let fields = fields.named.iter().map(Declared::of).collect::<syn::Result<Vec<_>>>()?;
    let idents: Vec<_> = fields.iter().map(|field| field.ident).collect();
    let reads = fields.iter().map(Declared::read);
    let describes = fields.iter().map(Declared::describe);
    let (writes, keys) = (fields.iter().map(Declared::write), fields.iter().map(Declared::any_key));
    let defaults: Option<Vec<_>> = fields.iter().map(Declared::default).collect();
    let (ident, about) = (&input.ident, doc(&input.attrs));
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let expecting = of_struct.literal("expecting")?.unwrap_or_else(|| "a table".to_owned());
    let check = of_struct.has("check").then(|| quote!(this.check()?;));
    let (mutable, complete) = match of_struct.has("complete") {
        true => (quote!(mut), quote!(this.complete()?;)),
        false => (quote!(), quote!()),
    };
    let schema = quote!(::settings::table::schema(&<Self as ::settings::Settings>::fields(schemas), #about));
    let schema = match of_struct.literal("named")? {
        Some(name) => quote!(schemas.named(#name, |schemas| #schema)),
        None => schema,
    };
    let default = defaults.filter(|_| !of_struct.has("no_default")).map(|defaults| {
        quote! {
            impl #generics ::core::default::Default for #ident #arguments #bounds {
                fn default() -> Self {
                    Self { #(#idents: #defaults),* }
                }
            }
        }
    });
    Ok(quote! {
        #default

        impl #generics ::settings::Settings for #ident #arguments #bounds {
            fn any_key(test: &mut dyn ::core::ops::FnMut(&'static str) -> bool) -> bool {
                let _ = &test;
                false #(|| #keys)*
            }
            fn fields(schemas: &mut ::settings::Schemas) -> ::std::vec::Vec<::settings::Field> {
                let mut fields = ::std::vec::Vec::new();
                #(#describes)*
                let _ = schemas;
                fields
            }
            fn read_fields(
                table: &::settings::Node,
                base: ::core::option::Option<&Self>,
            ) -> ::core::result::Result<Self, ::settings::Error> {
                let #mutable this = Self { #(#idents: #reads),* };
                #check
                #complete
                ::core::result::Result::Ok(this)
            }
            fn write_fields(&self, table: &mut ::settings::Node) {
                #(#writes)*
            }
        }

        impl #generics ::settings::Setting for #ident #arguments #bounds {
            fn expected() -> String {
                #expecting.to_owned()
            }
            fn value() -> String {
                "table".to_owned()
            }
            fn read(node: &::settings::Node) -> ::core::result::Result<Self, ::settings::Error> {
                ::settings::table::read(node, #expecting, ::core::option::Option::None)
            }
            fn read_over(
                node: &::settings::Node,
                base: &Self,
            ) -> ::core::result::Result<Self, ::settings::Error> {
                ::settings::table::read(node, #expecting, ::core::option::Option::Some(base))
            }
            fn write(&self) -> ::settings::Node {
                let mut table = ::settings::Node::table();
                ::settings::Settings::write_fields(self, &mut table);
                table
            }
            fn schema(schemas: &mut ::settings::Schemas) -> ::settings::schema::Json {
                #schema
            }
        }
    })
}
