//! Setup of a proxy: the kind of gateway, the buffer, and the connection on either side.

use base::{Body, Duration, Ecn, FlowId, Instant, Packet, Rng};
use std::sync::Arc;
use tcp::Config;
use tcp::config::Syn;

/// A kind of gateway.
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
    /// Returns its name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intelligent => "intelligent",
            Self::PreAck => "pre-ack",
            Self::Snoop => "snoop",
            Self::Split => "split",
        }
    }
}

/// Setup of a proxy.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The kind of gateway.
    pub kind: Kind,
    /// The flow whose packets it handles.
    pub flow: FlowId,
    /// The flow's class.
    pub class: u8,
    /// The connection's buffer, bytes of payload: at least a segment, and if the far side cuts the stream anew, one of
    /// each side.
    pub buffer: u64,
    /// The connection on the source's side.
    pub near: Arc<Config>,
    /// The connection on the far side. Gateways that only repair use none; the intelligent gateway's has the source's
    /// segments.
    pub far: Arc<Config>,
    /// Offset of the far side's start in its clock's tick (`tick_phase`).
    pub phase: Duration,
    /// Random stream of the far side's congestion control.
    pub stream: Rng,
    /// Random stream of the processing time that the far side's host spends on segments (`send_overhead`).
    pub overhead: Rng,
    /// Lower bound of the repair timer.
    pub min_timeout: Duration,
}

impl Setup {
    /// Creates a packet of the connection.
    pub(crate) fn packet(&self, sent: Instant, wire: u32, body: Body, ecn: Ecn) -> Packet {
        Packet { sent, flow: self.flow, route: 0, wire, body, ecn, class: self.class }
    }

    /// Returns true if `packet` opens the connection.
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
