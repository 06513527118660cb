//! Cache of packets between gateway and destination, and retransmission of those lost behind the gateway;
//! shared by Snoop and the Pre ACK gateway.
//!
//! - An acknowledgment of new data frees the packets that it covers, and gives a round-trip time of the far
//!   side.
//! - The first duplicate acknowledgment for a cached packet means that the packet was lost; it is
//!   retransmitted. Packets that were sent before the retransmission can cause further duplicates, which are
//!   ignored. One duplicate more than these shows that the retransmission was lost too.
//! - With selective acknowledgments (RFC 2018), a cached packet is lost once a packet sent after it has
//!   arrived (as in RFC 8985, without a reordering window). Each arriving acknowledgment triggers at most one
//!   retransmission, that of the first such packet, so retransmissions do not exceed the packets that have
//!   left the network.
//! - A timer based on the far side's round-trip time retransmits the first outstanding packet if no
//!   acknowledgment arrives. It follows RFC 6298 with a lower bound of its own.

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
    /// Time at which the packet was first forwarded to the destination.
    forwarded: Instant,
    /// True if this gateway has retransmitted the packet.
    retransmitted: bool,
    /// Position of the packet's last transmission in the order of all transmissions to the destination.
    order: u64,
    /// True if the destination has selectively acknowledged the packet.
    arrived: bool,
    /// True if the source has retransmitted the packet, or the packet arrived after later ones.
    pub(crate) late: bool,
}

/// Packets of one connection that the destination has not acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Repair {
    /// Packets by segment number, from `start` on; `None` if not cached.
    cache: VecDeque<Option<Cached>>,
    start: u64,
    /// Segment number of the destination's last cumulative acknowledgment.
    base: u64,
    /// One more than the highest segment number seen from the source.
    next: u64,
    held: u64,
    /// Duplicate acknowledgments that packets sent before the last retransmission of `base` can still cause.
    expected_dupacks: u64,
    /// Value of `next` when segment `base` was last sent again, by the gateway or by the source; 0 if it was
    /// sent only once.
    retransmitted_at: u64,
    /// Number of transmissions so far, of cached packets and of retransmissions; `order` of the next
    /// transmission.
    sent: u64,
    /// One more than the highest `order` of a transmission known to have arrived.
    delivered: u64,
    rtt: RttEstimator,
    timers: Timers,
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
            timers,
            timer: None,
        }
    }

    /// Returns the segment number that the destination expects next.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// Returns the payload cached, bytes.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Returns the cached packet of segment `seq`.
    pub(crate) fn cached(&mut self, seq: u64) -> Option<&mut Cached> {
        self.cache.get_mut(seq.checked_sub(self.start)? as usize)?.as_mut()
    }

    /// Returns the first outstanding packet, if it is cached.
    pub(crate) fn first(&mut self) -> Option<&mut Cached> {
        self.cached(self.base)
    }

    /// Records that segment `seq` arrived from the source; returns true if it arrived after a later segment.
    pub(crate) fn passes(&mut self, seq: u64) -> bool {
        let late = seq < self.next;
        self.next = self.next.max(seq + 1);
        late
    }

    /// Stores a packet that is forwarded now and is not cached yet.
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

    /// Removes segment `seq` from the cache; returns true if it was cached.
    pub(crate) fn forget(&mut self, seq: u64) -> bool {
        let Some(at) = seq.checked_sub(self.start) else { return false };
        let Some(given_up) = self.cache.get_mut(at as usize).and_then(Option::take) else { return false };
        self.held -= u64::from(given_up.packet.payload());
        true
    }

    /// Frees the packets below `ack`, which are acknowledged; returns the stream offset of the end of the
    /// last packet freed.
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
        // A retransmitted packet gives no round-trip time (Karn and Partridge 1987).
        if let Some(cached) = newest.filter(|c| !c.retransmitted && !c.late) {
            self.rtt.end_backoff(&self.timers);
            self.rtt.measured(now, now.since(cached.forwarded), &self.timers);
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

    /// Marks the selectively acknowledged packets, and retransmits the first packet that they show to be
    /// lost.
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

    /// Handles a partial acknowledgment: it covers new data, but not all that was outstanding when the first
    /// packet was last retransmitted. The next packet is lost too.
    pub(crate) fn partial(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.first().is_some() {
            self.expected_dupacks = (self.next - self.base).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }

    /// Returns true if `ack` is a partial acknowledgment: it does not cover all data that was outstanding when
    /// the first packet was last retransmitted.
    pub(crate) fn recovers(&self, ack: u64) -> bool {
        ack < self.retransmitted_at
    }

    /// Handles a duplicate acknowledgment. The first outstanding packet must be cached.
    pub(crate) fn duplicate(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.retransmitted_at == 0 {
            stats.fast_retransmits += 1;
            // Each packet after the lost one causes a duplicate; this is the first of these duplicates.
            self.expected_dupacks = (self.next - self.base).saturating_sub(2);
            self.retransmit(now, out, stats);
        } else if self.expected_dupacks > 0 {
            self.expected_dupacks -= 1;
        } else {
            // A packet sent after the retransmission has arrived before it, so the retransmission is lost.
            stats.fast_retransmits += 1;
            self.expected_dupacks = (self.next - self.retransmitted_at).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }

    /// Expects the duplicates that later packets cause, because the first outstanding packet has just come
    /// from the source after them.
    pub(crate) fn expect_duplicates(&mut self) {
        self.expected_dupacks = (self.next - self.base).saturating_sub(1);
        self.retransmitted_at = self.next;
    }

    /// Retransmits the first outstanding packet, if it is cached.
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

    /// Starts the timer if it is not running; the caller has sent a packet.
    pub(crate) fn watch(&mut self, now: Instant) {
        if self.timer.is_none() {
            self.set_timer(now);
        }
    }

    pub(crate) fn timer(&self) -> Option<Stamp> {
        self.timer
    }

    /// Handles the expiry of the timer: retransmits the first outstanding packet, if it is cached.
    pub(crate) fn on_timer(&mut self, now: Instant, out: &mut Outbox, stats: &mut Stats) {
        if self.timer.is_none_or(|due| due.at > now) {
            return;
        }
        self.timer = None;
        if self.first().is_some() {
            stats.timeouts += 1;
            self.rtt.back_off(&self.timers);
            self.expected_dupacks = (self.next - self.base).saturating_sub(1);
            self.retransmit(now, out, stats);
        }
    }
}
