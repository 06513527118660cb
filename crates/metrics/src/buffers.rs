//! The traces `buffers` (queues within radio networks) and `disciplines` (variables of queue disciplines).

use crate::row::{AT, Rows, table};
use crate::subjects::Subjects;
use crate::tracer::{Recorded, Tracer};
use base::{Buffer, Duration, Instant, NodeId, Observation, Place, QueueVariable};
use std::collections::BTreeMap;

table! {
    "buffers", AT;
    /// Trace: a row for each change of a queue within a radio network. A queue has no row before its first
    /// packet. Packets that a station drops or marks are in `drops` and `marks`, with the station's node as
    /// place.
    pub(crate) struct BufferLength {
        /// time of the change
        time_s: Instant ["s", ""];
        /// the station, or the UE to or from which the buffered data go
        node: NodeId ["", ""];
        /// `mac`: an 802.11 station's own queue and the packets in transmission, with EDCA those of all
        /// access categories. `discipline`: the queue discipline that feeds that queue. `rlc-down`, `rlc-up`:
        /// data not yet sent for the first time in the RLC transmission buffer of the eNodeB (for this UE)
        /// and of the UE
        buffer: &'static str ["", ""];
        /// packets in the buffer
        packets: u64 ["packets", "MAC, RLC"];
        /// bytes in the buffer, with headers; RLC: bytes not yet sent, with PDCP headers
        bytes: u64 ["bytes", "MAC, RLC"];
    }
}

/// Recorder of the trace `buffers`: lengths of queues within radio networks.
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
    /// Trace: a row for each change of a variable of a queue discipline: RED, CoDel, FQ-CoDel or PIE, alone
    /// or as the inner queue of another discipline.
    pub(crate) struct DisciplineChange {
        /// time of the change
        time_s: Instant ["s", ""];
        /// the direction `a>b` of a link, or a station's node; with EDCA the queue of best effort
        place: Place ["", ""];
        /// RED: `average` queue length, `min`, `max`, and `max_p`, the probability of a drop at `max`. CoDel:
        /// `dropping`, 1 in the dropping state (FQ-CoDel: the number of queues in that state); `count`, drops
        /// in that state; `delay` of the packet dequeued last; `target` of the delay. PIE: `delay`, `target`,
        /// and `probability` of a drop
        variable: &'static str ["", ""];
        /// new value of the variable
        value: f64 ["packets (average, min, max), s (delay, target)", "link"];
    }
}

/// Recorder of the trace `disciplines`: variables of queue disciplines.
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
