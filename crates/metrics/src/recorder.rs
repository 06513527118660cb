//! The probe that records traces.

use crate::kept::Kept;
use crate::observe::{Observe, Trace};
use crate::row::{Row, Rows};
use crate::subjects::{FlowSubject, Subjects};
use crate::table::Tables;
use crate::tracer::{Event, Recorded, TraceFiles, Tracer};
use base::{DropCause, FlowId, Instant, Observation, Packet, PacketEvent, Place, Probe, Stamp};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Number of events that are buffered before they are first sorted; so many fit into a processor's cache.
const BATCH: usize = 1 << 13;

#[derive(Clone, Copy)]
struct Record {
    stamp: Stamp,
    packet: Packet,
    place: Place,
    event: PacketEvent,
    cause: Option<DropCause>,
    /// True for a packet of a session's connection.
    in_session: bool,
}

/// Probe that records the traces requested by [`Observe`].
///
/// Links report events before their time. The recorder therefore buffers events, sorts them by [`Stamp`]
/// (events with equal stamps stay in the order of reporting), and passes them to the tracers once the clock
/// has passed their time.
#[derive(Clone)]
pub struct Recorder {
    subjects: Subjects,
    pending: Vec<Record>,
    /// Length of `pending` at which the events are sorted and passed on.
    drain_at: usize,
    /// Sort keys of the events in `pending` with their indices; kept to reuse its memory.
    order: Vec<(u128, u32)>,
    /// One bit for each kind of packet event that some tracer uses.
    wanted: u32,
    /// True if some tracer uses lengths of buffers or variables of queue disciplines.
    watches_queues: bool,
    watches_controls: bool,
    tracers: Vec<(Trace, Box<dyn Tracer>)>,
}

/// Recorded traces of a run.
#[derive(Debug, Default)]
pub struct Recording {
    /// The traces that are tables, by name.
    pub tables: Tables,
    /// The traces that are files.
    pub files: BTreeMap<Trace, Box<dyn TraceFiles>>,
    subjects: Subjects,
}

impl Recording {
    /// Adds a trace that is a table with these rows.
    pub fn add_table<R: Row>(&mut self, rows: impl IntoIterator<Item = R>) {
        let mut table = Rows::default();
        rows.into_iter().for_each(|row: R| table.push(&row));
        self.tables.insert(R::TABLE.name, table.into_table(&self.subjects));
    }

    /// Adds further files to those of a trace.
    pub fn add_files(&mut self, trace: Trace, files: Box<dyn TraceFiles>) {
        let both = self.files.remove(&trace).into_iter().chain([files]).collect::<Vec<_>>();
        self.files.insert(trace, Box::new(both));
    }
}

/// Files of a trace that several recorders write.
impl TraceFiles for Vec<Box<dyn TraceFiles>> {
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for one in self {
            paths.extend(one.write(folder, stem)?);
        }
        Ok(paths)
    }

    fn kept(&self) -> Kept {
        self.iter().fold(Kept::default(), |sum, one| sum + one.kept())
    }
}

impl Recorder {
    /// Creates a recorder of the traces in `observe`; `subjects` has the names that appear in them.
    pub fn new(observe: &Observe, subjects: Subjects) -> Self {
        let tracers = observe.tracers(&subjects);
        let events = tracers.iter().flat_map(|(_, tracer)| tracer.events());
        Self {
            pending: Vec::new(),
            drain_at: BATCH,
            order: Vec::new(),
            wanted: events.fold(0, |bits, event| bits | 1 << *event as u32),
            watches_queues: tracers.iter().any(|(_, tracer)| tracer.watches_queues()),
            watches_controls: tracers.iter().any(|(_, tracer)| tracer.watches_controls()),
            tracers,
            subjects,
        }
    }

    /// Sets the name and properties of a flow that has just begun; packets of the flow come later.
    pub fn set_flow(&mut self, flow: FlowId, subject: FlowSubject) {
        self.subjects.flows[flow.index()] = subject;
    }

    /// Removes the flows from number `count` on, which had no packets.
    pub fn keep_flows(&mut self, count: usize) {
        self.subjects.flows.truncate(count);
    }

    /// Returns true if `flow` is a connection of a session. The numbers of such connections follow those of the
    /// scenario's flows.
    #[inline]
    fn is_in_session(&self, flow: FlowId) -> bool {
        flow.index() >= self.subjects.flows.len()
    }

    /// Passes the events before `until` to the tracers, in order of time.
    fn drain(&mut self, until: Instant) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut order = std::mem::take(&mut self.order);
        // Sorts small keys instead of the records; the index in the key makes the sort stable.
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
            let interested = self.tracers.iter_mut().filter(|(trace, tracer)| {
                tracer.events().contains(&event.event) && (!record.in_session || trace.shows_sessions())
            });
            interested.for_each(|(_, tracer)| tracer.packet(&self.subjects, &event));
        }
        // Keeps the remaining events in the order in which they were reported.
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

    /// Ends the recording at `end`; later events are dropped.
    pub fn finish(mut self, end: Instant) -> Recording {
        self.drain(end.saturating_add(base::Duration::from_ps(1)));
        let (mut tables, mut files) = (Tables::new(), BTreeMap::new());
        for (trace, tracer) in self.tracers {
            match tracer.finish(&self.subjects, end) {
                Recorded::Table(table) => drop(tables.insert(trace.name(), table)),
                Recorded::Files(written) => drop(files.insert(trace, written)),
            }
        }
        Recording { tables, files, subjects: self.subjects }
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
            let in_session = self.is_in_session(packet.flow);
            self.pending.push(Record { stamp, packet: *packet, place, event, cause, in_session });
        }
    }

    fn content(&mut self, packet: &Packet, bytes: &[u8]) {
        self.tracers.iter_mut().for_each(|(_, tracer)| tracer.content(packet, bytes));
    }

    fn observe(&mut self, now: Instant, observation: Observation<'_>) {
        if let Observation::Variable(flow, ..) | Observation::Control(flow, ..) | Observation::Acked(flow, _) =
            observation
            && self.is_in_session(flow)
        {
            return;
        }
        self.tracers.iter_mut().for_each(|(_, tracer)| tracer.observe(now, &observation));
    }

    #[inline]
    fn watches_queues(&self) -> bool {
        self.watches_queues
    }

    #[inline]
    fn watches_controls(&self) -> bool {
        self.watches_controls
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
