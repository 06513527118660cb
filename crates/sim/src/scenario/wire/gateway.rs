//! What a node does for the connections that pass through it.

use super::declared::Declared;
use super::kinds::kinds;
use super::scalar::{Size, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kinds! {
    /// A gateway: what a node does for the TCP connections that pass through it, both ways.
    Gateway, "gateway" {
        /// Keeps a copy of each data packet, acknowledges it to the source at once (Pre ACK), and brings it to the destination by a sender of its own; the destination's acknowledgment frees the copy and goes no further. Breaks the end-to-end meaning of acknowledgments.
        "intelligent" => Intelligent(FarSide),
        /// Caches data in transit and repairs losses behind it, keeping duplicate acknowledgments from the source; acknowledges nothing itself.
        "snoop" => Snoop(Snoop),
        /// Two connections back to back, each with its own handshake and segments, and a relay of bytes between them.
        "split" => Split(FarSide),
    }
}

/// A gateway that sends to the destination itself.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FarSide {
    /// Room for payload, for each connection; default "256KiB". At least a segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Size>,
    /// The variant on the far side, towards the destination; default the flow's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Parameters of the far side. Without a `profile` here, what is not given is as in the flow. An intelligent gateway
    /// sends the flow's own packets: what these look like, and what the destination does, is the flow's to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<Declared<tcp::Table>>,
}

/// A gateway that watches.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Snoop {
    /// Room for payload, for each connection; default "256KiB". At least a segment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buffer: Option<Size>,
    /// Lower bound of the timer that sends a packet again; default "100ms".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_timeout: Option<Time>,
}
