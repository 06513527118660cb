//! The proxy that an intelligent gateway and split TCP share: a receiver towards the source, the Local buffer, and a sender
//! towards the destination (the split-connection proxy of RFC 3135, section 2.4).
//!
//! The receiver never acknowledges what the buffer does not hold, and the buffer frees nothing that the destination
//! has not confirmed: so what is acknowledged is never lost while the gateway lives. The window that the source is given
//! ends where the buffer's room ends; as room only ever moves forward, the window never shrinks. A window
//! update goes to a source that may be waiting for it (RFC 9293 section 3.8.6.2.2; as in BSD, for two segments or half the
//! buffer), and at once to one that certainly is.

use crate::buffer::{Copied, Insert, LocalBuffer};
use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Advertised, Body, DataHeader, Ecn, Instant, Packet, Stamp};
use std::sync::Arc;
use tcp::{Config, Receiver, Sender};

/// The proxy of one connection.
#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    near: Receiver,
    pub(crate) far: Sender,
    pub(crate) buffer: LocalBuffer,
    /// The payload of the source's full segments.
    segment: u64,
    /// The far side cuts and numbers segments of its own; then this is the first of the source's segments with payload.
    resegmented: Option<u64>,
    /// The far side is open.
    opened: bool,
    /// The right edge of the window last advertised to the source, as an offset in the stream.
    right_edge: u64,
    /// The window last advertised has no room for a segment.
    closed: bool,
    /// Bytes of the stream acknowledged to the source.
    acknowledged: u64,
}

impl Proxy {
    pub(crate) fn new(setup: &Setup, near: &Config, far: &Arc<Config>, resegmented: bool) -> Self {
        let mut far = Sender::new(far, setup.phase);
        far.give_stream(setup.stream.clone());
        Self {
            near: Receiver::new(near),
            far,
            buffer: LocalBuffer::new(setup.buffer),
            segment: u64::from(near.sizes.segment),
            resegmented: resegmented.then(|| near.first_payload()),
            opened: false,
            right_edge: 0,
            closed: false,
            acknowledged: 0,
        }
    }

    /// A packet of data from the source. The receiver answers a FIN if `answer_fin`.
    pub(crate) fn take(
        &mut self,
        now: Instant,
        packet: &Packet,
        segment: &DataHeader,
        answer_fin: bool,
        stats: &mut Stats,
    ) {
        let sent = packet.sent;
        let DataHeader { offset, payload, fin, .. } = *segment;
        match self.buffer.insert(segment.seq, Copied { sent, offset, payload, fin }) {
            Insert::Held => stats.copied_packets += 1,
            Insert::Known => {}
            Insert::NoRoom => {
                stats.refused_packets += 1;
                self.near.acknowledge();
                return;
            }
        }
        self.near.on_segment(now, &DataHeader { fin: fin && answer_fin, ..*segment });
        self.offer(now);
    }

    /// What the ECN field of a packet from the source says, before the packet itself; then what is due to be acknowledged
    /// without it must be sent.
    pub(crate) fn mark(&mut self, packet: &Packet) {
        if packet.ecn.is_capable() {
            self.near.on_ecn(packet.ecn == Ecn::Ce);
        }
    }

    /// A segment from the source that carries no data.
    pub(crate) fn control(&mut self, now: Instant, segment: &DataHeader) {
        self.near.on_segment(now, segment);
    }

    /// Opens the far side; no harm where it is open.
    pub(crate) fn open(&mut self, now: Instant) {
        if !self.opened {
            self.opened = true;
            self.far.open_stream(now);
        }
    }

    /// What is in order may go to the destination.
    fn offer(&mut self, now: Instant) {
        let last = self.near.expected().checked_sub(1);
        // What is confirmed already was offered before.
        let Some(copy) = last.and_then(|seq| self.buffer.get(seq)).copied() else { return };
        self.open(now);
        let short = copy.payload > 0 && u64::from(copy.payload) != self.segment;
        if copy.fin || short {
            self.far.finish(now, copy.end(), copy.fin);
        } else {
            self.far.offer(now, copy.end());
        }
    }

    /// An acknowledgment from the destination.
    pub(crate) fn confirm(&mut self, now: Instant, ack: &AckHeader, stats: &mut Stats) {
        self.far.on_ack(now, ack);
        let (una, ..) = self.far.sequence();
        let bytes = self.far.stats().acked_bytes;
        let below = match self.resegmented {
            None => una,
            // The last of the source's segments may be short.
            Some(_) if bytes == self.near.delivered_bytes() => self.near.expected(),
            Some(first) => first + bytes / self.segment,
        };
        stats.freed_packets += self.buffer.confirm(below, bytes);
        if self.window_update_due() {
            stats.window_updates += 1;
            self.near.acknowledge();
        }
    }

    /// Whether to send the source a window update.
    fn window_update_due(&self) -> bool {
        let arrived = self.near.delivered_bytes();
        let left = self.right_edge.saturating_sub(arrived);
        let gain = self.buffer.reach() - self.right_edge;
        let half = self.buffer.room() / 2;
        let waits = left < self.segment && left + gain >= self.segment;
        waits || (left < half && gain >= half.min(2 * self.segment))
    }

    /// The window to advertise to the source in the acknowledgment that is sent now.
    pub(crate) fn window(&mut self, stats: &mut Stats) -> Advertised {
        self.right_edge = self.buffer.reach();
        let left = self.right_edge - self.near.delivered_bytes();
        let closed = left < self.segment;
        stats.pushed_back += u64::from(closed && !self.closed);
        self.closed = closed;
        Advertised::of(left)
    }

    /// The earliest timer of either side.
    pub(crate) fn timer(&self) -> Option<Stamp> {
        [self.near.timer(), self.far.timer(), self.far.release()].into_iter().flatten().min()
    }

    /// Whatever timer is due expires.
    pub(crate) fn on_timer(&mut self, now: Instant) {
        if self.near.timer().is_some_and(|due| due.at <= now) {
            self.near.on_timer(now);
        }
        if self.far.timer().is_some_and(|due| due.at <= now) {
            self.far.on_timer(now);
        }
    }

    /// Bytes of the stream acknowledged to the source.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Of these, what the destination has not confirmed.
    pub(crate) fn unconfirmed(&self) -> u64 {
        // A delayed acknowledgment may be behind the destination's.
        self.acknowledged.saturating_sub(self.buffer.confirmed())
    }

    /// When the source handed down what `segment` of the far side carries: of several of its segments, the last.
    fn sent_by_source(&self, now: Instant, segment: &DataHeader) -> Instant {
        let copy = match self.resegmented {
            None => self.buffer.get(segment.seq),
            Some(_) if segment.payload == 0 => None,
            Some(first) => {
                let last = segment.offset + u64::from(segment.payload) - 1;
                self.buffer.get(first + last / self.segment)
            }
        };
        copy.map_or(now, |copy| copy.sent)
    }

    /// Sends what both sides have to send.
    pub(crate) fn pump(&mut self, now: Instant, setup: &Setup, out: &mut Outbox, stats: &mut Stats) {
        while let Some((mut ack, wire)) = self.near.poll(now) {
            ack.window = self.window(stats);
            self.acknowledged = self.near.delivered_bytes();
            stats.pre_acks += 1;
            let packet = setup.packet(now, wire, Body::Ack(ack), Ecn::NotEct);
            out.push(Outgoing::own(Toward::Source, packet));
        }
        while let Some((segment, wire)) = self.far.poll(now) {
            if segment.retransmission && segment.payload > 0 {
                stats.retransmitted_packets += 1;
                stats.retransmitted_bytes += u64::from(segment.payload);
            }
            let sent = self.sent_by_source(now, &segment);
            let ecn = self.far.codepoint(&segment);
            let packet = setup.packet(sent, wire, Body::Data(segment), ecn);
            out.push(Outgoing::own(Toward::Destination, packet));
        }
    }
}
