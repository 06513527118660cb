//! The split connection, used by the intelligent gateway and by split TCP: a receiver towards the source, the
//! Local buffer, and a sender towards the destination (the split-connection proxy of RFC 3135, section 2.4).
//!
//! The receiver acknowledges only data that the buffer holds, and the buffer frees only data that the
//! destination has acknowledged. So acknowledged data is lost only by a crash of the gateway.

use crate::buffer::{Copied, Insert, LocalBuffer};
use crate::near::Near;
use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::stats::Stats;
use base::{AckHeader, Advertised, Body, DataHeader, Instant, Packet, Stamp};
use std::sync::Arc;
use tcp::{Config, Sender};

/// A connection that is split at the gateway.
#[derive(Clone, Debug)]
pub(crate) struct SplitConnection {
    pub(crate) near: Near,
    pub(crate) far: Sender,
    pub(crate) buffer: LocalBuffer,
    /// Number of the source's first segment with payload, if the far side divides the stream into segments of
    /// its own.
    resegmented: Option<u64>,
    /// True once the far side's sender has been opened.
    opened: bool,
}

impl SplitConnection {
    pub(crate) fn new(setup: &Setup, near: &Config, far: &Arc<Config>, resegmented: bool) -> Self {
        let mut far = Sender::new(far, setup.phase);
        far.set_rng(setup.stream.clone());
        far.set_overhead_rng(setup.overhead.clone());
        Self {
            near: Near::new(near),
            far,
            buffer: LocalBuffer::new(setup.buffer),
            resegmented: resegmented.then(|| near.first_payload()),
            opened: false,
        }
    }

    /// Handles a data packet from the source. If `answer_fin` is true, the receiver acknowledges a FIN.
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

    /// Handles a segment without data from the source.
    pub(crate) fn control(&mut self, now: Instant, segment: &DataHeader) {
        self.near.on_segment(now, segment);
    }

    /// Opens the far side's sender if it is not open.
    pub(crate) fn open(&mut self, now: Instant) {
        if !self.opened {
            self.opened = true;
            self.far.open_stream(now);
        }
    }

    /// Makes the data that has arrived in order available to the far side's sender.
    fn offer(&mut self, now: Instant) {
        let last = self.near.expected().checked_sub(1);
        // If the last segment in order is no longer stored, its data was offered before.
        let Some(copy) = last.and_then(|seq| self.buffer.get(seq)).copied() else { return };
        self.open(now);
        let short = copy.payload > 0 && u64::from(copy.payload) != self.near.segment;
        if copy.fin || short {
            self.far.finish(now, copy.end(), copy.fin);
        } else {
            self.far.offer(now, copy.end());
        }
    }

    /// Handles an acknowledgment from the destination: frees the copies that it covers.
    pub(crate) fn confirm(&mut self, now: Instant, ack: &AckHeader, stats: &mut Stats) {
        self.far.on_ack(now, ack);
        let (una, ..) = self.far.sequence();
        let bytes = self.far.stats().acked_bytes;
        let below = match self.resegmented {
            None => una,
            // The last of the source's segments may be short, so it needs a separate case.
            Some(_) if bytes == self.near.arrived() => self.near.expected(),
            Some(first) => first + bytes / self.near.segment,
        };
        stats.freed_packets += self.buffer.confirm(below, bytes);
        self.near.update(self.buffer.reach(), self.buffer.room(), stats);
    }

    /// Returns the window to advertise to the source in the acknowledgment that is sent now.
    pub(crate) fn window(&mut self, stats: &mut Stats) -> Advertised {
        self.near.window(self.buffer.reach(), stats)
    }

    /// Returns the earliest timer of both sides.
    pub(crate) fn timer(&self) -> Option<Stamp> {
        [self.near.timer(), self.far.timer(), self.far.release()].into_iter().flatten().min()
    }

    /// Handles the timers that have expired.
    pub(crate) fn on_timer(&mut self, now: Instant) {
        self.near.on_timer(now);
        if self.far.timer().is_some_and(|due| due.at <= now) {
            self.far.on_timer(now);
        }
    }

    /// Returns the bytes acknowledged to the source that the destination has not acknowledged.
    pub(crate) fn unconfirmed(&self) -> u64 {
        // While the near side delays an acknowledgment, the destination may have acknowledged more.
        self.near.acknowledged().saturating_sub(self.buffer.confirmed())
    }

    /// Returns the time at which the source's transport sent the data of the far side's `segment`; if the
    /// data come from several of the source's segments, the time of the last.
    fn sent_by_source(&self, now: Instant, segment: &DataHeader) -> Instant {
        let copy = match self.resegmented {
            None => self.buffer.get(segment.seq),
            Some(_) if segment.payload == 0 => None,
            Some(first) => {
                let last = segment.offset + u64::from(segment.payload) - 1;
                self.buffer.get(first + last / self.near.segment)
            }
        };
        copy.map_or(now, |copy| copy.sent)
    }

    /// Sends the packets that are due on both sides.
    pub(crate) fn pump(&mut self, now: Instant, setup: &Setup, out: &mut Outbox, stats: &mut Stats) {
        self.near.pump(now, setup, self.buffer.reach(), out, stats);
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
