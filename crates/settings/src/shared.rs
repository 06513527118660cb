//! Tables with a kind that have further settings, the same for all kinds.

use crate::error::Error;
use crate::node::{Data, Node};
use crate::schema::Schemas;
use crate::setting::Setting;
use crate::table::{self, Kind, Kinds, Settings};
use serde_json::Value;

/// A table with a kind of `K` and, after the settings of the kind, the settings `S` of all kinds.
///
/// The crate that implements the kinds declares `K`. Another crate declares settings in `S` that only it can
/// resolve, such as names of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct Shared<K, S> {
    /// The kind with its settings.
    pub kind: K,
    /// Settings that all kinds have.
    pub shared: S,
}

impl<K: Kinds, S: Settings> Kinds for Shared<K, S> {
    const WHAT: &'static str = K::WHAT;
    const NAMES: &'static [&'static str] = K::NAMES;

    fn keys(name: &str) -> Vec<&'static str> {
        let mut keys = K::keys(name);
        keys.extend(table::names::<S>());
        keys
    }

    fn kinds(schemas: &mut Schemas) -> Vec<Kind> {
        let shared = S::fields(schemas);
        let mut kinds = K::kinds(schemas);
        kinds.iter_mut().for_each(|kind| kind.fields.extend(shared.iter().cloned()));
        kinds
    }
}

impl<K: Kinds + Setting, S: Settings> Setting for Shared<K, S> {
    fn expected() -> String {
        K::expected()
    }

    fn value() -> String {
        K::value()
    }

    fn read(node: &Node) -> Result<Self, Error> {
        let name = table::kind::<K>(node)?;
        let mut own = node.clone();
        if let Data::Table(fields) = &mut own.data {
            let known = Self::keys(name);
            let strange = fields.iter().find(|(key, _)| &**key != "kind" && !known.contains(&&**key));
            if let Some((key, _)) = strange {
                return Err(table::unknown(key, known));
            }
            fields.retain(|(key, _)| !S::knows(key));
        }
        Ok(Self { kind: K::read(&own)?, shared: S::read_fields(node, None)? })
    }

    fn write(&self) -> Node {
        let mut table = self.kind.write();
        self.shared.write_fields(&mut table);
        table
    }

    fn schema(schemas: &mut Schemas) -> Value {
        schemas.named(K::WHAT, |schemas| table::kinds_schema(&<Self as Kinds>::kinds(schemas)))
    }
}
