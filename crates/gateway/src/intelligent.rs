//! The intelligent gateway of Huang and Li, "Study on Westwood Algorithm Optimization", section 2. At the
//! boundary of two networks it acknowledges data to the source, and sends the data to the destination by a
//! TCP sender of its own.
//!
//! - A data packet is copied to the *Local buffer* and acknowledged to the source at once by a *Pre ACK*. The
//!   Pre ACK is cumulative for the data stored in order, with selective acknowledgments if the connection
//!   uses them.
//! - The gateway's sender, with any loss recovery and congestion control, sends the copies to the
//!   destination. Its window decides when a copy is sent, its loss detection which copies are retransmitted.
//! - The destination's *Real ACK* frees the copies and is not forwarded.
//! - When the buffer is full, Pre ACKs advertise a zero window, which stops the source.
//! - Packets that open and close the connection pass through: SYN, the destination's FIN, and their
//!   acknowledgments. Only their advertised window is the gateway's. So there is one connection with one
//!   sequence space; only data is acknowledged early. The gateway handles a connection from its SYN on. (If
//!   the SYN is a segment of the stream, as in profile `ns2`, the gateway handles it as data.)
//!
//! An acknowledgment therefore no longer means that the destination has the data. A crash loses data that was
//! acknowledged and not delivered. The source has freed these data, so the connection cannot continue past
//! that hole. After a crash packets pass through the gateway as through any node. The destination
//! acknowledges the segment that it expects, which is below the source's window; the source ignores this and
//! times out repeatedly. If all acknowledged data had been delivered at the crash, the connection continues
//! end to end.
//!
//! Open in the paper and chosen here: the buffer's capacity and the behaviour when it is full (the advertised
//! window), when a copy is sent (by the window of the gateway's sender), and crashes. Not modelled:
//! processing time in the gateway. Validated by tests of this crate (no byte lost, repeated or reordered over
//! random loss, buffers and crashes) and by scenarios in `sim`. The paper describes the gateway but publishes
//! no run of it.

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::split_connection::SplitConnection;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Instant, Packet};
use std::sync::Arc;
use tcp::Config;
use tcp::config::Syn;

/// Connection through an intelligent gateway, from the connection's SYN on.
#[derive(Clone, Debug)]
pub(crate) struct Intelligent {
    pub(crate) connection: SplitConnection,
    handshake: bool,
}

impl Intelligent {
    pub(crate) fn new(setup: &Setup) -> Self {
        let handshake = setup.near.connection.syn == Syn::Handshake;
        // Pre ACKs are not delayed. The gateway's sender sends the source's segments, except SYN and other
        // control packets.
        let mut near = Config::clone(&setup.near);
        near.acks.delayed_ack = base::Duration::ZERO;
        let syn = if handshake { Syn::None } else { setup.near.connection.syn };
        let mut far = Config::clone(&setup.far);
        far.connection.syn = syn;
        let far = Arc::new(far);
        Self { connection: SplitConnection::new(setup, &near, &far, false), handshake }
    }

    /// Handles a packet from the source. Data are buffered and acknowledged, window probes are answered; a
    /// SYN of a handshake and an acknowledgment without data are forwarded.
    pub(crate) fn on_data(
        &mut self,
        now: Instant,
        packet: &Packet,
        segment: &DataHeader,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        if segment.bare_ack || (segment.syn && self.handshake) {
            out.push(Outgoing::pass(Toward::Destination, *packet));
            return;
        }
        if segment.probe {
            self.connection.control(now, segment);
            return;
        }
        // The receiver here must not acknowledge a FIN; the destination does.
        self.connection.take(now, packet, segment, false, stats);
    }

    /// Handles a packet from the destination. An acknowledgment frees the copies that it covers; only one
    /// with a SYN or FIN is forwarded, with the gateway's window.
    pub(crate) fn on_ack(
        &mut self,
        now: Instant,
        packet: &Packet,
        ack: &AckHeader,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        if !ack.syn {
            let real = AckHeader { fin: false, ..*ack };
            // The source, not the gateway's sender, acknowledges the destination's FIN.
            self.connection.confirm(now, &real, stats);
        }
        if ack.syn || ack.fin {
            let window = self.connection.window(stats);
            let body = Body::Ack(AckHeader { window, ..*ack });
            out.push(Outgoing::pass(Toward::Source, Packet { body, ..*packet }));
        }
    }
}
