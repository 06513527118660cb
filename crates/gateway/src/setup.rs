//! What a relay is set up with: the kind of gateway, the buffer, and the connection as either side has it.

use base::{Body, Duration, Ecn, FlowId, Instant, Packet, Rng};
use std::sync::Arc;
use tcp::Config;
use tcp::config::Syn;

/// What a gateway does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Acknowledges data early and brings it to the destination itself (module `intelligent`).
    Intelligent,
    /// Forwards data at once, acknowledges it early, and repairs losses behind it (module `pre_ack`).
    PreAck,
    /// Repairs losses behind it without taking part (module `snoop`).
    Snoop,
    /// Ends the connection and opens another (module `split`).
    Split,
}

impl Kind {
    /// The one spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intelligent => "intelligent",
            Self::PreAck => "pre-ack",
            Self::Snoop => "snoop",
            Self::Split => "split",
        }
    }
}

/// What a relay is set up with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What the gateway does.
    pub kind: Kind,
    /// The flow whose packets it handles.
    pub flow: FlowId,
    /// The flow's class.
    pub class: u8,
    /// The connection's buffer, bytes of payload: at least a segment, and where the far side cuts the stream anew, one of
    /// each side.
    pub buffer: u64,
    /// The connection as its source has it.
    pub near: Arc<Config>,
    /// The connection on the far side. What repairs has none of its own; the intelligent gateway's has the source's segments.
    pub far: Arc<Config>,
    /// Where in its clock's tick the far side begins (`tick_phase`).
    pub phase: Duration,
    /// Where the far side's congestion control draws from.
    pub stream: Rng,
    /// Where the time of the far side's host on segments is drawn from (`send_overhead`).
    pub overhead: Rng,
    /// Lower bound of the timer of what repairs.
    pub min_timeout: Duration,
}

impl Setup {
    /// A packet of the connection.
    pub(crate) fn packet(&self, sent: Instant, wire: u32, body: Body, ecn: Ecn) -> Packet {
        Packet { sent, flow: self.flow, route: 0, wire, body, ecn, class: self.class }
    }

    /// Whether `packet` opens the connection.
    pub(crate) fn opens(&self, packet: &Packet) -> bool {
        match (&packet.body, self.near.connection.syn) {
            (Body::Data(segment), Syn::Handshake) => segment.syn,
            (Body::Data(segment), Syn::Packet | Syn::None) => {
                segment.seq == 0 && !segment.bare_ack && !segment.probe
            }
            _ => false,
        }
    }
}
