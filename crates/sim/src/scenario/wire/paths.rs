//! What of a link's path is more than a number: rates that follow a trace, and impaired wires.

use super::kinds::kinds;
use super::scalar::{Probability, Rate, Time, Wire};
use crate::scenario::decode::{Refusal, decode_inside, read_raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;

/// A link's rate: constant, or as a trace has it.
#[derive(Clone, PartialEq, Debug)]
pub enum LinkRate {
    /// Constant.
    Constant(Rate),
    /// Opportunities to deliver.
    Trace(TraceRate),
}

/// A rate trace: a file, or its content as `gaps`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceRate {
    /// A file in mahimahi's format: a time in milliseconds on each line, at which 1500 bytes may leave; it starts over after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The file's content: milliseconds from one opportunity to the next, the first from the start; `1x5` is five times 1. Written
    /// when the file is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gaps: Option<String>,
}

impl<'de> Deserialize<'de> for LinkRate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_raw(deserializer, |value| match value {
            table @ Value::Object(_) => decode_inside(&table).map(Self::Trace),
            Value::Array(_) => Err(Refusal::new("a list does not belong here", Self::EXPECTED)),
            scalar => decode_inside(&scalar).map(Self::Constant),
        })
    }
}

impl LinkRate {
    const EXPECTED: &'static str = "a rate with its unit, like \"10Mbps\", or { trace = \"FILE\" }";
}

impl Serialize for LinkRate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Constant(rate) => rate.write().serialize(serializer),
            Self::Trace(trace) => trace.serialize(serializer),
        }
    }
}

impl JsonSchema for LinkRate {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "LinkRate".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (constant, trace) = (generator.subschema_for::<Rate>(), generator.subschema_for::<TraceRate>());
        schemars::json_schema!({ "anyOf": [constant, trace] })
    }
}

/// One table, or a list of tables, each for its direction.
#[derive(Clone, PartialEq, Debug)]
pub struct OneOrMore<T> {
    /// In order.
    pub each: Vec<T>,
    /// Whether they were written as a list: paths to them have a number then.
    pub listed: bool,
}

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        Self { each: Vec::new(), listed: true }
    }
}

impl<T> OneOrMore<T> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// Each with its path, under `path`.
    pub fn at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (String, &'a T)> {
        let place = move |i| if self.listed { format!("{path}.{i}") } else { path.to_owned() };
        self.each.iter().enumerate().map(move |(i, one)| (place(i), one))
    }
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.each.serialize(serializer)
    }
}

impl<'de, T: serde::de::DeserializeOwned> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_raw(deserializer, |value| {
            if value.is_array() {
                return Ok(Self { each: decode_inside(&value)?, listed: true });
            }
            Ok(Self { each: vec![decode_inside(&value)?], listed: false })
        })
    }
}

impl<T: JsonSchema> JsonSchema for OneOrMore<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("OneOrMore{}", T::schema_name()).into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

kinds! {
    /// A delay that varies from packet to packet: what is added to the propagation delay.
    Jitter, "jitter" {
        /// From nothing to `max`, each as likely.
        "uniform" => Uniform(UniformJitter),
        /// Exponential.
        "exponential" => Exponential(ExponentialJitter),
        /// Normal, cut off at nothing.
        "normal" => Normal(NormalJitter),
    }
}

/// Uniform jitter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniformJitter {
    /// The most that is added.
    pub max: Time,
    /// Whether packets arrive in the order in which they were sent; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_order: Option<bool>,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
}

/// Exponential jitter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExponentialJitter {
    /// Mean of what is added.
    pub mean: Time,
    /// Whether packets arrive in the order in which they were sent; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_order: Option<bool>,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
}

/// Normal jitter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NormalJitter {
    /// Mean of what is added, before it is cut off at nothing.
    pub mean: Time,
    /// Standard deviation, before it is cut off.
    pub deviation: Time,
    /// Whether packets arrive in the order in which they were sent; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_order: Option<bool>,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
}

/// Packets held back, so that those behind overtake them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { rate = 0.01, delay = \"10ms\" }")]
pub struct Reorder {
    /// Probability that a packet is held back, 0 to 1.
    pub rate: Probability,
    /// For how long.
    pub delay: Time,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
}

/// Packets delivered twice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a table: { rate = 0.01 }")]
pub struct Duplicate {
    /// Probability that a packet is delivered twice, 0 to 1.
    pub rate: Probability,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
}
