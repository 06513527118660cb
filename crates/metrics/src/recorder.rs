//! The probe that records traces.

use crate::flowmonitor::FlowMonitor;
use crate::hops::Hops;
use crate::ns2::Ns2Trace;
use crate::observe::{Observe, Subjects};
use crate::pcap::Capture;
use crate::series::{Delay, Drops, Event, Queue, Segments, Throughput, Variables};
use crate::table::Tables;
use crate::video::EvalVid;
use base::{DropCause, FlowId, Instant, Packet, PacketEvent, Place, Probe, Stamp, Variable};

/// Records buffered before the first attempt to bring them in order: so many stay in a processor's cache.
const BATCH: usize = 1 << 13;

#[derive(Clone, Copy)]
struct Record {
    stamp: Stamp,
    packet: Packet,
    place: Place,
    event: PacketEvent,
    cause: Option<DropCause>,
}

/// Records the traces that [`Observe`] asks for.
///
/// Links report ahead of time, so events wait in a buffer, are sorted by [`Stamp`] (stably: equal stamps stay as
/// reported), and are handed to the traces once the clock has passed them.
pub struct Recorder {
    subjects: Subjects,
    pending: Vec<Record>,
    /// Length of `pending` at which to drain it.
    drain_at: usize,
    /// Stamps of `pending` with its indices, while it is brought in order.
    order: Vec<(u128, u32)>,
    /// A bit for each packet event that some trace looks at.
    wanted: u32,
    segments: Option<Segments>,
    hops: Option<Hops>,
    drops: Option<Drops>,
    queue: Option<Queue>,
    delay: Option<Delay>,
    throughput: Option<Throughput>,
    cwnd: Option<Variables>,
    state: Option<Variables>,
    pcap: Option<Capture>,
    ns2: Option<Ns2Trace>,
    flowmonitor: Option<FlowMonitor>,
    evalvid: bool,
}

/// What was recorded.
#[derive(Debug, Default)]
pub struct Recording {
    /// A table for each trace that is one.
    pub tables: Tables,
    /// Capture files, where asked for.
    pub pcap: Option<Capture>,
    /// The trace in ns-2's format, where asked for.
    pub ns2: Option<Ns2Trace>,
    /// The statistics as FlowMonitor has them, where asked for.
    pub flowmonitor: Option<FlowMonitor>,
    /// Where asked for, EvalVid's traces of the videos: empty here, whoever knows the videos adds them.
    pub evalvid: Option<Vec<EvalVid>>,
}

impl Recorder {
    /// A recorder of what `observe` asks for, in a world of `subjects`.
    pub fn new(observe: &Observe, subjects: Subjects) -> Self {
        let flows = subjects.flows.len();
        let links = subjects.links.len();
        Self {
            pending: Vec::new(),
            drain_at: BATCH,
            order: Vec::new(),
            wanted: observe.packet_events().iter().fold(0, |bits, event| bits | 1 << *event as u32),
            segments: observe.segments.then(Segments::default),
            hops: observe.hops.then(Hops::default),
            drops: observe.drops.then(Drops::default),
            queue: observe.queue.then(|| Queue::new(links)),
            delay: observe.delay.then(|| Delay::new(flows)),
            throughput: observe.throughput.map(|width| Throughput::new(width, flows)),
            cwnd: observe.cwnd.then(|| Variables::new(Variables::CWND, flows)),
            state: observe.state.then(|| Variables::new(Variables::STATE, flows)),
            pcap: observe.pcap.then(|| Capture::new(&subjects)),
            ns2: observe.ns2.then(|| Ns2Trace::new(&subjects)),
            flowmonitor: observe.flowmonitor.then(|| FlowMonitor::new(&subjects)),
            evalvid: observe.evalvid,
            subjects,
        }
    }

    /// Hands to the traces what is stamped before `until`.
    fn drain(&mut self, until: Instant) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut order = std::mem::take(&mut self.order);
        // Small keys are sorted in place of the records; the index makes it stable.
        order.extend((0u32..).zip(&pending).map(|(i, record)| (record.stamp.key(), i)));
        order.sort_unstable();
        let end = Stamp::new(until, Instant::ZERO).key();
        let ripe = order.partition_point(|(key, _)| *key < end);
        for (_, i) in &order[..ripe] {
            let record = &pending[*i as usize];
            let event = Event {
                at: record.stamp.at,
                event: record.event,
                place: record.place,
                packet: &record.packet,
                cause: record.cause,
            };
            self.trace(&event);
        }
        // What is left stays in the order in which it was reported.
        order.drain(..ripe);
        order.sort_unstable_by_key(|(_, i)| *i);
        for (to, (_, from)) in order.iter().enumerate() {
            pending[to] = pending[*from as usize];
        }
        pending.truncate(order.len());
        order.clear();
        self.drain_at = BATCH.max(2 * pending.len());
        self.pending = pending;
        self.order = order;
    }

    fn trace(&mut self, event: &Event<'_>) {
        let subjects = &self.subjects;
        if let Some(segments) = &mut self.segments {
            segments.add(subjects, event);
        }
        if let Some(hops) = &mut self.hops {
            hops.add(subjects, event);
        }
        if let Some(drops) = &mut self.drops {
            drops.add(subjects, event);
        }
        if let Some(queue) = &mut self.queue {
            queue.add(event);
        }
        if let Some(delay) = &mut self.delay {
            delay.add(subjects, event);
        }
        if let Some(throughput) = &mut self.throughput {
            throughput.add(subjects, event);
        }
        if let Some(pcap) = &mut self.pcap {
            pcap.add(subjects, event);
        }
        if let Some(ns2) = &mut self.ns2 {
            ns2.add(subjects, event);
        }
        if let Some(flowmonitor) = &mut self.flowmonitor {
            flowmonitor.add(subjects, event);
        }
    }

    /// Ends the recording: what is stamped after `end` did not happen.
    pub fn finish(mut self, end: Instant) -> Recording {
        self.drain(end.saturating_add(base::Duration::from_ps(1)));
        let subjects = &self.subjects;
        let tables = [
            ("segments", self.segments.map(|t| t.into_table(subjects))),
            ("cwnd", self.cwnd.map(Variables::into_table)),
            ("state", self.state.map(Variables::into_table)),
            ("queue", self.queue.map(|t| t.into_table(subjects))),
            ("hops", self.hops.map(|t| t.into_table(subjects))),
            ("drops", self.drops.map(|t| t.into_table(subjects))),
            ("throughput", self.throughput.map(|t| t.into_table(subjects, end))),
            ("delay", self.delay.map(Delay::into_table)),
        ];
        let tables = tables.into_iter().filter_map(|(name, table)| Some((name, table?))).collect();
        Recording {
            tables,
            pcap: self.pcap,
            ns2: self.ns2,
            flowmonitor: self.flowmonitor,
            evalvid: self.evalvid.then(Vec::new),
        }
    }
}

impl Probe for Recorder {
    const PACKETS: bool = true;
    const VARIABLES: bool = true;

    #[inline]
    fn packet(
        &mut self,
        stamp: Stamp,
        event: PacketEvent,
        place: Place,
        packet: &Packet,
        cause: Option<DropCause>,
    ) {
        if self.wanted & (1 << event as u32) != 0 {
            self.pending.push(Record { stamp, packet: *packet, place, event, cause });
        }
    }

    fn variable(&mut self, now: Instant, flow: FlowId, variable: Variable, value: f64) {
        if let Some(cwnd) = &mut self.cwnd {
            cwnd.add(now, flow, variable, value);
        }
        if let Some(state) = &mut self.state {
            state.add(now, flow, variable, value);
        }
    }

    fn acked(&mut self, now: Instant, flow: FlowId, bytes: u64) {
        if let Some(throughput) = &mut self.throughput {
            throughput.acked(now, flow, bytes);
        }
    }

    #[inline]
    fn advance(&mut self, now: Instant) {
        if self.pending.len() >= self.drain_at {
            self.drain(now);
        }
    }
}

#[cfg(test)]
#[path = "recorder_tests.rs"]
pub(crate) mod tests;
