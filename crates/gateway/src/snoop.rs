//! Snoop: a node that watches a connection and repairs losses behind it, without taking part (Balakrishnan, Seshan, Amir
//! and Katz, "Improving TCP/IP performance over wireless networks", MobiCom 1995).
//!
//! - Data on its way to the destination is cached and goes on at once.
//! - An acknowledgment of new data frees what it covers, gives a round trip of the far side, and goes on to the source.
//! - A duplicate acknowledgment of a cached packet means that it was lost behind this node: the packet is sent again, and the
//!   acknowledgment is kept from the source. So are the further ones that the packets sent before the retransmission can
//!   bring; one more than these shows that the retransmission is lost, too.
//! - A duplicate acknowledgment of a packet that is not cached, or that the source itself has sent again, goes on to the
//!   source: that loss is the source's to repair and to react to.
//! - A timer on the far side's round trip sends the first outstanding packet again, where no acknowledgment comes.
//! - A packet that this node's own queue drops is forgotten. That loss is congestion: the source has to hear of it, or its
//!   window would grow, and the queue overflow, without end.
//! - An old acknowledgment is dropped. Data that the destination has already is not sent on: its acknowledgment was lost on
//!   the way to the source, and is given again.
//!
//! The end-to-end meaning of an acknowledgment is kept, and a crash costs the cache alone: after it losses are the source's
//! until new data comes.
//!
//! Chosen here: the rule of the own queue (the paper's receivers keep the window below what its base station queues); a full
//! cache takes no more packets until it has room; the timer follows RFC 6298 with a lower bound of its own. Left out: queues
//! further on, whose drops this node cannot know; the priority of retransmissions in the queue; data from the destination
//! (flows have one direction).

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, DataHeader, Duration, Instant, Packet, Stamp};
use std::collections::VecDeque;
use tcp::config::Timers;
use tcp::rtt::RttEstimator;

/// A cached packet.
#[derive(Clone, Copy, Debug)]
struct Cached {
    packet: Packet,
    /// When it went on to the destination, first.
    forwarded: Instant,
    /// This node has sent it again.
    retransmitted: bool,
    /// The source has sent it again, or it came after packets that follow it.
    late: bool,
}

/// One connection under watch.
#[derive(Clone, Debug)]
pub(crate) struct Snoop {
    capacity: u64,
    /// Packets from `start` on, where cached.
    cache: VecDeque<Option<Cached>>,
    start: u64,
    /// The next segment that the destination expects, as far as acknowledgments show.
    base: u64,
    /// One past the highest segment seen.
    next: u64,
    held: u64,
    /// The last acknowledgment that moved `base`.
    last: Option<Packet>,
    /// Duplicate acknowledgments that packets sent before the last retransmission of `base` may still bring.
    expected_dupacks: u64,
    /// One past the highest segment seen when `base` was last sent again.
    retransmitted_at: u64,
    rtt: RttEstimator,
    timer: Option<Stamp>,
}

impl Snoop {
    pub(crate) fn new(setup: &Setup) -> Self {
        let timers = Timers { min_rto: setup.min_timeout, clock_tick: Duration::ZERO, ..setup.near.timers };
        Self {
            capacity: setup.buffer,
            cache: VecDeque::new(),
            start: 0,
            base: 0,
            next: 0,
            held: 0,
            last: None,
            expected_dupacks: 0,
            retransmitted_at: 0,
            rtt: RttEstimator::new(&timers, Duration::ZERO),
            timer: None,
        }
    }

    /// A packet from the source.
    pub(crate) fn on_data(
        &mut self,
        now: Instant,
        packet: &Packet,
        segment: &DataHeader,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        let data = segment.payload > 0;
        if data && segment.seq < self.base {
            // The destination has it: the acknowledgment was lost.
            if let Some(last) = self.last {
                out.push(Outgoing::own(Toward::Source, Packet { sent: now, ..last }));
                return;
            }
        }
        out.push(Outgoing::pass(Toward::Destination, *packet));
        if data && segment.seq >= self.base {
            self.store(now, packet, segment.seq, stats);
            if self.timer.is_none() {
                self.set_timer(now);
            }
        }
    }

    fn store(&mut self, now: Instant, packet: &Packet, seq: u64, stats: &mut Stats) {
        let late = seq < self.next;
        self.next = self.next.max(seq + 1);
        if let Some(known) = self.cached(seq) {
            known.late = true;
            return;
        }
        let payload = u64::from(packet.payload());
        if self.held + payload > self.capacity {
            stats.refused_packets += 1;
            return;
        }
        if self.cache.is_empty() {
            self.start = seq;
        }
        while seq < self.start {
            self.start -= 1;
            self.cache.push_front(None);
        }
        let at = (seq - self.start) as usize;
        if at >= self.cache.len() {
            self.cache.resize(at + 1, None);
        }
        self.cache[at] = Some(Cached { packet: *packet, forwarded: now, retransmitted: false, late });
        self.held += payload;
        stats.copied_packets += 1;
    }

    /// This node's own queue has dropped `seq`: its loss is the source's.
    pub(crate) fn on_own_drop(&mut self, seq: u64, stats: &mut Stats) {
        let Some(at) = seq.checked_sub(self.start) else { return };
        if let Some(given_up) = self.cache.get_mut(at as usize).and_then(Option::take) {
            self.held -= u64::from(given_up.packet.payload());
            stats.given_up_packets += 1;
        }
    }

    /// The cached packet `seq`.
    fn cached(&mut self, seq: u64) -> Option<&mut Cached> {
        self.cache.get_mut(seq.checked_sub(self.start)? as usize)?.as_mut()
    }

    /// A packet from the destination.
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
        if ack.ack > self.base {
            self.advance(now, ack.ack, stats);
            self.last = Some(*packet);
        } else if !ack.fin {
            let old = ack.ack < self.base;
            // What changes the window is no duplicate.
            let window =
                self.last.is_some_and(|last| matches!(last.body, Body::Ack(l) if l.window != ack.window));
            if old || (!window && self.repair(now, out, stats)) {
                stats.suppressed_acks += 1;
                return;
            }
        }
        out.push(Outgoing::pass(Toward::Source, *packet));
    }

    /// New data is acknowledged up to `ack`.
    fn advance(&mut self, now: Instant, ack: u64, stats: &mut Stats) {
        let mut newest = None;
        while self.start < ack
            && let Some(slot) = self.cache.pop_front()
        {
            self.start += 1;
            if let Some(cached) = slot {
                self.held -= u64::from(cached.packet.payload());
                stats.freed_packets += 1;
                newest = Some(cached);
            }
        }
        self.base = ack;
        self.next = self.next.max(ack);
        self.expected_dupacks = 0;
        self.retransmitted_at = 0;
        // A packet that was sent twice measures nothing (Karn and Partridge 1987).
        if let Some(cached) = newest.filter(|c| !c.retransmitted && !c.late) {
            self.rtt.end_backoff();
            self.rtt.measured(now, now.since(cached.forwarded));
        }
        self.timer = None;
        if self.base < self.next {
            self.set_timer(now);
        }
    }

    /// A duplicate acknowledgment: repairs the loss where it is this node's to repair; whether it is.
    fn repair(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) -> bool {
        if self.cached(self.base).is_none_or(|first| first.late) {
            return false;
        }
        if self.retransmitted_at == 0 {
            stats.fast_retransmits += 1;
            // Each packet after the lost one brings a duplicate; this is the first of them.
            self.expected_dupacks = (self.next - self.base).saturating_sub(2);
            self.retransmit(now, out, stats);
        } else if self.expected_dupacks > 0 {
            self.expected_dupacks -= 1;
        } else {
            // A packet sent after the retransmission has overtaken it: it is lost.
            stats.fast_retransmits += 1;
            self.expected_dupacks = (self.next - self.retransmitted_at).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
        true
    }

    /// Sends the first outstanding packet again.
    fn retransmit(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if let Some(first) = self.cached(self.base) {
            first.retransmitted = true;
            stats.retransmitted_packets += 1;
            stats.retransmitted_bytes += u64::from(first.packet.payload());
            let mut packet = first.packet;
            if let Body::Data(data) = &mut packet.body {
                data.retransmission = true;
            }
            out.push(Outgoing::own(Toward::Destination, packet));
            self.retransmitted_at = self.next;
            self.set_timer(now);
        }
    }

    fn set_timer(&mut self, now: Instant) {
        self.timer = Some(Stamp::new(now + self.rtt.rto(), now));
    }

    pub(crate) fn timer(&self) -> Option<Stamp> {
        self.timer
    }

    /// No acknowledgment has come.
    pub(crate) fn on_timer(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.timer.is_none_or(|due| due.at > now) {
            return;
        }
        self.timer = None;
        if self.cached(self.base).is_some() {
            stats.timeouts += 1;
            self.rtt.back_off();
            self.expected_dupacks = (self.next - self.base).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }

    /// Bytes cached.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }
}
