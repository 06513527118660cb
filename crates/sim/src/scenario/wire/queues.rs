//! Queue disciplines.

use super::kinds::kinds;
use super::scalar::{Probability, Rate, Size, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kinds! {
    /// A queue discipline.
    Queue, "queue" {
        /// First in, first out; arrivals that find no room are dropped.
        "droptail" => DropTail(DropTail),
        /// Random early detection (Floyd and Jacobson 1993): arrivals are dropped at random as the average length grows.
        "red" => Red(Red),
        /// Controlled delay (RFC 8289): packets are dropped on their way out while all have waited too long.
        "codel" => CoDel(CoDel),
        /// A queue for each flow by turns, controlled delay in each (RFC 8290).
        "fq-codel" => FqCoDel(FqCoDel),
        /// Proportional integral controller, enhanced (RFC 8033): arrivals are dropped at random to hold a delay.
        "pie" => Pie(Pie),
        /// Another queue, served at no more than a rate with bursts.
        "token-bucket" => TokenBucket(TokenBucket),
        "tx-ring" => TxRing(TxRing),
        /// Bands by the class of flows, the first that has a packet served first.
        "priority" => Priority(Priority),
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

/// Random early detection. Lengths are of packets that wait, without the one in transmission.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Red {
    /// Room in packets, the packet in transmission included; default 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packets: Option<u32>,
    /// Room in bytes, those of the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// No limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
    /// Average length at which drops begin, packets; default 5, adaptive: half of `target_delay` at the link's rate, at least 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Average length at which they reach `max_p`, packets; default 3 times `min`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Weight of one arrival in the average, above 0 to 1; default 0.002, adaptive: 1 - exp(-1 / packets a second).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Probability of a drop at `max`; default 0.1; adaptive: where it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_p: Option<Probability>,
    /// Whether the probability grows on from `max_p` at `max` to 1 at twice `max`, rather than be 1 from `max` on; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gentle: Option<bool>,
    /// Adaptive RED: `max_p` moves so that the average stays between `min` and `max`; default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<bool>,
    /// Queueing delay that adaptive thresholds aim at; default "5ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_delay: Option<Time>,
    /// Size of a usual packet, for the average while idle and for adaptive settings; default "1000B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_packet: Option<Size>,
    /// Mark packets of flows that use ECN instead of dropping them; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// Whether packets that could be marked are dropped all the same where every arrival is; default true (RFC 3168). DCTCP's step: min = max, weight = 1, gentle = false, drop_above = false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_above: Option<bool>,
}

/// Controlled delay.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoDel {
    /// Room in packets, the packet in transmission included; default 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packets: Option<u32>,
    /// Room in bytes, those of the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// No limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
    /// Delay that a standing queue may have; default "5ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Time>,
    /// For how long the delay may exceed it: a round-trip time that few exceed; default "100ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Time>,
    /// Mark packets of flows that use ECN instead of dropping them; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// Whether the root in the control law is one step of Newton's iteration for each drop, as in Linux and ns-3; default false: the root itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newton: Option<bool>,
}

/// A queue for each flow, controlled delay in each. An arrival beyond the room costs the longest queue its oldest packet.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FqCoDel {
    /// Room in packets, the packet in transmission included (all queues together); default 10240.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packets: Option<u32>,
    /// Room in bytes, those of the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// No limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
    /// Delay that a standing queue may have; default "5ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Time>,
    /// For how long the delay may exceed it: a round-trip time that few exceed; default "100ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Time>,
    /// Bytes that a queue may send before the next has its turn; default "1500B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantum: Option<Size>,
    /// Number of queues over which flows are spread, 1 to 65536; default 1024.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queues: Option<u32>,
    /// Mark packets of flows that use ECN instead of dropping them; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// Whether the root in the control law is one step of Newton's iteration for each drop, as in Linux and ns-3; default false: the root itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newton: Option<bool>,
}

/// Proportional integral controller, enhanced.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pie {
    /// Room in packets, the packet in transmission included; default 1000.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub packets: Option<u32>,
    /// Room in bytes, those of the packet in transmission included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Size>,
    /// No limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited: Option<bool>,
    /// Queueing delay to hold; default "15ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<Time>,
    /// Time between updates of the probability; default "15ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update: Option<Time>,
    /// Weight of the delay's distance from the target, per second, 0 to 100; default 0.125.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// Weight of the delay's change, per second, 0 to 100; default 1.25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// How long a burst after a calm goes unharmed; default "150ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_burst: Option<Time>,
    /// Size of a usual packet: two of them are never dropped at random; default "1500B".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_packet: Option<Size>,
    /// Mark packets of flows that use ECN instead of dropping them; default true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// Probability from which packets that could be marked are dropped all the same; default 0.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark_below: Option<Probability>,
}

/// A token bucket before a queue.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenBucket {
    /// Rate at which packets leave in the long run.
    pub rate: Rate,
    /// Size of the bucket: so much may leave at once after a pause. A larger packet waits until the bucket is full.
    pub burst: Size,
    /// The queue that is served; default { kind = "droptail", packets = 1000 }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Box<Queue>>,
}

/// A network device's own queue, first in, first out, below another queue that it takes packets from while it has room.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TxRing {
    /// Room in packets, the packet in transmission included.
    #[schemars(range(min = 1))]
    pub packets: u32,
    /// The queue above; default { kind = "droptail", packets = 1000 }.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue: Option<Box<Queue>>,
}

/// Bands served strictly in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Priority {
    /// The queue of each band, 1 to 8; flows of class 0 use the first, of class 1 the second, ..., further classes the last.
    pub bands: Vec<Queue>,
}
