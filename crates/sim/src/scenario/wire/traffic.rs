//! Traffic: what flows send.

use super::kinds::kinds;
use super::scalar::{Rate, Size, Time, choice};
use crate::model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kinds! {
    /// What a flow sends.
    Traffic, "traffic" {
        /// A file over TCP, endless unless it has a size.
        "ftp" => Ftp(Ftp),
        /// Packets at a constant rate, over UDP or TCP.
        "cbr" => Cbr(Cbr),
        /// Packets at a constant rate in bursts, over UDP or TCP.
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

/// A constant rate of packets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cbr {
    /// Rate of payload.
    pub rate: Rate,
    /// Payload of a packet: of a datagram, or of a write to TCP.
    pub packet: Size,
    /// What carries it; default "udp". With "tcp" each packet is a write that TCP sends as its window lets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// UDP: header on top of it, on the wire; default "28B" (IPv4 and UDP). ns-2 puts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,
    /// Gaps between packets; default "constant".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spacing: Option<Spacing>,
    /// UDP: whether queues may mark the datagrams instead of dropping them (ECN); default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
}

/// Packets in bursts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OnOff {
    /// Rate of payload while on.
    pub rate: Rate,
    /// Payload of a packet: of a datagram, or of a write to TCP.
    pub packet: Size,
    /// What carries it; default "udp". With "tcp" each packet is a write that TCP sends as its window lets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// UDP: header on top of it, on the wire; default "28B" (IPv4 and UDP). ns-2 puts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,
    /// Gaps between packets; default "constant".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spacing: Option<Spacing>,
    /// UDP: whether queues may mark the datagrams instead of dropping them (ECN); default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
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

/// What carries a source's packets, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransportName {
    /// UDP.
    Udp,
    /// TCP.
    Tcp,
}

choice! {
    /// What carries packets.
    Transport as "Transport" for TransportName {
        Udp = "udp": "UDP: each packet is a datagram",
        Tcp = "tcp": "TCP: each packet is a write to the sender's backlog",
    }
}

choice! {
    /// Gaps between packets.
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
