//! Snoop: a node that observes a connection and retransmits packets lost behind it, without acknowledging
//! data (Balakrishnan, Seshan, Amir and Katz, "Improving TCP/IP performance over wireless networks", MobiCom
//! 1995).
//!
//! - Data packets towards the destination are cached and forwarded at once.
//! - An acknowledgment of new data frees the packets that it covers, gives a round-trip time of the far side,
//!   and is forwarded to the source.
//! - A duplicate acknowledgment for a cached packet means that the packet was lost behind this node. The
//!   packet is retransmitted, and the acknowledgment is suppressed. Further duplicates that packets sent
//!   before the retransmission can cause are suppressed too. One duplicate more than these shows that the
//!   retransmission was lost.
//! - A duplicate acknowledgment for a packet that is not cached, or that the source itself has retransmitted,
//!   is forwarded: the source must repair that loss and react to it.
//! - A timer based on the far side's round-trip time retransmits the first outstanding packet if no
//!   acknowledgment arrives.
//! - A packet that this node's own queue drops is removed from the cache. The drop means congestion, and the
//!   source must learn of it. Otherwise the source's window would grow, and the queue overflow, without end.
//! - An old acknowledgment is dropped. Data that the destination already has are not forwarded: the source
//!   missed their acknowledgment, so this node sends it again.
//!
//! Acknowledgments keep their end-to-end semantics. A crash loses only the cache: losses of packets sent
//! before are then repaired by the source.
//!
//! Chosen here: the rule about the node's own queue (the paper's receivers keep the window below the queue of
//! its base station); a full cache takes no further packets; the timer of module `repair`. Left out: queues
//! further along the path, whose drops this node cannot observe; the priority of retransmissions in the
//! queue; data from the destination (flows have one direction).

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::repair::Repair;
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Instant, Packet};

/// Snoop's state for one connection.
#[derive(Clone, Debug)]
pub(crate) struct Snoop {
    capacity: u64,
    pub(crate) repair: Repair,
    /// The last acknowledgment of new data, to be sent again if the source missed it.
    last: Option<Packet>,
}

impl Snoop {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { capacity: setup.buffer, repair: Repair::new(setup), last: None }
    }

    /// Handles a packet from the source: forwards it, and caches its data. Data that the destination has
    /// acknowledged are answered with the last acknowledgment instead.
    pub(crate) fn on_data(
        &mut self,
        now: Instant,
        packet: &Packet,
        segment: &DataHeader,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        let data = segment.payload > 0;
        if data && segment.seq < self.repair.base() {
            // The destination has this segment; its acknowledgment was lost.
            if let Some(last) = self.last {
                out.push(Outgoing::own(Toward::Source, Packet { sent: now, ..last }));
                return;
            }
        }
        out.push(Outgoing::pass(Toward::Destination, *packet));
        if data && segment.seq >= self.repair.base() {
            self.store(now, packet, segment.seq, stats);
            self.repair.watch(now);
        }
    }

    fn store(&mut self, now: Instant, packet: &Packet, seq: u64, stats: &mut Stats) {
        let late = self.repair.passes(seq);
        if let Some(known) = self.repair.cached(seq) {
            known.late = true;
            return;
        }
        if self.repair.held() + u64::from(packet.payload()) > self.capacity {
            stats.refused_packets += 1;
            return;
        }
        self.repair.store(now, packet, seq, late);
        stats.copied_packets += 1;
    }

    /// Removes segment `seq`, which this node's own queue has dropped, from the cache, so that the source
    /// repairs the loss.
    pub(crate) fn on_own_drop(&mut self, seq: u64, stats: &mut Stats) {
        stats.given_up_packets += u64::from(self.repair.forget(seq));
    }

    /// Handles a packet from the destination: forwards it, except old acknowledgments, and duplicates of a
    /// loss that this node repairs.
    pub(crate) fn on_ack(
        &mut self,
        now: Instant,
        packet: &Packet,
        ack: &AckHeader,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        if ack.syn {
            // A SYN of the destination; it acknowledges no data.
            out.push(Outgoing::pass(Toward::Source, *packet));
            return;
        }
        if ack.ack > self.repair.base() {
            self.repair.advance(now, ack.ack, stats);
            self.last = Some(*packet);
        } else if !ack.fin {
            let old = ack.ack < self.repair.base();
            // An acknowledgment that changes the window is not a duplicate.
            let window =
                self.last.is_some_and(|last| matches!(last.body, Body::Ack(l) if l.window != ack.window));
            if old || (!window && self.repair(now, out, stats)) {
                stats.suppressed_acks += 1;
                return;
            }
        }
        out.push(Outgoing::pass(Toward::Source, *packet));
    }

    /// Handles a duplicate acknowledgment; returns true if this node repairs the loss, false if the source
    /// must repair it.
    fn repair(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) -> bool {
        if self.repair.first().is_none_or(|first| first.late) {
            return false;
        }
        self.repair.duplicate(now, out, stats);
        true
    }
}
