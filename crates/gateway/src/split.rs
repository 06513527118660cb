//! Split TCP: two connections in series, and a relay of bytes between them (Bakre and Badrinath, "I-TCP:
//! indirect TCP for mobile hosts", ICDCS 1995; RFC 3135 section 2.4).
//!
//! The source's connection ends at the gateway, which answers its SYN, data and FIN. On the SYN the gateway
//! opens a second connection to the destination with its own parameters: variant, handshake, segment size,
//! timers. Bytes that have arrived in order are sent on the second connection, in its segments. A remainder
//! shorter than a segment waits for more bytes or for the end of the stream (a short last segment or the
//! FIN). Bytes are buffered until the destination has acknowledged them. While the buffer is full, the
//! advertised window stops the source.
//!
//! As with the intelligent gateway, acknowledgments lose their end-to-end semantics; in addition, handshake
//! and FIN give no information about the other end. After a crash the endpoints' connections have no
//! counterpart at the gateway. Their packets are dropped, and the endpoints time out repeatedly. A real
//! gateway would send a reset, which endpoints of this simulator do not implement. A connection whose SYN
//! arrives after the restart is relayed.
//!
//! Left out: processing time, and an address of the gateway. Packets of the second connection have the
//! source's address, as with transparent proxies.

use crate::setup::Setup;
use crate::split_connection::SplitConnection;
use crate::stats::Stats;
use base::{AckHeader, DataHeader, Instant, Packet};
use tcp::config::Syn;

/// Split TCP for one connection of the source: the gateway's end of that connection, and its own connection
/// to the destination. It exists from the source's SYN on.
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
