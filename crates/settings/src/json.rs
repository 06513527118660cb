//! Nodes from and to any format that serde knows, above all JSON.

use crate::node::{Data, Node, Str};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;
use std::cell::RefCell;
use std::fmt;
use std::io;
use std::sync::Arc;

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.data {
            Data::Null => serializer.serialize_unit(),
            Data::Bool(b) => serializer.serialize_bool(*b),
            Data::Number(number) => number.serialize(serializer),
            Data::Text(text) => serializer.serialize_str(text),
            Data::List(items) => serializer.collect_seq(items),
            Data::Table(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(&**key, value)?;
                }
                map.end()
            }
        }
    }
}

/// A node that is serialized with the keys of each table sorted.
#[derive(Clone, Copy, Debug)]
pub struct Sorted<'a>(pub &'a Node);

impl Sorted<'_> {
    /// Writes the node as JSON without white space.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(self, out: impl io::Write) -> io::Result<()> {
        serde_json::to_writer(out, &self).map_err(io::Error::from)
    }
}

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.data {
            Data::List(items) => serializer.collect_seq(items.iter().map(Sorted)),
            Data::Table(fields) => {
                let mut fields: Vec<_> = fields.iter().map(|(key, value)| (&**key, Sorted(value))).collect();
                fields.sort_unstable_by_key(|(key, _)| *key);
                serializer.collect_map(fields)
            }
            _ => self.0.serialize(serializer),
        }
    }
}

/// Keys and texts that were read last. An equal one that follows shares the memory.
struct Recent([Option<Str>; 256]);

impl Recent {
    fn of(&mut self, text: &str) -> Str {
        // FNV-1a; any function that spreads short texts will do.
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        let slot = &mut self.0[(hash >> 32) as usize % self.0.len()];
        match slot {
            Some(known) if **known == *text => Arc::clone(known),
            _ => Arc::clone(slot.insert(text.into())),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Reader(&RefCell::new(Recent([const { None }; 256]))).deserialize(deserializer)
    }
}

/// Deserializes a node from any self-describing format.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a RefCell<Recent>);

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Deserializes the key of a table.
struct Key<'a>(&'a RefCell<Recent>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Str;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, v: &str) -> Result<Str, E> {
        Ok(self.0.borrow_mut().of(v))
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Data::Null.into())
    }

    fn visit_bool<E>(self, v: bool) -> Result<Node, E> {
        Ok(v.into())
    }

    fn visit_i64<E>(self, v: i64) -> Result<Node, E> {
        Ok(Data::Number(v.into()).into())
    }

    fn visit_u64<E>(self, v: u64) -> Result<Node, E> {
        Ok(Data::Number(v.into()).into())
    }

    fn visit_f64<E>(self, v: f64) -> Result<Node, E> {
        // A number that JSON cannot represent stays text, so that a setting of numeric type reports it as an
        // error.
        Ok(Number::from_f64(v).map_or_else(|| v.to_string().into(), |v| Data::Number(v).into()))
    }

    fn visit_str<E>(self, v: &str) -> Result<Node, E> {
        Ok(Data::Text(self.0.borrow_mut().of(v)).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            items.push(item);
        }
        items.shrink_to_fit();
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields: Vec<(Str, Node)> = Vec::new();
        while let Some((key, value)) = map.next_entry_seed(Key(self.0), self)? {
            match fields.iter_mut().find(|(name, _)| *name == key) {
                Some((_, node)) => *node = value,
                None => fields.push((key, value)),
            }
        }
        fields.shrink_to_fit();
        Ok(Data::Table(fields).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_nodes_have_their_keys_in_order() {
        let node = Node::from_json(r#"{"b":[{"z":1,"a":"x"},null],"a":{"d":true,"c":0.5}}"#).expect("JSON");
        let mut out = Vec::new();
        Sorted(&node).write(&mut out).expect("memory");
        let expected = r#"{"a":{"c":0.5,"d":true},"b":[{"a":"x","z":1},null]}"#;
        assert_eq!(String::from_utf8(out).expect("text"), expected);
        assert_eq!(Node::from_json(expected).expect("JSON").to_json(), expected);
    }

    #[test]
    fn equal_keys_and_texts_share_their_memory() {
        let node = Node::from_json(r#"[{"kind":"reno","kind":"sack"},{"kind":"sack"}]"#).expect("JSON");
        let fields = |at: usize| match &node.as_list().expect("a list")[at].data {
            Data::Table(fields) => fields.as_slice(),
            _ => &[],
        };
        let [[(first, Node { data: Data::Text(one), .. })], [(second, Node { data: Data::Text(other), .. })]] =
            [fields(0), fields(1)]
        else {
            panic!("of two equal keys the last counts: {node}");
        };
        assert!(Arc::ptr_eq(first, second) && Arc::ptr_eq(one, other));
        assert_eq!((&**first, &**one), ("kind", "sack"));
    }
}
