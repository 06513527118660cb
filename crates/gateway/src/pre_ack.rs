//! The gateway of Huang and Li, "Study on Westwood Algorithm Optimization", section 2, following its text
//! literally. A data packet is forwarded to the destination unchanged, a copy is kept in the *Local buffer*,
//! and a *Pre ACK* is sent to the source in place of the destination's acknowledgment. The destination's
//! *Real ACK* decides whether the copy is deleted.
//!
//! - Packets are forwarded at once, out-of-order packets too. Unlike [`crate::intelligent`], the gateway has
//!   no congestion window. The source is limited by its own congestion window, which grows with Pre ACKs, and
//!   by the window that Pre ACKs advertise: the smaller of the receiver's window and the buffer.
//! - Packets lost behind the gateway are retransmitted from the buffer (module `repair`). This includes drops
//!   by the gateway's own queue, because the source has already freed the packet. So the source never learns
//!   of congestion behind the gateway.
//! - SYN, FIN and their acknowledgments pass through. Pre ACKs echo the CE marks that the destination echoes.
//!
//! The paper leaves open how the gateway detects a loss. Module `repair` uses selective acknowledgments if
//! the connection has them, otherwise duplicate acknowledgments. The paper also leaves open a full buffer and
//! a crash; both are as in [`crate::intelligent`]. A packet beyond the buffer's capacity is dropped, and the
//! source retransmits it. Not modelled: processing time. Validated by the tests of this crate (no byte lost,
//! repeated or reordered over random loss, buffers and crashes); the paper publishes no run of it.

use crate::near::Near;
use crate::outbox::{Outbox, Outgoing, Toward};
use crate::repair::Repair;
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Duration, Instant, Packet, Stamp};
use tcp::Config;
use tcp::config::Syn;

/// Connection through a Pre ACK gateway, from the connection's SYN on.
#[derive(Clone, Debug)]
pub(crate) struct PreAck {
    pub(crate) near: Near,
    pub(crate) repair: Repair,
    /// Capacity for copies, at most the receiver's window, bytes.
    room: u64,
    /// Bytes of the stream that the destination has acknowledged.
    confirmed: u64,
    handshake: bool,
    /// True if the destination sends selective acknowledgments.
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

    /// Handles a packet from the source. New data are forwarded, copied and acknowledged; data that were
    /// copied before are only acknowledged. Other packets are forwarded, except window probes, which are
    /// answered.
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
            // The Pre ACK, or the destination's acknowledgment of the FIN, was lost.
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
        // The receiver here must not acknowledge a FIN; the destination does.
        self.near.on_segment(now, &DataHeader { fin: false, ..*segment });
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

    /// Returns the bytes acknowledged to the source that the destination has not acknowledged.
    pub(crate) fn unconfirmed(&self) -> u64 {
        self.near.acknowledged().saturating_sub(self.confirmed)
    }

    /// Returns the earlier of the timers of both sides.
    pub(crate) fn timer(&self) -> Option<Stamp> {
        [self.near.timer(), self.repair.timer()].into_iter().flatten().min()
    }

    /// Handles the timers that have expired.
    pub(crate) fn on_timer(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        self.near.on_timer(now);
        self.repair.on_timer(now, out, stats);
    }

    /// Sends the Pre ACKs that are due.
    pub(crate) fn pump(&mut self, now: Instant, setup: &Setup, out: &mut Outbox, stats: &mut Stats) {
        self.near.pump(now, setup, self.reach(), out, stats);
    }
}
