//! Split TCP: two connections back to back, and a relay of bytes between them (Bakre and Badrinath, "I-TCP: indirect
//! TCP for mobile hosts", ICDCS 1995; RFC 3135 section 2.4).
//!
//! The source's connection ends at the gateway, which answers its SYN, its data and its FIN. With the SYN it opens a
//! second connection to the destination, with parameters of its own: variant, handshake, segments, timers. Bytes that
//! have arrived in order go out on the second connection, cut into its segments; a remainder of less than a segment
//! waits for more, or for the end of the stream (its last, short segment or its FIN). Bytes are held until the
//! destination has acknowledged them, and the advertised window stops the source while there is no room.
//!
//! The price is that of the intelligent gateway and more: neither end's handshake nor FIN says anything of the other
//! end. After a crash neither connection has a peer. Their packets are dropped (a real gateway would answer with a
//! reset, which the endpoints of this simulator do not know: they time out again and again). A connection whose SYN
//! comes after the restart is relayed.
//!
//! Left out: processing time, and the second connection's addresses: the far side shows the source's, as transparent
//! gateways do.

use crate::setup::Setup;
use crate::split_connection::SplitConnection;
use crate::stats::Stats;
use base::{AckHeader, DataHeader, Instant, Packet};
use tcp::config::Syn;

/// Two connections, from the SYN of the first on.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    pub(crate) connection: SplitConnection,
    handshake: bool,
}

impl Split {
    pub(crate) fn new(setup: &Setup) -> Self {
        let connection = SplitConnection::new(setup, &setup.near, &setup.far, true);
        Self { connection, handshake: setup.near.connection.syn == Syn::Handshake }
    }

    /// Handles a packet from the source.
    pub(crate) fn on_data(&mut self, now: Instant, packet: &Packet, segment: &DataHeader, stats: &mut Stats) {
        self.connection.open(now);
        if segment.bare_ack || segment.probe || (segment.syn && self.handshake) {
            self.connection.control(now, segment);
        } else {
            self.connection.take(now, packet, segment, true, stats);
        }
    }

    /// Handles a packet from the destination.
    pub(crate) fn on_ack(&mut self, now: Instant, ack: &AckHeader, stats: &mut Stats) {
        self.connection.confirm(now, ack, stats);
    }
}
