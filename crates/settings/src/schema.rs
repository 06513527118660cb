//! JSON Schema of settings: tables that occur in several places, or within themselves, are defined once.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a schema is written in.
pub type Json = Value;

/// The tables that a schema defines, by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schemas {
    defined: BTreeMap<&'static str, Value>,
}

impl Schemas {
    /// A reference to the table called `name`, which `define` makes when it is first named.
    pub fn named(&mut self, name: &'static str, define: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.defined.contains_key(name) {
            // Holds the place, so that a table within itself ends.
            self.defined.insert(name, Value::Null);
            let schema = define(self);
            self.defined.insert(name, schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// The tables that were named, each with its schema.
    pub fn into_definitions(self) -> impl Iterator<Item = (&'static str, Value)> {
        self.defined.into_iter()
    }

    /// The schema of a whole document, of whose tables these are.
    pub fn document(self, title: &str, mut top: Value) -> Value {
        top["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        top["title"] = title.into();
        let defined = self.defined.into_iter().map(|(name, schema)| (name.to_owned(), schema));
        top["$defs"] = Value::Object(defined.collect::<Map<_, _>>());
        top
    }
}
