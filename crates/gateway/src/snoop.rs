//! Snoop: a node that watches a connection and repairs losses behind it, without taking part (Balakrishnan, Seshan,
//! Amir and Katz, "Improving TCP/IP performance over wireless networks", MobiCom 1995).
//!
//! - Data on its way to the destination is cached and goes on at once.
//! - An acknowledgment of new data frees the packets that it covers, gives a round trip of the far side, and goes on to
//!   the source.
//! - A duplicate acknowledgment of a cached packet means that it was lost behind this node: the packet is sent again,
//!   and the acknowledgment is kept from the source. So are the further ones that packets sent before the
//!   retransmission can bring; one more than these shows that the retransmission is lost, too.
//! - A duplicate acknowledgment of a packet that is not cached, or that the source itself has sent again, goes on to
//!   the source: that loss is the source's to repair and to react to.
//! - A timer on the far side's round trip sends the first outstanding packet again if no acknowledgment comes.
//! - A packet that this node's own queue drops is forgotten. That loss is congestion: the source has to learn of it, or
//!   its window would grow, and the queue overflow, without end.
//! - An old acknowledgment is dropped. Data that the destination has already is not sent on: its acknowledgment was
//!   lost on the way to the source, and is given again.
//!
//! The end-to-end meaning of an acknowledgment is kept, and a crash costs the cache alone: after it losses are the
//! source's until new data comes.
//!
//! Chosen here: the rule of the own queue (the paper's receivers keep the window below the queue of its base station);
//! a full cache takes no more packets until it has room; the timer of module `repair`. Left out: queues further on,
//! whose drops this node cannot know; the priority of retransmissions in the queue; data from the destination (flows
//! have one direction).

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::repair::Repair;
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Instant, Packet};

/// One connection under watch.
#[derive(Clone, Debug)]
pub(crate) struct Snoop {
    capacity: u64,
    pub(crate) repair: Repair,
    /// The last acknowledgment of new data.
    last: Option<Packet>,
}

impl Snoop {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { capacity: setup.buffer, repair: Repair::new(setup), last: None }
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
        let data = segment.payload > 0;
        if data && segment.seq < self.repair.base() {
            // The destination has it: the acknowledgment was lost.
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

    /// Forgets the copy of `seq`, which this node's own queue has dropped: the source repairs this loss.
    pub(crate) fn on_own_drop(&mut self, seq: u64, stats: &mut Stats) {
        stats.given_up_packets += u64::from(self.repair.forget(seq));
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
        if ack.syn {
            // It opens the connection; a source that is open already takes no data from it.
            out.push(Outgoing::pass(Toward::Source, *packet));
            return;
        }
        if ack.ack > self.repair.base() {
            self.repair.advance(now, ack.ack, stats);
            self.last = Some(*packet);
        } else if !ack.fin {
            let old = ack.ack < self.repair.base();
            // An acknowledgment that changes the window is no duplicate.
            let window =
                self.last.is_some_and(|last| matches!(last.body, Body::Ack(l) if l.window != ack.window));
            if old || (!window && self.repair(now, out, stats)) {
                stats.suppressed_acks += 1;
                return;
            }
        }
        out.push(Outgoing::pass(Toward::Source, *packet));
    }

    /// Handles a duplicate acknowledgment; returns true if the loss is this node's to repair.
    fn repair(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) -> bool {
        if self.repair.first().is_none_or(|first| first.late) {
            return false;
        }
        self.repair.duplicate(now, out, stats);
        true
    }
}
