//! The gateway of Huang and Li, "Study on Westwood Algorithm Optimization", section 2, to the letter of its text. A
//! data packet goes on to the destination unchanged, a copy stays in the *Local buffer*, and a *Pre ACK* goes to the
//! source in place of the destination's acknowledgment. The destination's *Real ACK* decides whether the copy is
//! deleted.
//!
//! - Packets go on at once, out of order, too. The gateway has no window of its own between the networks, unlike
//!   [`crate::intelligent`]. The source is bounded by the receiver's window and the buffer, which Pre ACKs advertise,
//!   and by its own window, which grows with Pre ACKs.
//! - Packets lost behind the gateway are sent again from the buffer (module `repair`). That includes drops by the
//!   gateway's own queue, since the source has forgotten the packet. So the source never learns of congestion behind
//!   the gateway.
//! - SYN, FIN and their acknowledgments pass through. A mark of ECN that the destination echoes is echoed by the Pre
//!   ACKs.
//!
//! The paper leaves open how the gateway finds a loss. Module `repair` does so by selective acknowledgments if the
//! connection has them, else by duplicates. The paper also leaves open a full buffer and a crash; both are as in
//! [`crate::intelligent`]. A packet for which there is no room is dropped, and the source sends it again. Not modelled:
//! processing time. Validated by the tests of this room (no byte lost, repeated or reordered over random loss, buffers
//! and crashes); no run of it is published.

use crate::near::Near;
use crate::outbox::{Outbox, Outgoing, Toward};
use crate::repair::Repair;
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Duration, Instant, Packet, Stamp};
use tcp::Config;
use tcp::config::Syn;

/// One connection, from its SYN on.
#[derive(Clone, Debug)]
pub(crate) struct PreAck {
    pub(crate) near: Near,
    pub(crate) repair: Repair,
    /// Room for copies, and no more than the receiver's window, bytes.
    room: u64,
    /// Bytes of the stream that the destination has confirmed.
    confirmed: u64,
    handshake: bool,
    /// The destination sends selective acknowledgments.
    selective: bool,
}

impl PreAck {
    pub(crate) fn new(setup: &Setup) -> Self {
        let mut near = Config::clone(&setup.near);
        near.acks.delayed_ack = Duration::ZERO;
        let window = near.windows.receive_window * f64::from(near.sizes.segment);
        Self {
            near: Near::new(&near),
            repair: Repair::new(setup),
            room: setup.buffer.min(window as u64),
            confirmed: 0,
            handshake: near.connection.syn == Syn::Handshake,
            selective: near.acks.sack_blocks > 0,
        }
    }

    fn reach(&self) -> u64 {
        self.confirmed + self.room
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
        if segment.probe {
            self.near.on_segment(now, segment);
            return;
        }
        let opens = segment.syn && self.handshake;
        let ends = segment.fin && segment.payload == 0;
        if segment.bare_ack || opens || ends {
            out.push(Outgoing::pass(Toward::Destination, *packet));
            return;
        }
        let seq = segment.seq;
        if seq < self.repair.base() || self.repair.cached(seq).is_some() {
            // The Pre ACK was lost, or the destination's answer to the FIN.
            if segment.fin {
                out.push(Outgoing::pass(Toward::Destination, *packet));
            }
        } else if segment.offset + u64::from(segment.payload) > self.reach() {
            stats.refused_packets += 1;
            self.near.acknowledge();
            return;
        } else {
            let late = self.repair.passes(seq);
            out.push(Outgoing::pass(Toward::Destination, *packet));
            self.repair.store(now, packet, seq, late);
            stats.copied_packets += 1;
            if late && seq == self.repair.base() {
                self.repair.expect_duplicates();
            }
            self.repair.watch(now);
        }
        // The destination must answer a FIN, not the gateway.
        self.near.on_segment(now, &DataHeader { fin: false, ..*segment });
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
            self.confirm(now, ack, out, stats);
        }
        if ack.syn || ack.fin {
            let window = self.near.window(self.reach(), stats);
            let body = Body::Ack(AckHeader { window, ..*ack });
            out.push(Outgoing::pass(Toward::Source, Packet { body, ..*packet }));
        }
    }

    fn confirm(&mut self, now: Instant, ack: &AckHeader, out: &mut Outbox, stats: &mut Stats) {
        if ack.ece {
            self.near.echo();
        }
        let advanced = ack.ack > self.repair.base();
        if advanced {
            let partial = self.repair.recovers(ack.ack);
            if let Some(end) = self.repair.advance(now, ack.ack, stats) {
                self.confirmed = end;
            }
            if partial && !self.selective {
                self.repair.partial(now, out, stats);
            }
            self.near.update(self.reach(), self.room, stats);
        }
        if self.selective {
            self.repair.selective(now, ack, out, stats);
        } else if !advanced && ack.ack == self.repair.base() && !ack.fin && self.repair.first().is_some() {
            self.repair.duplicate(now, out, stats);
        }
    }

    /// Returns the bytes acknowledged to the source that the destination has not confirmed.
    pub(crate) fn unconfirmed(&self) -> u64 {
        self.near.acknowledged().saturating_sub(self.confirmed)
    }

    /// Returns the earliest timer of either side.
    pub(crate) fn timer(&self) -> Option<Stamp> {
        [self.near.timer(), self.repair.timer()].into_iter().flatten().min()
    }

    /// Handles the timers that are due.
    pub(crate) fn on_timer(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        self.near.on_timer(now);
        self.repair.on_timer(now, out, stats);
    }

    /// Sends the Pre ACKs that are due.
    pub(crate) fn pump(&mut self, now: Instant, setup: &Setup, out: &mut Outbox, stats: &mut Stats) {
        self.near.pump(now, setup, self.reach(), out, stats);
    }
}
