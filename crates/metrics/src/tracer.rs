//! What a trace is while it is recorded, and when it is done.

use crate::kept::Kept;
use crate::subjects::Subjects;
use crate::table::Table;
use base::{
    Buffer, DropCause, Duration, FlowId, Instant, NodeId, Packet, PacketEvent, Place, QueueVariable, Variable,
};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

/// A packet event in order of time.
#[derive(Clone, Copy)]
pub(crate) struct Event<'a> {
    pub at: Instant,
    pub event: PacketEvent,
    pub place: Place,
    pub packet: &'a Packet,
    pub cause: Option<DropCause>,
}

/// Copies a trace in the middle of its recording.
pub(crate) trait Copied {
    /// A copy that records on by itself.
    fn copied(&self) -> Box<dyn Tracer>;
}

impl<T: Tracer + Clone + 'static> Copied for T {
    fn copied(&self) -> Box<dyn Tracer> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Tracer> {
    fn clone(&self) -> Self {
        (**self).copied()
    }
}

/// A trace that is being recorded.
pub(crate) trait Tracer: Copied + Send {
    /// Nothing recorded yet; `bin` is the width of bins of time.
    fn new(subjects: &Subjects, bin: Duration) -> Self
    where
        Self: Sized;

    /// The packet events that it looks at.
    fn events(&self) -> &'static [PacketEvent] {
        &[]
    }

    /// An event of [`Tracer::events`].
    fn packet(&mut self, _: &Subjects, _: &Event<'_>) {}

    /// A variable of a flow's sender has this value.
    fn variable(&mut self, _now: Instant, _: FlowId, _: Variable, _value: f64) {}

    /// Whether it looks at buffers or at variables of queue disciplines.
    fn watches_queues(&self) -> bool {
        false
    }

    /// So many packets and bytes wait at a node.
    fn buffer(&mut self, _now: Instant, _: NodeId, _: Buffer, _packets: u64, _bytes: u64) {}

    /// A variable of a queue discipline has this value.
    fn queue_variable(&mut self, _now: Instant, _: Place, _: QueueVariable, _value: f64) {}

    /// Whether it looks at what congestion controls have of their own.
    fn watches_controls(&self) -> bool {
        false
    }

    /// A variable of a congestion control has this value.
    fn control(&mut self, _now: Instant, _: FlowId, _variable: &str, _value: f64) {}

    /// A flow's sender learned that so many more bytes of payload have arrived.
    fn acked(&mut self, _now: Instant, _: FlowId, _bytes: u64) {}

    /// The run has ended.
    fn finish(self: Box<Self>, subjects: &Subjects, end: Instant) -> Recorded;
}

/// A trace that has been recorded.
pub(crate) enum Recorded {
    Table(Table),
    Files(Box<dyn TraceFiles>),
}

/// A trace that is written as files of its own format.
pub trait TraceFiles: Debug + Send + Sync {
    /// Writes the files into `folder` and returns their paths. Their names are made of `stem`, or, without one, those that
    /// the trace has by itself.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>>;

    /// Room that it takes.
    fn kept(&self) -> Kept;
}
