//! The columns of each trace, built row by row in order of time.

use crate::observe::Subjects;
use crate::stats::{DelayStats, is_retransmission, rate_bps};
use crate::table::{Column, NO_LABEL, Table};
use base::{Body, DropCause, Duration, FlowId, Instant, LinkId, Packet, PacketEvent, Place, Variable};

/// A packet event in order of time.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    pub at: Instant,
    pub event: PacketEvent,
    pub place: Place,
    pub packet: &'a Packet,
    pub cause: Option<DropCause>,
}

/// Labels of places: nodes first, then directions of links, then crossings of radio networks.
pub(crate) fn places(subjects: &Subjects) -> Vec<String> {
    let links = subjects.links.iter().map(|link| subjects.link(link));
    let crossings = subjects.crossings.iter().map(|crossing| subjects.link(&crossing.ends));
    subjects.nodes.iter().cloned().chain(links).chain(crossings).collect()
}

pub(crate) fn place_code(subjects: &Subjects, place: Place) -> u32 {
    match place {
        Place::Node(node) => node.0,
        Place::Link(link) => subjects.nodes.len() as u32 + link.0,
        Place::Radio(crossing) => (subjects.nodes.len() + subjects.links.len()) as u32 + crossing.0,
    }
}

pub(crate) fn causes() -> Vec<String> {
    DropCause::ALL.map(|cause| cause.name().to_owned()).to_vec()
}

/// The sequence number that traces show: packet numbers or stream offsets, as the flow has it; on acknowledgments the
/// highest packet received in order, or the next byte expected.
pub(crate) fn sequence(subjects: &Subjects, packet: &Packet) -> i64 {
    let flow = &subjects.flows[packet.flow.index()];
    match &packet.body {
        Body::Data(data) if flow.packet_numbers => data.seq as i64,
        Body::Data(data) => data.offset as i64,
        Body::Ack(ack) if flow.packet_numbers => ack.ack as i64 - 1,
        Body::Ack(ack) => flow.offset_of(ack.ack) as i64,
        Body::Datagram { seq, .. } => *seq as i64,
    }
}

/// Every packet at every place.
#[derive(Default)]
pub(crate) struct Segments {
    time: Vec<u64>,
    event: Vec<u32>,
    place: Vec<u32>,
    flow: Vec<i32>,
    seq: Vec<i64>,
    bytes: Vec<i32>,
    cause: Vec<u32>,
}

impl Segments {
    const EVENTS: [PacketEvent; 9] = [
        PacketEvent::Send,
        PacketEvent::Enqueue,
        PacketEvent::Dequeue,
        PacketEvent::Receive,
        PacketEvent::Drop,
        PacketEvent::Mark,
        PacketEvent::Duplicate,
        PacketEvent::AckSent,
        PacketEvent::Ack,
    ];

    pub fn add(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let Some(event) = Self::EVENTS.iter().position(|known| *known == e.event) else {
            return;
        };
        self.time.push(e.at.ps());
        self.event.push(event as u32);
        self.place.push(place_code(subjects, e.place));
        self.flow.push(e.packet.flow.0 as i32);
        self.seq.push(sequence(subjects, e.packet));
        self.bytes.push(e.packet.wire as i32);
        self.cause.push(e.cause.map_or(NO_LABEL, |cause| cause as u32));
    }

    pub fn into_table(self, subjects: &Subjects) -> Table {
        let events = Self::EVENTS.map(|event| event.name().to_owned()).to_vec();
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("event", Column::Label { names: events, codes: self.event })
            .with("place", Column::Label { names: places(subjects), codes: self.place })
            .with("flow", Column::Int32(self.flow))
            .with("seq", Column::Int(self.seq))
            .with("bytes", Column::Int32(self.bytes))
            .with("cause", Column::Label { names: causes(), codes: self.cause })
    }
}

/// Every lost packet.
#[derive(Default)]
pub(crate) struct Drops {
    time: Vec<u64>,
    place: Vec<u32>,
    flow: Vec<i32>,
    seq: Vec<i64>,
    bytes: Vec<i32>,
    cause: Vec<u32>,
}

impl Drops {
    pub fn add(&mut self, subjects: &Subjects, e: &Event<'_>) {
        if e.event != PacketEvent::Drop {
            return;
        }
        self.time.push(e.at.ps());
        self.place.push(place_code(subjects, e.place));
        self.flow.push(e.packet.flow.0 as i32);
        self.seq.push(sequence(subjects, e.packet));
        self.bytes.push(e.packet.wire as i32);
        self.cause.push(e.cause.map_or(NO_LABEL, |cause| cause as u32));
    }

    pub fn into_table(self, subjects: &Subjects) -> Table {
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("place", Column::Label { names: places(subjects), codes: self.place })
            .with("flow", Column::Int32(self.flow))
            .with("seq", Column::Int(self.seq))
            .with("bytes", Column::Int32(self.bytes))
            .with("cause", Column::Label { names: causes(), codes: self.cause })
    }
}

/// Length of each link's queue at each change.
pub(crate) struct Queue {
    time: Vec<u64>,
    link: Vec<u32>,
    packets: Vec<i64>,
    bytes: Vec<i64>,
    lengths: Vec<(i64, i64)>,
}

impl Queue {
    pub fn new(links: usize) -> Self {
        Self { time: vec![], link: vec![], packets: vec![], bytes: vec![], lengths: vec![(0, 0); links] }
    }

    pub fn add(&mut self, e: &Event<'_>) {
        let Place::Link(link) = e.place else {
            return;
        };
        let wire = i64::from(e.packet.wire);
        match (e.event, e.cause) {
            (PacketEvent::Enqueue, _) => self.change(e.at, link, 1, wire),
            (PacketEvent::Departed, _) => self.change(e.at, link, -1, -wire),
            (PacketEvent::Drop, Some(cause)) if cause.is_congestion() => self.refuse(e.at, link, wire),
            _ => {}
        }
    }

    fn change(&mut self, at: Instant, link: LinkId, packets: i64, bytes: i64) {
        let length = &mut self.lengths[link.index()];
        length.0 += packets;
        length.1 += bytes;
        self.time.push(at.ps());
        self.link.push(link.0);
        self.packets.push(length.0);
        self.bytes.push(length.1);
    }

    /// An arrival that found no room never was in the queue: its row is taken back. (A queue that drops what it had
    /// accepted before shows a change.)
    fn refuse(&mut self, at: Instant, link: LinkId, wire: i64) {
        let length = &mut self.lengths[link.index()];
        let last_row = (self.time.last().copied(), self.link.last().copied(), self.packets.last().copied());
        if last_row == (Some(at.ps()), Some(link.0), Some(length.0)) {
            length.0 -= 1;
            length.1 -= wire;
            self.time.pop();
            self.link.pop();
            self.packets.pop();
            self.bytes.pop();
        } else {
            self.change(at, link, -1, -wire);
        }
    }

    pub fn into_table(self, subjects: &Subjects) -> Table {
        let names = subjects.links.iter().map(|link| subjects.link(link)).collect();
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("link", Column::Label { names, codes: self.link })
            .with("packets", Column::Int(self.packets))
            .with("bytes", Column::Int(self.bytes))
    }
}

/// One-way delay of each packet received at its destination.
pub(crate) struct Delay {
    time: Vec<u64>,
    flow: Vec<i32>,
    seq: Vec<i64>,
    delay: Vec<f64>,
    jitter: Vec<Option<f64>>,
    stats: Vec<DelayStats>,
}

impl Delay {
    pub fn new(flows: usize) -> Self {
        let stats = vec![DelayStats::default(); flows];
        Self { time: vec![], flow: vec![], seq: vec![], delay: vec![], jitter: vec![], stats }
    }

    pub fn add(&mut self, subjects: &Subjects, e: &Event<'_>) {
        if !arrives(subjects, e) {
            return;
        }
        let delay = e.at.since(e.packet.sent);
        let jitter = self.stats[e.packet.flow.index()].add(delay);
        self.time.push(e.at.ps());
        self.flow.push(e.packet.flow.0 as i32);
        self.seq.push(sequence(subjects, e.packet));
        self.delay.push(delay.secs());
        self.jitter.push(jitter.map(Duration::secs));
    }

    pub fn into_table(self) -> Table {
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("flow", Column::Int32(self.flow))
            .with("seq", Column::Int(self.seq))
            .with("delay_s", Column::Float(self.delay))
            .with("jitter_s", Column::OptionalFloat(self.jitter))
    }
}

/// Whether the event is the arrival of a packet at its flow's destination.
fn arrives(subjects: &Subjects, e: &Event<'_>) -> bool {
    let to = subjects.flows[e.packet.flow.index()].to;
    e.event == PacketEvent::Receive
        && e.packet.is_forward()
        && subjects.ends(e.place).is_some_and(|ends| ends.to == to)
}

#[derive(Clone, Copy, Default)]
struct Bin {
    wire: u64,
    payload: u64,
    sent: u64,
    retransmitted: u64,
    acked: u64,
    received_packets: i64,
    lost_packets: i64,
}

/// Rates and counts per flow in bins of time.
pub(crate) struct Throughput {
    width: Duration,
    flows: usize,
    /// Bin after bin, each with every flow.
    bins: Vec<Bin>,
}

impl Throughput {
    pub fn new(width: Duration, flows: usize) -> Self {
        Self { width, flows, bins: vec![] }
    }

    fn bin(&mut self, at: Instant, flow: FlowId) -> &mut Bin {
        let index = (at.ps() / self.width.ps()) as usize * self.flows + flow.index();
        if index >= self.bins.len() {
            let bins = index / self.flows + 1;
            self.bins.resize(bins * self.flows, Bin::default());
        }
        &mut self.bins[index]
    }

    pub fn add(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let packet = e.packet;
        if !packet.is_forward() {
            return;
        }
        let payload = u64::from(packet.payload());
        match e.event {
            // What a gateway sends is no news.
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

    pub fn acked(&mut self, at: Instant, flow: FlowId, bytes: u64) {
        self.bin(at, flow).acked += bytes;
    }

    pub fn into_table(mut self, subjects: &Subjects, end: Instant) -> Table {
        let width = self.width.ps();
        // What happens at the very end of the run belongs to the last bin.
        let count = end.ps().div_ceil(width).max(1) as usize;
        self.bins.resize(self.bins.len().max(count * self.flows), Bin::default());
        for index in count * self.flows..self.bins.len() {
            let late = self.bins[index];
            let last = &mut self.bins[(count - 1) * self.flows + index % self.flows];
            last.wire += late.wire;
            last.payload += late.payload;
            last.sent += late.sent;
            last.retransmitted += late.retransmitted;
            last.acked += late.acked;
            last.received_packets += late.received_packets;
            last.lost_packets += late.lost_packets;
        }
        self.bins.truncate(count * self.flows);

        let start = |row: usize| (row / self.flows) as u64 * width;
        let span = |row: usize| Duration::from_ps((end.ps() - start(row)).min(width));
        let rows = || self.bins.iter().enumerate();
        let int =
            |value: fn(&Bin) -> u64| Column::Int(self.bins.iter().map(|bin| value(bin) as i64).collect());
        let goodput = |row: usize, bin: &Bin| {
            let datagrams = subjects.flows[row % self.flows].datagrams;
            rate_bps(if datagrams { bin.payload } else { bin.acked }, span(row))
        };
        Table::new()
            .with("time_s", Column::Time(rows().map(|(row, _)| start(row)).collect()))
            .with("bin_s", Column::Float(rows().map(|(row, _)| span(row).secs()).collect()))
            .with("flow", Column::Int32(rows().map(|(row, _)| (row % self.flows) as i32).collect()))
            .with(
                "throughput_bps",
                Column::Float(rows().map(|(row, bin)| rate_bps(bin.wire, span(row))).collect()),
            )
            .with("goodput_bps", Column::Float(rows().map(|(row, bin)| goodput(row, bin)).collect()))
            .with("sent_bytes", int(|bin| bin.sent))
            .with("retransmitted_bytes", int(|bin| bin.retransmitted))
            .with("acked_bytes", int(|bin| bin.acked))
            .with("received_packets", int(|bin| bin.received_packets as u64))
            .with("lost_packets", int(|bin| bin.lost_packets as u64))
    }
}

/// Variables of senders, a row for each change (round-trip times: for each measurement).
pub(crate) struct Variables {
    names: &'static [Variable],
    time: Vec<u64>,
    flow: Vec<i32>,
    variable: Vec<u32>,
    value: Vec<f64>,
    /// Per flow, the last value of each of `names`; not a number before the first.
    last: Vec<f64>,
}

impl Variables {
    /// Congestion window and slow-start threshold.
    pub const CWND: &'static [Variable] = &[Variable::Cwnd, Variable::Ssthresh];
    /// Everything else.
    pub const STATE: &'static [Variable] =
        &[Variable::Rtt, Variable::Srtt, Variable::Rto, Variable::InFlight, Variable::Recovery];

    pub fn new(names: &'static [Variable], flows: usize) -> Self {
        let last = vec![f64::NAN; names.len() * flows];
        Self { names, time: vec![], flow: vec![], variable: vec![], value: vec![], last }
    }

    pub fn add(&mut self, now: Instant, flow: FlowId, variable: Variable, value: f64) {
        let Some(code) = self.names.iter().position(|known| *known == variable) else {
            return;
        };
        let last = &mut self.last[flow.index() * self.names.len() + code];
        // Not a number differs from everything, so that the first value is always shown.
        if *last == value && variable != Variable::Rtt {
            return;
        }
        *last = value;
        self.time.push(now.ps());
        self.flow.push(flow.0 as i32);
        self.variable.push(code as u32);
        self.value.push(value);
    }

    pub fn into_table(self) -> Table {
        let names = self.names.iter().map(|variable| variable.name().to_owned()).collect();
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("flow", Column::Int32(self.flow))
            .with("variable", Column::Label { names, codes: self.variable })
            .with("value", Column::Float(self.value))
    }
}
