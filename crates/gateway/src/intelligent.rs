//! The intelligent gateway of Huang and Li, "Study on Westwood Algorithm Optimization", section 2: at the boundary of
//! two networks it answers the source itself, and brings the data to the destination by its own means.
//!
//! - A data packet is copied to the *Local buffer* and acknowledged to the source at once, by a *Pre ACK*: cumulatively
//!   for the data held in order, with selective acknowledgments if the connection uses them.
//! - A sender of its own, with any loss recovery and congestion control, takes the copies to the destination. Its
//!   window decides when a copy goes, its loss detection which one goes again.
//! - The destination's *Real ACK* frees the copies and goes no further.
//! - When the buffer is full, the window that Pre ACKs advertise closes and stops the source.
//! - Packets that open and close the connection pass through unchanged (SYN, the destination's FIN, their
//!   acknowledgments). The connection stays one, with one numbering; only data is acknowledged early. A connection is
//!   taken up by its SYN. (If the SYN is a segment of the stream, as in profile `ns2`, it is data here, too.)
//!
//! The price: an acknowledgment no longer says that the destination has the data. A crash loses the data that was
//! acknowledged and not delivered; the source has forgotten it, and the connection cannot go on past that hole. Its
//! packets then pass through, as through any node. The destination answers with the number that it waits for, which is
//! below the source's window. The source ignores it and times out again and again. If nothing was outstanding at the
//! crash, the connection goes on end to end.
//!
//! Left open by the paper, and chosen here: the buffer's bound and the behaviour when it is full (the advertised
//! window), the time at which a copy is sent (the far side's window), and crashes. Not modelled: processing time in the
//! gateway. Validated by tests of this room (no byte lost, repeated or reordered over random loss, buffers and crashes)
//! and by scenarios in `sim`; the paper describes the gateway but publishes no run of it.

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::split_connection::SplitConnection;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Instant, Packet};
use std::sync::Arc;
use tcp::Config;
use tcp::config::Syn;

/// One connection through an intelligent gateway, from its SYN on.
#[derive(Clone, Debug)]
pub(crate) struct Intelligent {
    pub(crate) connection: SplitConnection,
    handshake: bool,
}

impl Intelligent {
    pub(crate) fn new(setup: &Setup) -> Self {
        let handshake = setup.near.connection.syn == Syn::Handshake;
        // Pre ACKs go at once. The far side sends the same packets as the source, except those that open and close.
        let mut near = Config::clone(&setup.near);
        near.acks.delayed_ack = base::Duration::ZERO;
        let syn = if handshake { Syn::None } else { setup.near.connection.syn };
        let mut far = Config::clone(&setup.far);
        far.connection.syn = syn;
        let far = Arc::new(far);
        Self { connection: SplitConnection::new(setup, &near, &far, false), handshake }
    }

    /// Handles a packet from the source.
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
        // The destination must answer a FIN, not the gateway.
        self.connection.take(now, packet, segment, false, stats);
    }

    /// Handles a packet from the destination.
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
            // The source acknowledges the destination's FIN; the far side does not.
            self.connection.confirm(now, &real, stats);
        }
        if ack.syn || ack.fin {
            let window = self.connection.window(stats);
            let body = Body::Ack(AckHeader { window, ..*ack });
            out.push(Outgoing::pass(Toward::Source, Packet { body, ..*packet }));
        }
    }
}
