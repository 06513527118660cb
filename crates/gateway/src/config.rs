//! Settings of gateways.

use crate::setup::Kind;
use base::Duration;
use settings::Size;
use settings::{Kinds, Setting, Settings};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// A gateway: a proxy at a node, for the TCP connections whose packets pass through that node in both
/// directions. `T` is the type of a connection's settings.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "gateway")]
pub enum Config<T: Setting + Clone + PartialEq + Debug> {
    /// Keeps a copy of each data packet, acknowledges it to the source at once (Pre ACK), and sends it to the
    /// destination by a TCP sender of its own. The destination's acknowledgment frees the copy and is not
    /// forwarded. End-to-end semantics of acknowledgments are lost.
    Intelligent(FarSide<T>),
    /// Forwards each data packet at once, keeps a copy, and acknowledges it to the source (Pre ACK). Packets
    /// lost behind the gateway are retransmitted from the copy. The destination's acknowledgment frees the
    /// copy and is not forwarded. End-to-end semantics of acknowledgments are lost.
    PreAck(Repairs),
    /// Caches data packets and retransmits those lost behind the gateway. Suppresses duplicate
    /// acknowledgments for these losses; never acknowledges data itself.
    Snoop(Repairs),
    /// Terminates the source's connection and opens a second one to the destination, each with its own
    /// handshake and segments; bytes are relayed between the two.
    Split(FarSide<T>),
}

/// Default capacity of a buffer, bytes.
const BUFFER: u64 = 256 << 10;
/// Bounds of a buffer's capacity, bytes; advertised windows have 32 bits.
const BUFFERS: RangeInclusive<u64> = 1..=1 << 31;
/// Allowed capacities of a buffer, shown in error messages.
const ROOM: &str = "room for a segment to \"2GiB\"";

/// Settings of a gateway that has a TCP sender towards the destination.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct FarSide<T: Setting + Clone + PartialEq + Debug> {
    /// Capacity of the buffer in payload, for each connection: at least one segment. If segments towards the
    /// destination have another size than the flow's, at least one of each size.
    #[setting(default = BUFFER, form = Size, range = BUFFERS, value = "size", allowed = ROOM)]
    pub buffer: u64,
    /// TCP variant of the gateway's sender towards the destination.
    #[setting(absent = "the flow's")]
    pub variant: Option<String>,
    /// TCP parameters of the connection towards the destination. Without a `profile` here, values not given
    /// are those of the flow. An intelligent gateway sends the flow's own packets, so their format and the
    /// behaviour of the destination follow the flow's settings.
    #[setting(absent = "the flow's")]
    pub tcp: Option<T>,
}

/// Settings of a gateway that has no TCP sender and retransmits packets lost behind the gateway.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Repairs {
    /// Capacity of the buffer in payload, for each connection; at least one segment.
    #[setting(default = BUFFER, form = Size, range = BUFFERS, value = "size", allowed = ROOM)]
    pub buffer: u64,
    /// Lower bound of the retransmission timer: unless given, half the smallest `min_rto` of any profile.
    #[setting(default = Duration::from_ms(100), range = Duration::from_us(1)..=Duration::from_secs(60))]
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

    /// Returns the lower bound of the retransmission timer; zero for gateways with a TCP sender.
    pub const fn min_timeout(&self) -> Duration {
        match self {
            Self::PreAck(repairs) | Self::Snoop(repairs) => repairs.min_timeout,
            _ => Duration::ZERO,
        }
    }

    /// Returns the capacity of the buffer of each connection, bytes of payload.
    pub const fn buffer(&self) -> u64 {
        match self {
            Self::Intelligent(far) | Self::Split(far) => far.buffer,
            Self::PreAck(repairs) | Self::Snoop(repairs) => repairs.buffer,
        }
    }

    /// Returns the settings of the TCP sender for modification; `None` if the gateway has none.
    pub const fn far_mut(&mut self) -> Option<&mut FarSide<T>> {
        match self {
            Self::Intelligent(far) | Self::Split(far) => Some(far),
            Self::PreAck(_) | Self::Snoop(_) => None,
        }
    }

    /// Returns the settings of the TCP sender; `None` if the gateway has none.
    pub const fn far(&self) -> Option<&FarSide<T>> {
        match self {
            Self::Intelligent(far) | Self::Split(far) => Some(far),
            Self::PreAck(_) | Self::Snoop(_) => None,
        }
    }
}
