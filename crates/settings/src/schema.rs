//! JSON Schema of settings: tables that occur in several places, or within themselves, are defined once.

/// Builds a schema from JSON notation.
pub use serde_json::json;

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The type of a schema.
pub type Json = Value;

/// Returns a schema that accepts a value of any of `schemas`.
pub fn any(schemas: impl IntoIterator<Item = Json>) -> Json {
    json!({ "anyOf": schemas.into_iter().collect::<Vec<_>>() })
}

/// The tables that a schema defines, by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schemas {
    defined: BTreeMap<String, Value>,
}

impl Schemas {
    /// Returns a reference to the table called `name`, which `define` makes at the first call.
    pub fn named(&mut self, name: &'static str, define: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.defined.contains_key(name) {
            // Holds the place, so that a table that contains itself ends.
            self.define(name.to_owned(), Value::Null);
            let schema = define(self);
            self.define(name.to_owned(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// Defines the table called `name`.
    pub fn define(&mut self, name: String, schema: Value) {
        self.defined.insert(name, schema);
    }

    /// Returns the tables that were named, each with its schema.
    pub fn into_definitions(self) -> impl Iterator<Item = (String, Value)> {
        self.defined.into_iter()
    }

    /// Returns the schema of a whole document whose tables these are.
    pub fn document(self, title: &str, mut top: Value) -> Value {
        top["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        top["title"] = title.into();
        top["$defs"] = Value::Object(self.defined.into_iter().collect::<Map<_, _>>());
        top
    }
}
