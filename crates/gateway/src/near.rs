//! The near side (towards the source) of a gateway that acknowledges in place of the destination: a receiver,
//! and the window that it advertises.
//!
//! The window ends at the stream offset at which the buffer's capacity ends. Only the destination's
//! acknowledgments move this offset, and only forward, so the window never shrinks. While the source has less
//! than half the capacity left, a window update is sent once the window can grow by two segments or half the
//! capacity, whichever is smaller. The rule is that of RFC 9293 section 3.8.6.2.2, with the two segments of
//! BSD. A window update is also sent when the window grows from less than a segment to at least a segment.

use crate::outbox::{Outbox, Outgoing, Toward};
use crate::setup::Setup;
use crate::stats::Stats;
use base::{Advertised, Body, DataHeader, Ecn, Instant, Packet, Stamp};
use tcp::{Config, Receiver};

/// The near side of a connection: receiver and advertised window.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    receiver: Receiver,
    /// Payload of the source's full segments, bytes.
    pub(crate) segment: u64,
    /// Right edge of the window last advertised to the source, as a stream offset.
    right_edge: u64,
    /// True if the window last advertised was smaller than a segment.
    closed: bool,
    /// Bytes of the stream acknowledged to the source.
    acknowledged: u64,
}

impl Near {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            receiver: Receiver::new(config),
            segment: u64::from(config.sizes.segment),
            right_edge: 0,
            closed: false,
            acknowledged: 0,
        }
    }

    /// Passes a segment from the source to the receiver. Data must have been copied to the buffer first.
    pub(crate) fn on_segment(&mut self, now: Instant, segment: &DataHeader) {
        self.receiver.on_segment(now, segment);
    }

    /// Passes the ECN field of a packet from the source to the receiver, before the packet itself. If this
    /// makes an acknowledgment due, the caller must send it before it handles the packet (RFC 8257 section
    /// 3.2).
    pub(crate) fn mark(&mut self, packet: &Packet) {
        if packet.ecn.is_capable() {
            self.receiver.on_ecn(packet.ecn == Ecn::Ce);
        }
    }

    /// Echoes to the source a CE mark that the destination has echoed.
    pub(crate) fn echo(&mut self) {
        self.receiver.on_ecn(true);
    }

    /// Makes an acknowledgment to the source due.
    pub(crate) fn acknowledge(&mut self) {
        self.receiver.acknowledge();
    }

    /// Returns the number of the next segment expected in order.
    pub(crate) fn expected(&self) -> u64 {
        self.receiver.expected()
    }

    /// Returns the bytes of the stream that have arrived in order.
    pub(crate) fn arrived(&self) -> u64 {
        self.receiver.delivered_bytes()
    }

    /// Returns the bytes of the stream acknowledged to the source.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Returns the window to advertise in the acknowledgment that is sent now; `reach` is the stream offset
    /// at which the buffer's capacity ends.
    pub(crate) fn window(&mut self, reach: u64, stats: &mut Stats) -> Advertised {
        self.right_edge = reach;
        let left = reach - self.arrived();
        let closed = left < self.segment;
        stats.zero_window_events += u64::from(closed && !self.closed);
        self.closed = closed;
        Advertised::of(left)
    }

    /// Makes a window update due if the window has grown enough. `room` is the buffer's capacity in bytes,
    /// `reach` the stream offset at which the capacity ends.
    pub(crate) fn update(&mut self, reach: u64, room: u64, stats: &mut Stats) {
        let left = self.right_edge.saturating_sub(self.arrived());
        let gain = reach - self.right_edge;
        let half = room / 2;
        let waits = left < self.segment && left + gain >= self.segment;
        if waits || (left < half && gain >= half.min(2 * self.segment)) {
            stats.window_updates += 1;
            self.receiver.acknowledge();
        }
    }

    pub(crate) fn timer(&self) -> Option<Stamp> {
        self.receiver.timer()
    }

    pub(crate) fn on_timer(&mut self, now: Instant) {
        if self.timer().is_some_and(|due| due.at <= now) {
            self.receiver.on_timer(now);
        }
    }

    /// Appends the acknowledgments that are due to `out`, with the window up to stream offset `reach`.
    pub(crate) fn pump(
        &mut self,
        now: Instant,
        setup: &Setup,
        reach: u64,
        out: &mut Outbox,
        stats: &mut Stats,
    ) {
        while let Some((mut ack, wire)) = self.receiver.poll(now) {
            ack.window = self.window(reach, stats);
            self.acknowledged = self.arrived();
            stats.pre_acks += 1;
            let packet = setup.packet(now, wire, Body::Ack(ack), Ecn::NotEct);
            out.push(Outgoing::own(Toward::Source, packet));
        }
    }
}
