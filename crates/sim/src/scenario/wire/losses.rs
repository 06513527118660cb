//! Losses.

use super::kinds::kinds;
use super::paths::OneOrMore;
use super::scalar::{Probability, choice};
use crate::model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kinds! {
    /// A loss model.
    Loss, "loss" {
        /// Each packet by itself with a probability.
        "random" => Random(RandomLoss),
        /// Each bit by itself with a probability; one wrong bit loses the packet.
        "bit-error" => BitError(BitErrorLoss),
        /// In bursts: a good and a bad state, each with its own probability of loss.
        "gilbert-elliott" => GilbertElliott(GilbertElliottLoss),
        /// Listed packets.
        "list" => List(ListLoss),
        /// Every so-many-th packet.
        "periodic" => Periodic(PeriodicLoss),
        /// What a file says of each packet.
        "trace" => Trace(TraceLoss),
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

/// Random loss in bursts. Share lost: (loss_good r + loss_bad p) / (p + r).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GilbertElliottLoss {
    /// Probability, for each packet, that the state changes from good to bad.
    pub p: Probability,
    /// Probability, for each packet, that the state changes from bad to good: the mean burst is 1 / r packets.
    pub r: Probability,
    /// Probability that a packet is lost in the good state; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_good: Option<Probability>,
    /// Probability that a packet is lost in the bad state; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss_bad: Option<Probability>,
    /// Only in the direction to this node; default both, each with its own state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
    /// Before the queue or after it; default "wire".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<LossPlace>,
}

/// Loss of every so-many-th packet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeriodicLoss {
    /// One packet in so many is lost.
    #[schemars(range(min = 1))]
    pub every: u64,
    /// The first packet lost, counted from 0; default `every` - 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// Count only this flow's packets (its position, from 0); default all packets together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<u64>,
    /// Only in the direction to this node; default both, each with its own count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toward: Option<String>,
    /// Before the queue or after it; default "wire".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<LossPlace>,
}

/// A loss trace: a file, or its content as `lost` and `length`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceLoss {
    /// A file of 0 and 1, white space between them as you like: 1 for each packet that is lost, 0 for each that is not, over and over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The file's content: which packets are lost, counted from 0. Written when the file is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<Vec<u64>>,
    /// The file's content: packets after which it starts over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub length: Option<u64>,
    /// Count only this flow's packets (its position, from 0); default all packets together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<u64>,
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
pub type Losses = OneOrMore<Loss>;
