//! Settings that their own room declares, within tables that serde reads; and such tables within those that declare themselves.

use crate::scenario::decode::{Refusal, decode, read_raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting};
use std::borrow::Cow;
use std::ops::Deref;

/// A value of a type that serde reads.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Legacy<T>(pub T);

impl<T> Deref for Legacy<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + Serialize + JsonSchema> Setting for Legacy<T> {
    fn expected() -> String {
        "a value".to_owned()
    }
    fn value() -> String {
        "table".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        decode(&node.clone().into()).map(Self)
    }
    fn write(&self) -> Node {
        serde_json::to_value(&self.0).unwrap_or_default().into()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        let mut generator = SchemaGenerator::default();
        let schema = generator.subschema_for::<T>();
        for (name, definition) in generator.take_definitions(true) {
            schemas.define(name, definition);
        }
        schema.into()
    }
}

/// A value of a type that declares itself.
#[allow(dead_code, reason = "tables are being converted one by one, and not at one time")]
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
            generator.definitions_mut().insert(name, definition);
        }
        schema.try_into().unwrap_or_default()
    }
}
