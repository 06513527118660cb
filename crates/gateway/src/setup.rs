//! Parameters of a proxy: the kind of gateway, the buffer, and the connection on either side.

use base::{Body, Duration, Ecn, FlowId, Instant, Packet, Rng};
use std::sync::Arc;
use tcp::Config;
use tcp::config::Syn;

/// A kind of gateway.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Acknowledges data early and sends it to the destination by a TCP sender of its own (module
    /// `intelligent`).
    Intelligent,
    /// Forwards data at once, acknowledges it early, and retransmits packets lost behind the gateway (module
    /// `pre_ack`).
    PreAck,
    /// Retransmits packets lost behind the gateway without acknowledging data (module `snoop`).
    Snoop,
    /// Terminates the connection and opens a second one to the destination (module `split`).
    Split,
}

impl Kind {
    /// Returns the kind's name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intelligent => "intelligent",
            Self::PreAck => "pre-ack",
            Self::Snoop => "snoop",
            Self::Split => "split",
        }
    }
}

/// Parameters of a proxy.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The kind of gateway.
    pub kind: Kind,
    /// The flow whose connection the proxy handles.
    pub flow: FlowId,
    /// Class of the flow for priority queues, 0 first.
    pub class: u8,
    /// Capacity of the connection's buffer, bytes of payload. It must hold one segment or, if the two sides
    /// have segments of different sizes, one segment of each side at the same time.
    pub buffer: u64,
    /// TCP configuration of the near side, which is the source's.
    pub near: Arc<Config>,
    /// TCP configuration of the far side. Unused by gateways without a TCP sender. For the intelligent
    /// gateway it has the source's segment size.
    pub far: Arc<Config>,
    /// Offset of the far side's timer tick from the start of the run (`tick_phase`).
    pub phase: Duration,
    /// Random stream of the far side's congestion control.
    pub stream: Rng,
    /// Random stream of the processing time per segment at the far side's sender (`send_overhead`).
    pub overhead: Rng,
    /// Lower bound of the retransmission timer of gateways without a TCP sender.
    pub min_timeout: Duration,
}

impl Setup {
    /// Creates a packet of the connection's flow; the network fills in its route.
    pub(crate) fn packet(&self, sent: Instant, wire: u32, body: Body, ecn: Ecn) -> Packet {
        Packet { sent, flow: self.flow, route: 0, wire, body, ecn, class: self.class }
    }

    /// Returns true if `packet` opens the connection: it is the SYN, or without a handshake the first segment
    /// of the stream.
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
