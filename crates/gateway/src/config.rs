//! Settings of gateways.

use crate::setup::Kind;
use base::Duration;
use settings::Size;
use settings::{Kinds, Setting, Settings};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// A gateway: a function of a node for the TCP connections that pass through it, both ways. `T` has the settings of a
/// connection.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "gateway")]
pub enum Config<T: Setting + Clone + PartialEq + Debug> {
    /// Keeps a copy of each data packet, acknowledges it to the source at once (Pre ACK), and brings it to the destination by a sender of its own. The destination's acknowledgment frees the copy and goes no further. Breaks the end-to-end meaning of acknowledgments.
    Intelligent(FarSide<T>),
    /// Passes each data packet on at once, keeps a copy, and acknowledges it to the source (Pre ACK). Packets lost
    /// behind the gateway are sent again from the copy. The destination's acknowledgment frees the copy and goes no
    /// further. Breaks the end-to-end meaning of acknowledgments.
    PreAck(Repairs),
    /// Caches data in transit and repairs losses behind it, keeping duplicate acknowledgments from the source; acknowledges nothing itself.
    Snoop(Repairs),
    /// Two connections back to back, each with its own handshake and segments, and a relay of bytes between them.
    Split(FarSide<T>),
}

/// Room for payload if nothing is given, bytes.
const BUFFER: u64 = 256 << 10;
/// Bounds of a buffer, bytes: windows are advertised in 32 bits.
const BUFFERS: RangeInclusive<u64> = 1..=1 << 31;
/// The allowed sizes of a buffer, for messages.
const ROOM: &str = "room for a segment to \"2GiB\"";

/// A gateway that sends to the destination itself.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct FarSide<T: Setting + Clone + PartialEq + Debug> {
    /// Room for payload, for each connection. At least a segment; if the far side's segments differ from the flow's, at least one of
    /// each.
    #[setting(default = BUFFER, form = Size, range = BUFFERS, value = "size", allowed = ROOM)]
    pub buffer: u64,
    /// The variant on the far side, towards the destination.
    #[setting(absent = "the flow's")]
    pub variant: Option<String>,
    /// Parameters of the far side. Without a `profile` here, values not given are those of the flow. An intelligent
    /// gateway sends the flow's own packets: their form, and the behaviour of the destination, are settings of the
    /// flow.
    #[setting(absent = "the flow's")]
    pub tcp: Option<T>,
}

/// A gateway that has no sender of its own, and repairs losses behind it.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Repairs {
    /// Room for payload, for each connection. At least a segment.
    #[setting(default = BUFFER, form = Size, range = BUFFERS, value = "size", allowed = ROOM)]
    pub buffer: u64,
    /// Lower bound of the timer that sends a packet again: half the smallest minimum of a sender's timer in any profile.
    #[setting(default = Duration::from_ms(100), range = Duration::from_ps(1)..=Duration::from_secs(60))]
    pub min_timeout: Duration,
}

impl<T: Setting + Clone + PartialEq + Debug> Config<T> {
    /// Returns the kind of gateway.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Intelligent(_) => Kind::Intelligent,
            Self::PreAck(_) => Kind::PreAck,
            Self::Snoop(_) => Kind::Snoop,
            Self::Split(_) => Kind::Split,
        }
    }

    /// Returns the lower bound of the repair timer; zero for gateways without one.
    pub const fn min_timeout(&self) -> Duration {
        match self {
            Self::PreAck(repairs) | Self::Snoop(repairs) => repairs.min_timeout,
            _ => Duration::ZERO,
        }
    }

    /// Returns the room for payload for each connection, bytes.
    pub const fn buffer(&self) -> u64 {
        match self {
            Self::Intelligent(far) | Self::Split(far) => far.buffer,
            Self::PreAck(repairs) | Self::Snoop(repairs) => repairs.buffer,
        }
    }

    /// Returns the far side, to be changed; `None` if the gateway has none.
    pub const fn far_mut(&mut self) -> Option<&mut FarSide<T>> {
        match self {
            Self::Intelligent(far) | Self::Split(far) => Some(far),
            Self::PreAck(_) | Self::Snoop(_) => None,
        }
    }

    /// Returns the far side; `None` if the gateway has none.
    pub const fn far(&self) -> Option<&FarSide<T>> {
        match self {
            Self::Intelligent(far) | Self::Split(far) => Some(far),
            Self::PreAck(_) | Self::Snoop(_) => None,
        }
    }
}
