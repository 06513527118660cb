//! From a raw value to a typed one with the whole path to whatever is wrong.
//!
//! All is read from JSON without white space, by one deserializer, so that the types are compiled once; what was read last
//! when one of them refused is the place in the text that the error names ([`path_at`]).
//!
//! serde carries an error out of a custom `Deserialize` only as text. What this room's own types refuse therefore travels as
//! text with separators ([`Refusal::into_error`]) and is taken apart again at the top ([`decode`]).

use super::ScenarioError;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use settings::error::{join, nearest};
use std::fmt;

/// Separates the parts of a refusal on its way through serde.
const SEPARATOR: char = '\u{1f}';

/// What one of this room's types says when it refuses a value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Refusal {
    /// Path below the value that was being read.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What is allowed.
    pub allowed: String,
    /// What was probably meant.
    pub nearest: Option<String>,
}

impl Refusal {
    /// A refusal of the value itself.
    pub fn new(message: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { message: message.into(), allowed: allowed.into(), ..Self::default() }
    }

    /// As an error that serde can carry.
    pub fn into_error<E: serde::de::Error>(self) -> E {
        let nearest = self.nearest.unwrap_or_default();
        let parts = [String::new(), self.path, self.message, self.allowed, nearest];
        E::custom(parts.join(&SEPARATOR.to_string()))
    }

    /// What serde carried, and whether it came from [`Refusal::into_error`].
    fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix(SEPARATOR)?.split(SEPARATOR).map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let (path, message, allowed) = (next(), next(), next());
        Some(Self { path, message, allowed, nearest: Some(next()).filter(|n| !n.is_empty()) })
    }
}

/// Reads a `T` from `json`, which has no white space; paths of errors are relative to it.
pub(super) fn decode_text<T: DeserializeOwned>(json: &str) -> Result<T, ScenarioError> {
    serde_json::from_str(json).map_err(|error| {
        let said = error.to_string();
        let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
        translate(&path_at(json, error.column()), said)
    })
}

/// Reads a `T` from `value`; paths of errors are relative to `value`.
pub(super) fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, ScenarioError> {
    decode_text(&value.to_string())
}

/// Reads a `T` from a part of a value that [`read_raw`] has handed over.
pub(super) fn decode_inside<T: DeserializeOwned>(value: &Value) -> Result<T, Refusal> {
    decode(value).map_err(|e| {
        let ScenarioError { path, message, allowed, nearest, .. } = e;
        Refusal { path, message, allowed, nearest }
    })
}

/// For a custom `Deserialize`: hands the whole value to `read`. What it refuses, it refuses while the deserializer is still at
/// the value, and so has the value's place.
pub(super) fn read_raw<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    read: fn(Value) -> Result<T, Refusal>,
) -> Result<T, D::Error> {
    struct Raw<T>(fn(Value) -> Result<T, Refusal>);
    impl<T> Raw<T> {
        fn read<E: Error>(&self, value: Value) -> Result<T, E> {
            self.0(value).map_err(Refusal::into_error)
        }
    }
    impl<'de, T> Visitor<'de> for Raw<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a value")
        }
        fn visit_bool<E: Error>(self, v: bool) -> Result<T, E> {
            self.read(v.into())
        }
        fn visit_i64<E: Error>(self, v: i64) -> Result<T, E> {
            self.read(v.into())
        }
        fn visit_u64<E: Error>(self, v: u64) -> Result<T, E> {
            self.read(v.into())
        }
        fn visit_f64<E: Error>(self, v: f64) -> Result<T, E> {
            self.read(v.into())
        }
        fn visit_str<E: Error>(self, v: &str) -> Result<T, E> {
            self.read(v.into())
        }
        fn visit_unit<E: Error>(self) -> Result<T, E> {
            self.read(Value::Null)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
            self.read(Value::deserialize(SeqAccessDeserializer::new(seq))?)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            self.read(Value::deserialize(MapAccessDeserializer::new(map))?)
        }
    }
    deserializer.deserialize_any(Raw(read))
}

/// The path of what ends, or begins, `end` bytes into `json`: the value or key that was read last there.
fn path_at(json: &str, end: usize) -> String {
    enum Step<'a> {
        /// In a table: behind this key, as it is written; at a key, where there is none.
        Key(Option<&'a str>),
        Item(usize),
    }
    let mut steps: Vec<Step<'_>> = Vec::new();
    let (mut quote, mut escaped) = (None, false);
    for (at, byte) in json.bytes().enumerate().take(end) {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(start), b'"') => {
                quote = None;
                if let Some(Step::Key(key @ None)) = steps.last_mut() {
                    *key = Some(&json[start..=at]);
                }
            }
            (Some(_), _) => {}
            (None, b'"') => quote = Some(at),
            (None, b'{') => steps.push(Step::Key(None)),
            (None, b'[') => steps.push(Step::Item(0)),
            (None, b'}' | b']') => drop(steps.pop()),
            (None, b',') => match steps.last_mut() {
                Some(Step::Key(key)) => *key = None,
                Some(Step::Item(index)) => *index += 1,
                None => {}
            },
            (None, _) => {}
        }
    }
    let parts = steps.iter().filter_map(|step| match step {
        Step::Key(key) => key.and_then(|key| serde_json::from_str::<String>(key).ok()),
        Step::Item(index) => Some(index.to_string()),
    });
    parts.collect::<Vec<_>>().join(".")
}

/// The names between backticks in `text`.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// What serde says, in the words of a scenario's author.
fn translate(path: &str, text: &str) -> ScenarioError {
    if let Some(refusal) = Refusal::from_text(text) {
        let Refusal { path: inner, message, allowed, nearest } = refusal;
        return ScenarioError { nearest, ..ScenarioError::new(join(path, &inner), message).allowed(allowed) };
    }
    if let Some(rest) = text.strip_prefix("missing field ") {
        let key = quoted(rest).first().copied().unwrap_or_default();
        return ScenarioError::new(join(path, key), format!("`{key}` is missing"))
            .allowed(example(path, key));
    }
    if let Some(rest) = text.strip_prefix("unknown field ") {
        let names = quoted(rest);
        let (key, known) = names.split_first().map_or(("", &names[..]), |(key, known)| (*key, known));
        // The tracker has stepped into the key already, or not, by where the key was read.
        let parent = path.strip_suffix(key).map_or(path, |p| p.strip_suffix('.').unwrap_or(p));
        return ScenarioError::new(join(parent, key), format!("there is no key `{key}` here"))
            .names(key, known.iter().copied());
    }
    if let Some(rest) = text.strip_prefix("unknown variant ") {
        let names = quoted(rest);
        let (given, known) = names.split_first().map_or(("", &names[..]), |(given, known)| (*given, known));
        let mut error = ScenarioError::new(path, format!("there is no choice \"{given}\" here"));
        error.nearest = nearest(given, known.iter().copied());
        return error.allowed(known.iter().map(|k| format!("\"{k}\"")).collect::<Vec<_>>().join(", "));
    }
    for start in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((given, expected)) =
            text.strip_prefix(start).and_then(|rest| rest.split_once(", expected "))
        {
            let mut wanted = plain(expected);
            if given.starts_with("string ") && wanted.contains("number") {
                wanted.push_str(", without quotes");
            }
            return ScenarioError::new(path, format!("{} does not belong here", plain_given(given)))
                .allowed(wanted);
        }
    }
    ScenarioError::new(path, text)
}

/// What serde calls a type, as a person would.
fn plain(expected: &str) -> String {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i8" | "i16" | "i32" | "i64" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a string" | "a borrowed string" => "a text in quotes".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "a table".to_owned(),
        other if other.starts_with("struct ") => "a table".to_owned(),
        other => other.to_owned(),
    }
}

/// What serde says it was given, as a person would: `boolean `true`` is `true`.
fn plain_given(given: &str) -> String {
    match given.split_whitespace().next().unwrap_or_default() {
        "map" => "a table".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit" | "Option" => "nothing (null)".to_owned(),
        _ => given.replace("integer ", "number ").replace("floating point ", "number "),
    }
}

/// What a key that must be there looks like.
fn example(path: &str, key: &str) -> &'static str {
    let of_packets = path.split('.').any(|part| ["loss", "reorder", "duplicate", "to"].contains(&part));
    match key {
        "rate" if of_packets => "a probability from 0 to 1: rate = 0.01",
        "duration" => "the length of the run: duration = \"60s\"",
        "between" => "the two nodes that the link joins: between = [\"a\", \"b\"]",
        "from" => "the node that sends: from = \"a\"",
        "to" => "the node that receives, or the new value of an event",
        "rate" => "a rate: rate = \"10Mbps\"",
        "delay" => "the propagation delay: delay = \"20ms\"",
        "packet" => "the payload of a datagram: packet = \"1000B\"",
        "packets" => "the packets to lose, counted from 0: packets = [14, 28]",
        "variant" => "a TCP variant: variant = \"newreno\"",
        "at" => "when: at = \"10s\"",
        "set" => "what changes: set = \"link.0.rate\"",
        "name" => "the node's name: name = \"r0\"",
        "on" => "mean length of a burst: on = \"0.5s\"",
        "off" => "mean time between bursts: off = \"0.5s\"",
        "p" => "the probability that the state becomes bad: p = 0.01",
        "r" => "the probability that the state becomes good: r = 0.25",
        "every" => "one packet in so many is lost: every = 100",
        "max" => "the most that is added to the delay: max = \"5ms\"",
        "mean" => "the mean of what is added to the delay: mean = \"5ms\"",
        "deviation" => "the standard deviation of what is added: deviation = \"1ms\"",
        "burst" => "the size of the bucket: burst = \"10kB\"",
        "bands" => "a queue for each band: bands = [{ kind = \"droptail\" }, { kind = \"fq-codel\" }]",
        _ => "",
    }
}

/// Reads a table with a `kind`: takes the kind out and hands the rest to `read`, which answers `None` for an unknown kind.
pub(super) fn by_kind<T>(
    value: Value,
    what: &str,
    kinds: &[&str],
    read: impl FnOnce(&str, Value) -> Option<Result<T, Refusal>>,
) -> Result<T, Refusal> {
    let list = || kinds.iter().map(|k| format!("\"{k}\"")).collect::<Vec<_>>().join(", ");
    let table = format!("a table with a kind: {{ kind = \"{}\", ... }}", kinds[0]);
    let Value::Object(mut fields) = value else {
        let said = match &value {
            Value::String(text) if kinds.contains(&text.as_str()) => format!("write {{ kind = \"{text}\" }}"),
            _ => table,
        };
        return Err(Refusal::new("a table belongs here", said));
    };
    let kind = match fields.shift_remove("kind") {
        Some(Value::String(kind)) => kind,
        None => {
            let refusal = Refusal::new("`kind` is missing", list());
            return Err(Refusal { path: "kind".to_owned(), ..refusal });
        }
        Some(_) => {
            let refusal = Refusal::new("a kind is a text in quotes", list());
            return Err(Refusal { path: "kind".to_owned(), ..refusal });
        }
    };
    read(&kind, Value::Object(fields)).unwrap_or_else(|| {
        let refusal = Refusal::new(format!("there is no {what} \"{kind}\""), list());
        let nearest = nearest(&kind, kinds.iter().copied());
        Err(Refusal { path: "kind".to_owned(), nearest, ..refusal })
    })
}

#[cfg(test)]
mod tests {
    use super::path_at;

    #[test]
    fn paths_by_place() {
        let json = r#"{"a\"}":[{"b":1},{"c":"x,{\\"}],"d":{"e":[]}}"#;
        let at = |end: &str| path_at(json, json.find(end).expect("there") + end.len());
        assert_eq!(at("{"), "");
        assert_eq!(at("1"), "a\"}.0.b");
        assert_eq!(at("1}"), "a\"}.0");
        // A value to come, one just read, and its key.
        assert_eq!(at("},"), "a\"}.1");
        assert_eq!(at(r#"\\""#), "a\"}.1.c");
        assert_eq!(at(r#""d""#), "d");
        assert_eq!(at("[]"), "d.e");
        assert_eq!(at("[]}"), "d");
        assert_eq!(path_at(json, json.len()), "");
    }
}
