//! Tracers that build a table from packet events: `segments`, `drops`, `marks`, `queue`, `delay` and
//! `throughput`.

use crate::row::{AT, BIN, Rows, table};
use crate::stats::{DelayStats, is_retransmission, rate_bps};
use crate::subjects::Subjects;
use crate::tracer::{Event, Recorded, Tracer};
use base::{DropCause, Duration, FlowId, Instant, LinkId, Observation, PacketEvent, Place};

table! {
    "segments", AT;
    /// Trace: every event of every packet, data and acknowledgments. A packet that meets a full queue has an `enq`
    /// before its `drop`; one that a loss model drops before the queue has no `enq`. The path through a radio
    /// network from one station to another is also a place: `enq` when a packet enters the network and `recv` when
    /// it leaves. A packet lost within the network has a `drop` at a node, the station that gave it up.
    pub(crate) struct Segment with fn new(event: &'static str, e: &Event<'_>, seq: i64) {
        /// when; CSV shows 9 decimals, halves rounded up
        time_s: Instant ["s", ""] = e.at;
        /// `send`: the sender's transport sends a segment; `enq`: joins a queue; `deq`: transmission begins;
        /// `recv`: arrives at the far end; `drop`: is lost. `mark`: a queue marks it (ECN); `duplicate`: the
        /// wire duplicates it; `acksent`: the receiver's transport sends an acknowledgment; `ack`: the
        /// acknowledgment reaches the sender
        event: &'static str ["", ""] = event;
        /// a node (`send`, `acksent`, `ack`, `drop` in a radio network); for other events the direction `a>b` of a
        /// link, or the stations `a>b` between which a radio network carries the packet
        place: Place ["", ""] = e.place;
        /// the flow's number
        flow: FlowId ["", ""] = e.packet.flow;
        /// packet number from 0 (`ns2`, datagrams) or stream offset of the first byte (`rfc`, `linux`); in
        /// acknowledgments the highest packet number received in order (`ns2`) or the next byte expected
        seq: i64 ["packets or bytes", "transport"] = seq;
        /// size with headers
        bytes: u32 ["bytes on the wire", "link"] = e.packet.wire;
        /// cause of a `drop`, such as `queue`, `random` or `outage`; empty for other events
        cause: Option<DropCause> ["", "link"] = e.cause;
    }
}

/// Recorder of the trace `segments`.
#[derive(Clone)]
pub(crate) struct Segments(Rows<Segment>);

impl Tracer for Segments {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self(Rows::default())
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[
            PacketEvent::Send,
            PacketEvent::Enqueue,
            PacketEvent::Dequeue,
            PacketEvent::Receive,
            PacketEvent::Drop,
            PacketEvent::Mark,
            PacketEvent::Duplicate,
            PacketEvent::AckSent,
            PacketEvent::Ack,
        ]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        self.0.push_bounded(subjects, &Segment::new(e.event.name(), e, subjects.sequence(e.packet)));
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.0.into_table(subjects))
    }
}

table! {
    "drops", AT;
    /// Trace: a row for each lost packet, including losses that no sender can detect.
    pub(crate) struct LostPacket with fn new(e: &Event<'_>, seq: i64) {
        /// time of the loss
        time_s: Instant ["s", ""] = e.at;
        /// the direction `a>b` of a link, or a station's node
        place: Place ["", ""] = e.place;
        /// the flow's number
        flow: FlowId ["", ""] = e.packet.flow;
        /// number of the packet, as in `segments`
        seq: i64 ["packets or bytes", "transport"] = seq;
        /// size with headers
        bytes: u32 ["bytes on the wire", "link"] = e.packet.wire;
        /// cause of the loss, as in `segments`
        cause: Option<DropCause> ["", "link"] = e.cause;
    }
}

/// Recorder of the trace `drops`.
#[derive(Clone)]
pub(crate) struct Drops(Rows<LostPacket>);

impl Tracer for Drops {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self(Rows::default())
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Drop]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        self.0.push_bounded(subjects, &LostPacket::new(e, subjects.sequence(e.packet)));
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.0.into_table(subjects))
    }
}

table! {
    "marks", AT;
    /// Trace: a row for each packet that a queue marked instead of dropping it (ECN).
    pub(crate) struct MarkedPacket with fn new(e: &Event<'_>, seq: i64) {
        /// time of the mark
        time_s: Instant ["s", ""] = e.at;
        /// the direction `a>b` of a link, or a station's node
        place: Place ["", ""] = e.place;
        /// the flow's number
        flow: FlowId ["", ""] = e.packet.flow;
        /// number of the packet, as in `segments`
        seq: i64 ["packets or bytes", "transport"] = seq;
        /// size with headers
        bytes: u32 ["bytes on the wire", "link"] = e.packet.wire;
    }
}

/// Recorder of the trace `marks`.
#[derive(Clone)]
pub(crate) struct Marks(Rows<MarkedPacket>);

impl Tracer for Marks {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self(Rows::default())
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Mark]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        self.0.push_bounded(subjects, &MarkedPacket::new(e, subjects.sequence(e.packet)));
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.0.into_table(subjects))
    }
}

table! {
    "queue", AT;
    /// Trace: a row for each change of a link's queue. An arrival at a full queue changes nothing and has no
    /// row.
    #[derive(Clone, Copy)]
    pub(crate) struct QueueLength {
        /// time of the change
        time_s: Instant ["s", ""];
        /// the direction `a>b` of a link
        place: LinkId ["", "", was "link"];
        /// packets in the queue, the one in transmission included
        packets: i64 ["packets", "link"];
        /// size of these packets with headers
        bytes: i64 ["bytes on the wire", "link"];
    }
}

/// Recorder of the trace `queue`.
#[derive(Clone)]
pub(crate) struct Queue {
    rows: Rows<QueueLength>,
    /// The last row, not in `rows` yet: the next event may show that the packet was dropped on arrival.
    last: Option<QueueLength>,
    /// Packets and bytes in the queue of each direction of a link.
    lengths: Vec<(i64, i64)>,
}

impl Queue {
    fn change(&mut self, subjects: &Subjects, at: Instant, link: LinkId, packets: i64, bytes: i64) {
        let length = &mut self.lengths[link.index()];
        length.0 += packets;
        length.1 += bytes;
        let row = QueueLength { time_s: at, place: link, packets: length.0, bytes: length.1 };
        if let Some(before) = self.last.replace(row) {
            self.rows.push_bounded(subjects, &before);
        }
    }

    /// Withdraws the row of an arrival at a full queue, because the packet was never in the queue. If a queue
    /// drops a packet that it had accepted, the row stays and the drop is a further change.
    fn refuse(&mut self, subjects: &Subjects, at: Instant, link: LinkId, wire: i64) {
        let length = &mut self.lengths[link.index()];
        let arrival = |row: &mut QueueLength| (row.time_s, row.place, row.packets) == (at, link, length.0);
        if self.last.take_if(arrival).is_some() {
            length.0 -= 1;
            length.1 -= wire;
        } else {
            self.change(subjects, at, link, -1, -wire);
        }
    }
}

impl Tracer for Queue {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        Self { rows: Rows::default(), last: None, lengths: vec![(0, 0); subjects.links.len()] }
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Enqueue, PacketEvent::Departed, PacketEvent::Drop]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let Place::Link(link) = e.place else { return };
        let wire = i64::from(e.packet.wire);
        match (e.event, e.cause) {
            (PacketEvent::Enqueue, _) => self.change(subjects, e.at, link, 1, wire),
            (PacketEvent::Departed, _) => self.change(subjects, e.at, link, -1, -wire),
            (PacketEvent::Drop, Some(cause)) if cause.is_congestion() => {
                self.refuse(subjects, e.at, link, wire)
            }
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        self.last.take().iter().for_each(|row| self.rows.push(row));
        Recorded::Table(self.rows.into_table(subjects))
    }
}

table! {
    "delay", AT;
    /// Trace: a row for each packet that reached its flow's destination.
    pub(crate) struct PacketDelay {
        /// arrival at the destination
        time_s: Instant ["s", ""];
        /// the flow's number
        flow: FlowId ["", ""];
        /// number of the packet, as in `segments`
        seq: i64 ["packets or bytes", "transport"];
        /// time of arrival - time of sending
        delay_s: f64 ["s", "link, one way", as "one-way delay of RFC 7679"];
        /// |d_i - d_(i-1)| of packets in order of arrival; absent for the first packet
        jitter_s: Option<f64>
            ["s", "link, one way", as "absolute delay variation of RFC 3393 with consecutive packets selected"];
    }
}

/// Recorder of the trace `delay`.
#[derive(Clone)]
pub(crate) struct Delay {
    rows: Rows<PacketDelay>,
    stats: Vec<DelayStats>,
}

impl Tracer for Delay {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        Self { rows: Rows::default(), stats: vec![DelayStats::default(); subjects.flows.len()] }
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Receive]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        if !arrives(subjects, e) {
            return;
        }
        let flow = e.packet.flow;
        let delay = e.at.since(e.packet.sent);
        let jitter = self.stats[flow.index()].add(delay);
        let row = PacketDelay {
            time_s: e.at,
            flow,
            seq: subjects.sequence(e.packet),
            delay_s: delay.secs(),
            jitter_s: jitter.map(Duration::secs),
        };
        self.rows.push_bounded(subjects, &row);
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.rows.into_table(subjects))
    }
}

/// Returns true if the event is the arrival of a packet at its flow's destination.
fn arrives(subjects: &Subjects, e: &Event<'_>) -> bool {
    let to = subjects.flows[e.packet.flow.index()].to;
    e.event == PacketEvent::Receive
        && e.packet.is_forward()
        && subjects.ends(e.place).is_some_and(|ends| ends.to == to)
}

table! {
    "throughput", BIN;
    /// Trace: a row for each flow and bin of time.
    pub(crate) struct FlowBin {
        /// start of the bin
        time_s: Instant ["s", ""];
        /// width of the bin; the last bin ends with the run, and includes a remainder shorter than a tenth of
        /// the width
        bin_s: f64 ["s", ""];
        /// the flow's number
        flow: FlowId ["", ""];
        /// 8 x bytes on the wire that reached the destination / bin_s
        throughput_bps: f64 ["bit/s", "link, receiver", as "throughput of RFC 5166 section 2.1.1"];
        /// 8 acked_bytes / bin_s; datagrams: 8 x payload that reached the destination / bin_s
        goodput_bps: f64 ["bit/s", "transport, sender", as "goodput of RFC 5166 section 2.1.1"];
        /// payload sent, retransmissions included
        sent_bytes: u64 ["bytes of payload", "transport, sender"];
        /// payload of retransmissions
        retransmitted_bytes: u64 ["bytes of payload", "transport, sender"];
        /// payload newly acknowledged; datagrams: payload received
        acked_bytes: u64 ["bytes of payload", "transport, sender"];
        /// packets that reached the destination, copies included
        received_packets: u64 ["packets", "link, receiver"];
        /// packets from source to destination that were lost
        lost_packets_total: u64 ["packets", "link", was "lost_packets"];
    }
}

#[derive(Clone, Copy, Default)]
struct Bin {
    wire: u64,
    payload: u64,
    sent: u64,
    retransmitted: u64,
    acked: u64,
    received_packets: u64,
    lost_packets: u64,
}

impl Bin {
    fn add(&mut self, other: &Self) {
        self.wire += other.wire;
        self.payload += other.payload;
        self.sent += other.sent;
        self.retransmitted += other.retransmitted;
        self.acked += other.acked;
        self.received_packets += other.received_packets;
        self.lost_packets += other.lost_packets;
    }
}

/// Recorder of the trace `throughput`.
#[derive(Clone)]
pub(crate) struct Throughput {
    width: Duration,
    flows: usize,
    /// Bins in order of time; each bin has one entry per flow.
    bins: Vec<Bin>,
}

impl Throughput {
    fn bin(&mut self, at: Instant, flow: FlowId) -> &mut Bin {
        let index = (at.ps() / self.width.ps()) as usize * self.flows + flow.index();
        if index >= self.bins.len() {
            let bins = index / self.flows + 1;
            self.bins.resize(bins * self.flows, Bin::default());
        }
        &mut self.bins[index]
    }

    /// Returns the number of bins of a run that ends at `end`, at least one.
    ///
    /// A remainder shorter than a tenth of the width gets no bin of its own. It may result only from rounding
    /// the width to picoseconds, and one packet in it would give a rate higher than that of any link.
    fn count(&self, end: Instant) -> usize {
        let (whole, rest) = (end.ps() / self.width.ps(), end.ps() % self.width.ps());
        let own = rest >= self.width.ps().div_ceil(10);
        (whole + u64::from(own)).max(1) as usize
    }

    fn row(&self, subjects: &Subjects, end: Instant, at: usize) -> FlowBin {
        let (bin, flow) = (&self.bins[at], at % self.flows);
        let start = (at / self.flows) as u64 * self.width.ps();
        let last = at + self.flows >= self.bins.len();
        let span = if last { Duration::from_ps(end.ps() - start) } else { self.width };
        let good = if subjects.flows[flow].datagrams { bin.payload } else { bin.acked };
        FlowBin {
            time_s: Instant::from_ps(start),
            bin_s: span.secs(),
            flow: FlowId(flow as u32),
            throughput_bps: rate_bps(bin.wire, span),
            goodput_bps: rate_bps(good, span),
            sent_bytes: bin.sent,
            retransmitted_bytes: bin.retransmitted,
            acked_bytes: bin.acked,
            received_packets: bin.received_packets,
            lost_packets_total: bin.lost_packets,
        }
    }
}

impl Tracer for Throughput {
    fn new(subjects: &Subjects, width: Duration) -> Self {
        Self { width, flows: subjects.flows.len(), bins: vec![] }
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Send, PacketEvent::Receive, PacketEvent::Drop]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let packet = e.packet;
        if !packet.is_forward() {
            return;
        }
        let payload = u64::from(packet.payload());
        match e.event {
            // A packet that a gateway sends is no new data of the source.
            PacketEvent::Send if e.place == Place::Node(subjects.flows[packet.flow.index()].from) => {
                let bin = self.bin(e.at, packet.flow);
                bin.sent += payload;
                if is_retransmission(packet) {
                    bin.retransmitted += payload;
                }
            }
            PacketEvent::Drop => self.bin(e.at, packet.flow).lost_packets += 1,
            PacketEvent::Receive if arrives(subjects, e) => {
                let bin = self.bin(e.at, packet.flow);
                bin.received_packets += 1;
                bin.wire += u64::from(packet.wire);
                bin.payload += payload;
            }
            _ => {}
        }
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        if let Observation::Acked(flow, bytes) = *observation {
            self.bin(now, flow).acked += bytes;
        }
    }

    fn finish(mut self: Box<Self>, subjects: &Subjects, end: Instant) -> Recorded {
        // Events at the end of the run belong to the last bin.
        let count = self.count(end);
        self.bins.resize(self.bins.len().max(count * self.flows), Bin::default());
        let late = self.bins.split_off(count * self.flows);
        for (at, bin) in late.iter().enumerate() {
            self.bins[(count - 1) * self.flows + at % self.flows].add(bin);
        }
        let mut rows = Rows::default();
        // Flows at the end of the list may have been removed, because they had no packets.
        let kept = |at: &usize| at % self.flows < subjects.flows.len();
        (0..self.bins.len()).filter(kept).for_each(|at| rows.push(&self.row(subjects, end, at)));
        Recorded::Table(rows.into_table(subjects))
    }
}
