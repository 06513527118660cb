//! Queues, losses and traffic: tables that say their `kind`.

use super::scalar::{Probability, Rate, Size, Time, choice};
use crate::model;
use crate::scenario::decode::{by_kind, decode_inside};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// Declares a table that says its `kind`: the enum, and reading that keeps the whole path to an error.
macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$each:meta])* $kind:literal => $variant:ident($type:ty),)+ }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
        #[serde(tag = "kind")]
        pub enum $name {
            $(
                $(#[$each])*
                #[serde(rename = $kind)]
                $variant($type),
            )+
        }

        impl $name {
            /// Every kind there is.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                by_kind(value, $what, Self::KINDS, |kind, rest| match kind {
                    $($kind => Some(decode_inside(&rest).map(Self::$variant)),)+
                    _ => None,
                })
            }
        }
    };
}

kinds! {
    /// A queue discipline.
    Queue, "queue" {
        /// First in, first out; arrivals that find no room are dropped.
        "droptail" => DropTail(DropTail),
    }
}

/// A drop-tail queue: at most one of `packets`, `bytes` and `unlimited`; default packets = 1000.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DropTail {
    /// Room in packets, the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packets: Option<u32>,
    /// Room in bytes, those of the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// No limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
}

kinds! {
    /// A loss model.
    Loss, "loss" {
        /// Each packet by itself with a probability.
        "random" => Random(RandomLoss),
        /// Each bit by itself with a probability; one wrong bit loses the packet.
        "bit-error" => BitError(BitErrorLoss),
        /// Listed packets.
        "list" => List(ListLoss),
    }
}

/// Random loss of packets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomLoss {
    /// Probability that a packet is lost, 0 to 1.
    pub rate: Probability,
    /// Whether acknowledgments are spared; default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spare_acks: Option<bool>,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
    /// Before the queue or after it; default "wire".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<LossPlace>,
}

/// Bit errors.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BitErrorLoss {
    /// Probability that a bit is wrong, 0 to 1.
    pub rate: Probability,
    /// Only in the direction to this node; default both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
    /// Before the queue or after it; default "wire".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<LossPlace>,
}

/// Loss of listed packets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListLoss {
    /// Count only this flow's packets (its position, from 0); default all packets together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<u64>,
    /// Which packets are lost, counted from 0 as they arrive there, retransmissions too.
    pub packets: Vec<u64>,
    /// Only in the direction to this node; default both, each with its own count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
    /// Before the queue or after it; default "wire".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<LossPlace>,
}

choice! {
    /// Where packets are lost.
    LossPlace as "LossPlace" for model::LossPlace {
        Entry = "entry": "before the queue: a lost packet takes no place and no transmission time",
        Wire = "wire": "after the queue: a lost packet has been transmitted",
    }
}

/// Losses: one table, or a list of tables.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Losses {
    /// In order.
    pub each: Vec<Loss>,
    /// Whether they were written as a list: paths to them have a number then.
    pub listed: bool,
}

impl Losses {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }
}

impl Serialize for Losses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.each.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Losses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = Losses;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a loss table like { kind = \"random\", rate = 0.01 }, or a list of them")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Losses, A::Error> {
                Loss::deserialize(MapAccessDeserializer::new(map))
                    .map(|loss| Losses { each: vec![loss], listed: false })
            }
            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Losses, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(|each| Losses { each, listed: true })
            }
        }
        deserializer.deserialize_any(OneOrMany)
    }
}

impl JsonSchema for Losses {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Losses".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Loss>();
        schemars::json_schema!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}

kinds! {
    /// What a flow sends.
    Traffic, "traffic" {
        /// A file over TCP, endless unless it has a size.
        "ftp" => Ftp(Ftp),
        /// Datagrams over UDP at a constant rate.
        "cbr" => Cbr(Cbr),
        /// Datagrams over UDP at a constant rate in bursts.
        "on-off" => OnOff(OnOff),
    }
}

/// A file over TCP.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ftp {
    /// Bytes to send; default endless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Size>,
}

/// A constant rate of datagrams.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbr {
    /// Rate of payload.
    pub rate: Rate,
    /// Payload of a datagram.
    pub packet: Size,
    /// Header on top of it, on the wire; default "28B" (IPv4 and UDP). ns-2 puts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,
    /// Gaps between datagrams; default "constant".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spacing: Option<Spacing>,
}

/// Datagrams in bursts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Rate of payload while on.
    pub rate: Rate,
    /// Payload of a datagram.
    pub packet: Size,
    /// Header on top of it, on the wire; default "28B" (IPv4 and UDP). ns-2 puts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,
    /// Gaps between datagrams; default "constant".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spacing: Option<Spacing>,
    /// Mean length of a burst.
    pub on: Time,
    /// Mean time between bursts.
    pub off: Time,
    /// How both times are distributed; default "constant".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distribution: Option<Distribution>,
    /// Shape of the Pareto distribution, above 1; default 1.5. Only with distribution = "pareto".
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub shape: Option<f64>,
}

choice! {
    /// Gaps between datagrams.
    Spacing as "Spacing" for model::Spacing {
        Constant = "constant": "all the same",
        Exponential = "exponential": "exponential with that mean: a Poisson stream",
    }
}

/// A distribution of times by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DistributionName {
    /// Always the mean.
    Constant,
    /// Exponential.
    Exponential,
    /// Pareto.
    Pareto,
}

choice! {
    /// How times are distributed.
    Distribution as "Distribution" for DistributionName {
        Constant = "constant": "always the mean",
        Exponential = "exponential": "exponential",
        Pareto = "pareto": "Pareto: heavy-tailed, of the given shape",
    }
}
