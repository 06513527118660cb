//! Settings that their own room declares, within tables that are still read by serde.

use crate::scenario::decode::{Refusal, read_raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use settings::{Error, Node, Schemas, Setting};
use std::borrow::Cow;

/// A value of a type that declares itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Declared<T>(pub T);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let Error { path, message, allowed, nearest, .. } = error;
        Self { path, message, allowed, nearest }
    }
}

impl<'de, T: Setting> Deserialize<'de> for Declared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_raw(deserializer, |value| Ok(Self(T::read(&Node::from(value))?)))
    }
}

impl<T: Setting> Serialize for Declared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write().serialize(serializer)
    }
}

impl<T: Setting> JsonSchema for Declared<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        std::any::type_name::<T>().into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schemas = Schemas::default();
        let schema = T::schema(&mut schemas);
        for (name, definition) in schemas.into_definitions() {
            generator.definitions_mut().insert(name.to_owned(), definition);
        }
        schema.try_into().unwrap_or_default()
    }
}
