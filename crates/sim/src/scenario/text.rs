//! JSON text to JSON text without a tree of values, which would take ten times the room.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::fmt;

/// `text` without white space, its numbers and strings in their one spelling.
///
/// # Errors
/// Where it is not JSON, or a table names a key twice.
pub(super) fn compact(text: &str) -> serde_json::Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut reader = serde_json::Deserializer::from_str(text);
    Compact { out: &mut out, after: "" }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(out)
}

/// What [`compact`] wrote, with the keys of each table in order.
pub(super) fn sorted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // It reads what it wrote.
    sort(text, &mut out).unwrap_or_default();
    out
}

/// Reads a value and writes it.
struct Compact<'a> {
    out: &'a mut String,
    /// What separates it from the one before.
    after: &'static str,
}

impl Compact<'_> {
    fn write<E: Error, T: serde::Serialize + ?Sized>(self, value: &T) -> Result<(), E> {
        *self.out += &serde_json::to_string(value).map_err(E::custom)?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Compact<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        *self.out += self.after;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Compact<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.write(&())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.write(&value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.write(&value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.write(&value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.write(&value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.write(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.out.push('[');
        let mut after = "";
        while items.next_element_seed(Compact { out: self.out, after })?.is_some() {
            after = ",";
        }
        self.out.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        self.out.push('{');
        let mut seen = BTreeSet::new();
        while let Some(key) = fields.next_key::<String>()? {
            let after = if seen.is_empty() { "" } else { "," };
            *self.out += after;
            Compact { out: self.out, after }.write(&key)?;
            fields.next_value_seed(Compact { out: self.out, after: ":" })?;
            if !seen.insert(key) {
                return Err(A::Error::custom("a key stands there twice"));
            }
        }
        self.out.push('}');
        Ok(())
    }
}

/// Appends `text`, its tables sorted, to `out`.
fn sort(text: &str, out: &mut String) -> serde_json::Result<()> {
    match text.as_bytes().first() {
        Some(b'{') => {
            let Fields(mut fields) = serde_json::from_str(text)?;
            fields.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (at, (key, value)) in fields.iter().enumerate() {
                *out += if at > 0 { "," } else { "" };
                *out += &serde_json::to_string(key)?;
                out.push(':');
                sort(value.get(), out)?;
            }
            out.push('}');
        }
        Some(b'[') => {
            out.push('[');
            for (at, value) in serde_json::from_str::<Vec<&RawValue>>(text)?.iter().enumerate() {
                *out += if at > 0 { "," } else { "" };
                sort(value.get(), out)?;
            }
            out.push(']');
        }
        _ => *out += text,
    }
    Ok(())
}

/// A table's keys, and the text of their values.
struct Fields<'de>(Vec<(String, &'de RawValue)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Fields<'de>, A::Error> {
                let mut every = Vec::new();
                while let Some(field) = fields.next_entry()? {
                    every.push(field);
                }
                Ok(Fields(every))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn values() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,6}|[\"\\\\\n\u{1f}]{0,3}".prop_map(Value::from),
        ];
        scalar.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec(("[a-c\"\u{e9}\n]{0,3}", inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// As by way of a tree of values, however the text is laid out.
        #[test]
        fn texts_are_those_of_trees(mut value in values()) {
            let laid_out = serde_json::to_string_pretty(&value).expect("JSON");
            let read: Value = serde_json::from_str(&laid_out).expect("JSON");
            let text = compact(&laid_out).expect("JSON");
            prop_assert_eq!(&text, &read.to_string());
            value = read;
            value.sort_all_objects();
            prop_assert_eq!(sorted(&text), value.to_string());
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for wrong in ["", "{", "[1,]", "{} {}", "nul", "{\"a\":1,\"a\":2}", "1e999", "\"\\ud800\""] {
            assert!(compact(wrong).is_err(), "{wrong}");
        }
        assert_eq!(compact(" [ 1e3 , 1.50, -0, \"\\u0041\" ] ").expect("JSON"), "[1000.0,1.5,-0.0,\"A\"]");
    }
}
