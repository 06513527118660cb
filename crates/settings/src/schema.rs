//! JSON Schema of settings. Tables that occur several times, or contain themselves, are defined once and
//! referred to.

/// Builds a schema from JSON notation.
pub use serde_json::json;

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Type of a JSON Schema.
pub type Json = Value;

/// Returns a schema that accepts every value that one of `schemas` accepts.
pub fn any(schemas: impl IntoIterator<Item = Json>) -> Json {
    json!({ "anyOf": schemas.into_iter().collect::<Vec<_>>() })
}

/// Definitions of tables, by name (`$defs` of a schema).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schemas {
    defined: BTreeMap<String, Value>,
}

impl Schemas {
    /// Returns a reference to the table called `name`; at the first call, `define` creates the table's
    /// schema.
    pub fn named(&mut self, name: &'static str, define: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.defined.contains_key(name) {
            // A preliminary entry ends the recursion if a table contains itself.
            self.define(name.to_owned(), Value::Null);
            let schema = define(self);
            self.define(name.to_owned(), schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// Sets the schema of the table called `name`.
    pub fn define(&mut self, name: String, schema: Value) {
        self.defined.insert(name, schema);
    }

    /// Returns the tables with their schemas, sorted by name.
    pub fn into_definitions(self) -> impl Iterator<Item = (String, Value)> {
        self.defined.into_iter()
    }

    /// Returns the schema of a document with schema `top`, title `title`, and these definitions.
    pub fn document(self, title: &str, mut top: Value) -> Value {
        top["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        top["title"] = title.into();
        top["$defs"] = Value::Object(self.defined.into_iter().collect::<Map<_, _>>());
        top
    }
}
