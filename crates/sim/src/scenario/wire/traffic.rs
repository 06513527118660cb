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
        /// A video's frames in packets, steady or as a trace has them, over UDP or TCP.
        "video" => Video(Video),
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

/// A video: without a trace a steady stream of pictures of one size.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Video {
    /// A file in EvalVid's format: on each line a frame's number, kind (H, I, P or B), size in bytes, packets, and time in
    /// seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The file's content: each frame as kind, size, packets and microseconds since the one before, "I3036/3@0 P659/1@40000".
    /// Written when the file is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames: Option<String>,
    /// With a trace: it starts over after this long; default: it is sent once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Time>,
    /// Without a trace: rate of payload; default "300kbps".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// Without a trace: pictures in a second; default 30.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub fps: Option<f64>,
    /// Without a trace: kinds of the pictures of a group, in order of coding; default "IPBBPBBPBB".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gop: Option<String>,
    /// Most payload of a packet; default "1024B", with a trace as its column of packets says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet: Option<Size>,
    /// What carries it; default "udp". With "tcp" each packet is a write that TCP sends as its window lets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<Transport>,
    /// UDP: header on top of a packet, on the wire; default "28B" (IPv4 and UDP).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<Size>,
    /// UDP: whether queues may mark the datagrams instead of dropping them (ECN); default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
    /// A frame that is complete later than this after it was written is of no use to the decoder; default: it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playout: Option<Time>,
    /// For the estimate of quality: PSNR in dB of a picture as coded; default 35.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub quality: Option<f64>,
    /// For the estimate of quality: by how much the mean squared error grows with each picture that is not decodable and for
    /// which the last one stays on the screen; default 30.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 65025))]
    pub motion: Option<f64>,
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
