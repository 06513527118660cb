//! The cache of packets on their way to the destination, and the repair of losses behind the gateway, which Snoop and
//! the gateway that acknowledges ahead share.
//!
//! - An acknowledgment of new data frees the packets that it covers and gives a round trip of the far side.
//! - The first duplicate acknowledgment of a cached packet means that it was lost: it is sent again. Packets that were
//!   sent before that may bring further duplicates, which mean nothing. One more than these shows that the
//!   retransmission is lost, too.
//! - If the destination sends selective acknowledgments (RFC 2018), a cached packet is lost once a packet sent after it
//!   has arrived (as in RFC 8985, without a reordering window). The first such packet is sent again, one for each
//!   acknowledgment that arrives, so that no more is sent than has left the network.
//! - A timer on the far side's round trip sends the first outstanding packet again if no acknowledgment comes. It
//!   follows RFC 6298 with a lower bound of its own.

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Body, Duration, Instant, Packet, Stamp};
use std::collections::VecDeque;
use tcp::config::Timers;
use tcp::rtt::RttEstimator;

/// A cached packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cached {
    packet: Packet,
    /// Time at which it first went on to the destination.
    forwarded: Instant,
    /// True if this node has sent it again.
    retransmitted: bool,
    /// Position of its last transmission in the order of all packets sent on.
    order: u64,
    /// True if the destination has selectively acknowledged it.
    arrived: bool,
    /// True if the source has sent it again, or it came after packets that follow it.
    pub(crate) late: bool,
}

/// The packets of one connection that the destination has not acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    /// Packets from `start` on; `None` if not cached.
    cache: VecDeque<Option<Cached>>,
    start: u64,
    /// The next segment that the destination expects, by its acknowledgments.
    base: u64,
    /// One past the highest segment seen.
    next: u64,
    held: u64,
    /// Duplicate acknowledgments that packets sent before the last retransmission of `base` may still bring.
    expected_dupacks: u64,
    /// One past the highest segment seen when `base` was last sent again.
    retransmitted_at: u64,
    /// Packets sent on, retransmissions included.
    sent: u64,
    /// Number of packets, in order of sending, up to the last one known to have arrived.
    delivered: u64,
    rtt: RttEstimator,
    timer: Option<Stamp>,
}

impl Repair {
    pub(crate) fn new(setup: &Setup) -> Self {
        let timers = Timers { min_rto: setup.min_timeout, clock_tick: Duration::ZERO, ..setup.near.timers };
        Self {
            cache: VecDeque::new(),
            start: 0,
            base: 0,
            next: 0,
            held: 0,
            expected_dupacks: 0,
            retransmitted_at: 0,
            sent: 0,
            delivered: 0,
            rtt: RttEstimator::new(&timers, Duration::ZERO),
            timer: None,
        }
    }

    /// Returns the next segment that the destination expects.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// Returns the bytes cached.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Returns the cached packet `seq`.
    pub(crate) fn cached(&mut self, seq: u64) -> Option<&mut Cached> {
        self.cache.get_mut(seq.checked_sub(self.start)? as usize)?.as_mut()
    }

    /// Returns the first packet that is outstanding, if it is cached.
    pub(crate) fn first(&mut self) -> Option<&mut Cached> {
        self.cached(self.base)
    }

    /// Notes that segment `seq` passes; returns true if it came after packets that follow it.
    pub(crate) fn passes(&mut self, seq: u64) -> bool {
        let late = seq < self.next;
        self.next = self.next.max(seq + 1);
        late
    }

    /// Keeps a packet that is not cached yet and goes on now.
    pub(crate) fn store(&mut self, now: Instant, packet: &Packet, seq: u64, late: bool) {
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
        let order = self.sent;
        self.sent += 1;
        self.cache[at] = Some(Cached {
            packet: *packet,
            forwarded: now,
            retransmitted: false,
            order,
            arrived: false,
            late,
        });
        self.held += u64::from(packet.payload());
    }

    /// Removes segment `seq`; returns true if it was cached.
    pub(crate) fn forget(&mut self, seq: u64) -> bool {
        let Some(at) = seq.checked_sub(self.start) else { return false };
        let Some(given_up) = self.cache.get_mut(at as usize).and_then(Option::take) else { return false };
        self.held -= u64::from(given_up.packet.payload());
        true
    }

    /// Frees the packets below `ack`, all acknowledged; returns the end of the last segment freed, as an offset in the
    /// stream.
    pub(crate) fn advance(&mut self, now: Instant, ack: u64, stats: &mut Stats) -> Option<u64> {
        let mut newest: Option<Cached> = None;
        while self.start < ack
            && let Some(slot) = self.cache.pop_front()
        {
            self.start += 1;
            if let Some(cached) = slot {
                self.held -= u64::from(cached.packet.payload());
                stats.freed_packets += 1;
                self.delivered = self.delivered.max(cached.order + 1);
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
        newest.and_then(|cached| match &cached.packet.body {
            Body::Data(data) => Some(data.offset + u64::from(data.payload)),
            _ => None,
        })
    }

    /// Notes selectively acknowledged packets, and sends the first packet again that they show to be lost.
    pub(crate) fn selective(&mut self, now: Instant, ack: &AckHeader, out: &mut Outbox, stats: &mut Stats) {
        for block in ack.sacked() {
            for seq in ack.ack + u64::from(block.from)..ack.ack + u64::from(block.to) {
                if let Some(cached) = self.cached(seq) {
                    cached.arrived = true;
                    let order = cached.order;
                    self.delivered = self.delivered.max(order + 1);
                }
            }
        }
        let lost = |cached: &Option<Cached>| {
            cached.as_ref().is_some_and(|cached| !cached.arrived && cached.order + 1 < self.delivered)
        };
        if let Some(at) = self.cache.iter().position(lost) {
            stats.fast_retransmits += 1;
            self.send_again(now, self.start + at as u64, out, stats);
        }
    }

    /// Handles an acknowledgment of new data that does not cover all that was outstanding when the first packet was
    /// last sent again: the next packet is lost, too.
    pub(crate) fn partial(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.first().is_some() {
            self.expected_dupacks = (self.next - self.base).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }

    /// Returns true if segment `ack` lies before the end of what was outstanding when the first packet was last sent
    /// again.
    pub(crate) fn recovers(&self, ack: u64) -> bool {
        ack < self.retransmitted_at
    }

    /// Handles a duplicate acknowledgment while the first outstanding packet is cached.
    pub(crate) fn duplicate(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.retransmitted_at == 0 {
            stats.fast_retransmits += 1;
            // Each packet after the lost one brings a duplicate; this is the first of them.
            self.expected_dupacks = (self.next - self.base).saturating_sub(2);
            self.retransmit(now, out, stats);
        } else if self.expected_dupacks > 0 {
            self.expected_dupacks -= 1;
        } else {
            // A packet sent after the retransmission has overtaken it: the retransmission is lost.
            stats.fast_retransmits += 1;
            self.expected_dupacks = (self.next - self.retransmitted_at).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }

    /// Expects duplicates from the packets that went before the first outstanding one, which has just come late.
    pub(crate) fn expect_duplicates(&mut self) {
        self.expected_dupacks = (self.next - self.base).saturating_sub(1);
        self.retransmitted_at = self.next;
    }

    /// Sends the first outstanding packet again.
    fn retransmit(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.first().is_some() {
            self.send_again(now, self.base, out, stats);
            self.retransmitted_at = self.next;
        }
    }

    fn send_again(&mut self, now: Instant, seq: u64, out: &mut Outbox, stats: &mut Stats) {
        let order = self.sent;
        let Some(cached) = self.cached(seq) else { return };
        cached.retransmitted = true;
        cached.order = order;
        let mut packet = cached.packet;
        if let Body::Data(data) = &mut packet.body {
            data.retransmission = true;
        }
        self.sent += 1;
        stats.retransmitted_packets += 1;
        stats.retransmitted_bytes += u64::from(packet.payload());
        out.push(Outgoing::own(Toward::Destination, packet));
        self.set_timer(now);
    }

    fn set_timer(&mut self, now: Instant) {
        self.timer = Some(Stamp::new(now + self.rtt.rto(), now));
    }

    /// Starts the timer if it is not running: a packet is outstanding now.
    pub(crate) fn watch(&mut self, now: Instant) {
        if self.timer.is_none() {
            self.set_timer(now);
        }
    }

    pub(crate) fn timer(&self) -> Option<Stamp> {
        self.timer
    }

    /// Handles the end of the timer: no acknowledgment has come, so the first outstanding packet is sent again.
    pub(crate) fn on_timer(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.timer.is_none_or(|due| due.at > now) {
            return;
        }
        self.timer = None;
        if self.first().is_some() {
            stats.timeouts += 1;
            self.rtt.back_off();
            self.expected_dupacks = (self.next - self.base).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }
}
