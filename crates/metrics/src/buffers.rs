//! The traces of queues that are no link's, and of queue disciplines: `buffers` and `disciplines`.

use crate::row::{AT, Rows, table};
use crate::subjects::Subjects;
use crate::tracer::{Recorded, Tracer};
use base::{Buffer, Duration, Instant, NodeId, Observation, Place, QueueVariable};
use std::collections::BTreeMap;

table! {
    "buffers", AT;
    /// Trace: a row for each change of a queue within a radio network; an empty one has no row before its first packet. What a
    /// station dropped and marked is in `drops` and `marks`, with its node as place.
    pub(crate) struct BufferLength {
        /// when
        time_s: Instant ["s", ""];
        /// the station, or the UE whose buffer it is
        node: NodeId ["", ""];
        /// `mac`: an 802.11 station's own queue and the packets in transmission, with EDCA of all access categories;
        /// `discipline`: the queue discipline above it. `rlc-down`, `rlc-up`: data not yet sent for the first time in a
        /// UE's RLC transmission buffer, at the eNodeB or the UE
        buffer: &'static str ["", ""];
        /// packets in it
        packets: u64 ["packets", "MAC, RLC"];
        /// their size with headers; RLC: the rest of it, with PDCP headers
        bytes: u64 ["bytes", "MAC, RLC"];
    }
}

/// Lengths of buffers, a row for each change.
#[derive(Clone)]
pub(crate) struct Buffers {
    rows: Rows<BufferLength>,
    last: BTreeMap<(NodeId, Buffer), (u64, u64)>,
}

impl Tracer for Buffers {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self { rows: Rows::default(), last: BTreeMap::new() }
    }

    fn watches_queues(&self) -> bool {
        true
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        let Observation::Buffer(node, buffer, packets, bytes) = *observation else { return };
        let last = self.last.entry((node, buffer)).or_default();
        if *last != (packets, bytes) {
            *last = (packets, bytes);
            self.rows.push(&BufferLength { time_s: now, node, buffer: buffer.name(), packets, bytes });
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.rows.into_table(subjects))
    }
}

table! {
    "disciplines", AT;
    /// Trace: a row for each change of a variable of a queue discipline: RED, CoDel, FQ-CoDel or PIE, by itself or within
    /// another queue.
    pub(crate) struct DisciplineChange {
        /// when
        time_s: Instant ["s", ""];
        /// the direction `a>b` of a link, or a station's node; with EDCA the discipline is that of best effort
        place: Place ["", ""];
        /// RED: `average` length, `min`, `max`, and `max_p`, the probability of a drop at `max`. CoDel: `dropping`, 1 while
        /// it drops (FQ-CoDel: number of queues that do); `count` of drops since then; `delay` of the packet that left
        /// last; `target` of the delay. PIE: `delay`, `target`, and `probability` of a drop
        variable: &'static str ["", ""];
        /// its new value
        value: f64 ["packets (average, min, max), s (delay, target)", "link"];
    }
}

/// Variables of queue disciplines, a row for each change.
#[derive(Clone)]
pub(crate) struct Disciplines {
    rows: Rows<DisciplineChange>,
    last: BTreeMap<(Place, QueueVariable), f64>,
}

impl Tracer for Disciplines {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self { rows: Rows::default(), last: BTreeMap::new() }
    }

    fn watches_queues(&self) -> bool {
        true
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        let Observation::QueueVariable(place, variable, value) = *observation else { return };
        if self.last.insert((place, variable), value) != Some(value) {
            self.rows.push(&DisciplineChange { time_s: now, place, variable: variable.name(), value });
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.rows.into_table(subjects))
    }
}
