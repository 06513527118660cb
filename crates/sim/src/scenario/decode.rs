//! From a raw value to a typed one with the whole path to whatever is wrong.
//!
//! `serde_path_to_error` tracks paths, but serde carries an error out of a custom `Deserialize` only as text. What this
//! room's own types refuse therefore travels as text with separators ([`Refusal::into_error`]) and is taken apart
//! again at the top ([`decode`]).

use super::error::{ScenarioError, join, nearest};
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;
use serde_path_to_error::{Segment, Track};

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

/// Reads a `T` from `value`; paths of errors are relative to `value`.
pub(super) fn decode<T: DeserializeOwned>(value: &Value) -> Result<T, ScenarioError> {
    let mut track = Track::new();
    let read = erased(serde_path_to_error::Deserializer::new(value, &mut track));
    read.map_err(|error| translate(&path_text(&track.path()), &error.to_string()))
}

/// Reads a `T` from JSON; what is wrong with it is for [`decode`] to tell.
pub(super) fn decode_text<T: DeserializeOwned>(text: &str) -> Option<T> {
    erased(&mut serde_json::Deserializer::from_str(text)).ok()
}

/// Reads a `T` from whatever it is: types are compiled once, not once for each thing that they can be read from.
fn erased<'de, T: DeserializeOwned>(from: impl Deserializer<'de>) -> Result<T, erased_serde::Error> {
    erased_serde::deserialize(&mut <dyn erased_serde::Deserializer>::erase(from))
}

/// Reads the rest of a table whose `kind` has been taken out, for a custom `Deserialize`.
pub(super) fn decode_inside<T: DeserializeOwned, E: serde::de::Error>(value: &Value) -> Result<T, E> {
    decode(value).map_err(|e| {
        let ScenarioError { path, message, allowed, nearest, .. } = e;
        Refusal { path, message, allowed, nearest }.into_error()
    })
}

fn path_text(path: &serde_path_to_error::Path) -> String {
    let part = |segment: &Segment| match segment {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => key.clone(),
        Segment::Enum { variant } => variant.clone(),
        Segment::Unknown => "?".to_owned(),
    };
    path.iter().map(part).collect::<Vec<_>>().join(".")
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
pub(super) fn by_kind<T, E: serde::de::Error>(
    value: Value,
    what: &str,
    kinds: &[&str],
    read: impl FnOnce(&str, Value) -> Option<Result<T, E>>,
) -> Result<T, E> {
    let list = || kinds.iter().map(|k| format!("\"{k}\"")).collect::<Vec<_>>().join(", ");
    let table = format!("a table with a kind: {{ kind = \"{}\", ... }}", kinds[0]);
    let Value::Object(mut fields) = value else {
        let said = match &value {
            Value::String(text) if kinds.contains(&text.as_str()) => format!("write {{ kind = \"{text}\" }}"),
            _ => table,
        };
        return Err(Refusal::new("a table belongs here", said).into_error());
    };
    let kind = match fields.shift_remove("kind") {
        Some(Value::String(kind)) => kind,
        None => {
            let refusal = Refusal::new("`kind` is missing", list());
            return Err(Refusal { path: "kind".to_owned(), ..refusal }.into_error());
        }
        Some(_) => {
            let refusal = Refusal::new("a kind is a text in quotes", list());
            return Err(Refusal { path: "kind".to_owned(), ..refusal }.into_error());
        }
    };
    read(&kind, Value::Object(fields)).unwrap_or_else(|| {
        let refusal = Refusal::new(format!("there is no {what} \"{kind}\""), list());
        let nearest = nearest(&kind, kinds.iter().copied());
        Err(Refusal { path: "kind".to_owned(), nearest, ..refusal }.into_error())
    })
}
